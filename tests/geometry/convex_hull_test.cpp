// The hull of a cloud contains the cloud, is made of some of its points, and is a closed convex surface.
#include "geometry/convex_hull.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geometry/mass_properties.h"
#include "math/vec3d.h"
#include "support/random_points.h"

namespace sunder::geometry {
namespace {

using sunder::testing::RandomPoints;

double sizeOf(const std::vector<Vec3>& points) {
    Vec3 low = points[0], high = points[0];
    for (const Vec3& p : points) {
        low = min(low, p);
        high = max(high, p);
    }
    const Vec3 d = high - low;
    return max(d.x, max(d.y, d.z));
}

// The contract's 1e-5 of the size, and four roundings of the largest coordinate.
double toleranceOf(const std::vector<Vec3>& points) {
    double largest = 0;
    for (const Vec3& p : points)
        largest = std::max({largest, double(std::fabs(p.x)), double(std::fabs(p.y)), double(std::fabs(p.z))});
    return 1e-5 * sizeOf(points) + 5 * double(kEpsilon) * largest;
}

void expectClosed(const Polyhedron& hull) {
    EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2) << "Euler";
    std::size_t corners = 0;
    for (const Polyhedron::Face& face : hull.faces) {
        EXPECT_GE(face.vertexCount, 3);
        EXPECT_EQ(face.firstIndex, corners);
        corners += face.vertexCount;
    }
    ASSERT_EQ(corners, hull.faceVertices.size());
    EXPECT_EQ(corners, 2 * hull.edges.size());
    const auto runsAlong = [&](const Polyhedron::Face& face, std::uint16_t from, std::uint16_t to) {
        for (int i = 0; i < face.vertexCount; ++i)
            if (hull.faceVertices[face.firstIndex + i] == from &&
                hull.faceVertices[face.firstIndex + (i + 1) % face.vertexCount] == to)
                return true;
        return false;
    };
    std::vector<int> degree(hull.vertices.size());
    for (const Polyhedron::Edge& edge : hull.edges) {
        EXPECT_NE(edge.face0, edge.face1);
        EXPECT_TRUE(runsAlong(hull.faces[edge.face0], edge.vertex0, edge.vertex1));
        EXPECT_TRUE(runsAlong(hull.faces[edge.face1], edge.vertex1, edge.vertex0));
        ++degree[edge.vertex0];
        ++degree[edge.vertex1];
    }
    for (const int d : degree)
        EXPECT_GE(d, 3);
}

void expectConvex(const Polyhedron& hull, double tolerance) {
    for (const Polyhedron::Face& face : hull.faces) {
        EXPECT_NEAR(length(face.normal), 1, 1e-6);
        EXPECT_GT(face.offset - dot(face.normal, hull.center), 0) << "outward";
        for (int i = 0; i < face.vertexCount; ++i) {
            const Vec3d v = toDouble(hull.vertices[hull.faceVertices[face.firstIndex + i]]);
            EXPECT_NEAR(dot(toDouble(face.normal), v), face.offset, tolerance) << "flat face";
        }
        for (const Vec3& v : hull.vertices)
            EXPECT_LE(dot(toDouble(face.normal), toDouble(v)), double(face.offset) + tolerance) << "convex";
    }
    EXPECT_GT(hull.innerRadius, 0);
}

void expectInside(const Polyhedron& hull, const std::vector<Vec3>& points, double tolerance) {
    for (const Polyhedron::Face& face : hull.faces)
        for (const Vec3& p : points)
            ASSERT_LE(dot(toDouble(face.normal), toDouble(p)), double(face.offset) + tolerance);
}

void expectHullOf(const std::vector<Vec3>& points) {
    const HullResult result = buildConvexHull(points);
    ASSERT_EQ(result.error, "");
    const double tolerance = toleranceOf(points);
    expectClosed(result.hull);
    expectConvex(result.hull, tolerance);
    EXPECT_LE(result.hull.vertices.size(), kMaxHullVertices);
    expectInside(result.hull, points, std::max(tolerance, double(result.deviation) * (1 + 1e-5)));
    if (result.hull.vertices.size() < kMaxHullVertices) {
        EXPECT_LE(result.deviation, tolerance);
    }
}

std::vector<Vec3> boxCorners(const Vec3& h, const Pose& pose = {}) {
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i)
        points.push_back(transformPoint(pose, {i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z}));
    return points;
}

