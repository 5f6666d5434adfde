#include "elastic/solve/block_matrix.h"

#include <algorithm>
#include <span>
#include <utility>

namespace sunder::elastic {

namespace {

constexpr std::size_t kRowsPerSort = 2048;
// Neighbours of a row that are sorted without an allocation; a node of a lattice has 14, of cubes 26.
constexpr std::uint32_t kFewNeighbours = 64;

// Its columns ascending; `first` is known.
void setRow(const NodeGraph& graph, const ColourOrder& order, std::uint32_t row, BlockPattern& out,
            std::vector<std::uint32_t>* from) {
    std::pair<std::uint32_t, std::uint32_t> few[kFewNeighbours];
    std::vector<std::pair<std::uint32_t, std::uint32_t>> many;
    const std::uint32_t node = order.node[row], count = graph.first[node + 1] - graph.first[node];
    if (count > kFewNeighbours)
        many.resize(count);
    const std::span<std::pair<std::uint32_t, std::uint32_t>> list(count > kFewNeighbours ? many.data() : few, count);
    for (std::uint32_t i = 0; i < count; ++i)
        list[i] = {order.row[graph.neighbours[graph.first[node] + i]], graph.first[node] + i};
    std::sort(list.begin(), list.end());
    std::uint32_t below = 0, at = out.first[row];
    for (const auto& entry : list) {
        below += entry.first < row ? 1 : 0;
        out.columns[at] = entry.first;
        if (from)
            (*from)[at] = entry.second;
        ++at;
    }
    out.middle[row] = out.first[row] + below;
}

}  // namespace

BlockPattern patternOf(const NodeGraph& graph, const ColourOrder& order, std::vector<std::uint32_t>* from, TaskRunner& runner) {
    BlockPattern out;
    const std::size_t rows = graph.size();
    out.colour = order.colour;
    out.first.resize(rows + 1);
    out.middle.resize(rows);
    out.columns.resize(graph.neighbours.size());
    if (from)
        from->resize(graph.neighbours.size());
    for (std::size_t row = 0; row < rows; ++row)
        out.first[row + 1] = out.first[row] + static_cast<std::uint32_t>(graph.of(order.node[row]).size());
    runRanges(runner, rows, kRowsPerSort, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row)
            setRow(graph, order, static_cast<std::uint32_t>(row), out, from);
    });
    return out;
}

void invertBlock(const double* m, double* inverse) {
    const double xx = m[0], xy = m[1], xz = m[2], yy = m[4], yz = m[5], zz = m[8];
    const double a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
    const double scale = 1 / (xx * a + xy * b + xz * c);
    inverse[0] = a * scale;
    inverse[1] = inverse[3] = b * scale;
    inverse[2] = inverse[6] = c * scale;
    inverse[4] = (xx * zz - xz * xz) * scale;
    inverse[5] = inverse[7] = (xy * xz - xx * yz) * scale;
    inverse[8] = (xx * yy - xy * xy) * scale;
}

}  // namespace sunder::elastic
