#include "geometry/pieces/node_moves.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geometry/look/look_source.h"

namespace sunder::geometry {
namespace {

// Angle (rad) below which two triangles are in one plane: rounding of coordinates in single precision.
constexpr double kFlatAngle = 1e-5;

// Which triangles have which edge or point.
Lists listUsers(std::size_t count, const std::vector<std::array<std::uint32_t, 3>>& used) {
    Lists lists;
    lists.first.assign(count + 1, 0);
    for (const auto& triangle : used)
        for (const std::uint32_t item : triangle)
            ++lists.first[item + 1];
    std::partial_sum(lists.first.begin(), lists.first.end(), lists.first.begin());
    lists.items.resize(3 * used.size());
    std::vector<std::uint32_t> next(lists.first.begin(), lists.first.end() - 1);
    for (std::uint32_t t = 0; t < used.size(); ++t)
        for (const std::uint32_t item : used[t])
            lists.items[next[item]++] = t;
    return lists;
}

}  // namespace

NodeMoves::NodeMoves(const SurfaceMesh& surface, const Fragments& fragments)
    : fragments_(fragments),
      trianglesOfEdge_(listUsers(fragments.surface.edges.size(), fragments.surface.triangleEdges)),
      trianglesOfPoint_(listUsers(fragments.surface.points.size(), fragments.surface.triangles)) {
    const ClosedSurface& closed = fragments.surface;
    std::vector<Vec3d> normals;
    for (const auto& [a, b, c] : closed.triangles) {
        const Vec3d &p = closed.points[a], &q = closed.points[b], &r = closed.points[c];
        normals.push_back(normalizeOr(cross(q - p, r - p), {}));
        shortestSide_.push_back(std::min({length(q - p), length(r - q), length(p - r)}));
    }
    UnionFind flat(closed.triangles.size());
    for (std::uint32_t edge = 0; edge < closed.edges.size(); ++edge) {
        const auto sides = trianglesOfEdge_[edge];
        if (sides.size() == 2 && length(normals[sides[0]] - normals[sides[1]]) <= kFlatAngle &&
            continuesLook(surface, sides[0], sides[1]))
            flat.join(sides[0], sides[1]);
    }
    for (std::uint32_t t = 0; t < closed.triangles.size(); ++t)
        fields_.push_back(flat.root(t));
    all_.resize(closed.triangles.size());
    std::iota(all_.begin(), all_.end(), 0u);
}

std::span<const std::uint32_t> NodeMoves::trianglesAt(const NodePlace& place) const {
    switch (place.kind) {
        case NodePlace::Kind::Point: return trianglesOfPoint_[place.number];
        case NodePlace::Kind::Edge: return trianglesOfEdge_[place.number];
        case NodePlace::Kind::Triangle: return {&all_[place.number], 1};
        default: return {};
    }
}

bool NodeMoves::isIn(const NodePlace& place, std::uint32_t field) const {
    const auto triangles = trianglesAt(place);
    return std::any_of(triangles.begin(), triangles.end(), [&](std::uint32_t t) { return fields_[t] == field; });
}

bool NodeMoves::mayMove(std::uint32_t from, std::uint32_t to) const {
    const NodePlace &a = fragments_.places[from], &b = fragments_.places[to];
    if (a.kind == NodePlace::Kind::Inner)
        return true;
    if (a.kind == NodePlace::Kind::Point)
        return false;
    const auto triangles = trianglesAt(a);
    const std::uint32_t field = fields_[triangles[0]];
    if (std::all_of(triangles.begin(), triangles.end(), [&](std::uint32_t t) { return fields_[t] == field; }))
        return isIn(b, field);
    const ClosedSurface::Edge& edge = fragments_.surface.edges[a.number];
    return (b.kind == NodePlace::Kind::Edge && b.number == a.number) ||
           (b.kind == NodePlace::Kind::Point && (b.number == edge.from || b.number == edge.to));
}

std::uint32_t NodeMoves::cornerBetween(std::uint32_t a, std::uint32_t b) const {
    const NodePlace &p = fragments_.places[a], &q = fragments_.places[b];
    if (p.kind != NodePlace::Kind::Edge || q.kind != NodePlace::Kind::Edge || p.number == q.number)
        return kNone;
    const ClosedSurface::Edge &e = fragments_.surface.edges[p.number], &f = fragments_.surface.edges[q.number];
    const std::uint32_t corner = e.from == f.from || e.from == f.to ? e.from : e.to;
    return corner == f.from || corner == f.to ? corner : kNone;
}

double NodeMoves::shortestSideAt(std::uint32_t node) const {
    double shortest = INFINITY;
    for (const std::uint32_t t : trianglesAt(fragments_.places[node]))
        shortest = std::min(shortest, shortestSide_[t]);
    return shortest;
}

}  // namespace sunder::geometry
