// The two measures of penetration against each other and against a closed form, so that the other rows can be believed.
#include <algorithm>

#include "bars/bars.h"
#include "measure/convex_penetration.h"
#include "scenes/piles.h"

namespace sunder::bars {

using measure::convexParts;
using measure::OrientedBox;
using measure::penetration;
using scenes::Vector;

void measures(Table& table) {
    table.begin("measures", "the program's own measures of penetration agree");
    scenes::Random random(3);
    double boxes = 0, balls = 0, hulls = 0;
    for (int i = 0; i < 500; ++i) {
        const auto halfExtents = [&] {
            const double x = random.between(0.1, 0.5), y = random.between(0.1, 0.5), z = random.between(0.1, 0.5);
            return scenes::vec(x, y, z);
        };
        const Vec3 hA = halfExtents(), hB = halfExtents(), p = random.inBox(0.5);
        const Quat qA = random.rotation(), qB = random.rotation();
        const double byAxes = penetration(OrientedBox{{}, scenes::toVector(hA), scenes::axesOf(qA)},
                                          OrientedBox{scenes::toVector(p), scenes::toVector(hB), scenes::axesOf(qB)});
        const double bySearch = penetration(convexParts(Box{hA}, {}, qA).front(), convexParts(Box{hB}, p, qB).front());
        boxes = std::max(boxes, std::abs(byAxes - bySearch));

        const Hull hullA = scenes::randomHull(12, 0.3, random), hullB = scenes::randomHull(12, 0.3, random);
        const measure::ConvexPart partA = convexParts(hullA, {}, qA).front(), partB = convexParts(hullB, p, qB).front();
        hulls = std::max(hulls, std::abs(polytopePenetration(partA, partB) - penetration(partA, partB)));

        // A ball and a capsule: the depth is known from the distance of the centre to the segment.
        const Vector center = scenes::toVector(p);
        const double radius = 0.2, capRadius = 0.15, halfHeight = 0.3;
        const Vector nearest{0, std::clamp(center.y, -halfHeight, halfHeight), 0};
        const double exact = radius + capRadius - length(center - nearest);
        const double found = penetration(convexParts(Capsule{Real(capRadius), Real(halfHeight)}, {}, {}).front(),
                                         convexParts(Sphere{Real(radius)}, p, qB).front());
        if (exact < capRadius)  // deeper, another way out may be the shorter one
            balls = std::max(balls, std::abs(std::max(0.0, exact) - found));
    }
    table.below("500 pairs of boxes, by axes and by search", boxes * 1e3, 0.01, "mm");
    table.below("500 pairs of hulls, by axes and by search", hulls * 1e3, 0.01, "mm");
    table.below("balls in capsules, by search and by formula", balls * 1e3, 0.05, "mm");
}

}  // namespace sunder::bars