// Volume by brute force: every triple of points with all others on one side is a facet.
double bruteForceVolume(const std::vector<Vec3>& points) {
    const Vec3d origin = toDouble(points[0]);
    double six = 0;
    const std::size_t n = points.size();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) {
            for (std::size_t k = j + 1; k < n; ++k) {
                const Vec3d a = toDouble(points[i]) - origin, b = toDouble(points[j]) - origin,
                            c = toDouble(points[k]) - origin;
                const Vec3d normal = cross(b - a, c - a);
                int above = 0, below = 0;
                for (std::size_t l = 0; l < n; ++l) {
                    if (l == i || l == j || l == k)
                        continue;
                    ++(dot(normal, toDouble(points[l]) - origin - a) > 0 ? above : below);
                }
                if (above == 0 || below == 0)
                    six += std::fabs(dot(a, cross(b, c)));
            }
        }
    }
    return six / 6;
}

double volumeOf(const Polyhedron& hull) { return meshMass(hull.vertices, triangulate(hull)).volume; }

TEST(ConvexHull, CubeHasSixQuads) {
    RandomPoints random(1);
    for (int i = 0; i < 500; ++i) {
        // Rounded to float after a turn, the corners of a face are not exactly coplanar any more.
        const Pose pose{i % 3 == 0 ? Vec3{} : random.inBox(3), i == 0 ? Quat{} : random.rotation()};
        const Real y = random.between(0.01, 1);
        const HullResult result = buildConvexHull(boxCorners({Real(0.5), y, 1}, pose));
        ASSERT_EQ(result.error, "");
        EXPECT_EQ(result.hull.vertices.size(), 8u);
        EXPECT_EQ(result.hull.faces.size(), 6u);
        EXPECT_EQ(result.hull.edges.size(), 12u);
        for (const Polyhedron::Face& face : result.hull.faces)
            EXPECT_EQ(face.vertexCount, 4);
    }
}

TEST(ConvexHull, UnitCubeIsExact) {
    const HullResult result = buildConvexHull(boxCorners({1, 1, 1}));
    for (const Polyhedron::Face& face : result.hull.faces) {
        EXPECT_EQ(face.offset, 1);
        EXPECT_EQ(std::fabs(face.normal.x) + std::fabs(face.normal.y) + std::fabs(face.normal.z), 1);
    }
    EXPECT_EQ(result.hull.innerRadius, 1);
    EXPECT_EQ(result.hull.center, (Vec3{}));
    EXPECT_EQ(result.deviation, 0);
}

TEST(ConvexHull, PrismCapIsOneFace) {
    std::vector<Vec3> points;
    for (int i = 0; i < 48; ++i) {
        const double angle = 2 * 3.14159265358979 * i / 48;
        for (const Real y : {Real(-0.1), Real(0.1)})
            points.push_back({Real(std::cos(angle)), y, Real(std::sin(angle))});
    }
    const HullResult result = buildConvexHull(points);
    EXPECT_EQ(result.hull.faces.size(), 50u);
    EXPECT_EQ(result.hull.vertices.size(), 96u);
    expectHullOf(points);
}

TEST(ConvexHull, GridOfPointsIsABox) {
    std::vector<Vec3> points;
    for (int x = 0; x < 10; ++x)
        for (int y = 0; y < 10; ++y)
            for (int z = 0; z < 10; ++z)
                points.push_back({Real(0.1) * Real(x), Real(0.3) * Real(y), Real(0.07) * Real(z)});
    const HullResult result = buildConvexHull(points);
    EXPECT_EQ(result.hull.vertices.size(), 8u);
    EXPECT_EQ(result.hull.faces.size(), 6u);
    expectHullOf(points);
}

TEST(ConvexHull, SphereOf200PointsKeepsThemAll) {
    RandomPoints random(2);
    std::vector<Vec3> points;
    for (int i = 0; i < 200; ++i)
        points.push_back(random.onSphere());
    const HullResult result = buildConvexHull(points);
    EXPECT_EQ(result.hull.vertices.size(), 200u);
    // 2 V - 4 triangles; two of them may by chance lie in one plane.
    EXPECT_GE(result.hull.faces.size(), 392u);
    EXPECT_LE(result.hull.faces.size(), 396u);
    expectHullOf(points);
}

TEST(ConvexHull, VolumeMatchesBruteForce) {
    RandomPoints random(3);
    for (int cloud = 0; cloud < 1000; ++cloud) {
        std::vector<Vec3> points;
        for (int i = 0; i < 12; ++i)
            points.push_back(random.inBox(1));
        const HullResult result = buildConvexHull(points);
        ASSERT_EQ(result.error, "");
        // Points up to 2e-6 of the size outside may be left out; a face of 4 m^2 then loses 1e-5 m^3.
        EXPECT_NEAR(volumeOf(result.hull), bruteForceVolume(points), 5e-5);
    }
}

