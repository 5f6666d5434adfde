#include "geometry/tets/stuff_tets.h"

#include <algorithm>
#include <cmath>

#include "geometry/tets/stencils.h"
#include "math/vec3d.h"

namespace sunder::geometry {
namespace {

// [LS07]: a crossing nearer to a lattice point than these shares of a long and of a short edge warps it onto the surface.
constexpr double kLongReach = 0.24999, kShortReach = 0.41189;

// Nodes of padding around the field, and how many of them no lattice point uses: tetrahedra with an inside corner lie within,
// and so do the neighbours of their corners. Even, so that parities stay.
constexpr int kPad = 4, kUnusedRim = 2;

// Edges from a node to those after it in memory.
constexpr int kEdges = 7;
constexpr int kEdgeSteps[kEdges][3] = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 1, 1}, {-1, 1, 1}, {1, -1, 1}, {-1, -1, 1}};
constexpr bool isLong(int edge) { return edge < 3; }

// A vertex is a node (kNodeItself) or the crossing of one of the seven edges from it.
using VertexKey = std::uint64_t;
constexpr int kNodeItself = 7;
constexpr VertexKey vertexKey(std::uint32_t node, int edge) { return VertexKey(node) * 8 + VertexKey(edge); }

class Lattice {
public:
    Lattice(const DistanceField& field, Real thickness);
    void warp();
    TetMesh fill() const;

private:
    struct Warp {
        std::uint32_t node;
        Vec3d place;
    };
    std::uint32_t neighbor(std::uint32_t node, int edge, int direction = 1) const {
        return std::uint32_t(std::int64_t(node) + direction * edgeOffsets_[edge]);
    }
    Int3 coordinates(std::uint32_t node) const {
        const int row = int(node / std::uint32_t(grid_.nodes.x));
        return {int(node % std::uint32_t(grid_.nodes.x)), row % grid_.nodes.y, row / grid_.nodes.y};
    }
    bool isCrossed(std::uint32_t low, int edge) const { return sides_[low] * sides_[neighbor(low, edge)] < 0; }
    double crossing(std::uint32_t low, int edge) const;
    void warpNode(std::uint32_t node);
    Vec3d placeOf(std::uint32_t node) const;
    Vec3d placeOfCrossing(std::uint32_t low, int edge) const;
    VertexKey keyOf(const StencilVertex& vertex) const;
    std::uint8_t parityOf(std::uint32_t node) const;
    void fillAbout(std::uint32_t node, int axis, std::vector<std::array<VertexKey, 4>>& tets) const;
    template <class Visit>
    void forEachLatticePoint(const Visit& visit) const;

    Grid grid_;  // with the padding
    double thickness_;
    std::vector<Real> values_;
    std::vector<std::int8_t> sides_;  // 1 inside, 0 on the surface, -1 outside
    std::int64_t edgeOffsets_[kEdges];
    std::vector<Warp> warps_;  // lattice points moved onto the surface, in ascending order
};

Lattice::Lattice(const DistanceField& field, Real thickness) : thickness_(double(thickness)) {
    const Int3 size = field.grid.nodes;
    grid_ = cropped(field.grid, {{-kPad, -kPad, -kPad}, {size.x - 1 + kPad, size.y - 1 + kPad, size.z - 1 + kPad}});
    values_.resize(grid_.nodeCount());
    sides_.resize(grid_.nodeCount());
    std::size_t node = 0;
    for (int z = -kPad; z < size.z + kPad; ++z)
        for (int y = -kPad; y < size.y + kPad; ++y)
            for (int x = -kPad; x < size.x + kPad; ++x, ++node) {
                const int nx = std::clamp(x, 0, size.x - 1), ny = std::clamp(y, 0, size.y - 1),
                          nz = std::clamp(z, 0, size.z - 1);
                const Real beyond = field.grid.cell * Real(std::max({std::abs(x - nx), std::abs(y - ny), std::abs(z - nz)}));
                const Real value = field.values[field.grid.index(nx, ny, nz)] + beyond;
                values_[node] = value;
                const bool isInside = value < 0 && (thickness == 0 || value > -thickness);
                sides_[node] = isInside ? 1 : value == 0 || (thickness > 0 && value == -thickness) ? 0 : -1;
            }
    for (int edge = 0; edge < kEdges; ++edge) {
        const auto [dx, dy, dz] = kEdgeSteps[edge];
        edgeOffsets_[edge] = dx + std::int64_t(grid_.nodes.x) * (dy + std::int64_t(grid_.nodes.y) * dz);
    }
}

