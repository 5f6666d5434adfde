// Options of deformable bodies: how contacts act, other materials, cracks that run on, dust, splinters of any shape.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/quat.h"
#include "sunder/stress_map.h"
#include "sunder/sunder.h"
#include "support/struck_pane.h"

namespace sunder {
namespace {

using support::ball, support::pane;

// A cube of 0.4 m on a floor at y = 0.
BodyDef cube(FleshResponse response) {
    BodyDef def;
    def.name = "cube";
    def.shape = Box{{Real(0.2), Real(0.2), Real(0.2)}};
    def.position = {0, Real(0.201), 0};
    def.material.density = 1000;
    def.material.young = Real(1e6);
    def.deformable = DeformableDef{.cell = Real(0.1)};
    def.deformable->contactResponse = response;
    return def;
}

void addFloor(World& world) {
    world.addBody({.shape = Box{{5, Real(0.5), 5}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
}

// m, world: of the lowest node.
double lowestOf(const World& world, BodyId body) {
    const auto view = world.vertices(body);
    const Vec3 at = world.position(body);
    const Quat turn = world.orientation(body);
    double lowest = 1e9;
    for (const Vec3& p : view->positions)
        lowest = std::min(lowest, double(at.y + rotate(turn, p).y));
    return lowest;
}

// m: how deep its lowest node is after each of two seconds.
std::array<double, 2> depthsOf(FleshResponse response) {
    World world;
    addFloor(world);
    const BodyId body = world.addBody(cube(response));
    std::array<double, 2> depths{};
    for (double& depth : depths) {
        for (int i = 0; i < 60; ++i)
            world.step(Real(1) / 60);
        depth = -lowestOf(world, body);
    }
    EXPECT_TRUE(world.errorEvents().empty());
    return depths;
}

// Springs hold it. Under the paper's damping it goes on sinking; a penalty bears it at the depth at which the pressure of its
// weight, 1000 * 9.81 * 0.4 Pa, is that of a layer of a cell that is thinner by so much: 0.4 mm for cells of 0.1 m of 1 MPa.
TEST(FleshResponse, DampingSinksAndAPenaltyRestsDeeper) {
    const auto springs = depthsOf(FleshResponse::Springs), damping = depthsOf(FleshResponse::Damping),
               mortar = depthsOf(FleshResponse::Mortar);
    EXPECT_LT(std::fabs(springs[1]), 2e-4);
    EXPECT_GT(damping[1], damping[0] + 1e-4) << "it never comes to rest";
    EXPECT_GT(damping[1], 5e-4);
    EXPECT_NEAR(mortar[1], mortar[0], 1e-4);
    EXPECT_GT(mortar[1], 2e-4);
    EXPECT_LT(mortar[1], 1.5e-3);
}

// Cubes far apart, each an island of its own, and one that is larger than a quarter of all.
TEST(FleshIslands, SmallOnesGiveTheSameBitsOnAnyThreads) {
    std::uint64_t hash = 0;
    for (const int threads : {1, 4}) {
        WorldDef settings;
        settings.threads = threads;
        World world(settings);
        addFloor(world);
        for (int i = 0; i < 6; ++i) {
            BodyDef def = cube(FleshResponse::Springs);
            def.position = {Real(i) - 3, Real(0.3) + Real(0.1) * Real(i), 0};
            def.deformable->cell = i == 5 ? Real(0.05) : Real(0.15);
            world.addBody(def);
        }
        for (int i = 0; i < 30; ++i)
            world.step(Real(1) / 60);
        if (hash != 0) {
            EXPECT_EQ(world.hash(), hash);
        }
        hash = world.hash();
    }
}

// A cantilever that sags by its weight, half as far when it is twice as stiff and as far again when it is twice as heavy.
TEST(FleshMaterial, SetMaterialChangesStiffnessAndMass) {
    World world;
    BodyDef def;
    def.name = "beam";
    def.shape = Box{{Real(0.5), Real(0.05), Real(0.05)}};
    def.material.density = 1000;
    def.material.young = Real(1e7);
    def.deformable = DeformableDef{.cell = Real(0.05)};
    def.deformable->pinned = {{{Real(-0.51), -1, -1}, {Real(-0.49), 1, 1}}};
    def.deformable->massDamping = 20;
    const BodyId beam = world.addBody(def);
    const auto sag = [&] {
        for (int i = 0; i < 90; ++i)
            world.step(Real(1) / 60);
        return -lowestOf(world, beam) - 0.05;
    };
    const double first = sag();
    const Real mass = world.mass(beam);
    Material material = def.material;
    material.young = Real(2e7);
    world.setMaterial(beam, material);
    const double stiffer = sag();
    EXPECT_NEAR(stiffer, first / 2, 0.1 * first);
    material.density = 2000;
    world.setMaterial(beam, material);
    EXPECT_NEAR(world.mass(beam), 2 * mass, 1e-3 * mass);
    EXPECT_NEAR(sag(), first, 0.1 * first);
    World other;
    other.restore(world.snapshot());
    EXPECT_EQ(other.hash(), world.hash());
    world.step(Real(1) / 60);
    other.step(Real(1) / 60);
    EXPECT_EQ(other.hash(), world.hash());
    material.poisson = Real(0.495);
    EXPECT_THROW(world.setMaterial(beam, material), Error);
}

// The first step in which a pane tears: with residuals handed on, the crack is longer at once.
TEST(FleshCracks, RunOnByResiduals) {
    double area[2] = {};
    for (const int with : {0, 1}) {
        World world;
        BodyDef def = pane();
        def.deformable->residualPropagation = Real(0.9) * Real(with);
        def.deformable->tearRounds = 1;
        world.addBody(def);
        world.addBody(ball(3));
        for (int i = 0; i < 12 && area[with] == 0; ++i) {
            world.step(Real(1) / 480);
            for (int k = 0; k < 7 && world.tearEvents().empty(); ++k)
                world.step(Real(1) / 480);
            for (const TearEvent& tear : world.tearEvents())
                area[with] += double(tear.area);
        }
    }
    EXPECT_GT(area[0], 0);
    EXPECT_GT(area[1], 1.2 * area[0]);
}

// Grains come from the faces that opened, as many as asked for by area, fall, and are gone after a while. No step depends on
// them, so the hash is that of a pane without.
TEST(FleshDust, FliesFromNewFaces) {
    std::uint64_t hashes[2] = {};
    for (const int with : {0, 1}) {
        World world;
        BodyDef def = pane();
        def.deformable->dust = Real(400 * with);
        world.addBody(def);
        world.addBody(ball(10));
        double area = 0;
        std::size_t most = 0;
        for (int i = 0; i < 12; ++i) {
            world.step(Real(1) / 60);
            for (const TearEvent& tear : world.tearEvents())
                area += double(tear.area);
            most = std::max(most, world.dust().size());
        }
        hashes[with] = world.hash();
        if (with == 0) {
            EXPECT_EQ(most, 0u);
            continue;
        }
        EXPECT_NEAR(double(most), 400 * area, 0.2 * 400 * area);
        for (const DustGrain& grain : world.dust())
            EXPECT_LT(std::fabs(double(grain.position.z)), 2) << "near the pane";
        World other;
        other.restore(world.snapshot());
        ASSERT_EQ(other.dust().size(), world.dust().size());
        for (int i = 0; i < 90; ++i)
            other.step(Real(1) / 60);
        EXPECT_LT(other.dust().size(), most / 4);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

// Splinters fill a ball: their corners lie in it or on its surface, and their volume is its own but for the corners that a
// sphere has between them.
TEST(FleshSplinters, FillAnyShape) {
    World world;
    BodyDef def;
    def.shape = Sphere{Real(0.4)};
    def.deformable = DeformableDef{.cell = Real(0.2)};
    def.deformable->splinters = Splinters::Wood;
    def.deformable->splinterSize = {Real(0.2), Real(0.08), Real(0.08)};
    const BodyId body = world.addBody(def);
    const auto view = world.splinters(body);
    ASSERT_TRUE(view);
    double volume = 0;
    for (const Vec3& p : view->positions)
        EXPECT_LT(std::sqrt(double(p.x * p.x + p.y * p.y + p.z * p.z)), 0.4001);
    for (const auto& t : view->triangles) {
        const Vec3 &a = view->positions[t[0]], &b = view->positions[t[1]], &c = view->positions[t[2]];
        volume += double(a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x)) / 6;
    }
    EXPECT_NEAR(volume, 4.0 / 3 * 3.14159 * 0.064, 0.1 * 0.268);
    World other;
    other.restore(world.snapshot());
    EXPECT_EQ(other.splinters(body)->positions, view->positions);
}

// A blow that tears a pane tears one less the more its cracks cost, and none once a cell's width of the glass cannot pay for
// them: 5e5 Pa free 125 J/m^3, of a cell of some 0.1 m 12 J/m^2.
TEST(FleshToughness, CracksThatCostMoreThanTheStressFreesDoNotOpen) {
    const auto area = [](Real toughness) {
        World world;
        BodyDef def = pane();
        def.material.toughness = toughness;
        def.deformable->paysToughness = true;
        world.addBody(def);
        world.addBody(ball(4));
        double sum = 0;
        for (int i = 0; i < 12; ++i) {
            world.step(Real(1) / 60);
            for (const TearEvent& tear : world.tearEvents())
                sum += double(tear.area);
        }
        return sum;
    };
    const double free = area(0), cheap = area(1), dear = area(5000);
    EXPECT_GT(free, 0.05);
    EXPECT_EQ(cheap, free);  // the strength is the higher bound
    EXPECT_EQ(dear, 0);
}

class TakeMaps final : public StressDraw {
public:
    std::vector<StressMap> maps;
    void stress(const StressMap& map) override { maps.push_back(map); }
};

// A bar of 2 m that hangs from its end bears rho g L there, 19.6 kPa, and nothing at the other. The clamp adds some at its
// corners, and a tetrahedron shows the stress of its middle: within a quarter.
TEST(FleshStress, AHangingBarShowsItsWeight) {
    World world;
    BodyDef def;
    def.shape = Box{{Real(0.1), 1, Real(0.1)}};
    def.material.density = 1000;
    def.material.young = Real(1e7);
    def.material.poisson = 0;
    def.material.strength = Real(1e5);
    def.deformable = DeformableDef{.cell = Real(0.1)};
    def.deformable->pinned = {{{-1, Real(0.99), -1}, {1, Real(1.01), 1}}};
    def.allowSleep = false;  // what sleeps is not drawn
    const BodyId bar = world.addBody(def);
    for (int i = 0; i < 120; ++i)
        world.step(Real(1) / 60);
    TakeMaps taken;
    world.debugDraw(taken);
    ASSERT_EQ(taken.maps.size(), 1u);
    const StressMap& map = taken.maps[0];
    EXPECT_EQ(map.body, bar);
    EXPECT_EQ(map.strength, Real(1e5));
    ASSERT_EQ(map.tensions.size(), map.vertices.size());
    ASSERT_EQ(map.strains.size(), map.vertices.size());
    EXPECT_NEAR(map.worstTension, 1000 * 9.81 * 2, 0.25 * 1000 * 9.81 * 2);
    EXPECT_GT(map.worst.y, 0.8);
    for (std::size_t i = 0; i < map.vertices.size(); ++i)
        if (double y = double(map.vertices[i].y); std::fabs(y) < 0.9) {
            EXPECT_NEAR(map.tensions[i], 1000 * 9.81 * (1 + y), 3000) << y;
            EXPECT_NEAR(map.strains[i], 1e-7 * 1000 * 9.81 * (1 + y), 3e-4) << y;
        }
}

}  // namespace
}  // namespace sunder
