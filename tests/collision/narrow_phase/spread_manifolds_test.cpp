// Which manifolds of a pair are kept where there are too many.
#include "collision/narrow_phase/manifold/spread_manifolds.h"

#include <gtest/gtest.h>

namespace sunder::collision {
namespace {

ContactManifold manifoldAt(Real x, Real separation, const Vec3& normal = {0, 1, 0}) {
    ContactManifold manifold;
    manifold.normal = normal;
    manifold.key = std::uint32_t(x * 100);
    manifold.count = 1;
    manifold.points[0].onA = manifold.points[0].onB = {x, 0, 0};
    manifold.points[0].separation = separation;
    return manifold;
}

// Of a row of equal ones the ends hold the bodies best; the deepest is never lost, nor one that pushes another way.
TEST(SpreadManifolds, KeepsTheDeepestTheEndsAndOtherDirections) {
    ManifoldList list;
    for (int i = 0; i <= 20; ++i)
        list.push_back(manifoldAt(Real(i) / 20, i == 7 ? Real(-0.02) : Real(-0.01), i == 12 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
    keepSpread(list, 0, 4, 1, {});
    ASSERT_EQ(list.size(), 4u);
    EXPECT_EQ(list[0].points[0].onA.x, 0);
    EXPECT_EQ(list[1].points[0].separation, Real(-0.02));
    EXPECT_EQ(list[2].normal.x, 1);
    EXPECT_EQ(list[3].points[0].onA.x, 1);
}

TEST(SpreadManifolds, FewStayAsTheyAre) {
    ManifoldList list{manifoldAt(0, 0), manifoldAt(1, 0)};
    keepSpread(list, 0, 4, 1, {});
    EXPECT_EQ(list.size(), 2u);
}

}  // namespace
}  // namespace sunder::collision