// Lattice points that have all their neighbours, in memory order.
template <class Visit>
void Lattice::forEachLatticePoint(const Visit& visit) const {
    for (int z = kUnusedRim; z < grid_.nodes.z - kUnusedRim; ++z)
        for (int y = kUnusedRim + (z & 1); y < grid_.nodes.y - kUnusedRim; y += 2)
            for (int x = kUnusedRim + (z & 1); x < grid_.nodes.x - kUnusedRim; x += 2)
                visit(std::uint32_t(grid_.index(x, y, z)));
}

// Where the field crosses its level on an edge with one end inside, from 0 at the low end to 1.
double Lattice::crossing(std::uint32_t low, int edge) const {
    const std::uint32_t high = neighbor(low, edge);
    const std::uint32_t outside = sides_[low] > 0 ? high : low;
    const double level = values_[outside] >= 0 ? 0 : -thickness_;
    const double a = double(values_[low]) - level, b = double(values_[high]) - level;
    if (!isLong(edge))
        return a / (a - b);
    const double middle = double(values_[low + std::uint32_t(edgeOffsets_[edge] / 2)]) - level;
    return (a < 0) != (middle < 0) ? 0.5 * (a / (a - middle)) : 0.5 + 0.5 * (middle / (middle - b));
}

Vec3d Lattice::placeOf(std::uint32_t node) const {
    const Int3 at = coordinates(node);
    return grid_.exactPosition(at.x, at.y, at.z);
}

Vec3d Lattice::placeOfCrossing(std::uint32_t low, int edge) const {
    const Vec3d a = placeOf(low);
    return a + (placeOf(neighbor(low, edge)) - a) * crossing(low, edge);
}

void Lattice::warp() {
    forEachLatticePoint([&](std::uint32_t node) { warpNode(node); });
}

// Moves the node to its nearest crossing, measured by the reach of the edge. Crossings on edges with a warped end are gone.
void Lattice::warpNode(std::uint32_t node) {
    if (sides_[node] == 0)
        return;
    double nearest = 1;
    std::uint32_t nearestLow = 0;
    int nearestEdge = 0;
    for (int edge = 0; edge < kEdges; ++edge)
        for (const int direction : {1, -1}) {
            const std::uint32_t low = direction > 0 ? node : neighbor(node, edge, -1);
            if (!isCrossed(low, edge))
                continue;
            const double at = crossing(low, edge);
            const double part = (direction > 0 ? at : 1 - at) / (isLong(edge) ? kLongReach : kShortReach);
            if (part < nearest) {
                nearest = part;
                nearestLow = low;
                nearestEdge = edge;
            }
        }
    if (nearest == 1)
        return;
    warps_.push_back({node, placeOfCrossing(nearestLow, nearestEdge)});
    sides_[node] = 0;
}

std::uint8_t Lattice::parityOf(std::uint32_t node) const {
    const Int3 at = coordinates(node);
    return std::uint8_t((at.x / 2 + at.y / 2 + at.z / 2) & 1);
}

VertexKey Lattice::keyOf(const StencilVertex& vertex) const {
    if (vertex.node == vertex.other)
        return vertexKey(vertex.node, kNodeItself);
    const std::uint32_t low = std::min(vertex.node, vertex.other), high = std::max(vertex.node, vertex.other);
    int edge = 0;
    while (neighbor(low, edge) != high)
        ++edge;
    return vertexKey(low, edge);
}

