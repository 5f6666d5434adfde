// Islands against a plain search of the graph, on any number of threads.
#include "dynamics/island/islands.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace sunder::dynamics {
namespace {

constexpr std::uint32_t kBodies = 5000;

// Every tenth body is fixed. Contacts between near ones, so that islands are of many sizes; a third of them bears nothing.
struct Graph {
    std::vector<SolverBodyConstants> bodies{kBodies};
    std::vector<ContactLink> links;

    explicit Graph(std::uint64_t seed, int contacts) {
        core::Random random(seed);
        for (std::uint32_t i = 0; i < kBodies; ++i)
            bodies[i].isDynamic = i % 10 != 0;
        for (int i = 0; i < contacts; ++i) {
            ContactLink link;
            link.bodyA = random.below(kBodies);
            link.bodyB = (link.bodyA + 1 + random.below(60)) % kBodies;
            link.carriedLoad = random.below(3) != 0;
            links.push_back(link);
        }
    }
};

// Numbered by their first body, -1 for those that nothing touches.
std::vector<std::int32_t> islandsBySearch(const Graph& graph) {
    std::vector<std::vector<std::uint32_t>> neighbors(kBodies);
    std::vector<bool> isTouched(kBodies);
    for (const ContactLink& link : graph.links) {
        if (!link.carriedLoad)
            continue;
        isTouched[link.bodyA] = isTouched[link.bodyB] = true;
        if (graph.bodies[link.bodyA].isDynamic && graph.bodies[link.bodyB].isDynamic) {
            neighbors[link.bodyA].push_back(link.bodyB);
            neighbors[link.bodyB].push_back(link.bodyA);
        }
    }
    std::vector<std::int32_t> islands(kBodies, -1);
    std::int32_t count = 0;
    for (std::uint32_t first = 0; first < kBodies; ++first) {
        if (!graph.bodies[first].isDynamic || !isTouched[first] || islands[first] >= 0)
            continue;
        std::vector<std::uint32_t> open{first};
        islands[first] = count;
        while (!open.empty()) {
            const std::uint32_t body = open.back();
            open.pop_back();
            for (const std::uint32_t next : neighbors[body])
                if (islands[next] < 0) {
                    islands[next] = count;
                    open.push_back(next);
                }
        }
        ++count;
    }
    return islands;
}

TEST(IslandsTest, AreTheSameForAnyNumberOfThreads) {
    for (const int contacts : {500, 3000, 12000}) {
        const Graph graph(7, contacts);
        const std::vector<std::int32_t> expected = islandsBySearch(graph);
        for (const int threads : {1, 2, 8}) {
            const auto tasks = makeThreadPool(threads);
            Islands islands;
            for (int round = 0; round < 5; ++round) {
                islands.build(*tasks, graph.bodies, graph.links, {}, {});
                for (std::uint32_t i = 0; i < kBodies; ++i)
                    ASSERT_EQ(islands.island(i), expected[i]) << "body " << i << ", " << threads << " threads";
            }
        }
    }
}

}  // namespace
}  // namespace sunder::dynamics
