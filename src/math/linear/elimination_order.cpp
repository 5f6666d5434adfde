#include "math/linear/elimination_order.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace sunder::linear {

namespace {

// Neighbours of each block, ascending.
std::vector<std::vector<int>> graphOf(std::size_t count, std::span<const std::pair<int, int>> neighbours) {
    std::vector<std::vector<int>> graph(count);
    for (const auto& [i, j] : neighbours) {
        graph[i].push_back(j);
        graph[j].push_back(i);
    }
    for (std::vector<int>& list : graph) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return graph;
}

}  // namespace

std::optional<std::vector<int>> minimumDegreeOrder(std::span<const int> sizes, std::span<const std::pair<int, int>> neighbours,
                                                   double budget) {
    std::vector<std::vector<int>> graph = graphOf(sizes.size(), neighbours);
    std::set<std::pair<int, int>> queue;  // degree, block
    const auto entry = [&](int i) { return std::pair(static_cast<int>(graph[i].size()), i); };
    for (int i = 0; i < static_cast<int>(sizes.size()); ++i)
        queue.insert(entry(i));
    std::vector<int> order;
    order.reserve(sizes.size());
    double cost = 0;
    std::vector<int> merged;
    while (!queue.empty()) {
        const int next = queue.begin()->second;
        queue.erase(queue.begin());
        const std::vector<int> later = std::exchange(graph[next], {});
        double rows = sizes[next];
        for (const int i : later)
            rows += sizes[i];
        cost += double(sizes[next]) * rows * rows;
        if (cost > budget)
            return std::nullopt;
        for (const int i : later) {
            queue.erase(entry(i));
            merged.clear();
            std::set_union(graph[i].begin(), graph[i].end(), later.begin(), later.end(), std::back_inserter(merged));
            std::erase_if(merged, [&](int j) { return j == i || j == next; });
            graph[i].assign(merged.begin(), merged.end());
            queue.insert(entry(i));
        }
        order.push_back(next);
    }
    return order;
}

}  // namespace sunder::linear