// The four tetrahedra about the long edge from an even node: each has one of the four long edges of odd nodes around it.
void Lattice::fillAbout(std::uint32_t node, int axis, std::vector<std::array<VertexKey, 4>>& tets) const {
    constexpr int kAround[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const std::int64_t along = edgeOffsets_[axis] / 2, u = edgeOffsets_[(axis + 1) % 3] / 2,
                       v = edgeOffsets_[(axis + 2) % 3] / 2;
    const std::uint32_t end = neighbor(node, axis);
    std::uint32_t around[4];
    for (int i = 0; i < 4; ++i)
        around[i] = std::uint32_t(std::int64_t(node) + along + kAround[i][0] * u + kAround[i][1] * v);
    for (int i = 0; i < 4; ++i) {
        LatticeTet tet{{node, end, around[i], around[(i + 1) % 4]}, {}, {}};
        for (int corner = 0; corner < 4; ++corner) {
            tet.sides[corner] = sides_[tet.nodes[corner]];
            tet.parities[corner] = parityOf(tet.nodes[corner]);
        }
        const StencilTets filled = fillTet(tet);
        for (int k = 0; k < filled.count; ++k) {
            std::array<VertexKey, 4> keys;
            for (int corner = 0; corner < 4; ++corner)
                keys[corner] = keyOf(filled.tets[k][corner]);
            tets.push_back(keys);
        }
    }
}

TetMesh Lattice::fill() const {
    std::vector<std::array<VertexKey, 4>> tets;
    forEachLatticePoint([&](std::uint32_t node) {
        if (coordinates(node).x % 2 == 0)
            for (int axis = 0; axis < 3; ++axis)
                fillAbout(node, axis, tets);
    });

    std::vector<VertexKey> keys;
    keys.reserve(4 * tets.size());
    for (const auto& tet : tets)
        keys.insert(keys.end(), tet.begin(), tet.end());
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());

    TetMesh mesh;
    mesh.vertices.reserve(keys.size());
    std::size_t warp = 0;
    for (const VertexKey key : keys) {
        const std::uint32_t node = std::uint32_t(key / 8);
        while (warp < warps_.size() && warps_[warp].node < node)
            ++warp;
        const bool isNode = key % 8 == kNodeItself;
        const bool isWarped = isNode && warp < warps_.size() && warps_[warp].node == node;
        mesh.vertices.push_back(toReal(isWarped ? warps_[warp].place
                                       : isNode ? placeOf(node)
                                                : placeOfCrossing(node, int(key % 8))));
    }
    mesh.tets.reserve(tets.size());
    for (const auto& tet : tets) {
        TetCorners corners;
        for (int i = 0; i < 4; ++i)
            corners[i] = std::uint32_t(std::lower_bound(keys.begin(), keys.end(), tet[i]) - keys.begin());
        mesh.tets.push_back(corners);
    }
    return mesh;
}

std::string wrongInput(const DistanceField& field, const TetOptions& options) {
    if (field.values.empty() || field.values.size() != field.grid.nodeCount() || !(field.grid.cell > 0))
        return "tetrahedra: the field has no grid";
    for (const Real value : field.values)
        if (!std::isfinite(value))
            return "tetrahedra: the field is not finite";
    const Real least = kLeastShellCells * kFieldCellsPerLatticeCell * field.grid.cell;
    // A thickness of exactly that many cells may have lost its last digits.
    if (!std::isfinite(options.thickness) || options.thickness < 0 ||
        (options.thickness > 0 && options.thickness < least * (1 - 8 * kEpsilon)))
        return "tetrahedra: the shell's thickness must be 0 (solid) or at least " + std::to_string(least) + " m (" +
               std::to_string(kLeastShellCells) + " cells of the lattice), not " + std::to_string(options.thickness);
    return {};
}

}  // namespace

TetResult stuffTets(const DistanceField& field, const TetOptions& options) {
    TetResult result;
    result.error = wrongInput(field, options);
    if (!result.error.empty())
        return result;
    Lattice lattice(field, options.thickness);
    lattice.warp();
    result.mesh = lattice.fill();
    if (result.mesh.tets.empty())
        result.error = "tetrahedra: no lattice point lies inside the solid; the cell size is too large for it";
    return result;
}

}  // namespace sunder::geometry
