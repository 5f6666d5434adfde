// Colours and, within them, neighbourhoods: threads share a colour out by these, and wait for each other at its end.
#include "dynamics/contact/schedule/coloring.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace sunder::dynamics {
namespace {

constexpr std::uint32_t kBodies = 1000, kBodiesPerTask = 8;

// Manifolds of all kinds, those that have lost all their points too.
std::vector<ContactLink> randomLinks(int count) {
    core::Random random(3);
    std::vector<ContactLink> links(count);
    for (ContactLink& link : links) {
        link.bodyA = random.below(kBodies);
        link.bodyB = (link.bodyA + 1 + random.below(20)) % kBodies;
        link.pointCount = static_cast<std::uint8_t>(random.below(collision::kMaxManifoldPoints + 1));
        link.loadedCount = static_cast<std::uint8_t>(random.below(link.pointCount + 1u));
    }
    return links;
}

// Of bodies of one mass, all of which move.
Coloring coloringOf(const std::vector<ContactLink>& links, int threads = 1) {
    std::vector<SolverBodyConstants> constants(kBodies);
    const std::vector<std::uint8_t> isMoving(kBodies, 1);
    for (SolverBodyConstants& body : constants) {
        body.isDynamic = true;
        body.mass = 1;
    }
    HeavyLoads heavyLoads;
    const auto tasks = makeTaskRunner(threads);
    heavyLoads.find(*tasks, links, std::vector<ContactConstraint>(links.size()), std::vector<SolverBody>(kBodies), constants,
                    20, Real(1) / 780, Real(1) / 30);
    Coloring coloring;
    std::vector<std::uint64_t> bodyColors;
    std::vector<std::uint8_t> constraintColors;
    colorConstraints(*tasks, links, isMoving, heavyLoads, kBodiesPerTask, coloring, bodyColors, constraintColors);
    return coloring;
}

TEST(Coloring, NeighbourhoodsCoverEveryColourAndHoldTheirOwn) {
    const std::vector<ContactLink> links = randomLinks(3000);
    const Coloring coloring = coloringOf(links);
    const int neighborhoods = coloring.neighborhoodCount;
    for (int color = 0; color < coloring.colorCount(); ++color) {
        const std::uint32_t* first = &coloring.firstOf[std::size_t(color) * (neighborhoods + 1)];
        EXPECT_EQ(first[0], coloring.first[color]);
        EXPECT_EQ(first[neighborhoods], coloring.first[color + 1]);
        for (int k = 0; k < neighborhoods; ++k)
            for (std::uint32_t i = first[k]; i < first[k + 1]; ++i)
                EXPECT_EQ(int(links[coloring.order[i]].bodyA / coloring.bodiesPerNeighborhood), k);
    }
}

// A body with more neighbours than there are colours: contacts under load are solved with their colour wherever they come in
// the list, and what is left over bears nothing.
TEST(Coloring, LoadsHaveTheFirstChoice) {
    std::vector<ContactLink> links(60);
    for (std::uint32_t i = 0; i < links.size(); ++i)
        links[i] = {.bodyA = 1, .bodyB = i + 2, .pointCount = 4, .loadedCount = std::uint8_t(i < 30 ? 0 : 4)};
    const Coloring coloring = coloringOf(links);
    EXPECT_EQ(coloring.overflow.size(), 12u);
    for (const std::uint32_t left : coloring.overflow)
        EXPECT_EQ(links[left].loadedCount, 0) << left;
}

TEST(Coloring, IsTheSameForAnyNumberOfThreads) {
    const std::vector<ContactLink> links = randomLinks(3000);
    const Coloring one = coloringOf(links), four = coloringOf(links, 4);
    EXPECT_EQ(one.order, four.order);
    EXPECT_EQ(one.firstOf, four.firstOf);
    EXPECT_EQ(one.firstWaiting, four.firstWaiting);
    EXPECT_EQ(one.weights, four.weights);
}

}  // namespace
}  // namespace sunder::dynamics
