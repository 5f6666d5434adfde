// The stress solve: iterations and times on bunnies of stuffTets, whole and cracked half through, struck in eight places.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "bars/bars.h"
#include "bars/fracture.h"
#include "elastic/solid/element_finder.h"
#include "elastic/stress/stress_solver.h"
#include "geometry/level_set/mesh_level_set.h"
#include "geometry/tets/stuff_tets.h"
#include "geometry/tets/tet_pieces.h"
#include "measure/shell_crossings.h"

#if SUNDER_HAS_SCENE
#include "sunder/scene/mesh_files.h"
#include "sunder/scene/runner.h"
#include "sunder/stress_map.h"
#endif

namespace sunder::bars {

#if SUNDER_HAS_SCENE
namespace {

using elastic::ElementMesh;
using elastic::NodalLoads;
using elastic::Stress;
using elastic::StressOptions;
using elastic::StressSolution;
using elastic::StressSolver;
using Method = StressOptions::Method;

const elastic::ElasticMaterial kGlass{Real(7e10), Real(0.22), 2500};
constexpr int kHits = 8;
constexpr int kRounds = 5;  // the best of them is told

using Clock = double (*)();  // ms
double wallTime() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
// Of the whole process: for one thread, where others use the machine.
double processorTime() { return 1e3 * double(std::clock()) / CLOCKS_PER_SEC; }

ElementMesh bunnyOf(double cell) {
    Mesh bunny = loadMesh(fractureScenes() / ".." / "assets" / "bunny.obj");
    for (Vec3& vertex : bunny.vertices)
        vertex *= Real(0.1);
    const geometry::MeshFieldResult field = geometry::distanceOfMesh(bunny.vertices, bunny.triangles, {Real(cell), {}}, 8);
    ElementMesh out;
    out.mesh = geometry::largestComponent(geometry::stuffTets(field.field).mesh);
    out.fill.assign(out.mesh.tets.size(), 1);
    return out;
}

// A crack across the middle of the body up to half its height: elements beyond it have nodes of their own.
ElementMesh cracked(ElementMesh body) {
    geometry::TetMesh& mesh = body.mesh;
    Vec3 low = mesh.vertices[0], high = low;
    for (const Vec3& p : mesh.vertices) {
        low = min(low, p);
        high = max(high, p);
    }
    const Vec3 middle = (low + high) / 2;
    const auto isBeyond = [&](const geometry::TetCorners& tet) {
        Real x = 0;
        for (const std::uint32_t node : tet)
            x += mesh.vertices[node].x / 4;
        return x > middle.x;
    };
    const std::size_t nodes = mesh.vertices.size();
    std::vector<std::array<bool, 2>> sides(nodes, {false, false});
    for (const geometry::TetCorners& tet : mesh.tets)
        for (const std::uint32_t node : tet)
            sides[node][isBeyond(tet) ? 1 : 0] = true;
    std::vector<char> beyond;
    for (const geometry::TetCorners& tet : mesh.tets)
        beyond.push_back(isBeyond(tet));
    std::vector<std::uint32_t> copy(nodes);
    for (std::uint32_t i = 0; i < nodes; ++i) {
        copy[i] = i;
        if (sides[i][0] && sides[i][1] && mesh.vertices[i].y < middle.y) {
            copy[i] = static_cast<std::uint32_t>(mesh.vertices.size());
            mesh.vertices.push_back(Vec3(mesh.vertices[i]));
        }
    }
    for (std::size_t e = 0; e < mesh.tets.size(); ++e)
        for (std::uint32_t& node : mesh.tets[e])
            node = beyond[e] ? copy[node] : node;
    return body;
}

NodalLoads hitOn(const StressSolver& solver, const elastic::ElementFinder& finder, int hit) {
    const elastic::ElasticSolid& solid = solver.solid();
    NodalLoads loads(solid);
    const Vec3d point = solid.nodes[(std::size_t(hit) * 7919 + 13) % solid.nodes.size()];
    const elastic::ElementFinder::Place place = finder.find(solid, point);
    loads.addForce(solid, place.element, place.weights, {double(hit - 1), -1000, 300.0 * (hit % 3)});
    return loads;
}

// The largest difference of an entry over the largest entry.
double errorOf(const std::vector<Stress>& stresses, const std::vector<Stress>& exact) {
    double difference = 0, most = 0;
    for (std::size_t e = 0; e < stresses.size(); ++e)
        for (std::size_t k = 0; k < 6; ++k) {
            difference = std::max(difference, std::fabs(stresses[e][k] - exact[e][k]));
            most = std::max(most, std::fabs(exact[e][k]));
        }
    return difference / most;
}

struct Measured {
    int iterations = 0;
    double error = 0, setUp = 1e30, solve = 1e30;  // ms
};

Measured measure(const ElementMesh& mesh, Method method, int hits, int rounds, TaskRunner& runner, Clock clock = wallTime) {
    StressOptions tight, options;
    tight.tolerance = 1e-8;
    tight.method = Method::multigrid;
    options.method = method;
    StressSolver exact(mesh, kGlass, tight, runner);
    const elastic::ElementFinder finder(exact.solid());
    Measured out;
    for (int round = 0; round < rounds; ++round) {
        const double begin = clock();
        StressSolver solver(mesh, kGlass, options, runner);
        out.setUp = std::min(out.setUp, clock() - begin);
        for (int hit = 0; hit < hits; ++hit) {
            const NodalLoads loads = hitOn(solver, finder, hit);
            const double start = clock();
            const StressSolution solution = solver.solve(loads, runner);
            out.solve = std::min(out.solve, clock() - start);
            out.iterations = std::max(out.iterations, solution.converged ? solution.iterations : 1000000);
            if (round == 0)
                out.error = std::max(out.error, errorOf(solution.stresses, exact.solve(loads, runner).stresses));
        }
    }
    return out;
}

}  // namespace

void stressSolve(Table& table) {
    table.begin("stress.solve", "stress of a glass bunny under a blow, two threads, best of 5 rounds and 8 blows");
    const auto runner = makeTaskRunner(2), one = makeSerialRunner();
    struct Size {
        const char* name;
        double cell, solve, both;  // ms
    };
    for (const Size& size :
         {Size{"2k", 0.056, 0, 0}, Size{"10k", 0.0315, 10, 25}, Size{"30k", 0.0217, 0, 0}, Size{"100k", 0.0145, 120, 260}}) {
        const ElementMesh whole = bunnyOf(size.cell);
        const std::string name = std::string(size.name) + format(" (%zu tets, ", whole.mesh.tets.size());
        const Measured uncut = measure(whole, Method::multigrid, kHits, kRounds, *runner);
        table.below(name + "whole): iterations", uncut.iterations, 15.5, "");
        table.below(name + "whole): stress error", uncut.error, 1e-3, "");
        if (size.solve > 0) {
            table.below(name + "whole): solve", uncut.solve, size.solve, "ms");
            table.below(name + "whole): set-up and solve", uncut.setUp + uncut.solve, size.both, "ms");
        } else {
            table.note(name + "whole): set-up, solve", format("%.1f ms, %.1f ms", uncut.setUp, uncut.solve));
        }
        const Measured alone = measure(whole, Method::multigrid, 3, 3, *one, processorTime);
        table.note(name + "whole): set-up, solve, processor time of one thread",
                   format("%.1f ms, %.1f ms", alone.setUp, alone.solve));
        const Measured half = measure(cracked(whole), Method::multigrid, kHits, 2, *runner);
        table.below(name + "half cracked): iterations", half.iterations, 30.5, "");
        table.below(name + "half cracked): stress error", half.error, 1e-3, "");
        table.note(name + "half cracked): set-up, solve", format("%.1f ms, %.1f ms", half.setUp, half.solve));
        const Measured jacobi = measure(whole, Method::blockJacobi, 2, 1, *one, processorTime);
        table.note(name + "whole): block Jacobi in double, processor time of one thread",
                   format("%d iterations, %.1f ms, error %.1e", jacobi.iterations, jacobi.solve, jacobi.error));
        if (size.solve > 100)
            table.below(name + "whole): solve over that of block Jacobi in double", alone.solve / jacobi.solve, 0.2, "");
    }
}

// The element with the largest tension, smoothed, under 100 blows: by default settings and by a factor.
void stressVerdict(Table& table) {
    table.begin("stress.verdict", "which element of a glass bunny would crack first, 100 blows");
    const auto runner = makeTaskRunner(2);
    for (const double cell : {0.056, 0.0315}) {
        const ElementMesh mesh = bunnyOf(cell);
        StressOptions options, exactly;
        options.method = Method::multigrid;
        exactly.method = Method::factor;
        exactly.tolerance = 1e-8;
        StressSolver solver(mesh, kGlass, options, *runner), exact(mesh, kGlass, exactly, *runner);
        const elastic::ElementFinder finder(solver.solid());
        const auto first = [&](StressSolver& by, const NodalLoads& loads) {
            const std::vector<Stress> stresses = elastic::smoothed(by.solid(), by.solve(loads, *runner).stresses, *runner);
            std::size_t best = 0;
            double most = 0;
            for (std::size_t e = 0; e < stresses.size(); ++e) {
                const double tension = elastic::largestPrincipal(stresses[e]).value;
                best = tension > most ? e : best;
                most = std::max(most, tension);
            }
            return best;
        };
        int equal = 0;
        constexpr int kBlows = 100;
        for (int hit = 0; hit < kBlows; ++hit) {
            const NodalLoads loads = hitOn(solver, finder, hit);
            equal += first(solver, loads) == first(exact, loads) ? 1 : 0;
        }
        table.check(format("%zu tets", mesh.mesh.tets.size()), "100 of 100", format("%d", equal), equal == kBlows);
    }
}
namespace {

// The frame in which a scene's body first cracks by stress, and the slowest of those after it in which nothing cracks.
struct HitFrame {
    double hit = 0, processor = 0, after = 0;  // ms
    int solves = 0, iterations = 0, cracked = 0, bodies = 0;
};

HitFrame hitFrameOf(const std::string& name, int framesAfter) {
    SceneOptions options;
    options.assets = fractureScenes() / ".." / "assets";
    const SceneResult loaded = loadScene(fractureScenes() / (name + ".json"), options);
    HitFrame out;
    if (!loaded)
        return out;
    Scene scene = *loaded.scene;
    scene.world.threads = 2;
    SceneRunner runner(scene);
    for (int frame = 0, left = framesAfter; frame < scene.frames && left > 0; ++frame) {
        const double begin = processorTime();
        runner.stepFrame();
        const WorldStats stats = runner.world().stats();
        if (out.solves == 0 && stats.crackedElements > 0) {
            out.hit = runner.stepMs();
            out.processor = processorTime() - begin;
            out.solves = stats.stressSolves;
            out.iterations = stats.stressIterations;
            out.cracked = stats.crackedElements;
            out.bodies = int(runner.world().bodies().size());
        } else if (out.solves > 0) {
            --left;
            if (stats.stressSolves == 0)
                out.after = std::max(out.after, runner.stepMs());
        }
    }
    return out;
}

}  // namespace

void stressHitFrame(Table& table) {
    table.begin("stress.hit", "the frame of a blow, solves, cracks, pieces and all, two threads; frames after it");
    struct Bar {
        const char* scene;
        double hit, after;  // ms
    };
    for (const Bar& bar : {Bar{"bao07_fig6_wall", 60, 33}, Bar{"bao07_fig11_bunny", 700, 33}}) {
        const HitFrame found = hitFrameOf(bar.scene, 30);
        const std::string name = bar.scene;
        table.below(name + ": hit frame", found.solves > 0 ? found.hit : 1e9, bar.hit, "ms");
        table.below(name + ": slowest of 30 frames after", found.after, bar.after, "ms");
        table.note(name + ": hit frame",
                   format("processor time %.0f ms, %d solves, %d iterations, %d tetrahedra cracked, then %d bodies",
                          found.processor, found.solves, found.iterations, found.cracked, found.bodies));
    }
}

// 1000 boats until they lie: the time of every step, and triangles that cross.
void shellBoats(Table& table) {
    table.begin("stress.boats", "1000 boats, thin shells of 12 mm, fall into a pit: 480 steps, two threads");
    SceneOptions options;
    options.assets = fractureScenes() / ".." / "assets";
    options.sets = {"bodies[0].pit.width=7.8", "bodies[1].pile.count=[10,10,10]"};
    const SceneResult loaded = loadScene(fractureScenes() / "bao07_fig4_boats.json", options);
    if (!loaded) {
        table.check("the scene", "loads", loaded.problems.front().message, false);
        return;
    }
    Scene scene = *loaded.scene;
    scene.world.threads = 2;
    SceneRunner runner(scene);
    double slowest = 0, processor = 0, mostProcessor = 0;
    int crossings = 0, looks = 0;
    constexpr int kFrames = 480, kFramesPerLook = 5;
    for (int frame = 0; frame < kFrames; ++frame) {
        const double begin = processorTime();
        runner.stepFrame();
        const double spent = processorTime() - begin;
        slowest = std::max(slowest, runner.stepMs());
        mostProcessor = std::max(mostProcessor, spent);
        processor += spent;
        if (frame % kFramesPerLook == kFramesPerLook - 1) {
            crossings += measure::shellCrossings(runner.world());
            ++looks;
        }
    }
    table.below("slowest step", slowest, 1000, "ms");
    table.note("processor time of a step", format("mean %.0f ms, most %.0f ms", processor / kFrames, mostProcessor));
    table.below(format("triangles that cross, in %d frames looked at", looks), crossings, 0.5, "");
    table.below("triangles that cross at the end", measure::shellCrossings(runner.world()), 0.5, "");
    table.note("kinetic energy at the end", format("%.2g J a boat", runner.world().stats().kineticEnergy / 1000));
}

namespace {

// What a ball that falls on a slab on two rails does to it.
struct Verdict {
    bool loads = false, cracks = false, parts = false;
    double tension = 0;  // over the strength: the largest before any crack
};

Verdict verdictOf(double height, int rate) {
    constexpr double kTouching = 0.48;  // m: the ball's centre, when it touches the slab
    constexpr double kTime = 0.6;       // s: longer than the longest fall, and the blow
    SceneOptions options;
    options.sets = {format("frame_rate=%d", rate), format("bodies[4].position=[0.04,%.4f,0.03]", kTouching + height)};
    const SceneResult loaded = loadScene(fractureScenes() / "bao07_fig9_rates.json", options);
    Verdict out;
    out.loads = bool(loaded);
    if (!loaded)
        return out;
    SceneRunner runner(*loaded.scene);
    for (int frame = 0; frame < int(kTime * rate) && !out.parts; ++frame) {
        runner.stepFrame();
        for (const StressMap& map : runner.stressMaps())
            if (!out.cracks)
                out.tension = std::max(out.tension, double(map.worstTension / map.strength));
        out.cracks = out.cracks || runner.world().stats().crackedElements > 0;
        out.parts = !runner.world().breakEvents().empty();
    }
    return out;
}

}  // namespace

// The same blow at three rates: [Bao07] figures 9 and 10.
void stressRates(Table& table) {
    table.begin("stress.rates", "a ball falls on a slab from 15 heights: what becomes of it at 30, 60 and 240 Hz");
    int cracksAlike = 0, partsAlike = 0, near = 0;
    double differs = 0;
    constexpr int kHeights = 15;
    for (int i = 0; i < kHeights; ++i) {
        const double height = 0.15 + 0.05 * i;
        const Verdict v[] = {verdictOf(height, 30), verdictOf(height, 60), verdictOf(height, 240)};
        const auto [least, most] = std::minmax({v[0].tension, v[1].tension, v[2].tension});
        const bool isNear = least < 1.05 && most > 0.95;  // 5 % of the strength
        near += isNear ? 1 : 0;
        const bool isRun = v[0].loads && v[1].loads && v[2].loads && least > 0;
        cracksAlike += isRun && (isNear || (v[0].cracks == v[1].cracks && v[1].cracks == v[2].cracks)) ? 1 : 0;
        const bool isAlike = v[0].parts == v[1].parts && v[1].parts == v[2].parts;
        partsAlike += isRun && (isNear || isAlike) ? 1 : 0;
        differs = std::max(differs, 1 - least / std::max(most, 1e-9));
        if (!isAlike)
            table.note(format("from %.2f m", height), format("parts %d %d %d, largest tension %.3f to %.3f of the strength",
                                                             v[0].parts, v[1].parts, v[2].parts, least, most));
    }
    table.check("heights from which it cracks at all rates or at none", "15 of 15", format("%d", cracksAlike),
                cracksAlike == kHeights);
    table.check("heights from which it parts at all rates or at none", "15 of 15", format("%d", partsAlike),
                partsAlike == kHeights);
    table.below("largest tension differs by at most", 100 * differs, 5, "%");
    table.note("heights within 5 % of the strength, not counted against it", format("%d", near));
}

// 100 ornaments that fall and break: the time of every step.
void shellOrnaments(Table& table) {
    table.begin("stress.ornaments", "100 glass ornaments, thin shells with grain, fall and break: 72 steps, two threads");
    SceneOptions options;
    options.assets = fractureScenes() / ".." / "assets";
    const SceneResult loaded = loadScene(fractureScenes() / "bao07_ornaments.json", options);
    if (!loaded) {
        table.check("the scene", "loads", loaded.problems.front().message, false);
        return;
    }
    Scene scene = *loaded.scene;
    scene.world.threads = 2;
    SceneRunner runner(scene);
    double sum = 0, slowest = 0, processor = 0, mostProcessor = 0;
    int solves = 0, breaks = 0;
    for (int frame = 0; frame < scene.frames; ++frame) {
        const double begin = processorTime();
        runner.stepFrame();
        const double spent = processorTime() - begin;
        sum += runner.stepMs();
        slowest = std::max(slowest, runner.stepMs());
        mostProcessor = std::max(mostProcessor, spent);
        processor += spent;
        solves += runner.world().stats().stressSolves;
        breaks += runner.world().stats().breaks;
    }
    const auto shards = double(runner.world().bodies().size()) - 1;  // less the floor
    table.check("shards", "> 1900", format("%.0f", shards), shards > 1900);
    table.below("mean step", sum / scene.frames, 500, "ms");
    table.below("slowest step", slowest, 500, "ms");
    table.note("processor time of a step", format("mean %.0f ms, most %.0f ms; %d breaks, %d stresses",
                                                  processor / scene.frames, mostProcessor, breaks, solves));
}
#else
void stressSolve(Table&) {}
void stressVerdict(Table&) {}
void stressHitFrame(Table&) {}
void shellBoats(Table&) {}
void stressRates(Table&) {}
void shellOrnaments(Table&) {}
#endif

}  // namespace sunder::bars