TEST(ConvexHull, DoesNotDependOnOrderOrDuplicates) {
    RandomPoints random(4);
    std::vector<Vec3> points;
    for (int i = 0; i < 100; ++i)
        points.push_back(random.inBall());
    const HullResult first = buildConvexHull(points);
    std::vector<Vec3> shuffled = points;
    for (std::size_t i = shuffled.size(); i > 1; --i)
        std::swap(shuffled[i - 1], shuffled[random.below(std::uint32_t(i))]);
    shuffled.insert(shuffled.end(), points.begin(), points.end());
    const HullResult second = buildConvexHull(shuffled);
    EXPECT_EQ(first.hull.vertices, second.hull.vertices);
    EXPECT_EQ(first.hull.faceVertices, second.hull.faceVertices);
}

TEST(ConvexHull, RandomCloudsOfAllSizes) {
    RandomPoints random(5);
    for (int cloud = 0; cloud < 1500; ++cloud) {
        const double scale = cloud % 3 == 0 ? 1 : (cloud % 3 == 1 ? 1e4 : 1e-4);
        const int count = 4 + int(random.below(60));
        const Vec3 stretch{random.between(0.01, 1), random.between(0.01, 1), random.between(0.01, 1)};
        const Pose pose{random.inBox(scale), random.rotation()};
        std::vector<Vec3> points;
        for (int i = 0; i < count; ++i)
            points.push_back(transformPoint(pose, multiply(random.inBall() * Real(scale), stretch)));
        SCOPED_TRACE(cloud);
        if (count > 8)
            expectHullOf(points);
        if (HasFailure())
            return;
    }
}

TEST(ConvexHull, CubeSurfaceWithJitter) {
    RandomPoints random(6);
    for (int cloud = 0; cloud < 400; ++cloud) {
        const double jitter = std::pow(10.0, -3 - cloud % 6);
        const Pose pose{{}, random.rotation()};
        std::vector<Vec3> points = boxCorners({1, 1, 1}, pose);
        for (int i = 0; i < 100; ++i) {
            Vec3 p = random.inBox(1);
            setComponent(p, int(random.below(3)), random.below(2) ? Real(1) : Real(-1));
            points.push_back(transformPoint(pose, p) + random.inBox(jitter));
        }
        SCOPED_TRACE(cloud);
        expectHullOf(points);
        if (jitter < 2e-7) {
            EXPECT_EQ(buildConvexHull(points).hull.faces.size(), 6u);
        }
        if (HasFailure())
            return;
    }
}

TEST(ConvexHull, NearlyFlatClouds) {
    RandomPoints random(7);
    for (int cloud = 0; cloud < 600; ++cloud) {
        const double thickness = std::pow(10.0, -1 - 0.5 * (cloud % 8));  // 0.1 to 3e-5
        const Pose pose{{}, cloud % 2 ? random.rotation() : Quat{}};
        std::vector<Vec3> points;
        const int kind = cloud % 3;
        for (int i = 0; i < 60; ++i) {
            const Vec3 s = random.onSphere();
            const double angle = 2 * 3.14159265358979 * i / 60;
            const Real y = Real(thickness) * random.between(-1, 1);
            const Vec3 flat =
                kind == 0   ? Vec3{s.x, s.y * Real(thickness), s.z}
                : kind == 1 ? Vec3{Real(std::cos(angle)), i % 2 ? Real(thickness) : -Real(thickness), Real(std::sin(angle))}
                            : Vec3{random.between(-1, 1), y, random.between(-1, 1)};
            points.push_back(transformPoint(pose, flat));
        }
        SCOPED_TRACE(cloud);
        expectHullOf(points);
        if (HasFailure())
            return;
    }
}

// Cylinders, needles and cones whose slivers make triangles with poor normals.
TEST(ConvexHull, Needles) {
    RandomPoints random(8);
    for (int cloud = 0; cloud < 300; ++cloud) {
        const double thin = std::pow(10.0, -1 - cloud % 4);
        const Quat turn = random.rotation();
        std::vector<Vec3> points;
        for (int i = 0; i < 40; ++i) {
            const double angle = 2 * 3.14159265358979 * (i / 2) / 20;
            const Real r = Real(thin) * (cloud % 2 ? Real(i % 2) : Real(1));
            points.push_back(rotate(turn, {r * Real(std::cos(angle)), i % 2 ? Real(1) : Real(-1), r * Real(std::sin(angle))}));
        }
        SCOPED_TRACE(cloud);
        expectHullOf(points);
        if (HasFailure())
            return;
    }
}

