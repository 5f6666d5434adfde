// Where the nodes of a cut may go without changing the old surface.
#pragma once

#include <vector>

#include "core/union_find.h"
#include "geometry/cutting/fragments.h"
#include "geometry/surface/surface_mesh.h"

namespace sunder::geometry {

// Triangles in one plane whose look goes on from one to the next are one field: edges between them, as diagonals of quads are,
// hold nodes to nothing but that plane.
class NodeMoves {
public:
    NodeMoves(const SurfaceMesh& surface, const Fragments& fragments);

    // Whether the surface stays as it is when the first node moves to the second. Nodes within the cracks go anywhere.
    bool mayMove(std::uint32_t from, std::uint32_t to) const;
    // The corner of the surface that a crack cuts off between two nodes on its edges; kNone where there is none.
    std::uint32_t cornerBetween(std::uint32_t a, std::uint32_t b) const;
    std::uint32_t fieldOf(std::uint32_t triangle) const { return fields_[triangle]; }
    // The shortest side of a triangle of the surface (m), and of those at a node of it; infinite for a node within the cracks.
    double shortestSide(std::uint32_t triangle) const { return shortestSide_[triangle]; }
    double shortestSideAt(std::uint32_t node) const;

    static constexpr std::uint32_t kNone = 0xffffffffu;

private:
    std::span<const std::uint32_t> trianglesAt(const NodePlace& place) const;
    bool isIn(const NodePlace& place, std::uint32_t field) const;

    const Fragments& fragments_;
    std::vector<std::uint32_t> fields_;  // by triangle
    std::vector<double> shortestSide_;   // by triangle
    Lists trianglesOfEdge_, trianglesOfPoint_;
    std::vector<std::uint32_t> all_;  // triangles in order, to hand out one of them as a list
};

}  // namespace sunder::geometry
