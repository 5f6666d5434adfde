#include "dynamics/contact/coloring.h"

#include <algorithm>
#include <bit>

#include "core/fitted.h"

namespace sunder::dynamics {

namespace {
constexpr int kMaxColors = 48;  // a body with more neighbours than this sends the rest to the overflow

void divideBodies(std::size_t bodyCount, std::uint32_t bodiesPerTask, Coloring& coloring) {
    const std::uint32_t unit = bodiesPerTask * kMostNeighborhoods;
    coloring.bodiesPerNeighborhood =
        std::max(bodiesPerTask * static_cast<std::uint32_t>((bodyCount + unit - 1) / unit), kLeastPerNeighborhood);
    coloring.neighborhoodCount =
        static_cast<int>((bodyCount + coloring.bodiesPerNeighborhood - 1) / coloring.bodiesPerNeighborhood);
    coloring.weights.assign(coloring.neighborhoodCount, coloring.bodiesPerNeighborhood);
    coloring.neighborhoodOf.resize(bodyCount);
    for (std::size_t i = 0; i < bodyCount; ++i)
        coloring.neighborhoodOf[i] = static_cast<std::uint8_t>(i / coloring.bodiesPerNeighborhood);
}

// Fills order and firstOf. Within a neighbourhood like goes with like, because a block of eight does for all of its lanes what
// one of them needs: those with most points under load first, and among equals those with most points. The last ones, of no
// load, may never touch in this step. Every other neighbourhood goes the other way round, so that a block that holds the end of
// one and the beginning of the next finds like beside like there too.
constexpr int kFirstKind[] = {10, 6, 3, 1, 0}, kKinds = 15;  // by points under load; a manifold may have lost all its points
static_assert(collision::kMaxManifoldPoints == 4);
int kindOf(const ContactLink& link) { return kFirstKind[link.loadedCount] + collision::kMaxManifoldPoints - link.pointCount; }

void sortByNeighborhood(std::span<const ContactLink> links, std::span<const std::uint8_t> isMoving,
                        const HeavyLoads& heavyLoads, std::uint32_t bodiesPerTask,
                        std::span<const std::uint8_t> constraintColors, Coloring& coloring) {
    divideBodies(isMoving.size(), bodiesPerTask, coloring);
    const int colors = coloring.colorCount(), neighborhoods = coloring.neighborhoodCount;
    const auto neighborhoodOf = [&](const ContactLink& c) {
        return coloring.neighborhoodOf[isMoving[c.bodyA] ? c.bodyA : c.bodyB];
    };
    // Of a colour: for every neighbourhood its kinds, then for every neighbourhood what waits.
    const std::size_t awakeBuckets = std::size_t(neighborhoods) * kKinds, buckets = awakeBuckets + neighborhoods;
    const auto bucketOf = [&](std::size_t i) {
        const std::size_t neighborhood = neighborhoodOf(links[i]);
        const int kind = neighborhood % 2 == 0 ? kindOf(links[i]) : kKinds - 1 - kindOf(links[i]);
        return constraintColors[i] * buckets + (links[i].waits ? awakeBuckets + neighborhood : neighborhood * kKinds + kind);
    };
    std::vector<std::uint32_t>& next = coloring.next;
    next.assign(colors * buckets + 1, 0);
    for (std::size_t i = 0; i < links.size(); ++i)
        if (!heavyLoads.contains(i) && constraintColors[i] != kMaxColors) {
            ++next[bucketOf(i) + 1];
            coloring.weights[neighborhoodOf(links[i])] += !links[i].waits;
        }
    for (std::size_t bucket = 1; bucket < next.size(); ++bucket)
        next[bucket] += next[bucket - 1];
    coloring.firstOf.resize(std::size_t(colors) * (neighborhoods + 1));
    coloring.firstWaiting.resize(colors);
    for (int color = 0; color < colors; ++color) {
        for (int k = 0; k <= neighborhoods; ++k)
            coloring.firstOf[color * (neighborhoods + 1) + k] = next[color * buckets + std::size_t(k) * kKinds];
        coloring.firstWaiting[color] = next[color * buckets + awakeBuckets];
    }
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (heavyLoads.contains(i))
            continue;
        if (constraintColors[i] == kMaxColors)
            coloring.overflow.push_back(static_cast<std::uint32_t>(i));
        else
            coloring.order[next[bucketOf(i)]++] = static_cast<std::uint32_t>(i);
    }
}

}  // namespace

void colorConstraints(std::span<const ContactLink> links, std::span<const std::uint8_t> isMoving, const HeavyLoads& heavyLoads,
                      std::uint32_t bodiesPerTask, Coloring& coloring, std::vector<std::uint64_t>& bodyColors,
                      std::vector<std::uint8_t>& constraintColors) {
    resizeFitted(constraintColors, links.size());
    std::uint32_t counts[kMaxColors + 1];
    int used = 0;
    const auto start = [&] {
        bodyColors.assign(isMoving.size(), 0);
        std::fill(std::begin(counts), std::end(counts), 0);
        used = 0;
    };
    const auto color = [&](std::size_t i) {
        const std::uint32_t a = links[i].bodyA, b = links[i].bodyB;
        const std::uint64_t taken = (isMoving[a] ? bodyColors[a] : 0) | (isMoving[b] ? bodyColors[b] : 0);
        const int free = std::min(std::countr_one(taken), kMaxColors);
        constraintColors[i] = static_cast<std::uint8_t>(free);
        ++counts[free];
        if (free == kMaxColors)
            return;
        used = std::max(used, free + 1);
        bodyColors[a] |= 1ull << free;
        bodyColors[b] |= 1ull << free;
    };
    start();
    for (std::size_t i = 0; i < links.size(); ++i)
        if (!heavyLoads.contains(i))
            color(i);
    // Where there are not enough colours, those under load have the first choice, and those that wait the last.
    if (counts[kMaxColors] > 0) {
        start();
        const auto rankOf = [](const ContactLink& link) { return link.loadedCount > 0 ? 0 : link.waits ? 2 : 1; };
        for (const int rank : {0, 1, 2})
            for (std::size_t i = 0; i < links.size(); ++i)
                if (!heavyLoads.contains(i) && rankOf(links[i]) == rank)
                    color(i);
    }
    coloring.first.assign(used + 1, 0);
    for (int c = 0; c < used; ++c)
        coloring.first[c + 1] = coloring.first[c] + counts[c];
    resizeFitted(coloring.order, coloring.first[used]);
    coloring.overflow.clear();
    sortByNeighborhood(links, isMoving, heavyLoads, bodiesPerTask, constraintColors, coloring);
}

}  // namespace sunder::dynamics
