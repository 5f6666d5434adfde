// Strongly connected components by depth first search (Tarjan), without recursion: a pile may be thousands of bodies deep.
// A component is finished after all those it rests on, so its level is known at once.
#include "dynamics/impulse/contact_graph.h"

#include <algorithm>

namespace sunder::dynamics {

namespace {

constexpr std::uint32_t kUnseen = 0xffffffffu;  // number of a body that the walk has not reached yet
constexpr int kOpen = -1;                       // the level of a body whose component is not finished

}  // namespace

void ContactGraph::build(std::span<const Rest> rests, std::span<const std::uint8_t> isSupport) {
    const std::size_t count = isSupport.size();
    listEdges(rests, count);
    index_.assign(count, kUnseen);
    low_.assign(count, 0);
    level_.assign(count, 0);
    grounded_.assign(isSupport.begin(), isSupport.end());
    next_ = 0;
    for (std::uint32_t body = 0; body < count; ++body)
        if (!isSupport[body] && index_[body] == kUnseen)
            search(body, isSupport);
}

void ContactGraph::listEdges(std::span<const Rest> rests, std::size_t bodyCount) {
    first_.assign(bodyCount + 1, 0);
    for (const Rest& rest : rests)
        ++first_[rest.upper + 1];
    for (std::size_t i = 0; i < bodyCount; ++i)
        first_[i + 1] += first_[i];
    fill_.assign(first_.begin(), first_.end());
    lower_.resize(rests.size());
    for (const Rest& rest : rests)
        lower_[fill_[rest.upper]++] = rest.lower;
}

void ContactGraph::search(std::uint32_t root, std::span<const std::uint8_t> isSupport) {
    enter(root);
    while (!path_.empty()) {
        Visit& visit = path_.back();
        const std::uint32_t body = visit.body;
        if (visit.edge < first_[body + 1]) {
            const std::uint32_t lower = lower_[visit.edge++];
            if (isSupport[lower])
                continue;
            if (index_[lower] == kUnseen)
                enter(lower);
            else if (level_[lower] == kOpen)
                low_[body] = std::min(low_[body], index_[lower]);
            continue;
        }
        path_.pop_back();
        if (!path_.empty())
            low_[path_.back().body] = std::min(low_[path_.back().body], low_[body]);
        if (low_[body] == index_[body])
            finishComponent(body);
    }
}

void ContactGraph::enter(std::uint32_t body) {
    index_[body] = low_[body] = next_++;
    level_[body] = kOpen;
    open_.push_back(body);
    path_.push_back({body, first_[body]});
}

// The component is open_ from root to its end.
void ContactGraph::finishComponent(std::uint32_t root) {
    std::size_t begin = open_.size() - 1;
    while (open_[begin] != root)
        --begin;
    int below = 0;
    std::uint8_t grounded = 0;
    for (std::size_t i = begin; i < open_.size(); ++i)
        for (std::uint32_t edge = first_[open_[i]]; edge < first_[open_[i] + 1]; ++edge) {
            below = std::max(below, level_[lower_[edge]]);
            grounded |= grounded_[lower_[edge]];
        }
    for (std::size_t i = begin; i < open_.size(); ++i) {
        level_[open_[i]] = below + 1;
        grounded_[open_[i]] = grounded;
    }
    open_.resize(begin);
}

}  // namespace sunder::dynamics
