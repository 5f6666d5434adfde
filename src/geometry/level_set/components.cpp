// Rows are cut into runs of equal label; runs that touch are joined by union-find, the lower run always being the root, so
// that the numbering does not depend on the order of joining.
#include "geometry/level_set/components.h"

#include <algorithm>

namespace sunder::geometry {
namespace {

struct Run {
    int first, last;
    std::uint16_t label;
};

class RunForest {
public:
    explicit RunForest(const Int3& nodes) : nodes_(nodes) {
        rowStart_.reserve(std::size_t(nodes.y) * std::size_t(nodes.z) + 1);
    }

    template <class LabelOf>
    void addRow(const LabelOf& labelOf) {
        rowStart_.push_back(std::uint32_t(runs_.size()));
        for (int x = 0; x < nodes_.x;) {
            const std::uint16_t label = labelOf(x);
            int end = x + 1;
            while (end < nodes_.x && labelOf(end) == label)
                ++end;
            if (label != 0) {
                parent_.push_back(std::uint32_t(runs_.size()));
                runs_.push_back({x, end - 1, label});
            }
            x = end;
        }
    }

    void joinRows(Connectivity connectivity) {
        rowStart_.push_back(std::uint32_t(runs_.size()));
        const bool corners = connectivity == Connectivity::Corner;
        const int reach = corners ? 1 : 0;
        for (int z = 0; z < nodes_.z; ++z)
            for (int y = 0; y < nodes_.y; ++y) {
                if (y > 0)
                    joinPair(rowOf(y, z), rowOf(y - 1, z), reach);
                if (z > 0)
                    joinPair(rowOf(y, z), rowOf(y, z - 1), reach);
                if (corners && z > 0 && y > 0)
                    joinPair(rowOf(y, z), rowOf(y - 1, z - 1), reach);
                if (corners && z > 0 && y + 1 < nodes_.y)
                    joinPair(rowOf(y, z), rowOf(y + 1, z - 1), reach);
            }
    }

    Components collect() {
        Components result;
        result.ofNode.assign(std::size_t(nodes_.x) * std::size_t(nodes_.y) * std::size_t(nodes_.z), kNoComponent);
        std::vector<std::uint32_t> numberOf(runs_.size());
        for (int z = 0; z < nodes_.z; ++z)
            for (int y = 0; y < nodes_.y; ++y)
                for (std::uint32_t run = rowStart_[rowOf(y, z)]; run < rowStart_[rowOf(y, z) + 1]; ++run)
                    addRun(result, numberOf, run, y, z);
        return result;
    }

private:
    std::size_t rowOf(int y, int z) const { return std::size_t(y) + std::size_t(nodes_.y) * std::size_t(z); }

    std::uint32_t root(std::uint32_t run) {
        while (parent_[run] != run) {
            parent_[run] = parent_[parent_[run]];
            run = parent_[run];
        }
        return run;
    }

    void joinIfTouching(std::uint32_t i, std::uint32_t j, int reach) {
        const Run &a = runs_[i], &b = runs_[j];
        if (a.label != b.label || a.first > b.last + reach || b.first > a.last + reach)
            return;
        const std::uint32_t rootA = root(i), rootB = root(j);
        parent_[std::max(rootA, rootB)] = std::min(rootA, rootB);
    }

    // Runs of two rows that overlap when one of them is widened by reach. The run that ends first can touch nothing more; of
    // two that end together each may still touch the other's successor.
    void joinPair(std::size_t row0, std::size_t row1, int reach) {
        std::uint32_t i = rowStart_[row0], j = rowStart_[row1];
        const std::uint32_t endI = rowStart_[row0 + 1], endJ = rowStart_[row1 + 1];
        while (i < endI && j < endJ) {
            joinIfTouching(i, j, reach);
            if (runs_[i].last == runs_[j].last && i + 1 < endI)
                joinIfTouching(i + 1, j, reach);
            (runs_[i].last < runs_[j].last ? i : j)++;
        }
    }

    void addRun(Components& result, std::vector<std::uint32_t>& numberOf, std::uint32_t run, int y, int z) {
        const std::uint32_t base = root(run);
        const Run& r = runs_[run];
        if (base == run) {
            numberOf[run] = std::uint32_t(result.nodeCounts.size());
            result.nodeCounts.push_back(0);
            result.ranges.push_back({{r.first, y, z}, {r.last, y, z}});
        }
        const std::uint32_t number = numberOf[base];
        result.nodeCounts[number] += std::uint32_t(r.last - r.first + 1);
        GridRange& range = result.ranges[number];
        range.low = {std::min(range.low.x, r.first), std::min(range.low.y, y), range.low.z};
        range.high = {std::max(range.high.x, r.last), std::max(range.high.y, y), z};
        std::uint32_t* row = &result.ofNode[std::size_t(nodes_.x) * rowOf(y, z)];
        std::fill(row + r.first, row + r.last + 1, number);
    }

    Int3 nodes_;
    std::vector<Run> runs_;
    std::vector<std::uint32_t> parent_;
    std::vector<std::uint32_t> rowStart_;  // first run per row, and one more
};

template <class LabelOf>
Components findComponents(const Int3& nodes, const LabelOf& labelOf, Connectivity connectivity) {
    RunForest forest(nodes);
    const std::size_t rows = std::size_t(nodes.y) * std::size_t(nodes.z);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t first = row * std::size_t(nodes.x);
        forest.addRow([&](int x) { return labelOf(first + std::size_t(x)); });
    }
    forest.joinRows(connectivity);
    return forest.collect();
}

}  // namespace

Components labelComponents(const Int3& nodes, std::span<const std::uint16_t> labels, Connectivity connectivity) {
    return findComponents(
        nodes, [&](std::size_t node) { return labels[node]; }, connectivity);
}

template <class Stored>
Components solidComponents(const LevelSet<Stored>& field, Connectivity connectivity) {
    return findComponents(
        field.grid.nodes, [&](std::size_t node) { return std::uint16_t(field.values[node] < 0); }, connectivity);
}

template Components solidComponents<std::int8_t>(const LevelSet8&, Connectivity);
template Components solidComponents<std::int16_t>(const LevelSet16&, Connectivity);

}  // namespace sunder::geometry
