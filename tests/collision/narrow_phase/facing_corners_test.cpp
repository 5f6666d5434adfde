// A polyhedron that lies across the edge of another, with the corner between two of its own edges next to it.
#include <gtest/gtest.h>

#include "collision/narrow_phase/convex/collide_convex.h"
#include "collision/shapes_for_tests.h"

namespace sunder::testing {
namespace {

using collision::collideConvex;
using collision::ContactManifold;
using collision::Range;

constexpr Real kHalf = Real(0.05);  // m: half the width of the face that lies on the edge

// A wedge whose edge runs along x at height 0.
SharedShape wedge() {
    return buildShape(Hull{{{Real(-0.5), 0, 0},
                            {Real(0.5), 0, 0},
                            {Real(-0.5), Real(-0.4), Real(-0.3)},
                            {Real(0.5), Real(-0.4), Real(-0.3)},
                            {Real(-0.5), Real(-0.4), Real(0.3)},
                            {Real(0.5), Real(-0.4), Real(0.3)}}});
}

// A frustum that lies on its small face, a square of side 2 kHalf about the origin.
SharedShape frustum() {
    const Real wide = Real(0.3), high = Real(0.1);
    return buildShape(Hull{{{-kHalf, 0, -kHalf},
                            {kHalf, 0, -kHalf},
                            {-kHalf, 0, kHalf},
                            {kHalf, 0, kHalf},
                            {-wide, high, -wide},
                            {wide, high, -wide},
                            {-wide, high, wide},
                            {wide, high, wide}}});
}

ContactManifold lying(Real roll, Real depth, const Range& range) {
    const Pose pose{{0, kHalf * std::sin(roll) - depth, 0}, quatFromRotationVector({0, 0, roll})};
    return collideConvex(*wedge(), {}, *frustum(), pose, range);
}

// It leans by some degrees about the end of its face, and overlaps there: the axis across the two edges parts them best. The
// other end of the face is a contact too, at its own separation; without it the frustum turned onto the face unseen.
TEST(FacingCorners, BothEndsOfALineAreContacts) {
    for (const double roll : {0.02, 0.05, 0.1}) {
        const ContactManifold m = lying(Real(roll), Real(0.002), {Real(0.02)});
        Real least = 1, most = -1;
        for (int i = 0; i < m.count; ++i) {
            least = min(least, m.points[i].onA.x);
            most = max(most, m.points[i].onA.x);
        }
        EXPECT_NEAR(least, -kHalf, 0.01) << roll;
        EXPECT_NEAR(most, kHalf, 0.01) << roll;
    }
}

TEST(FacingCorners, AreLeftOutWhereAskedFor) {
    Range range{Real(0.02)};
    range.points.facingCorners = false;
    const ContactManifold m = lying(Real(0.1), Real(0.002), range);
    EXPECT_LE(m.count, 2);
}

}  // namespace
}  // namespace sunder::testing
