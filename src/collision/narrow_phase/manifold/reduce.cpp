// Four points of a contact patch: the deepest, the farthest from it, and the two that add the most area, near ones first.
#include "collision/narrow_phase/manifold/reduce.h"

namespace sunder::collision {
namespace {

// Share of the patch's size. Depths closer than this count as equal: the jitter of resting bodies must not make the choice hop.
constexpr Real kDepthTie = Real(2e-3);
constexpr Real kChoiceTie = Real(1e-3);  // of the squared size: a later point must be better by this to win
constexpr Real kFlatArea = Real(1e-6);   // of the squared size: points that add less area are left out
// Shares of the patch's size: a point this far above the deepest counts half, and none counts for less than kLeastWeight. By
// area alone a corner that touched was left out for one 40 mm above; the box sank there until that corner was the deepest, and
// a column of ten rocked on for ever.
constexpr Real kHalfWeightGap = Real(5e-3), kLeastWeight = Real(0.3);
constexpr Real kShortest = Real(1e-12);  // m: no gap counts half nearer than this

// The index of the largest score; earlier ones win near ties. -1 where no score exceeds threshold.
template <typename Score>
int pickLargest(int count, Real threshold, Real tie, Score score) {
    int best = -1;
    Real bestScore = threshold;
    for (int i = 0; i < count; ++i) {
        const Real s = score(i);
        if (s > bestScore) {
            best = i;
            bestScore = s + tie;
        }
    }
    return best;
}

Real distanceSquared(const PlanarPoint& p, const PlanarPoint& q) { return square(p.x - q.x) + square(p.y - q.y); }

// Twice the signed area.
Real area(const PlanarPoint& p, const PlanarPoint& q, const PlanarPoint& r) {
    return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
}

// at(i) is point i.
template <typename At>
int choose(At at, int count, int (&chosen)[kMaxManifoldPoints]) {
    if (count <= kMaxManifoldPoints) {
        for (int i = 0; i < count; ++i)
            chosen[i] = i;
        return count;
    }

    PlanarPoint middle{0, 0, kInfinity};
    for (int i = 0; i < count; ++i) {
        middle.x += at(i).x / Real(count);
        middle.y += at(i).y / Real(count);
        middle.separation = min(middle.separation, at(i).separation);
    }
    Real size2 = 0;
    for (int i = 0; i < count; ++i)
        size2 = max(size2, distanceSquared(at(i), middle));
    const Real size = std::sqrt(size2), deepest = middle.separation + kDepthTie * size, tie = kChoiceTie * size2;
    const Real scale = max(kHalfWeightGap * size, kShortest);
    const auto weight = [&](int i) { return max(kLeastWeight, scale / (scale + at(i).separation - middle.separation)); };

    int first = pickLargest(count, Real(-1), tie,
                            [&](int i) { return at(i).separation <= deepest ? distanceSquared(at(i), middle) : Real(-2); });
    if (first < 0)
        first = 0;  // reached only where the points are not finite
    int second = pickLargest(count, Real(-1), tie, [&](int i) {
        return i == first ? Real(-2) : square(weight(i)) * distanceSquared(at(i), at(first));
    });
    if (second < 0)
        second = first;
    const PlanarPoint p = at(first), q = at(second);
    const int third =
        pickLargest(count, kFlatArea * size2, tie, [&](int i) { return weight(i) * std::fabs(area(p, q, at(i))); });
    int fourth = -1;
    if (third >= 0) {
        const PlanarPoint r = at(third);
        const Real turn = area(p, q, r) > 0 ? Real(1) : Real(-1);
        fourth = pickLargest(count, kFlatArea * size2, tie, [&](int i) {
            const PlanarPoint x = at(i);
            return -weight(i) * min(turn * area(p, q, x), min(turn * area(q, r, x), turn * area(r, p, x)));
        });
    }
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (i == first || i == second || i == third || i == fourth)
            chosen[kept++] = i;
    return kept;
}

}  // namespace

int choosePoints(const PlanarPoint* points, int count, int (&chosen)[kMaxManifoldPoints]) {
    return choose([&](int i) { return points[i]; }, count, chosen);
}

void reduceToManifold(const ContactPoint* candidates, int count, const Vec3& normal, ContactManifold& manifold) {
    const Vec3 across = anyPerpendicular(normal), along = cross(normal, across);
    const auto at = [&](int i) {
        const ContactPoint& c = candidates[i];
        return PlanarPoint{dot(across, c.onA), dot(along, c.onA), c.separation};
    };
    int chosen[kMaxManifoldPoints];
    manifold.normal = normal;
    manifold.count = choose(at, count, chosen);
    for (int i = 0; i < manifold.count; ++i)
        manifold.points[i] = candidates[chosen[i]];
}

}  // namespace sunder::collision
