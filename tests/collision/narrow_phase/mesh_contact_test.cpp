// Convex shapes on triangle meshes: a surface cut into triangles acts as the same surface in one piece.
#include "collision/narrow_phase/mesh/mesh_contact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "collision/narrow_phase/collide.h"
#include "math/trigonometry.h"
#include "support/mesh_builder.h"

namespace sunder::collision {
namespace {

using testing::addQuad;
using testing::addTriangle;
using testing::RandomPoints;

// Lengths in these tests are about a metre; single precision places a point to 1e-7 of that, a contact to some tens of it.
constexpr Real kLength = Real(1e-5);

Real deepest(const ContactManifold& manifold) {
    Real lowest = kInfinity;
    for (int i = 0; i < manifold.count; ++i)
        lowest = min(lowest, manifold.points[i].separation);
    return lowest;
}

ManifoldList contacts(const SharedShape& a, const Pose& poseA, const SharedShape& b, const Pose& poseB, Real margin) {
    ManifoldList list;
    collide(*a, poseA, *b, poseB, margin, list);
    return list;
}

Quat turn(const Vec3& rotationVector) { return quatFromRotationVector(rotationVector); }

// A box whose top is the plane y = 0, for comparison.
SharedShape bigBox() { return buildShape(Box{{50, 5, 50}}); }
const Pose kBigBoxPose{{0, -5, 0}, {}};

struct Floor {
    const char* name;
    SharedShape shape;
};

std::vector<Floor> floors() {
    return {{"regular", buildShape(testing::flatGrid(32, 8))},
            {"irregular", buildShape(testing::irregularGrid(32, 8, 4))},
            {"fine", buildShape(testing::flatGrid(120, 8))},
            {"coarse", buildShape(testing::flatGrid(1, 100))}};
}

struct Rider {
    const char* name;
    SharedShape shape;
    Quat orientation;
    Real height;  // of the centre where the shape just touches the floor
    int points;   // of the contact; 0: any number
};

std::vector<Rider> riders() {
    const Real s = std::sqrt(Real(0.5));
    const Quat onSide{0, 0, s, s};
    const std::vector<Vec3> wedge{{-Real(0.4), -Real(0.3), -Real(0.2)},
                                  {Real(0.4), -Real(0.3), -Real(0.2)},
                                  {0, -Real(0.3), Real(0.5)},
                                  {0, Real(0.4), 0}};
    return {{"sphere", buildShape(Sphere{Real(0.3)}), {}, Real(0.3), 1},
            {"box", buildShape(Box{{Real(0.3), Real(0.2), Real(0.4)}}), {}, Real(0.2), 4},
            {"lying capsule", buildShape(Capsule{Real(0.2), Real(0.4)}), onSide, Real(0.2), 2},
            {"standing capsule", buildShape(Capsule{Real(0.2), Real(0.4)}), {}, Real(0.6), 1},
            {"standing cylinder", buildShape(Cylinder{Real(0.3), Real(0.4)}), {}, Real(0.4), 4},
            {"lying cylinder", buildShape(Cylinder{Real(0.3), Real(0.4)}), onSide, Real(0.3), 2},
            {"hull", buildShape(Hull{wedge}), {}, Real(0.3), 3}};
}

// Pose after sliding and turning about the vertical for a while; sometimes exactly on a seam or a vertex.
Pose slid(const Rider& rider, Real gap, int step, RandomPoints& random) {
    Vec3 at{random.between(-2, 2), rider.height + gap, random.between(-2, 2)};
    if (step % 5 == 0)
        at.x = Real(0.25) * std::floor(4 * at.x);
    if (step % 10 == 0)
        at.z = Real(0.25) * std::floor(4 * at.z);
    const Real angle = step % 4 == 0 ? Real(0) : random.between(-3, 3);
    return {at, turn({0, angle, 0}) * rider.orientation};
}

TEST(MeshContact, AFlatMeshActsAsOneBox) {
    const SharedShape plain = bigBox();
    for (const Floor& floor : floors()) {
        for (const Rider& rider : riders()) {
            RandomPoints random(11);
            for (int step = 0; step < 60; ++step) {
                const Real gap = step % 3 == 0 ? Real(-0.002) : (step % 3 == 1 ? Real(-0.03) : Real(0.004));
                const Pose pose = slid(rider, gap, step, random);
                const Real margin = Real(0.01);
                const ManifoldList found = contacts(floor.shape, {}, rider.shape, pose, margin);
                const ManifoldList expected = contacts(plain, kBigBoxPose, rider.shape, pose, margin);
                SCOPED_TRACE(::testing::Message() << rider.name << " on " << floor.name << ", step " << step);
                ASSERT_GE(expected.size(), 1u);  // a cap touches a box in more than four points
                ASSERT_EQ(found.size(), 1u);
                ASSERT_LT(length(found[0].normal - Vec3{0, 1, 0}), kLength);
                ASSERT_NEAR(deepest(found[0]), gap, kLength);
                ASSERT_NEAR(deepest(expected[0]), gap, kLength);
                ASSERT_EQ(found[0].count, rider.points);
                for (int i = 0; i < found[0].count; ++i) {
                    const ContactPoint& p = found[0].points[i];
                    ASSERT_LT(length(p.onB - p.onA - found[0].normal * p.separation), kLength);
                    ASSERT_NEAR(p.onB.y, gap, kLength);
                }
            }
        }
    }
}

// The four corners keep their ids and the manifold its key over many seams, so that warm starting never fails.
TEST(MeshContact, ABoxKeepsItsPointsWhileItSlidesOverSeams) {
    const SharedShape box = buildShape(Box{{Real(0.3), Real(0.2), Real(0.4)}});
    for (const Floor& floor : floors()) {
        std::map<std::uint32_t, Vec3> cornerOf;  // feature -> corner of the box
        std::uint32_t key = 0;
        for (int step = 0; step < 100; ++step) {
            const Vec3 at{Real(0.041) * Real(step) - 2, Real(0.199), Real(0.023) * Real(step) - 1};
            const Pose pose{at, turn({0, Real(0.3), 0})};
            const ManifoldList found = contacts(floor.shape, {}, box, pose, Real(0.02));
            ASSERT_EQ(found.size(), 1u) << floor.name << " " << step;
            ASSERT_EQ(found[0].count, 4);
            for (int i = 0; i < 4; ++i) {
                const ContactPoint& p = found[0].points[i];
                const Vec3 corner = inverseTransformPoint(pose, p.onB);
                if (step == 0)
                    cornerOf[p.feature] = corner;
                ASSERT_EQ(cornerOf.count(p.feature), 1u);
                ASSERT_LT(length(cornerOf[p.feature] - corner), kLength);
                ASSERT_NEAR(std::fabs(corner.x), Real(0.3), kLength);
                ASSERT_NEAR(std::fabs(corner.z), Real(0.4), kLength);
            }
            key = step == 0 ? found[0].key : key;
            ASSERT_EQ(found[0].key, key);
        }
        ASSERT_EQ(cornerOf.size(), 4u);
    }
}

// Triangles that meet without sharing vertices: the seam has no neighbours to tell that it is flat.
TEST(MeshContact, AFloorWithTJunctionsIsStillFlat) {
    Mesh mesh;
    addQuad(mesh, {-4, 0, -4}, {-4, 0, 4}, {0, 0, 4}, {0, 0, -4});  // one large cell beside many small ones
    for (int i = 0; i < 20; ++i) {
        const Real z = Real(-4) + Real(0.4) * Real(i);
        addQuad(mesh, {0, 0, z}, {0, 0, z + Real(0.4)}, {4, 0, z + Real(0.4)}, {4, 0, z});
    }
    const SharedShape floor = buildShape(mesh);
    const SharedShape box = buildShape(Box{{Real(0.3), Real(0.2), Real(0.4)}});
    for (int step = 0; step < 400; ++step) {
        // The box's side passes the seam at x = 0 in steps below the depth.
        const Pose pose{{Real(0.3) + Real(0.0005) * Real(step - 200), Real(0.195), Real(0.1)}, {}};
        const ManifoldList found = contacts(floor, {}, box, pose, Real(0.01));
        ASSERT_EQ(found.size(), 1u) << step;
        ASSERT_EQ(found[0].normal, (Vec3{0, 1, 0})) << step;
        ASSERT_EQ(found[0].count, 4) << step;
        ASSERT_NEAR(deepest(found[0]), Real(-0.005), kLength) << step;
    }
}

TEST(MeshContact, NormalsPointFromAToBInEitherOrderAndUnderAnyPose) {
    const SharedShape floor = buildShape(testing::irregularGrid(16, 6, 2));
    RandomPoints random(21);
    for (const Rider& rider : riders()) {
        for (int step = 0; step < 10; ++step) {
            const Pose frame{random.inBox(3), random.rotation()};
            const Pose onFloor = frame * slid(rider, Real(-0.003), 1, random);
            const ManifoldList first = contacts(floor, frame, rider.shape, onFloor, Real(0.01));
            const ManifoldList second = contacts(rider.shape, onFloor, floor, frame, Real(0.01));
            ASSERT_EQ(first.size(), 1u) << rider.name;
            ASSERT_EQ(second.size(), 1u) << rider.name;
            EXPECT_LT(length(first[0].normal - rotate(frame.orientation, {0, 1, 0})), kLength);
            EXPECT_EQ(first[0].normal, -second[0].normal);
            EXPECT_NEAR(deepest(first[0]), Real(-0.003), kLength) << rider.name;
            ASSERT_EQ(first[0].count, second[0].count);
            for (int i = 0; i < first[0].count; ++i) {
                EXPECT_EQ(first[0].points[i].onA, second[0].points[i].onB);
                EXPECT_EQ(first[0].points[i].onB, second[0].points[i].onA);
                EXPECT_EQ(first[0].points[i].feature, second[0].points[i].feature);
            }
        }
    }
}

// The inside of a box of triangles, open above; the floor is at y = 0.
Mesh pit(Real half, Real depth) {
    Mesh mesh;
    const auto corner = [&](int x, int z, Real y) { return Vec3{Real(x) * half, y, Real(z) * half}; };
    addQuad(mesh, corner(-1, -1, 0), corner(-1, 1, 0), corner(1, 1, 0), corner(1, -1, 0));
    const int ring[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    for (int i = 0; i < 4; ++i)
        addQuad(mesh, corner(ring[i][0], ring[i][1], 0), corner(ring[i + 1][0], ring[i + 1][1], 0),
                corner(ring[i + 1][0], ring[i + 1][1], depth), corner(ring[i][0], ring[i][1], depth));
    return mesh;
}

// Every manifold's normal is one of those expected, with the depth that goes with it.
void expectFaces(const ManifoldList& found, const std::vector<std::pair<Vec3, Real>>& faces) {
    ASSERT_EQ(found.size(), faces.size());
    for (const auto& [normal, separation] : faces) {
        bool seen = false;
        for (const ContactManifold& manifold : found)
            if (length(manifold.normal - normal) < kLength) {
                seen = true;
                EXPECT_NEAR(deepest(manifold), separation, kLength);
            }
        EXPECT_TRUE(seen) << normal.x << " " << normal.y << " " << normal.z;
    }
    for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_NE(found[i].key, found[j].key);
}

TEST(MeshContact, ABoxInACornerOfAPitTouchesFloorAndWalls) {
    const SharedShape mesh = buildShape(pit(2, 1));
    const SharedShape box = buildShape(Box{{Real(0.3), Real(0.2), Real(0.4)}});
    const Vec3 up{0, 1, 0}, right{1, 0, 0}, front{0, 0, 1};
    const Real margin = Real(0.01);
    // In the middle, against one wall, in a corner; pressed in by different depths, or apart by less than the margin.
    expectFaces(contacts(mesh, {}, box, {{0, Real(0.198), 0}, {}}, margin), {{up, Real(-0.002)}});
    expectFaces(contacts(mesh, {}, box, {{Real(-1.703), Real(0.198), Real(0.3)}, {}}, margin),
                {{up, Real(-0.002)}, {right, Real(-0.003)}});
    expectFaces(contacts(mesh, {}, box, {{Real(-1.703), Real(0.198), Real(-1.604)}, {}}, margin),
                {{up, Real(-0.002)}, {right, Real(-0.003)}, {front, Real(-0.004)}});
    expectFaces(contacts(mesh, {}, box, {{Real(-1.695), Real(0.204), Real(-1.594)}, {}}, margin),
                {{up, Real(0.004)}, {right, Real(0.005)}, {front, Real(0.006)}});
    const SharedShape ball = buildShape(Sphere{Real(0.3)});
    expectFaces(contacts(mesh, {}, ball, {{Real(-1.703), Real(0.298), Real(-1.704)}, {}}, margin),
                {{up, Real(-0.002)}, {right, Real(-0.003)}, {front, Real(-0.004)}});
}

// A closed cube of triangles, one metre wide about the origin; n x n cells per side.
Mesh cubeMesh(int n) {
    Mesh mesh;
    const Vec3 axes[6][3] = {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
                             {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}},
                             {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{-1, 0, 0}, {0, 0, 1}, {0, 1, 0}}};
    for (const auto& [out, u, w] : axes)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                const auto at = [&, &o = out, &x = u, &y = w](int p, int q) {
                    return o * Real(0.5) + x * (Real(p) / Real(n) - Real(0.5)) + y * (Real(q) / Real(n) - Real(0.5));
                };
                addQuad(mesh, at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            }
    return mesh;
}

// A box that leans against the side of a block, with its centre above the block's top: the top's triangles must not lift it.
TEST(MeshContact, ABlocksTopDoesNotLiftABoxBesideIt) {
    const SharedShape box = buildShape(Box{{Real(0.3), Real(0.5), Real(0.3)}});
    for (const int cells : {1, 2, 5}) {
        const SharedShape mesh = buildShape(cubeMesh(cells));
        for (const Real z : {Real(0), Real(0.35), Real(-0.45), Real(0.5)}) {
            const ManifoldList found = contacts(mesh, {}, box, {{Real(0.799), Real(0.52), z}, {}}, Real(0.01));
            SCOPED_TRACE(::testing::Message() << cells << " cells, z = " << z);
            ASSERT_EQ(found.size(), 1u);
            EXPECT_LT(length(found[0].normal - Vec3{1, 0, 0}), kLength);
            EXPECT_NEAR(deepest(found[0]), Real(-0.001), kLength);
        }
    }
}

// Directions between the two slopes are true normals of a ridge; the reference is the distance from the edge.
TEST(MeshContact, ShapesOnARidgeTouchItsEdge) {
    Mesh mesh;
    addQuad(mesh, {0, 0, -2}, {-1, -1, -2}, {-1, -1, 2}, {0, 0, 2});
    addQuad(mesh, {0, 0, 2}, {1, -1, 2}, {1, -1, -2}, {0, 0, -2});
    const SharedShape ridge = buildShape(mesh);
    const SharedShape ball = buildShape(Sphere{Real(0.3)});
    for (const Real degrees : {Real(-40), Real(-10), Real(0), Real(25), Real(44)}) {
        const SinCos angle = sinCos(degrees * kPi / 180);
        const Vec3 direction{angle.sin, angle.cos, 0};
        const ManifoldList found = contacts(ridge, {}, ball, {direction * Real(0.295), {}}, Real(0.01));
        ASSERT_FALSE(found.empty()) << degrees;
        EXPECT_LT(length(found[0].normal - direction), Real(1e-4)) << degrees;
        EXPECT_NEAR(deepest(found[0]), Real(-0.005), kLength) << degrees;
        EXPECT_EQ(found[0].count, 1) << degrees;
    }
    // A box that lies flat across the ridge stands on it along its whole width.
    const SharedShape box = buildShape(Box{{Real(0.3), Real(0.2), Real(0.4)}});
    const ManifoldList found = contacts(ridge, {}, box, {{Real(0.05), Real(0.198), 0}, {}}, Real(0.01));
    ASSERT_FALSE(found.empty());
    EXPECT_LT(length(found[0].normal - Vec3{0, 1, 0}), kLength);
    EXPECT_NEAR(deepest(found[0]), Real(-0.002), kLength);
    Real low = 1, high = -1;
    for (int i = 0; i < found[0].count; ++i) {
        low = min(low, found[0].points[i].onA.z);
        high = max(high, found[0].points[i].onA.z);
    }
    EXPECT_NEAR(low, Real(-0.4), Real(1e-3));
    EXPECT_NEAR(high, Real(0.4), Real(1e-3));
}

// Distance from a point to a triangle, by brute force over face, edges and corners.
Real distanceTo(const Vec3 (&t)[3], const Vec3& p) {
    const Vec3 n = normalizeOr(cross(t[1] - t[0], t[2] - t[0]), {0, 1, 0});
    Real best = kInfinity;
    bool inside = true;
    for (int i = 0; i < 3; ++i) {
        const Vec3 edge = t[(i + 1) % 3] - t[i];
        inside = inside && dot(cross(n, edge), p - t[i]) >= 0;
        const Real s = clamp(dot(p - t[i], edge) / lengthSquared(edge), 0, 1);
        best = min(best, length(p - t[i] - edge * s));
    }
    return inside ? min(best, std::fabs(dot(n, p - t[0]))) : best;
}

// Rough ground: a sphere's deepest contact is its true distance from the surface, and no manifold claims more.
TEST(MeshContact, SpheresOnRoughGroundTouchAtTheirTrueDistance) {
    RandomPoints random(31);
    const Mesh ground = testing::gridMesh(12, 6, [&](Real, Real) { return random.between(-0.15, 0.15); });
    const SharedShape mesh = buildShape(ground);
    const Real radius = Real(0.3);
    const SharedShape ball = buildShape(Sphere{radius});
    int touching = 0;
    for (int step = 0; step < 600; ++step) {
        const Vec3 at{random.between(-2.5, 2.5), random.between(0.2, 0.5), random.between(-2.5, 2.5)};
        Real distance = kInfinity;
        for (const std::array<std::uint32_t, 3>& t : ground.triangles)
            distance = min(distance, distanceTo({ground.vertices[t[0]], ground.vertices[t[1]], ground.vertices[t[2]]}, at));
        const ManifoldList found = contacts(mesh, {}, ball, {at, {}}, Real(0.02));
        if (distance > radius + Real(0.0201)) {
            ASSERT_TRUE(found.empty()) << step;
            continue;
        }
        if (distance > radius + Real(0.0199))
            continue;
        ++touching;
        ASSERT_FALSE(found.empty()) << step;
        ASSERT_LE(found.size(), std::size_t(kMaxMeshManifolds));
        ASSERT_NEAR(deepest(found[0]), distance - radius, kLength) << step;
        for (const ContactManifold& manifold : found) {
            ASSERT_GE(deepest(manifold), distance - radius - kLength) << step;
            ASSERT_NEAR(length(manifold.normal), 1, kLength);
        }
    }
    EXPECT_GT(touching, 100);
}

// Bodies on rough ground: bounded, finite, pushed upwards, keys and features unique.
TEST(MeshContact, EveryShapeOnRoughGroundGivesSoundManifolds) {
    RandomPoints random(41);
    const SharedShape mesh = buildShape(testing::gridMesh(24, 6, [&](Real, Real) { return random.between(-0.05, 0.05); }));
    for (const Rider& rider : riders()) {
        for (int step = 0; step < 30; ++step) {
            const Vec3 at{random.between(-2, 2), rider.height * Real(0.8), random.between(-2, 2)};
            const Pose pose{at, turn({random.between(-0.2, 0.2), random.between(-3, 3), 0}) * rider.orientation};
            const ManifoldList found = contacts(mesh, {}, rider.shape, pose, Real(0.02));
            ASSERT_FALSE(found.empty()) << rider.name;
            ASSERT_LE(found.size(), std::size_t(2 * kMaxMeshManifolds));
            for (std::size_t i = 0; i < found.size(); ++i) {
                ASSERT_GT(found[i].normal.y, 0) << rider.name << " " << step;
                ASSERT_GE(found[i].count, 1);
                ASSERT_LE(found[i].count, kMaxManifoldPoints);
                for (std::size_t j = 0; j < i; ++j)
                    ASSERT_NE(found[i].key, found[j].key);
                for (int k = 0; k < found[i].count; ++k) {
                    const ContactPoint& p = found[i].points[k];
                    ASSERT_TRUE(isFinite(p.onA) && isFinite(p.onB));
                    ASSERT_LE(p.separation, Real(0.02) + kLength);
                    ASSERT_GE(p.separation, -2 * rider.height);
                    for (int m = 0; m < k; ++m)
                        ASSERT_NE(p.feature, found[i].points[m].feature);
                }
            }
        }
    }
}

// A pebble on a triangle two hundred metres wide, far from its corners: float positions there are good to 4e-6.
TEST(MeshContact, SmallShapesOnHugeTrianglesKeepTheirPrecision) {
    const SharedShape floor = buildShape(testing::flatGrid(1, 200));
    const SharedShape box = buildShape(Box{{Real(0.05), Real(0.05), Real(0.05)}});
    RandomPoints random(51);
    for (int step = 0; step < 100; ++step) {
        const Vec3 at{random.between(-60, 60), Real(0.049), random.between(-60, 60)};
        const ManifoldList found = contacts(floor, {{}, turn({0, random.between(-3, 3), 0})}, box, {at, {}}, Real(0.01));
        ASSERT_EQ(found.size(), 1u);
        ASSERT_EQ(found[0].count, 4);
        ASSERT_NEAR(deepest(found[0]), Real(-0.001), kLength);
    }
}

TEST(MeshContact, MeshesDoNotCollideWithMeshes) {
    const SharedShape floor = buildShape(testing::flatGrid(4, 4));
    EXPECT_TRUE(contacts(floor, {}, floor, {}, Real(0.1)).empty());
}

// Over a ridge of half a degree a ball is over neither face, and the edge counted as flat: there was no contact, and it fell
// in.
TEST(MeshContact, ABallIsHeldOverANearlyFlatRidge) {
    const Real drop = Real(0.0044);  // in 1 m: a quarter of a degree on each side
    const SharedShape ridge =
        buildShape(Mesh{{{-1, -drop, -1}, {-1, -drop, 1}, {0, 0, -1}, {0, 0, 1}, {1, -drop, -1}, {1, -drop, 1}},
                        {{0, 1, 2}, {2, 1, 3}, {2, 3, 4}, {4, 3, 5}}});
    const SharedShape ball = buildShape(Sphere{Real(0.3)});
    for (int i = -10; i <= 10; ++i) {
        const Vec3 at{Real(2e-4) * Real(i), Real(0.299), Real(0.123)};
        const ManifoldList found = contacts(ridge, {}, ball, {at, {}}, Real(0.01));
        ASSERT_FALSE(found.empty()) << at.x;
        EXPECT_NEAR(deepest(found[0]), -0.001, 1e-5);
    }
}

// Triangles within the margin that the body does not come nearer to are left out, those that its way leads to are not.
TEST(MeshContact, LooksWhereTheBodyGoes) {
    Mesh corner;  // a floor, and a wall that faces -x
    addQuad(corner, {-5, 0, 5}, {5, 0, 5}, {5, 0, -5}, {-5, 0, -5});
    addQuad(corner, {1, 0, 5}, {1, 5, 5}, {1, 5, -5}, {1, 0, -5});
    const SharedShape mesh = buildShape(corner), box = buildShape(Box{{Real(0.2), Real(0.2), Real(0.2)}});
    const Pose pose{{Real(0.3), Real(0.5), 0}, {}};
    const auto find = [&](const Vec3& way) {
        Range range(1);
        range.expected = {way, {}, pose.position, Real(0.1)};
        ManifoldList list;
        collide(*mesh, {}, *box, pose, range, list);
        return list;
    };
    EXPECT_EQ(find({}).size(), 0u);
    ASSERT_EQ(find({0, -1, 0}).size(), 1u);
    EXPECT_GT(find({0, -1, 0})[0].normal.y, Real(0.99));
    ASSERT_EQ(find({1, 0, 0}).size(), 1u);
    EXPECT_LT(find({1, 0, 0})[0].normal.x, Real(-0.99));
    EXPECT_EQ(find({1, -1, 0}).size(), 2u);
}

}  // namespace
}  // namespace sunder::collision
