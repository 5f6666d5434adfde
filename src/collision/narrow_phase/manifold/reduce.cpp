// Four points of a contact patch: the deepest, the farthest from it, and the two that add the most area.
#include "collision/narrow_phase/manifold/reduce.h"

namespace sunder::collision {
namespace {

// Share of the patch's size. Depths closer than this count as equal: the jitter of resting bodies must not make the choice hop.
constexpr Real kDepthTie = Real(2e-3);
constexpr Real kChoiceTie = Real(1e-3);  // of the squared size: a later point must be better by this to win
constexpr Real kFlatArea = Real(1e-6);   // of the squared size: points that add less area are left out
// The previous points are kept while they cover this share of a new choice's area and their deepest is this near to the deepest
// of all, in sizes of the patch.
constexpr Real kKeptArea = Real(0.8), kKeptDepth = Real(1e-2);

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

// Twice the area that four points cover: half the product of the diagonals, whichever pairs those are.
template <typename At>
Real areaOfFour(At at, const int (&index)[kMaxManifoldPoints]) {
    const PlanarPoint p = at(index[0]), q = at(index[1]), r = at(index[2]), s = at(index[3]);
    const auto product = [](const PlanarPoint& a, const PlanarPoint& b, const PlanarPoint& c, const PlanarPoint& d) {
        return std::fabs((b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x));
    };
    return max(product(p, r, q, s), max(product(p, q, r, s), product(p, s, q, r)));
}

template <typename At>
Real deepestOf(At at, const int (&index)[kMaxManifoldPoints]) {
    return min(min(at(index[0]).separation, at(index[1]).separation), min(at(index[2]).separation, at(index[3]).separation));
}

// Returns to the four previous points, if they are all there and still nearly as good.
template <typename At>
void keepChoice(At at, int count, std::uint32_t before, Real size, int (&chosen)[kMaxManifoldPoints]) {
    int kept[kMaxManifoldPoints], found = 0;
    for (int i = 0; i < count && i < 32; ++i)
        if (before >> i & 1u) {
            if (found == kMaxManifoldPoints)
                return;
            kept[found++] = i;
        }
    if (found < kMaxManifoldPoints || areaOfFour(at, kept) < kKeptArea * areaOfFour(at, chosen) ||
        deepestOf(at, kept) > deepestOf(at, chosen) + kKeptDepth * size)
        return;
    for (int i = 0; i < kMaxManifoldPoints; ++i)
        chosen[i] = kept[i];
}

// at(i) is point i.
template <typename At>
int choose(At at, int count, int (&chosen)[kMaxManifoldPoints], std::uint32_t before) {
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

    int first = pickLargest(count, Real(-1), tie,
                            [&](int i) { return at(i).separation <= deepest ? distanceSquared(at(i), middle) : Real(-2); });
    if (first < 0)
        first = 0;  // reached only where the points are not finite
    int second =
        pickLargest(count, Real(-1), tie, [&](int i) { return i == first ? Real(-2) : distanceSquared(at(i), at(first)); });
    if (second < 0)
        second = first;
    const PlanarPoint p = at(first), q = at(second);
    const int third = pickLargest(count, kFlatArea * size2, tie, [&](int i) { return std::fabs(area(p, q, at(i))); });
    int fourth = -1;
    if (third >= 0) {
        const PlanarPoint r = at(third);
        const Real turn = area(p, q, r) > 0 ? Real(1) : Real(-1);
        fourth = pickLargest(count, kFlatArea * size2, tie, [&](int i) {
            const PlanarPoint x = at(i);
            return -min(turn * area(p, q, x), min(turn * area(q, r, x), turn * area(r, p, x)));
        });
    }
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (i == first || i == second || i == third || i == fourth)
            chosen[kept++] = i;
    if (kept == kMaxManifoldPoints)
        keepChoice(at, count, before, size, chosen);
    return kept;
}

}  // namespace

int choosePoints(const PlanarPoint* points, int count, int (&chosen)[kMaxManifoldPoints], std::uint32_t before) {
    return choose([&](int i) { return points[i]; }, count, chosen, before);
}

void reduceToManifold(const ContactPoint* candidates, int count, const Vec3& normal, ContactManifold& manifold,
                      const KnownManifold& known) {
    const Vec3 across = anyPerpendicular(normal), along = cross(normal, across);
    const auto at = [&](int i) {
        const ContactPoint& c = candidates[i];
        return PlanarPoint{dot(across, c.onA), dot(along, c.onA), c.separation};
    };
    constexpr int kMostBefore = 32;
    std::uint32_t before = 0;
    for (int i = 0; i < count && i < kMostBefore; ++i)
        before |= std::uint32_t(known.has(candidates[i].feature)) << i;
    int chosen[kMaxManifoldPoints];
    manifold.normal = normal;
    manifold.count = choose(at, count, chosen, before);
    for (int i = 0; i < manifold.count; ++i)
        manifold.points[i] = candidates[chosen[i]];
}

}  // namespace sunder::collision
