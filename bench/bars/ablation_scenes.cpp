// The scenes in which mechanisms of the step are switched off, and the figures that matter in each.
#include <algorithm>
#include <cmath>

#include "bars/ablation.h"
#include "bars/fracture.h"
#include "math/vec3.h"
#include "measure/field_penetration.h"
#include "measure/penetration.h"
#include "scenes/joint_nets.h"
#include "scenes/piles.h"
#include "scenes/stacks.h"

#if SUNDER_HAS_SCENE
#include "sunder/scene/scene.h"
#endif

namespace sunder::bars {

namespace {

using scenes::vec;

double speedOf(const World& world, BodyId id) { return double(length(world.velocity(id))); }

// Share of the moving bodies that are faster than 3 mm/s, %.
double percentMoving(const World& world) {
    constexpr double kMoving = 3e-3;
    int moving = 0, count = 0;
    for (const BodyId id : world.bodies()) {
        if (!world.isAwake(id))
            continue;
        ++count;
        moving += speedOf(world, id) > kMoving;
    }
    return count > 0 ? 100.0 * moving / count : 0;
}

double kineticPerBody(const World& world) {
    const WorldStats stats = world.stats();
    return stats.kineticEnergy / std::max(stats.awake, 1);
}

Figures pyramidFigures(MeasuredRun& run) {
    scenes::BoxScene scene = scenes::pyramid(run.def(), 20);
    run.disturb(scene.world);
    std::vector<Vec3> before;
    for (const scenes::BoxRecord& box : scene.moving)
        before.push_back(scene.world.position(box.id));
    for (int i = 0; i < 300; ++i)
        run.step(scene.world, 30);
    double moved = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        moved =
            std::max(moved, length(scenes::toVector(scene.world.position(scene.moving[i].id)) - scenes::toVector(before[i])));
    return {{"moves", "mm", 1e3 * moved}, {"kinetic energy left", "J/body", kineticPerBody(scene.world)}};
}

Figures stackFigures(MeasuredRun& run) {
    scenes::BoxScene scene = scenes::stackOfCubes(run.def(), 20);
    run.disturb(scene.world);
    double sag = 0, drift = 0;
    for (int i = 1; i <= 600; ++i) {
        run.step(scene.world, 30);
        const Vec3 top = scene.world.position(scene.moving.back().id);
        sag = std::max(sag, 19.5 - double(top.y));
        drift = std::max(drift, std::hypot(double(top.x), double(top.z)));
    }
    return {{"sinks", "mm", 1e3 * sag},
            {"drifts", "mm", 1e3 * drift},
            {"kinetic energy left", "J/body", kineticPerBody(scene.world)}};
}

Figures heavyFigures(MeasuredRun& run) {
    double peak = 0;
    int wrong = 0;
    for (const double offset : {0.0, 0.15, 0.22, 0.30}) {
        scenes::BoxScene scene = scenes::heavyOnLight(run.def(), 1000, offset);
        run.disturb(scene.world);
        const bool mustStand = offset < 0.25;
        for (int i = 0; i < 300; ++i) {
            run.step(scene.world, 30);
            if (mustStand)
                peak = std::max(peak, measure::measurePenetration(scene).largest);
        }
        wrong += (scene.world.position(scene.moving.back().id).y > 0.95) != mustStand;
    }
    return {{"peak penetration", "mm", 1e3 * peak}, {"wrong outcomes", "of 4", double(wrong)}};
}

// When the top cube has sunk by half a metre; 10 s where it stands.
Figures towerFigures(MeasuredRun& run) {
    constexpr double kShifts[] = {0.09, 0.125, 0.16}, kExpected[] = {10, 2.4, 1.75};  // m; s
    double worst = 0;
    for (int k = 0; k < 3; ++k) {
        scenes::BoxScene scene = scenes::leaningTower(run.def(), 10, kShifts[k]);
        run.disturb(scene.world);
        const BodyId top = scene.moving.back().id;
        const double start = scene.world.position(top).y;
        double time = 10;
        for (int i = 1; i <= 300 && time == 10; ++i) {
            run.step(scene.world, 30);
            if (!(scene.world.position(top).y >= start - 0.5))
                time = i / 30.0;
        }
        worst = std::max(worst, std::abs(time - kExpected[k]));
    }
    return {{"time of the fall is off by", "s", worst}};
}

Figures boxPileFigures(MeasuredRun& run, int side, double width, int steps, int measureEvery) {
    scenes::BoxScene scene = scenes::boxPile(run.def(), side, width);
    run.disturb(scene.world);
    const double initial = scenes::mechanicsOf(scene).energy();
    double peak = 0;
    for (int i = 1; i <= steps; ++i) {
        run.step(scene.world, 30);
        if (i % measureEvery == 0)
            peak = std::max(peak, measure::measurePenetration(scene).largest);
    }
    return {{"peak penetration", "mm", 1e3 * peak},
            {"penetration at the end", "mm", 1e3 * measure::measurePenetration(scene).largest},
            {"kinetic energy left", "J/body", kineticPerBody(scene.world)},
            {"energy gained in a step", "of initial", run.energyRise() / initial}};
}

Figures pileFigures(MeasuredRun& run) { return boxPileFigures(run, 10, 7, 300, 10); }
Figures widePileFigures(MeasuredRun& run) { return boxPileFigures(run, 20, 14, 90, 15); }

Figures hullFigures(MeasuredRun& run) {
    scenes::BoxScene scene = scenes::hullPile(run.def(), 10, 8, 7);
    run.disturb(scene.world);
    for (int i = 0; i < 180; ++i)
        run.step(scene.world, 30);
    return {{"peak penetration seen", "mm", 1e3 * run.deepest()},
            {"penetration at the end", "mm", 1e3 * scene.world.stats().maxPenetration},
            {"bodies still moving", "%", percentMoving(scene.world)}};
}

// Spheres, capsules, cylinders, hulls and compounds in a pit of triangles.
Figures mixedFigures(MeasuredRun& run) {
    scenes::MixedPile pile = scenes::mixedPile(run.def(), 8, 4);
    run.disturb(pile.world);
    for (int i = 0; i < 180; ++i)
        run.step(pile.world, 30);
    return {{"peak penetration seen", "mm", 1e3 * run.deepest()},
            {"penetration at the end", "mm", 1e3 * pile.world.stats().maxPenetration},
            {"kinetic energy left", "J/body", kineticPerBody(pile.world)}};
}

// Six boxes, one on the other, that land together: nothing bounces, so nothing may go up again.
Figures fallFigures(MeasuredRun& run) {
    scenes::BoxScene scene = scenes::stackOfCubes(run.def(), 6);
    run.disturb(scene.world);
    for (const scenes::BoxRecord& box : scene.moving) {
        const Vec3 own = scene.world.velocity(box.id);
        scene.world.setVelocity(box.id, own + vec(0, -5, 0));
    }
    double up = 0;
    for (int i = 0; i < 90; ++i) {
        run.step(scene.world, 30);
        for (const scenes::BoxRecord& box : scene.moving)
            up = std::max(up, double(scene.world.velocity(box.id).y));
    }
    return {{"speed upwards", "m/s", up}};
}

// Cylinders, hulls and boxes that land beside each other on a rim, a corner or an edge, and rock.
Figures rimFigures(MeasuredRun& run) {
    constexpr int kCount = 10;
    scenes::BoxScene scene(run.def());
    scene.addFloor();
    scenes::Random random(6);
    for (int kind = 0; kind < 3; ++kind)
        for (int i = 0; i < kCount; ++i) {
            BodyDef body{.position = vec(3 * i, 0.8, 3 * kind),
                         .orientation = scenes::turnAbout(1, 0, 0.3 * i, 0.1 + 0.05 * i),
                         .velocity = vec(0, -5, 0)};
            body.shape = kind == 0   ? Shape(Cylinder{Real(0.3), Real(0.25)})
                         : kind == 1 ? Shape(scenes::randomHull(12, 0.4, random))
                                     : Shape(Box{vec(0.3, 0.2, 0.3)});
            scene.world.addBody(body);
        }
    run.disturb(scene.world);
    for (int i = 0; i < 60; ++i)
        run.step(scene.world, 30);
    return {{"peak penetration seen", "mm", 1e3 * run.deepest()},
            {"kinetic energy left", "J/body", kineticPerBody(scene.world)}};
}

// 216 cubes, turned at random, that begin inside each other.
Figures overlapFigures(MeasuredRun& run) {
    scenes::BoxScene scene(run.def());
    scenes::addPit(scene, 5, 10);
    scenes::Random random(3);
    for (int i = 0; i < 216; ++i) {
        const int x = i % 6, y = i / 36, z = i / 6 % 6;
        scene.add(vec(0.25, 0.25, 0.25),
                  {.position = vec((x - 2.5) * 0.42, 0.5 + y * 0.42, (z - 2.5) * 0.42), .orientation = random.rotation()});
    }
    run.disturb(scene.world);
    const double initial = scenes::mechanicsOf(scene).energy();
    for (int i = 0; i < 90; ++i)
        run.step(scene.world, 30);
    return {{"energy gained in a step", "of initial", run.energyRise() / initial},
            {"penetration at the end", "mm", 1e3 * measure::measurePenetration(scene).largest}};
}

// 20 links of 1 kg with a weight of 10 t that swings and one of 1 t that hangs, and a cart of 200 planks on a bridge.
Figures jointFigures(MeasuredRun& run) {
    scenes::JointScene chain = scenes::chainWithWeight(run.def(), 20, 10000);
    scenes::swing(chain, 1);
    run.disturb(chain.world);
    double stretch = 0, error = 0;
    scenes::Jitter jitter;
    for (int i = 0; i < 600; ++i) {
        run.step(chain.world, 60);
        stretch = std::max(stretch, chain.worstError());
    }
    scenes::JointScene still = scenes::chainWithWeight(run.def(), 20, 1000);
    run.disturb(still.world);
    for (int i = 0; i < 600; ++i) {
        run.step(still.world, 60);
        if (i >= 540)
            jitter.add(still);
    }
    scenes::JointScene bridge = scenes::bridgeWithCart(run.def(), 60, 200);
    run.disturb(bridge.world);
    for (int i = 0; i < 600; ++i) {
        run.step(bridge.world, 60);
        error = std::max(error, bridge.worstError());
    }
    return {{"chain: joint error", "mm", 1e3 * stretch},
            {"chain at rest: jitter", "mm", 1e3 * jitter.worst()},
            {"bridge: joint error", "mm", 1e3 * error}};
}

#if SUNDER_HAS_SCENE

Scene sceneNamed(const std::string& name) {
    SceneOptions options;
    options.assets = fractureScenes() / ".." / "assets";
    const SceneResult loaded = loadScene(fractureScenes() / (name + ".json"), options);
    if (!loaded)
        throw Error(loaded.problems.front().text());
    return *loaded.scene;
}

// The definition of a scene's world with what is switched off in the run.
WorldDef worldOf(const Scene& scene, const MeasuredRun& run) {
    WorldDef def = scene.world;
    def.frameRate.without = run.def().frameRate.without;
    def.sleeping = false;
    def.threads = 1;
    return def;
}

Figures tableFigures(MeasuredRun& run) {
    const Scene scene = sceneNamed("su09_fig8_table_100");
    World world(worldOf(scene, run));
    for (const BodyDef& body : scene.bodies)
        world.addBody(body);
    run.disturb(world);
    const double initial = world.stats().kineticEnergy + world.stats().potentialEnergy;
    for (int i = 0; i < 100; ++i)  // the large ball comes down in frame 84
        run.step(world, 30);
    return {{"penetration at the end", "cells", measure::measureFields(world).largestCells},
            {"bodies still moving", "%", percentMoving(world)},
            {"kinetic energy left", "J/body", kineticPerBody(world)},
            {"energy gained in a step", "of initial", run.energyRise() / initial}};
}

// The scene bonded_wall without its ball: 2000 bricks that stand.
Figures wallFigures(MeasuredRun& run) {
    const Scene scene = sceneNamed("bonded_wall");
    World world(worldOf(scene, run));
    BodyId wall;
    for (const BodyDef& body : scene.bodies)
        if (const BodyId id = body.name == "ball" ? BodyId{} : world.addBody(body); body.name == "wall")
            wall = id;
    run.disturb(world);
    const Vec3 start = world.position(wall);
    double moved = 0;
    for (int i = 0; i < 300; ++i) {
        run.step(world, 60);
        moved = std::max(moved, length(scenes::toVector(world.position(wall)) - scenes::toVector(start)));
    }
    return {{"moves", "mm", 1e3 * moved}};
}

#endif

constexpr AblationScene kScenes[] = {
    {"S1", "pyramid of base 20, 10 s", 3, pyramidFigures},
    {"S3", "20 cubes on each other, 20 s", 3, stackFigures},
    {"S8", "1000 : 1, four offsets, 10 s", 3, heavyFigures},
    {"tower", "leaning towers of 10 cubes, 10 s", 3, towerFigures},
    {"S2t", "1000 boxes, 10 s", 2, pileFigures},
    {"S4", "800 hulls, 6 s", 2, hullFigures},
    {"fall", "six cubes land at 5 m/s, 3 s", 3, fallFigures},
    {"rim", "30 bodies land on rims, corners and edges at 5 m/s, 2 s", 3, rimFigures},
    {"overlap", "216 cubes inside each other, 3 s", 3, overlapFigures},
    {"mixed", "256 shapes of all kinds in a mesh, 6 s", 2, mixedFigures},
    {"joints", "chain with a weight, bridge with a cart, 10 s at 60 Hz", 2, jointFigures},
#if SUNDER_HAS_SCENE
    {"wall", "bonded wall of 2000 bricks, 5 s at 60 Hz", 2, wallFigures},
    {"table", "table with 100 balls, 3.3 s", 1, tableFigures},
#endif
    {"S2w", "8000 boxes, 3 s", 1, widePileFigures},
};

}  // namespace

std::span<const AblationScene> ablationScenes() { return kScenes; }

}  // namespace sunder::bars
