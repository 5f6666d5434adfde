#include "dynamics/contact/schedule/coloring.h"

#include <algorithm>
#include <bit>

#include "core/fitted.h"

namespace sunder::dynamics {

namespace {
// A body with more contacts than this sends the rest to the overflow, which is serial. At most 64, the bits of bodyColors.
constexpr int kMaxContactColors = 48;

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

// Kinds of contacts. A block costs every lane what its most expensive lane needs, so contacts of one kind lie together: first
// those with most loaded points, among equals those with most points; contacts without load, which may never touch in this
// step, last. Every other neighbourhood is sorted the other way round, so that a block across the border of two holds similar
// contacts too.
constexpr int kFirstKind[] = {10, 6, 3, 1, 0}, kKinds = 15;  // by loaded points; a manifold may have lost all its points
static_assert(collision::kMaxManifoldPoints == 4);
int kindOf(const ContactLink& link) { return kFirstKind[link.loadedCount] + collision::kMaxManifoldPoints - link.pointCount; }

// Serial, so that the contacts of a colour keep their order.
void sortByColor(std::size_t count, const HeavyLoads& heavyLoads, std::span<const std::uint8_t> constraintColors,
                 Coloring& coloring) {
    std::uint32_t next[kMaxContactColors];
    std::copy_n(coloring.first.begin(), coloring.colorCount(), next);
    resizeFitted(coloring.byColor, coloring.order.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (heavyLoads.contains(i))
            continue;
        if (constraintColors[i] == kMaxContactColors)
            coloring.overflow.push_back(static_cast<std::uint32_t>(i));
        else
            coloring.byColor[next[constraintColors[i]]++] = static_cast<std::uint32_t>(i);
    }
}

// Fills order and firstOf, one task per colour.
void sortByNeighborhood(TaskRunner& tasks, std::span<const ContactLink> links, std::span<const std::uint8_t> isMoving,
                        Coloring& coloring) {
    const int colors = coloring.colorCount(), neighborhoods = coloring.neighborhoodCount;
    const auto neighborhoodOf = [&](const ContactLink& c) -> std::size_t {
        return coloring.neighborhoodOf[isMoving[c.bodyA] ? c.bodyA : c.bodyB];
    };
    // Buckets of a colour: the kinds of every neighbourhood, then the waiting contacts of every neighbourhood.
    const std::size_t awakeBuckets = std::size_t(neighborhoods) * kKinds, buckets = awakeBuckets + neighborhoods;
    const auto bucketOf = [&](const ContactLink& link) {
        const std::size_t neighborhood = neighborhoodOf(link);
        const int kind = neighborhood % 2 == 0 ? kindOf(link) : kKinds - 1 - kindOf(link);
        return link.waits ? awakeBuckets + neighborhood : neighborhood * kKinds + kind;
    };
    coloring.next.assign(colors * (buckets + 1), 0);
    coloring.firstOf.resize(std::size_t(colors) * (neighborhoods + 1));
    coloring.firstWaiting.resize(colors);
    runTasks(tasks, colors, [&](int color) {
        const std::uint32_t first = coloring.first[color];
        const auto members = std::span(coloring.byColor).subspan(first, coloring.first[color + 1] - first);
        const auto next = std::span(coloring.next).subspan(color * (buckets + 1), buckets + 1);
        next[0] = first;
        for (const std::uint32_t i : members)
            ++next[bucketOf(links[i]) + 1];
        for (std::size_t bucket = 1; bucket < next.size(); ++bucket)
            next[bucket] += next[bucket - 1];
        for (int k = 0; k <= neighborhoods; ++k)
            coloring.firstOf[color * (neighborhoods + 1) + k] = next[std::size_t(k) * kKinds];
        coloring.firstWaiting[color] = next[awakeBuckets];
        for (const std::uint32_t i : members)
            coloring.order[next[bucketOf(links[i])]++] = i;
    });
    for (int color = 0; color < colors; ++color)
        for (int k = 0; k < neighborhoods; ++k) {
            const std::uint32_t* firstOf = &coloring.firstOf[color * (neighborhoods + 1) + k];
            coloring.weights[k] += firstOf[1] - firstOf[0];
        }
}

}  // namespace

void colorConstraints(TaskRunner& tasks, std::span<const ContactLink> links, std::span<const std::uint8_t> isMoving,
                      const HeavyLoads& heavyLoads, std::uint32_t bodiesPerTask, Coloring& coloring,
                      std::vector<std::uint64_t>& bodyColors, std::vector<std::uint8_t>& constraintColors) {
    resizeFitted(constraintColors, links.size());
    std::uint32_t counts[kMaxContactColors + 1];
    int used = 0;
    const auto start = [&] {
        bodyColors.assign(isMoving.size(), 0);
        std::fill(std::begin(counts), std::end(counts), 0);
        used = 0;
    };
    const auto color = [&](std::size_t i) {
        const std::uint32_t a = links[i].bodyA, b = links[i].bodyB;
        const std::uint64_t taken = (isMoving[a] ? bodyColors[a] : 0) | (isMoving[b] ? bodyColors[b] : 0);
        const int free = std::min(std::countr_one(taken), kMaxContactColors);
        constraintColors[i] = static_cast<std::uint8_t>(free);
        ++counts[free];
        if (free == kMaxContactColors)
            return;
        used = std::max(used, free + 1);
        bodyColors[a] |= 1ull << free;
        bodyColors[b] |= 1ull << free;
    };
    start();
    for (std::size_t i = 0; i < links.size(); ++i)
        if (!heavyLoads.contains(i))
            color(i);
    // Where there are not enough colours, loaded contacts choose first and waiting ones last.
    if (counts[kMaxContactColors] > 0) {
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
    sortByColor(links.size(), heavyLoads, constraintColors, coloring);
    divideBodies(isMoving.size(), bodiesPerTask, coloring);
    sortByNeighborhood(tasks, links, isMoving, coloring);
}

}  // namespace sunder::dynamics
