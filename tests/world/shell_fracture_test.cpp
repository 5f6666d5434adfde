// Thin shells that crack by stress, and their shards.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/vec3.h"
#include "sunder/crack_lines.h"
#include "sunder/world.h"

namespace sunder {
namespace {

// A square pane in the xz plane, of n x n squares with diagonals in alternating directions.
Shell pane(Real half, int n, Real thickness) {
    Shell shell;
    shell.thickness = thickness;
    for (int x = 0; x <= n; ++x)
        for (int z = 0; z <= n; ++z)
            shell.vertices.push_back({half * (2 * Real(x) / Real(n) - 1), 0, half * (2 * Real(z) / Real(n) - 1)});
    for (int x = 0; x < n; ++x)
        for (int z = 0; z < n; ++z) {
            const auto at = [&](int i, int j) { return std::uint32_t((x + i) * (n + 1) + z + j); };
            if ((x + z) % 2 == 0) {
                shell.triangles.push_back({at(0, 0), at(0, 1), at(1, 1)});
                shell.triangles.push_back({at(0, 0), at(1, 1), at(1, 0)});
            } else {
                shell.triangles.push_back({at(0, 0), at(0, 1), at(1, 0)});
                shell.triangles.push_back({at(1, 0), at(0, 1), at(1, 1)});
            }
        }
    return shell;
}

Material glass() {
    Material material;
    material.density = 2500;
    material.young = Real(7e10);
    material.poisson = Real(0.22);
    material.strength = Real(4e7);
    material.toughness = 8;
    return material;
}

// A pane of 6 mm on two rails, and a steel ball of 50 mm above its middle.
struct Pane {
    World world;
    BodyId pane, ball;

