// Rows are cut into runs of equal label; runs that touch are joined by union-find. Slabs of slices are cut and joined by
// themselves, then to each other; the numbering does not depend on that order, for the lowest run of a component is its root.
#include "geometry/level_set/components.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/task_runner.h"
#include "core/union_find.h"
#include "math/eight_integers.h"

namespace sunder::geometry {
namespace {

struct Run {
    int first, last;
    std::uint16_t label;
};

class RunForest {
public:
    // For the slices firstZ to lastZ.
    RunForest(const Int3& nodes, int firstZ, int lastZ) : nodes_(nodes), firstZ_(firstZ), lastZ_(lastZ) {
        rowStart_.reserve(std::size_t(nodes.y) * std::size_t(lastZ - firstZ) + 1);
    }

    void addRows(const LabelRow& labelRow) {
        std::vector<std::uint16_t> labels(std::size_t(nodes_.x) + 7);
        for (int z = firstZ_; z < lastZ_; ++z)
            for (int y = 0; y < nodes_.y; ++y) {
                labelRow(y, z, labels.data());
                addRow(labels.data());
            }
        rowStart_.push_back(std::uint32_t(runs_.size()));
    }

    void joinRows(Connectivity connectivity) {
        for (int z = firstZ_; z < lastZ_; ++z)
            for (int y = 0; y < nodes_.y; ++y) {
                if (y > 0)
                    joinPair(rowOf(y, z), rowOf(y - 1, z), connectivity);
                if (z > firstZ_)
                    joinToSlice(y, z, connectivity);
            }
    }

    // Appends the slab that follows this one.
    void append(const RunForest& next, Connectivity connectivity) {
        const auto runs = std::uint32_t(runs_.size());
        runs_.insert(runs_.end(), next.runs_.begin(), next.runs_.end());
        rowStart_.pop_back();
        for (const std::uint32_t start : next.rowStart_)
            rowStart_.push_back(start + runs);
        joined_.append(next.joined_);
        const int z = std::exchange(lastZ_, next.lastZ_);
        for (int y = 0; y < nodes_.y; ++y)
            joinToSlice(y, z, connectivity);
    }

    Components collect(TaskRunner& runner) {
        Components result;
        std::vector<std::uint32_t> numberOf(runs_.size());
        for (int z = 0; z < nodes_.z; ++z)
            for (int y = 0; y < nodes_.y; ++y)
                for (std::uint32_t run = rowStart_[rowOf(y, z)]; run < rowStart_[rowOf(y, z) + 1]; ++run)
                    addRun(result, numberOf, run, y, z);
        result.ofNode.resize(std::size_t(nodes_.x) * std::size_t(nodes_.y) * std::size_t(nodes_.z));
        runTasks(runner, nodes_.z, [&](int z) {
            for (int y = 0; y < nodes_.y; ++y) {
                std::uint32_t* row = &result.ofNode[std::size_t(nodes_.x) * rowOf(y, z)];
                std::fill_n(row, nodes_.x, kNoComponent);
                for (std::uint32_t run = rowStart_[rowOf(y, z)]; run < rowStart_[rowOf(y, z) + 1]; ++run)
                    std::fill(row + runs_[run].first, row + runs_[run].last + 1, numberOf[run]);
            }
        });
        return result;
    }

private:
    // The row must be followed by seven zeros.
    void addRow(const std::uint16_t* labels) {
        rowStart_.push_back(std::uint32_t(runs_.size()));
        int first = 0;
        const auto endRun = [&](int end) {
            if (labels[first] != 0) {
                joined_.add();
                runs_.push_back({first, end - 1, labels[first]});
            }
            first = end;
        };
        for (int x = 1; x < nodes_.x; x += 8)
            for (std::uint64_t left = bitsOf(loadEight(labels + x) != loadEight(labels + x - 1)); left != 0; left &= left - 1)
                if (const int end = x + std::countr_zero(left); end < nodes_.x)
                    endRun(end);
        endRun(nodes_.x);
    }

