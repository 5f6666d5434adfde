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
}

}  // namespace sunder::bars
