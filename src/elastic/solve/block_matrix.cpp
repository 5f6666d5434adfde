#include "elastic/solve/block_matrix.h"

#include <algorithm>
#include <utility>

namespace sunder::elastic {

BlockPattern patternOf(const NodeGraph& graph, const ColourOrder& order, std::vector<std::uint32_t>* from) {
    BlockPattern out;
    const std::size_t rows = graph.size();
    out.colour = order.colour;
    out.first.reserve(rows + 1);
    out.middle.reserve(rows);
    out.columns.reserve(graph.neighbours.size());
    if (from) {
        from->clear();
        from->reserve(graph.neighbours.size());
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> list;
    out.first.push_back(0);
    for (std::uint32_t row = 0; row < rows; ++row) {
        const std::uint32_t node = order.node[row];
        list.clear();
        for (std::uint32_t k = graph.first[node]; k < graph.first[node + 1]; ++k)
            list.emplace_back(order.row[graph.neighbours[k]], k);
        std::sort(list.begin(), list.end());
        std::uint32_t below = 0;
        for (const auto& entry : list) {
            below += entry.first < row ? 1 : 0;
            out.columns.push_back(entry.first);
            if (from)
                from->push_back(entry.second);
        }
        out.middle.push_back(out.first.back() + below);
        out.first.push_back(static_cast<std::uint32_t>(out.columns.size()));
    }
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
