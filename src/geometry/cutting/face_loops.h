// Cuts one triangle along the segments in it: finds the loop of edges around each of its fragments.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/cutting/crossings.h"

namespace sunder::geometry {

// Points of the cut, in one numbering: the surface's, then the complex's, then the crossings.
class NodeNumbers {
public:
    NodeNumbers(const ClosedSurface& surface, const CellComplex& complex, const Crossings& cut);
    std::uint32_t ofSurface(std::uint32_t point) const { return point; }
    std::uint32_t ofComplex(std::uint32_t point) const { return firstOfComplex_ + point; }
    std::uint32_t ofCrossing(std::uint32_t crossing) const { return firstCrossing_ + crossing; }
    bool isCrossing(std::uint32_t node) const { return node >= firstCrossing_; }
    std::uint32_t crossing(std::uint32_t node) const { return node - firstCrossing_; }
    const Vec3d& position(std::uint32_t node) const { return positions_[node]; }
    std::size_t size() const { return positions_.size(); }

private:
    std::uint32_t firstOfComplex_, firstCrossing_;
    std::vector<Vec3d> positions_;
};

// A piece of an edge or a segment, with its fragment of the triangle to the left.
struct LoopEdge {
    static constexpr std::uint32_t kNone = 0xffffffffu;
    std::uint32_t from = 0, to = 0;  // nodes
    std::uint32_t segment = kNone;   // into Crossings::segments
    bool isForward = false;          // from the segment's start to its end
    // otherwise: the triangle's side, and which piece of that edge, counted in the edge's direction
    std::uint32_t side = 0, stretch = 0;
};

struct FaceLoop {
    std::vector<LoopEdge> edges;
    bool isFloating = true;  // does not touch the triangle's sides
};

class LoopTracer {
public:
    LoopTracer(const ClosedSurface& surface, const CellComplex& complex, const Crossings& cut, const NodeNumbers& nodes)
        : surface_(surface), complex_(complex), cut_(cut), nodes_(nodes) {}

    // False where the loops do not close: the complex ends within the surface.
    bool traceTriangle(std::uint32_t triangle, std::vector<FaceLoop>& loops);
    bool traceFace(std::uint32_t face, std::vector<FaceLoop>& loops);

private:
    void addSide(std::uint32_t side, std::uint32_t from, std::uint32_t to, bool isAlong, std::span<const std::uint32_t> nodes);
    void addSegments(std::span<const std::uint32_t> segments);
    bool trace(bool isSurface, std::vector<FaceLoop>& loops);
    // Returns LoopEdge::kNone where there is none.
    std::uint32_t next(const LoopEdge& edge, bool isSurface) const;
    std::uint32_t otherFace(const Crossing& crossing, std::uint32_t face) const;

    const ClosedSurface& surface_;
    const CellComplex& complex_;
    const Crossings& cut_;
    const NodeNumbers& nodes_;
    std::vector<LoopEdge> edges_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> outgoing_;  // node, edge; sorted
};

}  // namespace sunder::geometry
