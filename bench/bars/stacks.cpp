// S3, S1, S8 and the leaning tower: what stands, stands still; what must fall, falls.
#include "scenes/stacks.h"

#include <algorithm>

#include "bars/bars.h"
#include "measure/penetration.h"

namespace sunder::bars {

namespace {

void run(scenes::BoxScene& scene, double rate, double seconds) {
    const int steps = int(std::lround(rate * seconds));
    for (int i = 0; i < steps; ++i)
        scene.world.step(Real(1 / rate));
}

std::vector<Vec3> positions(const scenes::BoxScene& scene) {
    std::vector<Vec3> result;
    for (const scenes::BoxRecord& box : scene.moving)
        result.push_back(scene.world.position(box.id));
    return result;
}

// When the top cube's centre was half a metre below its start; infinite where it stood for ten seconds.
double fallTime(double shift, double rate) {
    scenes::BoxScene scene = scenes::leaningTower(scenes::withoutSleep(), 10, shift);
    const BodyId top = scene.moving.back().id;
    const double start = scene.world.position(top).y;
    for (int i = 1; i <= int(10 * rate); ++i) {
        scene.world.step(Real(1 / rate));
        if (scene.world.position(top).y < start - 0.5)
            return i / rate;
    }
    return INFINITY;
}

// How far the top cube has gone from where it was put, m; the centre of mass of all but the lowest cube is at `lever` from its
// middle, its edge at 0.5, all in sizes of a cube.
double towerMoves(int count, double size, double lever, double rate, double seconds) {
    scenes::BoxScene scene = scenes::leaningTower(scenes::withoutSleep(), count, lever / (count / 2.0), size);
    const Vec3 start = positions(scene).back();
    double moved = 0;
    for (int i = 0; i < int(seconds * rate) && moved < 0.5 * size; ++i) {
        scene.world.step(Real(1 / rate));
        const Vec3 now = scene.world.position(scene.moving.back().id);
        moved = std::hypot(double(now.x - start.x), double(now.y - start.y));
    }
    return moved;
}

void towersByLever(Table& table) {
    for (const int count : {10, 12, 16, 20})
        for (const double rate : {30.0, 60.0, 240.0}) {
            const double stands = towerMoves(count, 1, 0.45, rate, 60), falls = towerMoves(count, 1, 0.55, rate, 60);
            table.check(
                format("%d cubes, %g Hz: 0.45 and 0.55 of the 0.5 m lever, 60 s", count, rate), "stands; falls",
                format("%s (%.1f mm); ", stands < 0.5 ? "stands" : "falls", stands * 1e3) + (falls < 0.5 ? "stands" : "falls"),
                stands < 0.5 && falls >= 0.5);
        }
    int wrong = 0, all = 0;
    for (const double size : {0.1, 0.3, 1.0, 3.0})
        for (const double rate : {30.0, 60.0, 240.0})
            for (const int count : {6, 10, 14, 20, 25})
                for (const double lever : {0.3, 0.4, 0.45, 0.48, 0.52, 0.6}) {
                    const bool fell = towerMoves(count, size, lever, rate, 30) >= 0.5 * size;
                    wrong += fell != (lever > 0.5);
                    ++all;
                }
    table.below(format("towers of 6 to 25 cubes of 0.1 to 3 m that do what they should not, of %d", all), wrong, 0.5, "");
}

}  // namespace

void stack(Table& table) {
    table.begin("S3", "20 cubes at 30 Hz, 20 s");
    scenes::BoxScene scene = scenes::stackOfCubes(scenes::withoutSleep(), 20);
    double sag = 0, drift = 0;
    for (int second = 0; second < 20; ++second) {
        run(scene, 30, 1);
        const Vec3 top = scene.world.position(scene.moving.back().id);
        sag = std::max(sag, 19.5 - double(top.y));
        drift = std::max(drift, std::hypot(double(top.x), double(top.z)));
    }
    table.below("top sinks (worst of every second)", sag * 1e3, 15, "mm");
    table.below("top drifts (worst of every second)", drift * 1e3, 15, "mm");
}

void pyramidOfCubes(Table& table) {
    table.begin("S1", "pyramid base 20 at 30 Hz, 10 s");
    scenes::BoxScene scene = scenes::pyramid(scenes::withoutSleep(), 20);
    const std::vector<Vec3> before = positions(scene);
    run(scene, 30, 10);
    const std::vector<Vec3> after = positions(scene);
    double moved = 0, drift = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const scenes::Vector way = scenes::toVector(after[i]) - scenes::toVector(before[i]);
        moved = std::max(moved, length(way));
        drift = std::max(drift, std::hypot(way.x, way.z));
    }
    table.below("the cube that moves most", moved * 1e3, 30, "mm");
    table.note("horizontal drift of the worst", format("%.3g mm", drift * 1e3));
}

void heavyOnLightCube(Table& table) {
    table.begin("S8", "1000:1, a 1 m cube on a 0.5 m cube, 10 s");
    for (const double rate : {30.0, 60.0})
        for (const double offset : {0.0, 0.15, 0.22, 0.30}) {
            scenes::BoxScene scene = scenes::heavyOnLight(scenes::withoutSleep(), 1000, offset);
            double peak = 0;
            for (int i = 0; i < int(10 * rate); ++i) {
                scene.world.step(Real(1 / rate));
                peak = std::max(peak, measure::measurePenetration(scene).largest);
            }
            const bool stands = scene.world.position(scene.moving.back().id).y > 0.95;
            const bool mustStand = offset < 0.25;
            table.check(format("%g Hz, %.2f m off the centre", rate, offset), mustStand ? "stands" : "falls",
                        stands ? "stands" : "falls", stands == mustStand);
            if (mustStand)
                table.below(format("%g Hz, %.2f m off: penetration, any step", rate, offset), peak * 1e3, 5, "mm");
        }
}

void tower(Table& table) {
    table.begin("tower", "leaning tower of 10 cubes of 1 m at 30 Hz");
    for (const double shift : {0.09, 0.125, 0.16}) {
        const double measured = fallTime(shift, 30), reference = fallTime(shift, 480);
        const double expected = shift == 0.09 ? INFINITY : shift == 0.125 ? 2.4 : 1.75;
        const auto text = [](double time) {
            return std::isinf(time) ? std::string("stands") : format("falls at %.2f s", time);
        };
        const bool agrees = measured == reference || std::abs(measured - reference) <= 0.35;
        const bool right = measured == expected || std::abs(measured - expected) <= 0.35;
        table.check(format("shifted by %.3f m each", shift), text(expected) + " +- 0.35",
                    text(measured) + "; at 480 Hz " + text(reference), agrees && right);
    }
    towersByLever(table);
}

}  // namespace sunder::bars
