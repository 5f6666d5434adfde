#include "fracture/prescored/share_out.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <queue>

#include "math/eight_integers.h"

namespace sunder::fracture {

using geometry::Components;
using geometry::Connectivity;
using geometry::Grid;
using geometry::GridRange;
using geometry::Int3;
using geometry::kNoComponent;
using geometry::LevelSet;

namespace {

constexpr std::uint32_t kMostSharing = 0xfffe;

const std::uint16_t* rowOfLabels(const PlacedPattern& pattern, int y, int z) {
    return pattern.labels + std::size_t(y) * pattern.rowStride + std::size_t(z) * pattern.sliceStride;
}

// Connected components of the nodes of each region.
template <class Stored>
Components findComponents(const LevelSet<Stored>& body, const PlacedPattern& pattern, TaskRunner& runner) {
    const Int3 nodes = body.grid.nodes;
    const auto solidLabels = [&](int y, int z, std::uint16_t* __restrict out) {
        const Stored* values = &body.values[body.grid.index(0, y, z)];
        const std::uint16_t* labels = rowOfLabels(pattern, y, z);
        int x = 0;
        for (; x + 8 <= nodes.x; x += 8) {
            const Eight solid = loadEight(labels + x) & (loadEight(values + x) < std::int16_t(0));
            std::memcpy(out + x, &solid, sizeof solid);
        }
        for (; x < nodes.x; ++x)
            out[x] = values[x] < 0 ? labels[x] : std::uint16_t(0);
    };
    return geometry::labelComponents(nodes, solidLabels, Connectivity::Face, runner);
}

GridRange unite(const GridRange& a, const GridRange& b) {
    return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
            {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
}

// Joins components that are too small, or the smallest while there are too many; the lowest number among equals.
class Joiner {
public:
    Joiner(const Grid& grid, const Components& components) : grid_(grid), components_(components), groups_(components.count()) {
        for (std::uint32_t component = 0; component < components.count(); ++component) {
            groupOf_.push_back(component);
            groups_[component] = {components.nodeCounts[component], {component}};
        }
        alive_ = components.count();
    }

    void join(std::uint32_t smallest, std::size_t most) {
        for (std::uint32_t component = 0; component < components_.count(); ++component)
            queue_.push({components_.nodeCounts[component], component});
        while (!queue_.empty()) {
            const auto [nodeCount, group] = queue_.top();
            if (nodeCount >= smallest && alive_ <= most)
                return;
            queue_.pop();
            if (groups_[group].members.empty() || groups_[group].nodeCount != nodeCount)
                continue;  // the group has changed since it was queued
            const std::uint32_t neighbor = nearestNeighbor(group);
            if (neighbor != kNoComponent)
                absorb(std::min(group, neighbor), std::max(group, neighbor));
        }
    }

    const std::vector<std::uint32_t>& membersOf(std::uint32_t group) const { return groups_[group].members; }

private:
    struct Group {
        std::uint32_t nodeCount = 0;
        std::vector<std::uint32_t> members;  // components; empty once the group was absorbed
    };

    void absorb(std::uint32_t into, std::uint32_t from) {
        for (const std::uint32_t component : groups_[from].members)
            groupOf_[component] = into;
        groups_[into].nodeCount += groups_[from].nodeCount;
        groups_[into].members.insert(groups_[into].members.end(), groups_[from].members.begin(), groups_[from].members.end());
        groups_[from].members.clear();
        --alive_;
        queue_.push({groups_[into].nodeCount, into});
    }

    // The group with most faces in common, or else most edges and corners; the lowest number among equals.
    std::uint32_t nearestNeighbor(std::uint32_t group) {
        touches_.assign(groups_.size(), 0);
        for (const std::uint32_t component : groups_[group].members)
            countFaces(component, group);
        std::uint32_t best = mostTouched();
        if (best != kNoComponent)
            return best;
        for (const std::uint32_t component : groups_[group].members)
            countAround(component, group);
        return mostTouched();
    }

    std::uint32_t mostTouched() const {
        const auto most = std::max_element(touches_.begin(), touches_.end());
        return *most > 0 ? std::uint32_t(most - touches_.begin()) : kNoComponent;
    }

    void countTouch(std::size_t node, std::uint32_t group) {
        const std::uint32_t other = components_.ofNode[node];
        if (other != kNoComponent && groupOf_[other] != group)
            ++touches_[groupOf_[other]];
    }

    template <class Visit>
    void forEachNode(std::uint32_t component, Visit&& visit) const {
        const auto [low, high] = components_.ranges[component];
        for (int z = low.z; z <= high.z; ++z)
            for (int y = low.y; y <= high.y; ++y) {
                const std::uint32_t* row = &components_.ofNode[grid_.index(0, y, z)];
                for (int x = low.x; x <= high.x; ++x)
                    if (row[x] == component)
                        visit(Int3{x, y, z});
            }
    }

    void countFaces(std::uint32_t component, std::uint32_t group) {
        const auto [nx, ny, nz] = grid_.nodes;
        const std::size_t row = std::size_t(nx), slice = row * std::size_t(ny);
        forEachNode(component, [&, sizeX = nx, sizeY = ny, sizeZ = nz](const Int3& at) {
            const std::size_t node = grid_.index(at.x, at.y, at.z);
            if (at.x > 0)
                countTouch(node - 1, group);
            if (at.x + 1 < sizeX)
                countTouch(node + 1, group);
            if (at.y > 0)
                countTouch(node - row, group);
            if (at.y + 1 < sizeY)
                countTouch(node + row, group);
            if (at.z > 0)
                countTouch(node - slice, group);
            if (at.z + 1 < sizeZ)
                countTouch(node + slice, group);
        });
    }

    void countAround(std::uint32_t component, std::uint32_t group) {
        const auto [nx, ny, nz] = grid_.nodes;
        forEachNode(component, [&, sizeX = nx, sizeY = ny, sizeZ = nz](const Int3& at) {
            for (int k = std::max(at.z - 1, 0); k <= std::min(at.z + 1, sizeZ - 1); ++k)
                for (int j = std::max(at.y - 1, 0); j <= std::min(at.y + 1, sizeY - 1); ++j)
                    for (int i = std::max(at.x - 1, 0); i <= std::min(at.x + 1, sizeX - 1); ++i)
                        countTouch(grid_.index(i, j, k), group);
        });
    }

    const Grid& grid_;
    const Components& components_;
    std::vector<Group> groups_;
    std::vector<std::uint32_t> groupOf_;
    std::vector<std::uint32_t> touches_;  // per group; scratch
    std::size_t alive_ = 0;
    using SizedGroup = std::pair<std::uint32_t, std::uint32_t>;  // node count, group
    std::priority_queue<SizedGroup, std::vector<SizedGroup>, std::greater<SizedGroup>> queue_;
};

std::uint16_t regionOf(const Grid& grid, const Components& components, std::uint32_t component, const PlacedPattern& pattern) {
    const auto [low, high] = components.ranges[component];
    for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x)
            if (components.ofNode[grid.index(x, y, low.z)] == component)
                return rowOfLabels(pattern, y, low.z)[x];
    return 0;
}

// Owner of an outside node less than half a cell from the surface: that of its neighbour deepest inside.
template <class Stored, class OwnerOf>
std::uint16_t ownerBeside(const LevelSet<Stored>& body, const OwnerOf& ownerOf, int x, int y, int z) {
    const auto [nx, ny, nz] = body.grid.nodes;
    const std::size_t at = body.grid.index(x, y, z), row = std::size_t(nx), slice = row * std::size_t(ny);
    Stored deepest = 0;
    std::size_t found = at;
    const auto look = [&](bool exists, std::size_t node) {
        if (exists && body.values[node] < deepest) {
            deepest = body.values[node];
            found = node;
        }
    };
    look(x > 0, at - 1);
    look(x + 1 < nx, at + 1);
    look(y > 0, at - row);
    look(y + 1 < ny, at + row);
    look(z > 0, at - slice);
    look(z + 1 < nz, at + slice);
    return ownerOf(found);
}

// Writes owners of inside nodes by their component, and of the outside nodes beside them by that of a neighbour, so that no
// slice depends on another.
template <class Stored>
void writeOwners(const LevelSet<Stored>& body, const Components& components, const std::vector<std::uint16_t>& ownerOfComponent,
                 std::vector<std::uint16_t>& owners, TaskRunner& runner) {
    const Int3 nodes = body.grid.nodes;
    const std::size_t slice = std::size_t(nodes.x) * std::size_t(nodes.y);
    const auto half = std::int16_t(std::floor(Real(0.5) * body.grid.cell / body.step));
    const auto ownerOf = [&, nobody = std::uint32_t(components.count())](std::size_t node) {
        return ownerOfComponent[std::min(components.ofNode[node], nobody)];
    };
    constexpr std::int16_t none = 0;
    runTasks(runner, nodes.z, [&](int z) {
        for (std::size_t at = slice * std::size_t(z); at < slice * (std::size_t(z) + 1); ++at)
            owners[at] = ownerOf(at);
        for (int y = 0; y < nodes.y; ++y) {
            const Stored* values = &body.values[body.grid.index(0, y, z)];
            const auto give = [&](int x) { owners[body.grid.index(x, y, z)] = ownerBeside(body, ownerOf, x, y, z); };
            int x = 0;
            for (; x + 8 <= nodes.x; x += 8) {
                const Eight eight = loadEight(values + x);
                // Most blocks of eight have none.
                for (std::uint64_t left = bitsOf((eight >= none) & (eight < half)); left != 0; left &= left - 1)
                    give(x + std::countr_zero(left));
            }
            for (; x < nodes.x; ++x)
                if (values[x] >= none && values[x] < half)
                    give(x);
        }
    });
}

}  // namespace

template <class Stored>
SharedNodes shareOut(const LevelSet<Stored>& body, const PlacedPattern& pattern, const PieceLimits& limits,
                     TaskRunner& runner) {
    SharedNodes result;
    const Components components = findComponents(body, pattern, runner);
    Joiner joiner(body.grid, components);
    const double cellVolume = double(body.grid.cell) * double(body.grid.cell) * double(body.grid.cell);
    const double byVolume = -std::floor(-double(limits.smallestVolume) / cellVolume);  // rounded up
    const auto smallest = std::uint32_t(std::clamp(std::max(byVolume, double(limits.smallestNodes)), 1.0, 4e9));
    joiner.join(smallest, std::min<std::size_t>(std::max(limits.mostPieces, 1), kMostSharing));

    std::vector<std::uint16_t> ownerOfComponent(components.count() + 1,
                                                SharedNodes::kNobody);  // the last entry: nodes of no component
    for (std::uint32_t group = 0; group < components.count() && result.pieces.size() < kMostSharing; ++group) {
        const std::vector<std::uint32_t>& members = joiner.membersOf(group);
        if (members.empty())
            continue;
        PieceOfNodes piece{components.ranges[group], 0, {}, false};
        std::size_t large = 0;
        for (const std::uint32_t component : members) {
            ownerOfComponent[component] = std::uint16_t(result.pieces.size() + 1);
            piece.range = unite(piece.range, components.ranges[component]);
            piece.nodeCount += components.nodeCounts[component];
            large += components.nodeCounts[component] >= std::uint32_t(PieceLimits{}.smallestNodes);
            piece.regions.push_back(regionOf(body.grid, components, component, pattern));
        }
        std::sort(piece.regions.begin(), piece.regions.end());
        piece.regions.erase(std::unique(piece.regions.begin(), piece.regions.end()), piece.regions.end());
        piece.isJoined = large > 1;
        result.pieces.push_back(std::move(piece));
    }
    result.owners.resize(body.values.size());
    writeOwners(body, components, ownerOfComponent, result.owners, runner);
    return result;
}

template SharedNodes shareOut<std::int8_t>(const LevelSet<std::int8_t>&, const PlacedPattern&, const PieceLimits&, TaskRunner&);
template SharedNodes shareOut<std::int16_t>(const LevelSet<std::int16_t>&, const PlacedPattern&, const PieceLimits&,
                                            TaskRunner&);

}  // namespace sunder::fracture
