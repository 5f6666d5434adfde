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
// The previous points are kept while they miss no more than this many times what a new choice misses, and this share of the
// patch's size, and their deepest is within kKeptDepth (a share too) of the deepest of all. Four points of six always miss
// something, and what they miss sinks a little whenever they change: of 96 piles of 1000 boxes 34 did not come to rest with 1.2
// and 0, 13 with 1.5 and 0.02, 5 with 3 and 0.05, 1 with these, 4 with 3 and 0.2 (with a kLeastWeight of 0.1, by which boxes
// that land sink in by 37 mm in place of 28).
constexpr Real kMissedTimes = 3, kMissedShare = Real(0.1), kKeptDepth = Real(1e-2);
constexpr Real kShortest = Real(1e-12);  // m: no line has less length

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

template <typename At>
Real deepestOf(At at, const int (&index)[kMaxManifoldPoints]) {
    return min(min(at(index[0]).separation, at(index[1]).separation), min(at(index[2]).separation, at(index[3]).separation));
}

// m: how far x lies outside a triangle; negative inside.
Real outside(const PlanarPoint& x, const PlanarPoint& p, const PlanarPoint& q, const PlanarPoint& r) {
    const Real turn = area(p, q, r) > 0 ? Real(1) : Real(-1);
    const auto beyond = [&](const PlanarPoint& a, const PlanarPoint& b) {
        return -turn * area(a, b, x) / max(std::sqrt(distanceSquared(a, b)), kShortest);
    };
    return max(beyond(p, q), max(beyond(q, r), beyond(r, p)));
}

// How much of the patch four points miss: how far any other point lies outside of them, by its weight.
template <typename At, typename Weight>
Real missedBy(At at, Weight weight, int count, const int (&index)[kMaxManifoldPoints]) {
    const PlanarPoint p = at(index[0]), q = at(index[1]), r = at(index[2]), s = at(index[3]);
    Real most = 0;
    for (int i = 0; i < count; ++i) {
        const PlanarPoint x = at(i);
        const Real out = min(min(outside(x, p, q, r), outside(x, q, r, s)), min(outside(x, r, s, p), outside(x, s, p, q)));
        most = max(most, weight(i) * out);
    }
    return most;
}

// Returns to the four previous points, if they are all there and still nearly as good.
template <typename At, typename Weight>
void keepChoice(At at, Weight weight, int count, std::uint32_t before, Real size, int (&chosen)[kMaxManifoldPoints]) {
    int kept[kMaxManifoldPoints], found = 0;
    for (int i = 0; i < count && i < 32; ++i)
        if (before >> i & 1u) {
            if (found == kMaxManifoldPoints)
                return;
            kept[found++] = i;
        }
    if (found < kMaxManifoldPoints || deepestOf(at, kept) > deepestOf(at, chosen) + kKeptDepth * size ||
        missedBy(at, weight, count, kept) > kMissedTimes * missedBy(at, weight, count, chosen) + kMissedShare * size)
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
    if (kept == kMaxManifoldPoints)
        keepChoice(at, weight, count, before, size, chosen);
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
