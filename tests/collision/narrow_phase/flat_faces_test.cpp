// Faces that lie on each other: their normals are opposite but for rounding, and so are the arcs of their edges on the Gauss
// map, which meet at their very ends.
#include <gtest/gtest.h>

#include <cmath>

#include "collision/narrow_phase/convex/collide_convex.h"
#include "collision/shapes_for_tests.h"

namespace sunder::testing {
namespace {

using collision::ContactManifold;

// The shortest turn that takes one unit vector to another.
Quat turnBetween(const Vec3& from, const Vec3& to) {
    const Vec3 axis = cross(from, to);
    const Real cosine = dot(from, to);
    if (cosine < Real(-0.999999))
        return normalize(Quat{anyPerpendicular(from).x, anyPerpendicular(from).y, anyPerpendicular(from).z, 0});
    return normalize(Quat{axis.x, axis.y, axis.z, 1 + cosine});
}

SharedShape floorOf(bool isHull) {
    if (!isHull)
        return buildShape(Box{{20, 1, 20}});
    Hull hull;
    for (int i = 0; i < 8; ++i)
        hull.points.push_back({Real(i & 1 ? 20 : -20), Real(i & 2 ? 1 : -1), Real(i & 4 ? 20 : -20)});
    return buildShape(hull);
}

// On each of its faces, turned at random about the vertical, a little inside the floor: it is pushed up, never down.
TEST(FlatFaces, HullsThatLieInTheFloorArePushedUp) {
    constexpr double kDepth = 0.005;
    RandomPoints random(5);
    for (const bool isHull : {false, true}) {
        const SharedShape floor = floorOf(isHull);
        const Pose below{{0, -1, 0}, {}};
        for (int i = 0; i < 60; ++i) {
            const SharedShape hull = randomShape(random, ShapeType::Hull, 0.1, 0.4);
            for (const auto& face : hull->polyhedron.faces) {
                const Quat yaw = quatFromRotationVector({0, random.between(-3, 3), 0});
                Pose pose{random.inBox(3), normalize(yaw * turnBetween(face.normal, {0, -1, 0}))};
                pose.position.y = face.offset - Real(kDepth);
                const ContactManifold m = collision::collideConvex(*floor, below, *hull, pose, Real(0.02));
                ASSERT_GT(m.count, 0) << i;
                EXPECT_GT(m.normal.y, 0.999) << i;
                double deepest = 1;
                for (int k = 0; k < m.count; ++k)
                    deepest = std::fmin(deepest, double(m.points[k].separation));
                EXPECT_NEAR(deepest, -kDepth, 1e-5) << i;
            }
        }
    }
}

}  // namespace
}  // namespace sunder::testing
