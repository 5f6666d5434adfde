// Rays against facts that can be worked out by hand: where they strike, and what they strike first.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "render/scene.h"
#include "sunder/shapes.h"

namespace sunder::render {
namespace {

// Solids of every kind, of about unit size, with a way to tell by formula whether a point is inside.
struct SolidCase {
    const char* name;
    Solid solid;
    bool (*inside)(const Vec3&);
};

Mesh octahedron() {
    Mesh mesh;
    mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    return mesh;
}

std::vector<SolidCase> solidCases() {
    const Mesh mesh = octahedron();
    return {
        {"sphere", {SolidType::Sphere, {1, 0, 0}, nullptr}, [](const Vec3& p) { return length(p) < 1; }},
        {"box",
         {SolidType::Box, {Real(0.5), Real(0.8), 1}, nullptr},
         [](const Vec3& p) { return std::fabs(p.x) < Real(0.5) && std::fabs(p.y) < Real(0.8) && std::fabs(p.z) < 1; }},
        {"capsule",
         {SolidType::Capsule, {Real(0.5), Real(0.6), 0}, nullptr},
         [](const Vec3& p) {
             return length(p - Vec3{0, clamp(p.y, Real(-0.6), Real(0.6)), 0}) < Real(0.5);
         }},
        {"cylinder",
         {SolidType::Cylinder, {Real(0.7), Real(0.6), 0}, nullptr},
         [](const Vec3& p) { return p.x * p.x + p.z * p.z < Real(0.49) && std::fabs(p.y) < Real(0.6); }},
        {"triangles",
         {SolidType::Triangles, {}, std::make_shared<TriangleSurface>(mesh.vertices, mesh.triangles)},
         [](const Vec3& p) { return std::fabs(p.x) + std::fabs(p.y) + std::fabs(p.z) < 1; }},
    };
}

// Oracle: march along the ray in small steps and ask the formula.
TEST(Rays, RaysStrikeSolidsWhereAMarchEntersThem) {
    const Pose pose{{Real(0.3), Real(-0.2), Real(0.5)}, normalize(Quat{Real(0.2), Real(-0.4), Real(0.1), 1})};
    constexpr Real kStep = Real(0.002);
    for (const SolidCase& test : solidCases()) {
        RenderScene rays;
        rays.add(test.solid, pose, {});
        rays.build();
        int hits = 0;
        for (int i = 0; i < 300; ++i) {
            const Real a = Real(i) * Real(0.7), b = Real(i) * Real(0.31);
            const Vec3 origin = pose.position + Vec3{4 * std::cos(a), 3 * std::sin(b), 4 * std::sin(a)};
            const Vec3 aim = pose.position + Vec3{std::sin(3 * b), std::cos(2 * a), std::sin(a + b)} * Real(0.9);
            const Vec3 direction = normalizeOr(aim - origin, {1, 0, 0});
            Real marched = kInfinity;
            for (Real t = 0; t < 8 && marched == kInfinity; t += kStep)
                if (test.inside(inverseTransformPoint(pose, origin + direction * t)))
                    marched = t;
            Hit hit;
            const bool struck = rays.intersect(makeRay(origin, direction), hit);
            EXPECT_EQ(struck, rays.occluded(makeRay(origin, direction))) << test.name;
            if (marched == kInfinity)
                continue;  // a graze shorter than a step may be missed by the march alone
            ++hits;
            ASSERT_TRUE(struck) << test.name << " ray " << i;
            // The march is late by at most one step.
            EXPECT_NEAR(hit.distance, marched, 2 * kStep) << test.name << " ray " << i;
            // A hair below the surface, along the normal, is inside; a hair above is outside.
            const Vec3 inward = inverseTransformPoint(pose, hit.point - hit.normal * Real(1e-3));
            const Vec3 outward = inverseTransformPoint(pose, hit.point + hit.normal * Real(1e-3));
            EXPECT_TRUE(test.inside(inward)) << test.name << " ray " << i;
            EXPECT_FALSE(test.inside(outward)) << test.name << " ray " << i;
        }
        EXPECT_GT(hits, 100) << test.name;
    }
}

TEST(Rays, AnOpenMeshIsSeenFromBothSidesWithItsNormalTowardsTheViewer) {
    const std::vector<Vec3> vertices = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
    const std::vector<std::array<std::uint32_t, 3>> triangles = {{0, 1, 2}};
    RenderScene rays;
    rays.add({SolidType::Triangles, {}, std::make_shared<TriangleSurface>(vertices, triangles)}, {}, {});
    rays.build();
    for (const Real side : {Real(-1), Real(1)}) {
        Hit hit;
        ASSERT_TRUE(rays.intersect(makeRay({Real(0.5), Real(0.5), side}, {0, 0, -side}), hit));
        EXPECT_EQ(hit.normal.z, side);
        EXPECT_EQ(hit.shadingNormal.z, side);
    }
}

TEST(Rays, AHitFromFarAwayKeepsItsDigits) {
    // From 1 km, the naive quadratic in float errs by metres; the ray's own rounding is 1e-4 m.
    EXPECT_NEAR(intersectSphere(Real(0.5), {0, 0, 1000}, {0, 0, -1}), 999.5, 1e-3);
    EXPECT_NEAR(intersectCylinder(Real(0.5), 1, {0, 0, 1000}, {0, 0, -1}), 999.5, 1e-3);
}

TEST(Rays, TheTreeFindsTheSameNearestHitAsTryingAll) {
    RenderScene all;
    std::vector<std::unique_ptr<RenderScene>> single;
    for (int i = 0; i < 200; ++i) {
        const Real t = Real(i);
        const Pose pose{{5 * std::sin(t), 5 * std::sin(2 * t + 1), 5 * std::cos(3 * t)},
                        normalize(Quat{std::sin(t), std::cos(t), Real(0.3), 1})};
        const Solid box{SolidType::Box, {Real(0.6), Real(0.3), Real(0.4)}, nullptr};
        all.add(box, pose, {});
        single.push_back(std::make_unique<RenderScene>());
        single.back()->add(box, pose, {});
        single.back()->build();
    }
    all.build();
    for (int i = 0; i < 500; ++i) {
        const Real t = Real(i) * Real(0.37);
        const Ray ray = makeRay({12 * std::cos(t), 2 * std::sin(5 * t), 12 * std::sin(t)},
                                normalizeOr({-std::cos(t), Real(0.3) * std::sin(7 * t), -std::sin(t)}, {1, 0, 0}));
        Hit hit, best, tried;
        const bool struck = all.nearest(ray, hit);
        for (std::uint32_t k = 0; k < single.size(); ++k)
            if (single[k]->nearest(ray, tried) && tried.distance < best.distance) {
                best = tried;
                best.instance = k;
            }
        ASSERT_EQ(struck, best.distance != kInfinity);
        if (struck) {
            EXPECT_EQ(hit.instance, best.instance);
            EXPECT_EQ(hit.distance, best.distance);
        }
    }
}

}  // namespace
}  // namespace sunder::render
