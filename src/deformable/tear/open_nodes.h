// Opens nodes of a solid: cracks along the faces of its tetrahedra.
//   [Parker09] 5   a node splits along the plane of its largest tension, on existing faces; what is left together only by an
//   edge or a corner is opened too; no piece is smaller than a few tetrahedra
//
// Kept are faces, not copies of nodes: a node that splits cuts the faces around it that lie between its two sides. Which
// tetrahedra still share a node follows: those that are joined, around that node, through faces that are not cut. So there are
// no hinges.
#pragma once

#include <span>

#include "deformable/tear/opening_order.h"

namespace sunder::deformable {

struct TearLimits {
    std::size_t mostNodes = 96;
    std::uint32_t smallestPiece = 3;  // tetrahedra
    ResidualShare residual{};
};

// A part of a solid that has torn: the whole of it, or a piece.
struct SolidPart {
    geometry::TetMesh mesh;               // m: the rest shape, in the frame of the solid that tore
    std::vector<std::uint32_t> nodeFrom;  // per node that of the solid that tore
    std::vector<std::uint32_t> tetFrom;
};

struct OpenedFace {
    std::array<std::uint32_t, 3> node;  // of the solid that tore
    Real area = 0;                      // m^2, at rest
};

struct Torn {
    std::vector<SolidPart> parts;  // connected through faces; the one of the most tetrahedra first, then by their first one
    NodeTension first;             // the node that opened first
    std::vector<OpenedFace> faces;
    double area = 0;              // m^2: of the faces that opened, at rest
    std::size_t openedNodes = 0;  // 0: it did not tear
};

// tensions: those beyond the strength of limits.residual open; others where enough is handed on to them. positions: of the
// nodes as they are.
Torn openNodes(const SolidModel& model, std::span<const Vec3> positions, std::span<const NodeTension> tensions,
               const TearLimits& limits);

// Cuts it along a plane, on the faces of its tetrahedra, whatever it bears. point, normal: in the solid's frame; the plane
// meets its nodes where they are.
Torn cutAlong(const SolidModel& model, std::span<const Vec3> positions, const Vec3& point, const Vec3& normal,
              std::uint32_t smallestPiece);

}  // namespace sunder::deformable
