// Deformable bodies of tetrahedra that a user gives.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sunder/sunder.h"

namespace sunder {
namespace {

// Four corners of a cube of 1 m are cut off, a fifth tetrahedron is what is left: 8 nodes, 1 m^3.
DeformableDef cubeOfTets() {
    DeformableDef def;
    for (const Real z : {Real(-0.5), Real(0.5)})
        for (const Real y : {Real(-0.5), Real(0.5)})
            for (const Real x : {Real(-0.5), Real(0.5)})
                def.nodes.push_back({x, y, z});
    def.tets = {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}};
    const auto volumeOf = [&](const std::array<std::uint32_t, 4>& t) {
        const auto edge = [&](int k) {
            const Vec3 &a = def.nodes[t[0]], &b = def.nodes[t[std::size_t(k)]];
            return std::array<double, 3>{double(b.x - a.x), double(b.y - a.y), double(b.z - a.z)};
        };
        const auto a = edge(1), b = edge(2), c = edge(3);
        return (a[1] * b[2] - a[2] * b[1]) * c[0] + (a[2] * b[0] - a[0] * b[2]) * c[1] + (a[0] * b[1] - a[1] * b[0]) * c[2];
    };
    for (auto& tet : def.tets)
        if (volumeOf(tet) < 0)
            std::swap(tet[2], tet[3]);
    return def;
}

BodyDef bodyOf(const DeformableDef& deformable) {
    BodyDef def;
    def.name = "given";
    def.shape = Box{{Real(0.5), Real(0.5), Real(0.5)}};
    def.position = {0, Real(0.6), 0};
    def.material.density = 1000;
    def.material.young = Real(1e6);
    def.deformable = deformable;
    return def;
}

TEST(GivenTets, AreTheBody) {
    World world;
    world.addBody({.shape = Box{{5, Real(0.5), 5}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
    const BodyId body = world.addBody(bodyOf(cubeOfTets()));
    EXPECT_EQ(world.vertices(body)->positions.size(), 8u);
    EXPECT_EQ(world.vertices(body)->triangles.size(), 12u);
    EXPECT_NEAR(world.mass(body), 1000, 0.01);
    for (int i = 0; i < 120; ++i)
        world.step(Real(1) / 60);
    // It has come down by its distance to the floor, and by what its weight presses it: rho g h^2 / (2 E) is 5 mm.
    EXPECT_NEAR(world.centerOfMass(body).y, 0.5, 0.01);
}

TEST(GivenTets, GoOnAfterARestore) {
    World world;
    world.addBody(bodyOf(cubeOfTets()));
    world.step(Real(1) / 60);
    World other;
    other.restore(world.snapshot());
    for (World* each : {&world, &other})
        for (int i = 0; i < 5; ++i)
            each->step(Real(1) / 60);
    EXPECT_EQ(world.hash(), other.hash());
}

std::string complaintAbout(const DeformableDef& deformable) {
    std::string all;
    for (const std::string& message : validate(bodyOf(deformable)))
        all += message + "\n";
    return all;
}

TEST(GivenTets, BadOnesAreRefusedWithTheirPlaceAndValue) {
    EXPECT_EQ(complaintAbout(cubeOfTets()), "");
    DeformableDef def = cubeOfTets();
    std::swap(def.tets[2][0], def.tets[2][1]);
    EXPECT_NE(complaintAbout(def).find("deformable.tets[2]: a volume of -0.16"), std::string::npos) << complaintAbout(def);
    EXPECT_NE(complaintAbout(def).find("inverted"), std::string::npos);
    def = cubeOfTets();
    def.tets[4] = {0, 1, 2, 3};  // four corners of a side
    EXPECT_NE(complaintAbout(def).find("deformable.tets[4]: a volume of 0 m^3 is not allowed"), std::string::npos)
        << complaintAbout(def);
    def = cubeOfTets();
    def.tets[1][3] = 8;
    EXPECT_NE(complaintAbout(def).find("deformable.tets[1]: node 8 is not allowed (0 to 7)"), std::string::npos);
    def = cubeOfTets();
    def.tets[1][3] = def.tets[1][0];
    EXPECT_NE(complaintAbout(def).find("twice is not allowed (four different nodes)"), std::string::npos);
    def = cubeOfTets();
    def.nodes.push_back({2, 0, 0});
    EXPECT_NE(complaintAbout(def).find("deformable.nodes[8]: belongs to no tetrahedron"), std::string::npos);
    for (const Real z : {Real(0), Real(1)})
        def.nodes.push_back({3, 1 - z, z});
    def.nodes.push_back({2, 1, 0});
    def.tets.push_back({8, 9, 11, 10});
    EXPECT_NE(complaintAbout(def).find("does not hang together with node 0"), std::string::npos) << complaintAbout(def);
    def.tets.clear();
    EXPECT_NE(complaintAbout(def).find("deformable.tets: 0 are not allowed"), std::string::npos);
    EXPECT_THROW(World().addBody(bodyOf(def)), Error);
}

}  // namespace
}  // namespace sunder