    // Joins a row to those it touches in the slice before.
    void joinToSlice(int y, int z, Connectivity connectivity) {
        joinPair(rowOf(y, z), rowOf(y, z - 1), connectivity);
        if (connectivity == Connectivity::Corner && y > 0)
            joinPair(rowOf(y, z), rowOf(y - 1, z - 1), connectivity);
        if (connectivity == Connectivity::Corner && y + 1 < nodes_.y)
            joinPair(rowOf(y, z), rowOf(y + 1, z - 1), connectivity);
    }

    std::size_t rowOf(int y, int z) const { return std::size_t(y) + std::size_t(nodes_.y) * std::size_t(z - firstZ_); }

    void joinIfTouching(std::uint32_t i, std::uint32_t j, int reach) {
        const Run &a = runs_[i], &b = runs_[j];
        if (a.label == b.label && a.first <= b.last + reach && b.first <= a.last + reach)
            joined_.join(i, j);
    }

    // Joins runs of two rows that overlap when one is widened by `reach`. The run that ends first can touch nothing more; of
    // two that end together each may still touch the other's successor.
    void joinPair(std::size_t row0, std::size_t row1, Connectivity connectivity) {
        const int reach = connectivity == Connectivity::Corner ? 1 : 0;
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
        const std::uint32_t base = joined_.root(run);
        const Run& r = runs_[run];
        if (base == run) {
            numberOf[run] = std::uint32_t(result.nodeCounts.size());
            result.nodeCounts.push_back(0);
            result.ranges.push_back({{r.first, y, z}, {r.last, y, z}});
        }
        const std::uint32_t number = numberOf[run] = numberOf[base];
        result.nodeCounts[number] += std::uint32_t(r.last - r.first + 1);
        GridRange& range = result.ranges[number];
        range.low = {std::min(range.low.x, r.first), std::min(range.low.y, y), range.low.z};
        range.high = {std::max(range.high.x, r.last), std::max(range.high.y, y), z};
    }

    Int3 nodes_;
    int firstZ_, lastZ_;
    std::vector<Run> runs_;
    UnionFind joined_;                     // runs
    std::vector<std::uint32_t> rowStart_;  // first run per row, and one more
};

constexpr int kSlices = 8;  // slices per slab

}  // namespace

Components labelComponents(const Int3& nodes, const LabelRow& labelRow, Connectivity connectivity, TaskRunner& runner) {
    std::vector<RunForest> slabs;
    for (int z = 0; z == 0 || z < nodes.z; z += kSlices)
        slabs.emplace_back(nodes, z, std::min(z + kSlices, nodes.z));
    runTasks(runner, int(slabs.size()), [&](int slab) {
        slabs[std::size_t(slab)].addRows(labelRow);
        slabs[std::size_t(slab)].joinRows(connectivity);
    });
    for (std::size_t i = 1; i < slabs.size(); ++i)
        slabs[0].append(slabs[i], connectivity);
    return slabs[0].collect(runner);
}

Components labelComponents(const Int3& nodes, std::span<const std::uint16_t> labels, Connectivity connectivity) {
    const auto copyRow = [&](int y, int z, std::uint16_t* out) {
        const std::size_t row = std::size_t(y) + std::size_t(nodes.y) * std::size_t(z);
        std::copy_n(&labels[row * std::size_t(nodes.x)], nodes.x, out);
    };
    return labelComponents(nodes, copyRow, connectivity, *makeSerialRunner());
}

template <class Stored>
Components solidComponents(const LevelSet<Stored>& field, Connectivity connectivity) {
    const auto signRow = [&](int y, int z, std::uint16_t* out) {
        const Stored* values = &field.values[field.grid.index(0, y, z)];
        for (int x = 0; x < field.grid.nodes.x; ++x)
            out[x] = std::uint16_t(values[x] < 0);
    };
    return labelComponents(field.grid.nodes, signRow, connectivity, *makeSerialRunner());
}

template Components solidComponents<std::int8_t>(const LevelSet8&, Connectivity);
template Components solidComponents<std::int16_t>(const LevelSet16&, Connectivity);

}  // namespace sunder::geometry
