// Where a closed surface and the faces of a cell complex cross: points on the edges of one in triangles of the other, and the
// segments between them. All of it follows from exact signs, so that the pieces fit together whatever the input.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "geometry/cutting/cell_complex.h"
#include "geometry/cutting/exact.h"
#include "geometry/surface/surface_mesh.h"

namespace sunder::geometry {

// A surface in terms of points: every edge is between two triangles.
struct ClosedSurface {
    struct Edge {
        std::uint32_t from = 0, to = 0;
    };
    std::vector<Vec3d> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;      // points
    std::vector<Edge> edges;                                  // from the lower point to the higher
    std::vector<std::array<std::uint32_t, 3>> triangleEdges;  // edge i joins corners i and i + 1
    std::string error;                                        // why it does not bound a solid; empty where it does
};
ClosedSurface closedSurface(const SurfaceMesh& mesh);

struct Crossing {
    bool onSurfaceEdge = false;  // else on an edge of the complex
    bool rises = false;          // along the edge from behind the triangle to its front
    std::uint32_t edge = 0, triangle = 0;
    Fraction at;
};

// The segment of a triangle T of the surface and a face U. It runs from start to end along normal(T) x normal(U).
struct CrossSegment {
    std::uint32_t triangle = 0, face = 0;
    std::uint32_t start = 0, end = 0;  // crossings
};

// Lists of numbers, one per item.
struct Lists {
    std::vector<std::uint32_t> first, items;
    std::span<const std::uint32_t> operator[](std::uint32_t i) const {
        return {items.data() + first[i], items.data() + first[i + 1]};
    }
};

struct Crossings {
    std::vector<Crossing> crossings;
    std::vector<CrossSegment> segments;
    Lists onSurfaceEdge, onComplexEdge;  // crossings by edge, from its first point to its second
    Lists ofTriangle, ofFace;            // segments
};
Crossings findCrossings(const ClosedSurface& surface, const CellComplex& complex);

}  // namespace sunder::geometry
