#include "geometry/cutting/cell_complex.h"

#include <algorithm>
#include <tuple>

namespace sunder::geometry {

void CellComplex::setEdges(std::vector<EdgeUse> uses) {
    std::sort(uses.begin(), uses.end(), [](const EdgeUse& a, const EdgeUse& b) {
        return std::tie(a.from, a.to, a.order, a.face) < std::tie(b.from, b.to, b.order, b.face);
    });
    edges.clear();
    fans.clear();
    faceEdges.assign(faces.size(), {});
    for (const EdgeUse& use : uses) {
        if (edges.empty() || edges.back().from != use.from || edges.back().to != use.to)
            edges.push_back({use.from, use.to, std::uint32_t(fans.size()), 0});
        ++edges.back().faceCount;
        fans.push_back(use.face);
        faceEdges[use.face][use.side] = std::uint32_t(edges.size() - 1);
    }
}

}  // namespace sunder::geometry
