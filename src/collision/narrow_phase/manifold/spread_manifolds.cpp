#include "collision/narrow_phase/manifold/spread_manifolds.h"

#include <algorithm>

namespace sunder::collision {

namespace {

// Factors on the (squared) distance to those that are kept. A known manifold has impulses to start from; one that does not
// touch may never have to hold.
constexpr Real kPreferKnown = 2, kPreferTouching = 4;

const ContactPoint& deepestOf(const ContactManifold& manifold) {
    const ContactPoint* deepest = &manifold.points[0];
    for (int i = 1; i < manifold.count; ++i)
        if (manifold.points[i].separation < deepest->separation)
            deepest = &manifold.points[i];
    return *deepest;
}

struct Candidate {
    Vec3 place, normal;
    Real depth, weight, apart;  // apart: from those that are kept, weighted
    bool isKept;
};

}  // namespace

void keepSpread(ManifoldList& manifolds, std::size_t begin, std::size_t most, Real size, KnownManifolds known) {
    if (manifolds.size() - begin <= most)
        return;
    thread_local std::vector<Candidate> candidates;
    candidates.clear();
    for (std::size_t i = begin; i < manifolds.size(); ++i) {
        const ContactManifold& manifold = manifolds[i];
        const ContactPoint& point = deepestOf(manifold);
        const bool isKnown =
            std::any_of(known.begin(), known.end(), [&](const KnownManifold& k) { return k.key == manifold.key; });
        const Real weight = (isKnown ? kPreferKnown : Real(1)) * (point.separation <= 0 ? kPreferTouching : Real(1));
        candidates.push_back({point.onA, manifold.normal, -point.separation, weight, kInfinity, false});
    }
    std::size_t next = 0;
    for (std::size_t i = 1; i < candidates.size(); ++i)
        next = candidates[i].depth > candidates[next].depth ? i : next;
    for (std::size_t kept = 0; kept < most; ++kept) {
        const Candidate& chosen = candidates[next];
        candidates[next].isKept = true;
        std::size_t farthest = candidates.size();
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            Candidate& other = candidates[i];
            const Real apart =
                lengthSquared(other.place - chosen.place) / square(size) + lengthSquared(other.normal - chosen.normal);
            other.apart = min(other.apart, other.weight * apart);
            if (!other.isKept && (farthest == candidates.size() || other.apart > candidates[farthest].apart))
                farthest = i;
        }
        next = farthest;
    }
    std::size_t place = begin;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (candidates[i].isKept)
            manifolds[place++] = manifolds[begin + i];
    manifolds.resize(place);
}

}  // namespace sunder::collision
