#include "geometry/cutting/face_loops.h"

#include <algorithm>

namespace sunder::geometry {

NodeNumbers::NodeNumbers(const ClosedSurface& surface, const CellComplex& complex, const Crossings& cut)
    : firstOfComplex_(std::uint32_t(surface.points.size())),
      firstCrossing_(std::uint32_t(surface.points.size() + complex.points.size())) {
    positions_ = surface.points;
    positions_.insert(positions_.end(), complex.points.begin(), complex.points.end());
    for (const Crossing& crossing : cut.crossings) {
        const double t = std::clamp(crossing.at.value(), 0.0, 1.0);
        if (crossing.onSurfaceEdge) {
            const auto& [from, to] = surface.edges[crossing.edge];
            positions_.push_back(surface.points[from] + (surface.points[to] - surface.points[from]) * t);
        } else {
            const CellComplex::Edge& edge = complex.edges[crossing.edge];
            positions_.push_back(complex.points[edge.from] + (complex.points[edge.to] - complex.points[edge.from]) * t);
        }
    }
}

void LoopTracer::addSide(std::uint32_t side, std::uint32_t from, std::uint32_t to, bool isAlong,
                         std::span<const std::uint32_t> crossings) {
    const std::uint32_t count = std::uint32_t(crossings.size());
    std::uint32_t last = from;
    for (std::uint32_t i = 0; i <= count; ++i) {
        LoopEdge edge;
        edge.from = last;
        edge.to = i == count ? to : nodes_.ofCrossing(crossings[isAlong ? i : count - 1 - i]);
        edge.side = side;
        edge.stretch = isAlong ? i : count - i;
        last = edge.to;
        edges_.push_back(edge);
    }
}

void LoopTracer::addSegments(std::span<const std::uint32_t> segments) {
    for (const std::uint32_t number : segments) {
        const CrossSegment& segment = cut_.segments[number];
        LoopEdge edge;
        edge.from = nodes_.ofCrossing(segment.start);
        edge.to = nodes_.ofCrossing(segment.end);
        edge.segment = number;
        edge.isForward = true;
        edges_.push_back(edge);
        std::swap(edge.from, edge.to);
        edge.isForward = false;
        edges_.push_back(edge);
    }
}

bool LoopTracer::traceTriangle(std::uint32_t triangle, std::vector<FaceLoop>& loops) {
    edges_.clear();
    const auto& corners = surface_.triangles[triangle];
    for (std::uint32_t side = 0; side < 3; ++side) {
        const std::uint32_t edge = surface_.triangleEdges[triangle][side];
        addSide(side, nodes_.ofSurface(corners[side]), nodes_.ofSurface(corners[(side + 1) % 3]),
                surface_.edges[edge].from == corners[side], cut_.onSurfaceEdge[edge]);
    }
    addSegments(cut_.ofTriangle[triangle]);
    return trace(true, loops);
}

bool LoopTracer::traceFace(std::uint32_t face, std::vector<FaceLoop>& loops) {
    edges_.clear();
    const auto& corners = complex_.faces[face].points;
    for (std::uint32_t side = 0; side < 3; ++side) {
        const std::uint32_t edge = complex_.faceEdges[face][side];
        addSide(side, nodes_.ofComplex(corners[side]), nodes_.ofComplex(corners[(side + 1) % 3]),
                complex_.edges[edge].from == corners[side], cut_.onComplexEdge[edge]);
    }
    addSegments(cut_.ofFace[face]);
    return trace(false, loops);
}

// Seen from the front of the triangle that the complex's edge crosses, the faces about the edge are ordered to the left where
// the edge comes from behind. A loop keeps its fragment to the left, so its next side is the previous face.
std::uint32_t LoopTracer::otherFace(const Crossing& crossing, std::uint32_t face) const {
    const CellComplex::Edge& edge = complex_.edges[crossing.edge];
    const std::uint32_t* fan = &complex_.fans[edge.firstInFan];
    const std::uint32_t at = std::uint32_t(std::find(fan, fan + edge.faceCount, face) - fan);
    return fan[(at + (crossing.rises ? edge.faceCount - 1 : 1)) % edge.faceCount];
}

std::uint32_t LoopTracer::next(const LoopEdge& edge, bool isSurface) const {
    const bool isSide = edge.segment == LoopEdge::kNone;
    const auto first = std::lower_bound(outgoing_.begin(), outgoing_.end(), std::pair(edge.to, 0u));
    const auto find = [&](auto&& fits) {
        for (auto at = first; at != outgoing_.end() && at->first == edge.to; ++at)
            if (fits(edges_[at->second]))
                return at->second;
        return LoopEdge::kNone;
    };
    if (!nodes_.isCrossing(edge.to))
        return find([](const LoopEdge&) { return true; });
    const Crossing& crossing = cut_.crossings[nodes_.crossing(edge.to)];
    if (crossing.onSurfaceEdge == isSurface)  // on a side of the triangle
        return find([&](const LoopEdge& e) { return (e.segment == LoopEdge::kNone) != isSide; });
    if (!isSurface)  // an edge of the surface passes through: its two triangles make two segments
        return find([&](const LoopEdge& e) { return e.segment != edge.segment; });
    const std::uint32_t face = otherFace(crossing, cut_.segments[edge.segment].face);
    return find([&](const LoopEdge& e) { return cut_.segments[e.segment].face == face; });
}

bool LoopTracer::trace(bool isSurface, std::vector<FaceLoop>& loops) {
    outgoing_.clear();
    for (std::uint32_t i = 0; i < edges_.size(); ++i)
        outgoing_.push_back({edges_[i].from, i});
    std::sort(outgoing_.begin(), outgoing_.end());
    loops.clear();
    std::vector<std::uint8_t> isUsed(edges_.size());
    for (std::uint32_t start = 0; start < edges_.size(); ++start) {
        if (isUsed[start])
            continue;
        FaceLoop& loop = loops.emplace_back();
        std::uint32_t at = start;
        do {
            if (at == LoopEdge::kNone || isUsed[at])
                return false;
            isUsed[at] = 1;
            loop.edges.push_back(edges_[at]);
            loop.isFloating = loop.isFloating && edges_[at].segment != LoopEdge::kNone;
            at = next(edges_[at], isSurface);
        } while (at != start);
    }
    return true;
}

}  // namespace sunder::geometry