    explicit Pane(Real height, int threads = 1, Real smallest = 0, const Material& material = glass(),
                  const Stressed& method = {})
        : world(settings(threads)) {
        for (const Real x : {Real(-0.28), Real(0.28)})
            world.addBody({.shape = Box{{Real(0.02), Real(0.1), Real(0.3)}},
                           .motion = Motion::Static,
                           .position = {x, Real(0.1), 0},
                           .material = glass()});
        FractureDef fracture;
        fracture.method = method;
        fracture.smallest = smallest;
        pane = world.addBody({.shape = sunder::pane(Real(0.3), 12, Real(0.006)),
                              .position = {0, Real(0.204), 0},
                              .material = material,
                              .fracture = fracture});
        Material steel;
        steel.density = 7800;
        steel.young = Real(2e11);
        ball = world.addBody(
            {.shape = Sphere{Real(0.025)}, .position = {Real(0.01), Real(0.235) + height, Real(0.013)}, .material = steel});
    }
    static WorldDef settings(int threads) {
        WorldDef def;
        def.threads = threads;
        return def;
    }
    void run(int frames) {
        for (int i = 0; i < frames; ++i)
            world.step(Real(1) / 60);
    }
};

TEST(ShellFracture, APaneBearsItsWeightAndBreaksUnderAHardBlow) {
    Pane gentle(Real(0.001));
    gentle.run(40);
    EXPECT_TRUE(gentle.world.isValid(gentle.pane));
    Pane hard(2);
    const Real whole = hard.world.mass(hard.pane);
    hard.run(60);
    ASSERT_FALSE(hard.world.isValid(hard.pane));
    Real sum = 0;
    int shards = 0;
    for (const BodyId body : hard.world.bodies())
        if (body != hard.ball && hard.world.mass(body) > 0) {
            sum += hard.world.mass(body);
            ++shards;
        }
    EXPECT_GE(shards, 2);
    EXPECT_NEAR(double(sum), double(whole), 1e-5 * double(whole));  // floats of the pieces' masses
}

class Hairlines final : public CrackDraw {
public:
    std::vector<CrackLines> found;
    void cracks(const CrackLines& cracks) override { found.push_back(cracks); }
};

// A tough pane cracks where it is strained most, and holds: its cracks are drawn along edges, also after a restore.
TEST(ShellFracture, CracksThatPartNothingAreDrawn) {
    Material tough = glass();
    tough.toughness = Real(1e5);
    Stressed once;  // one crack starts, and the stress is not found again
    once.mostCracks = 1;
    once.rounds = 1;
    Pane pane(1, 1, 0, tough, once);
    Hairlines before;
    pane.world.debugDraw(before);
    EXPECT_TRUE(before.found.empty());
    pane.run(42);
    ASSERT_TRUE(pane.world.isValid(pane.pane));
    Hairlines after;
    pane.world.debugDraw(after);
    ASSERT_EQ(after.found.size(), 1u);
    EXPECT_EQ(after.found[0].body, pane.pane);
    ASSERT_FALSE(after.found[0].lines.empty());
    for (const auto& line : after.found[0].lines) {
        // An edge of the mesh: a side of a square, or its diagonal.
        const double edge = double(length(line[1] - line[0])), side = 0.05;
        EXPECT_LT(std::min(std::fabs(edge - side), std::fabs(edge - side * std::sqrt(2.0))), 1e-5);
    }
    World restored;
    restored.restore(pane.world.snapshot());
    Hairlines again;
    restored.debugDraw(again);
    ASSERT_EQ(again.found.size(), 1u);
    EXPECT_EQ(again.found[0].lines.size(), after.found[0].lines.size());
}

TEST(ShellFracture, ShardsMoveOnAsThePaneDid) {
    World world;
    world.setGravity({});
    FractureDef fracture;
    fracture.method = Stressed{};
    const BodyId id = world.addBody({.shape = pane(Real(0.3), 12, Real(0.006)),
                                     .velocity = {1, 2, 3},
                                     .angularVelocity = {0, 1, 0},
                                     .material = glass(),
                                     .fracture = fracture});
    const WorldStats before = world.stats();
    world.breakBody(id, {0, 0, 0}, {0, 1, 0}, 20);
    world.step(Real(1) / 240);
    ASSERT_EQ(world.breakEvents().size(), 1u);
    EXPECT_GE(world.bodies().size(), 2u);
    // The call pushes by its 20 N s against the normal.
    const double push[3] = {0, -20, 0};
    const WorldStats after = world.stats();
    for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(after.linearMomentum[axis], before.linearMomentum[axis] + push[axis], 1e-4);
    EXPECT_GT(after.crackedElements, 0);
}

TEST(ShellFracture, TheSameBitsForAnyNumberOfThreadsAndAfterARestore) {
    Pane one(2), two(2, 2);
    one.run(10);
    two.run(10);
    const std::vector<std::byte> snapshot = one.world.snapshot();
    one.run(50);
    two.run(50);
    EXPECT_EQ(one.world.hash(), two.world.hash());
    EXPECT_FALSE(one.world.isValid(one.pane));
    World again;
    again.restore(snapshot);
    for (int i = 0; i < 50; ++i)
        again.step(Real(1) / 60);
    EXPECT_EQ(one.world.hash(), again.hash());
}

// Two panes of one shape and of two densities: each breaks by its own stiffness, from the cache or not.
TEST(ShellFracture, ARestoredWorldBreaksTheSameWithoutWhatWasPrepared) {
    World world;
    const SharedShape shape = buildShape(pane(Real(0.3), 12, Real(0.006)));
    Material steel;
    steel.density = 7800;
    steel.young = Real(2e11);
    std::vector<BodyId> panes;
    for (int i = 0; i < 2; ++i) {
        const Real x = 2 * Real(i);
        for (const Real side : {Real(-0.28), Real(0.28)})
            world.addBody({.shape = Box{{Real(0.02), Real(0.1), Real(0.3)}},
                           .motion = Motion::Static,
                           .position = {x + side, Real(0.1), 0},
                           .material = glass()});
        Material material = glass();
        material.density += 333 * Real(i);
        FractureDef fracture;
        fracture.method = Stressed{};
        panes.push_back(
            world.addBody({.shape = shape, .position = {x, Real(0.204), 0}, .material = material, .fracture = fracture}));
        world.addBody(
            {.shape = Sphere{Real(0.025)}, .position = {x + Real(0.01), Real(2.235), Real(0.013)}, .material = steel});
    }
    const auto run = [](World& one, int frames) {
        for (int i = 0; i < frames; ++i)
            one.step(Real(1) / 60);
    };
    run(world, 10);
    World again;
    again.restore(world.snapshot());
    run(world, 50);
    run(again, 50);
    for (const BodyId id : panes)
        EXPECT_FALSE(world.isValid(id));
    EXPECT_EQ(world.hash(), again.hash());
}

// Four panes that break in one step: their pieces are made beside each other, and are the same for any number of threads.
TEST(ShellFracture, SeveralThatBreakAtOnceAreTheSameForAnyNumberOfThreads) {
    std::uint64_t hashes[2] = {};
    for (const int threads : {1, 3}) {
        Pane first(1, threads);
        Material steel;
        steel.density = 7800;
        steel.young = Real(2e11);
        for (int i = 1; i < 4; ++i) {
            const Real x = 2 * Real(i);
            for (const Real side : {Real(-0.28), Real(0.28)})
                first.world.addBody({.shape = Box{{Real(0.02), Real(0.1), Real(0.3)}},
                                     .motion = Motion::Static,
                                     .position = {x + side, Real(0.1), 0},
                                     .material = glass()});
            FractureDef fracture;
            fracture.method = Stressed{};
            first.world.addBody({.shape = pane(Real(0.3), 12, Real(0.006)),
                                 .position = {x, Real(0.204), 0},
                                 .material = glass(),
                                 .fracture = fracture});
            first.world.addBody(
                {.shape = Sphere{Real(0.025)}, .position = {x + Real(0.01), Real(1.235), Real(0.013)}, .material = steel});
        }
        std::size_t most = 0;
        for (int i = 0; i < 40; ++i) {
            first.world.step(Real(1) / 60);
            most = std::max(most, first.world.breakEvents().size());
        }
        EXPECT_GE(most, 2u);
        hashes[threads == 1 ? 0 : 1] = first.world.hash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace sunder