TEST(ConvexHull, PointsOnCoarseLattice) {
    RandomPoints random(9);
    int flat = 0;
    for (int cloud = 0; cloud < 2000; ++cloud) {
        // Many coplanar and collinear points at once.
        std::vector<Vec3> points;
        const int count = 8 + int(random.below(30));
        for (int i = 0; i < count; ++i)
            points.push_back(
                {Real(random.below(4)) * Real(0.1), Real(random.below(4)) * Real(0.1), Real(random.below(4)) * Real(0.1)});
        const HullResult result = buildConvexHull(points);
        if (!result.error.empty()) {
            ++flat;
            continue;
        }
        SCOPED_TRACE(cloud);
        expectHullOf(points);
        if (HasFailure())
            return;
    }
    EXPECT_LT(flat, 5);
}

// One cloud of a family that is hard on hull builders: flat, thin, on circles, lattices with jitter, along a curve.
std::vector<Vec3> adversarialCloud(std::uint64_t seed) {
    RandomPoints random(seed);
    const int count = 4 + int(random.below(80)), kind = int(random.below(8));
    const Real small = Real(std::pow(10.0, double(random.between(-8, 0))));
    const Quat turn = random.rotation();
    const Vec3 offset = random.below(3) == 0 ? random.inBox(std::pow(10.0, double(random.between(-1, 3)))) : Vec3{};
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
        Vec3 p = kind == 1 || kind == 7 ? random.onSphere() : random.inBox(1);
        const Real angle = p.x * kPi, t = p.y;
        switch (kind) {
            case 1: p.y *= small; break;
            case 2:
                setComponent(p, int(random.below(3)), random.below(2) ? Real(1) : Real(-1));
                p += random.inBox(small);
                break;
            case 3: p = {std::cos(angle), random.below(2) ? small : -small, std::sin(angle)}; break;
            case 4:
                p = {std::floor(p.x * 2) / 2, std::floor(p.y * 2) / 2, std::floor(p.z * 2) / 2};
                p += random.inBox(small);
                break;
            case 5: p = {t, t * t * small, t * t * t}; break;
            case 6: p *= random.below(4) == 0 ? Real(1) : small; break;
            case 7: p = multiply(p * (random.below(2) ? Real(1) : 1 + small), {Real(0.01), 1, 1}); break;
            default: break;
        }
        points.push_back(rotate(turn, p) + offset);
    }
    return points;
}

TEST(ConvexHull, AdversarialClouds) {
    int built = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        const std::vector<Vec3> points = adversarialCloud(seed);
        const std::string error = buildConvexHull(points).error;
        if (!error.empty()) {
            ASSERT_EQ(error.find("the points lie in one plane"), 0u) << seed << ": " << error;
            continue;
        }
        ++built;
        SCOPED_TRACE(seed);
        expectHullOf(points);
        if (HasFailure())
            return;
    }
    EXPECT_GT(built, 900);
}

TEST(ConvexHull, TenThousandPointsAreSimplifiedTo256) {
    RandomPoints random(10);
    std::vector<Vec3> points;
    for (int i = 0; i < 10000; ++i)
        points.push_back(random.onSphere());
    const HullResult result = buildConvexHull(points);
    ASSERT_EQ(result.error, "");
    EXPECT_EQ(result.hull.vertices.size(), kMaxHullVertices);
    expectHullOf(points);
    // 256 points spread evenly over the unit sphere leave caps of a depth of about 2 / 256 times a small factor.
    EXPECT_GT(result.deviation, 0.005);
    EXPECT_LT(result.deviation, 0.03);
}

TEST(ConvexHull, RefusesWhatHasNoInside) {
    RandomPoints random(11);
    std::vector<Vec3> circle, line, plane, same(20, Vec3{1, 2, 3});
    for (int i = 0; i < 50; ++i) {
        const double angle = 2 * 3.14159265358979 * i / 50;
        circle.push_back({Real(std::cos(angle)), 0, Real(std::sin(angle))});
        line.push_back(Vec3{1, 2, 3} * random.between(-1, 1));
        plane.push_back(rotate(normalize({1, 2, 3, 4}), {random.between(-1, 1), 0, random.between(-1, 1)}));
    }
    for (const auto& points : {circle, line, plane, same}) {
        const HullResult result = buildConvexHull(points);
        EXPECT_NE(result.error, "");
        EXPECT_TRUE(result.hull.vertices.empty());
    }
    EXPECT_NE(buildConvexHull({}).error, "");
    EXPECT_NE(buildConvexHull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).error, "");
    std::vector<Vec3> bad = boxCorners({1, 1, 1});
    bad[5].y = std::numeric_limits<Real>::quiet_NaN();
    EXPECT_NE(buildConvexHull(bad).error.find("point 5"), std::string::npos);
    bad[5].y = kInfinity;
    EXPECT_NE(buildConvexHull(bad).error.find("point 5"), std::string::npos);
}

}  // namespace
}  // namespace sunder::geometry
