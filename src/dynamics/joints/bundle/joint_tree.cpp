#include "dynamics/joints/bundle/joint_tree.h"

#include <algorithm>
#include <array>

namespace sunder::dynamics {

namespace {

// Most mass that a body may carry between two of its joints, in multiples of its own; the limit of docs/joints.md.
constexpr double kMostCarried = 12;

// The group as a graph. Bodies are numbered by their place among those of the group.
struct Graph {
    struct Edge {
        std::uint32_t joint, from, to;
        bool toIsB;
    };
    std::vector<double> masses;
    struct Neighbour {
        std::uint32_t body, joint;
        bool isB;
    };
    std::vector<std::vector<Neighbour>> neighbours;

    Graph(std::span<const JointLink> links, std::span<const std::uint32_t> group) {
        std::vector<std::uint32_t> bodies;
        for (const std::uint32_t joint : group)
            for (const std::uint32_t body : {links[joint].bodyA, links[joint].bodyB})
                bodies.push_back(body);
        std::sort(bodies.begin(), bodies.end());
        bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
        masses.resize(bodies.size());
        neighbours.resize(bodies.size());
        const auto place = [&](std::uint32_t body) {
            return static_cast<std::uint32_t>(std::lower_bound(bodies.begin(), bodies.end(), body) - bodies.begin());
        };
        for (const std::uint32_t joint : group) {
            const std::uint32_t a = place(links[joint].bodyA), b = place(links[joint].bodyB);
            masses[a] = double(links[joint].massA);
            masses[b] = double(links[joint].massB);
            neighbours[a].push_back({b, joint, true});
            neighbours[b].push_back({a, joint, false});
        }
    }

    // Joints from the heaviest body outwards, without those that close a loop.
    std::vector<Edge> edges() const {
        const auto root = static_cast<std::uint32_t>(std::max_element(masses.begin(), masses.end()) - masses.begin());
        std::vector<Edge> found;
        std::vector<bool> isSeen(masses.size(), false);
        std::vector<std::uint32_t> queue{root};
        isSeen[root] = true;
        for (std::size_t next = 0; next < queue.size(); ++next)
            for (const auto& [to, joint, isB] : neighbours[queue[next]])
                if (!isSeen[to]) {
                    isSeen[to] = true;
                    queue.push_back(to);
                    found.push_back({joint, queue[next], to, isB});
                }
        return found;
    }

    // The largest ratio of carried mass to own mass. Between two joints a body carries the lighter of what hangs on them: so
    // the second heaviest of all that hangs on it counts.
    double mostCarried(std::span<const Edge> edges) const {
        std::vector<double> below = masses;  // mass of a body with all bodies beyond it
        for (std::size_t i = edges.size(); i-- > 0;)
            below[edges[i].from] += below[edges[i].to];
        double whole = 0, most = 0;
        for (const double mass : masses)
            whole += mass;
        std::vector<std::array<double, 2>> heaviest(masses.size(), {0, 0});
        const auto hang = [&](std::uint32_t body, double mass) {
            std::array<double, 2>& two = heaviest[body];
            two = mass > two[0] ? std::array{mass, two[0]} : std::array{two[0], std::max(two[1], mass)};
        };
        for (const Edge& edge : edges) {
            hang(edge.from, below[edge.to]);
            hang(edge.to, whole - below[edge.to]);
        }
        for (std::size_t i = 0; i < masses.size(); ++i)
            most = std::max(most, heaviest[i][1] / masses[i]);
        return most;
    }
};

}  // namespace

bool areAlike(const JointTree& a, const JointTree& b) { return !comesBefore(a, b) && !comesBefore(b, a); }

bool comesBefore(const JointTree& a, const JointTree& b) {
    if (a.branches.size() != b.branches.size())
        return a.branches.size() > b.branches.size();
    return std::lexicographical_compare(a.branches.begin(), a.branches.end(), b.branches.begin(), b.branches.end(),
                                        [](const JointTree::Branch& x, const JointTree::Branch& y) {
                                            return x.parent != y.parent ? x.parent < y.parent : x.outerIsB < y.outerIsB;
                                        });
}

std::optional<JointTree> treeOf(std::span<const JointLink> links, std::span<const std::uint32_t> group) {
    for (const std::uint32_t joint : group)
        if (const JointLink& link = links[joint]; !link.fitsBundle || !link.movesA || !link.movesB)
            return std::nullopt;
    const Graph graph(links, group);
    const std::vector<Graph::Edge> edges = graph.edges();
    if (edges.size() != group.size() || graph.mostCarried(edges) > kMostCarried)
        return std::nullopt;
    JointTree tree;
    std::vector<std::uint32_t> node(graph.masses.size(), 0);
    for (const Graph::Edge& edge : edges) {
        tree.branches.push_back({edge.joint, node[edge.from], edge.toIsB});
        node[edge.to] = static_cast<std::uint32_t>(tree.branches.size());
    }
    return tree;
}

}  // namespace sunder::dynamics
