#include "geometry/edge_report.h"

#include <algorithm>
#include <vector>

namespace sunder::geometry {

EdgeReport reportEdges(std::span<const std::array<std::uint32_t, 3>> triangles) {
    struct HalfEdge {
        std::uint32_t low, high;
        bool rising;
        bool operator<(const HalfEdge& other) const {
            return low != other.low ? low < other.low : (high != other.high ? high < other.high : rising < other.rising);
        }
    };
    std::vector<HalfEdge> halfEdges;
    halfEdges.reserve(3 * triangles.size());
    for (const auto& triangle : triangles) {
        for (int i = 0; i < 3; ++i) {
            const std::uint32_t from = triangle[i], to = triangle[(i + 1) % 3];
            halfEdges.push_back({std::min(from, to), std::max(from, to), from < to});
        }
    }
    std::sort(halfEdges.begin(), halfEdges.end());
    EdgeReport report;
    for (std::size_t first = 0, last = 0; first < halfEdges.size(); first = last) {
        while (last < halfEdges.size() && halfEdges[last].low == halfEdges[first].low &&
               halfEdges[last].high == halfEdges[first].high)
            ++last;
        const std::size_t count = last - first;
        report.open += count == 1 ? 1 : 0;
        report.inverted += count == 2 && halfEdges[first].rising == halfEdges[first + 1].rising ? 1 : 0;
        report.nonManifold += count > 2 ? 1 : 0;
    }
    return report;
}

}  // namespace sunder::geometry
