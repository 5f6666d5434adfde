#include "geometry/pieces/piece_meshes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/union_find.h"
#include "geometry/level_set/closest_point.h"
#include "geometry/look/look_source.h"
#include "geometry/look/texture_coordinates.h"
#include "geometry/pieces/flat_triangles.h"
#include "geometry/pieces/merged_faces.h"
#include "geometry/pieces/short_edges.h"
#include "geometry/surface/split_normals.h"

namespace sunder::geometry {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

struct PieceTriangle {
    std::array<std::uint32_t, 3> nodes;
    std::uint32_t source;  // triangle of the old surface; kNone: a crack face
};

// Joins corners of triangles that are one point: those on either side of an edge, all around. Where a piece touches itself the
// point is two. Says how many edges are left without a partner.
class CornerJoiner {
public:
    CornerJoiner(const std::vector<Vec3d>& nodes, std::span<const PieceTriangle> triangles)
        : nodes_(nodes), triangles_(triangles), points_(3 * triangles.size()) {}

    std::size_t run() {
        std::vector<Use> uses;
        for (std::uint32_t t = 0; t < triangles_.size(); ++t)
            for (std::uint32_t i = 0; i < 3; ++i) {
                const std::uint32_t a = triangles_[t].nodes[i], b = triangles_[t].nodes[(i + 1) % 3];
                uses.push_back({std::min(a, b), std::max(a, b), t, i, a < b, 0});
            }
        std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
            return std::tie(a.low, a.high, a.triangle, a.side) < std::tie(b.low, b.high, b.triangle, b.side);
        });
        std::size_t bad = 0;
        for (std::size_t i = 0, end = 0; i < uses.size(); i = end) {
            for (end = i; end < uses.size() && uses[end].low == uses[i].low && uses[end].high == uses[i].high;)
                ++end;
            bad += joinEdge(std::span(uses).subspan(i, end - i));
        }
        return bad;
    }
    std::uint32_t pointOf(std::uint32_t triangle, std::uint32_t corner) { return points_.root(3 * triangle + corner); }

private:
    struct Use {
        std::uint32_t low, high, triangle, side;
        bool isForward;
        double turn;  // grows with the angle about the edge
    };

    void join(const Use& a, const Use& b) {
        points_.join(3 * a.triangle + a.side, 3 * b.triangle + (b.side + 1) % 3);
        points_.join(3 * a.triangle + (a.side + 1) % 3, 3 * b.triangle + b.side);
    }

    // Of more than two triangles those belong together that have the solid between them.
    std::size_t joinEdge(std::span<Use> uses) {
        const std::size_t forward =
            std::size_t(std::count_if(uses.begin(), uses.end(), [](const Use& use) { return use.isForward; }));
        if (2 * forward != uses.size())
            return 1;
        if (uses.size() == 2) {
            join(uses[0], uses[1]);
            return 0;
        }
        const Vec3d axis = normalizeOr(nodes_[uses[0].high] - nodes_[uses[0].low], {1, 0, 0});
        const Vec3d u = anyPerpendicular(axis), v = cross(axis, u);
        for (Use& use : uses) {
            const Vec3d away = nodes_[triangles_[use.triangle].nodes[(use.side + 2) % 3]] - nodes_[use.low];
            const double x = dot(away, u), y = dot(away, v), sum = std::fabs(x) + std::fabs(y), share = sum > 0 ? y / sum : 0;
            use.turn = x < 0 ? 2 - share : (y < 0 ? 4 + share : share);
        }
        std::sort(uses.begin(), uses.end(),
                  [](const Use& a, const Use& b) { return std::tie(a.turn, a.triangle) < std::tie(b.turn, b.triangle); });
        // The solid is on the side of a forward triangle to which the angle falls.
        std::vector<std::uint8_t> isJoined(uses.size());
        for (std::size_t i = 0; i < uses.size(); ++i) {
            if (!uses[i].isForward)
                continue;
            for (std::size_t k = 1; k < uses.size(); ++k) {
                const std::size_t other = (i + uses.size() - k) % uses.size();
                if (uses[other].isForward || isJoined[other])
                    continue;
                isJoined[other] = 1;
                join(uses[i], uses[other]);
                break;
            }
        }
        return 0;
    }

    const std::vector<Vec3d>& nodes_;
    std::span<const PieceTriangle> triangles_;
    UnionFind points_;  // corners
};

// The surface of one piece, with the attributes of its vertices.
class PieceBuilder {
public:
    PieceBuilder(const SurfaceMesh& surface, const Fragments& fragments, std::uint16_t slot)
        : surface_(surface), fragments_(fragments), slot_(slot) {}

    SurfaceMesh build(std::span<const PieceTriangle> triangles, std::size_t& openEdges) {
        mesh_ = {};
        firstVertex_.clear(), nextVertex_.clear(), origin_.clear();
        CornerJoiner joiner(fragments_.nodes, triangles);
        openEdges += joiner.run();
        std::vector<std::uint32_t> pointOf(3 * triangles.size(), kNone), openedOf, openedPoints;
        SurfaceMesh opened;
        for (std::uint32_t t = 0; t < triangles.size(); ++t) {
            std::array<std::uint32_t, 3> corners{};
            for (std::uint32_t i = 0; i < 3; ++i) {
                std::uint32_t& point = pointOf[joiner.pointOf(t, i)];
                if (point == kNone) {
                    point = mesh_.pointCount++;
                    firstVertex_.push_back(kNone);
                    openedOf.push_back(kNone);
                }
                const std::uint32_t node = triangles[t].nodes[i];
                if (triangles[t].source != kNone) {
                    corners[i] = vertexOf(point, node, triangles[t].source);
                    continue;
                }
                if (openedOf[point] == kNone) {
                    openedOf[point] = std::uint32_t(openedPoints.size());
                    openedPoints.push_back(point);
                    opened.positions.push_back(toReal(fragments_.nodes[node]));
                }
                corners[i] = openedOf[point];
            }
            (triangles[t].source == kNone ? opened : mesh_).triangles.push_back(corners);
            if (triangles[t].source != kNone)
                mesh_.slots.push_back(surface_.slots[triangles[t].source]);
        }
        append(opened, openedPoints, slot_);
        return std::move(mesh_);
    }

private:
    struct Origin {
        std::uint32_t a, b;  // a vertex (twice), the ends of an edge, or a triangle and kNone
        friend bool operator==(const Origin&, const Origin&) = default;
    };

    // What the node is made of in this triangle, and where on the edge it lies.
    Origin originOf(std::uint32_t node, std::uint32_t triangle, double& t) const {
        const auto& vertices = surface_.triangles[triangle];
        const auto& corners = fragments_.surface.triangles[triangle];
        const auto& edges = fragments_.surface.triangleEdges[triangle];
        const NodePlace& place = fragments_.places[node];
        const auto find = [&](const auto& list) {
            return std::size_t(std::find(list.begin(), list.end(), place.number) - list.begin());
        };
        if (place.kind == NodePlace::Kind::Point)
            if (const std::size_t corner = find(corners); corner < 3)
                return {vertices[corner], vertices[corner]};
        if (place.kind == NodePlace::Kind::Edge)
            if (const std::size_t side = find(edges); side < 3) {
                const bool isAlong = fragments_.surface.edges[place.number].from == corners[side];
                const std::size_t from = isAlong ? side : (side + 1) % 3, to = isAlong ? (side + 1) % 3 : side;
                const Vec3d a = fragments_.surface.points[corners[from]], d = fragments_.surface.points[corners[to]] - a;
                t = std::clamp(dot(fragments_.nodes[node] - a, d) / std::max(dot(d, d), 1e-300), 0.0, 1.0);
                return {vertices[from], vertices[to]};
            }
        return {triangle, kNone};
    }

    std::uint32_t vertexOf(std::uint32_t point, std::uint32_t node, std::uint32_t triangle) {
        double t = 0;
        const Origin origin = originOf(node, triangle, t);
        for (std::uint32_t known = firstVertex_[point]; known != kNone; known = nextVertex_[known])
            if (origin_[known] == origin)
                return known;
        const std::uint32_t vertex = std::uint32_t(mesh_.positions.size());
        mesh_.points.push_back(point);
        if (origin.b == kNone)
            addWeighted(surface_.triangles[triangle], weightsIn(triangle, fragments_.nodes[node]), node);
        else if (origin.a == origin.b)
            addWeighted({origin.a, origin.a, origin.a}, {1, 0, 0}, node);
        else
            addWeighted({origin.a, origin.b, origin.b}, {1 - t, t, 0}, node);
        origin_.push_back(origin);
        nextVertex_.push_back(firstVertex_[point]);
        firstVertex_[point] = vertex;
        return vertex;
    }

    // Not clamped: a node may have moved across an edge between triangles in one plane.
    std::array<double, 3> weightsIn(std::uint32_t triangle, const Vec3d& p) const {
        const auto& [a, b, c] = fragments_.surface.triangles[triangle];
        const std::vector<Vec3d>& points = fragments_.surface.points;
        return planeWeights(p, points[a], points[b], points[c]);
    }

    void addWeighted(const std::array<std::uint32_t, 3>& from, const std::array<double, 3>& weights, std::uint32_t node) {
        Vec3d normal;
        double u = 0, v = 0;
        const bool hasTexture = !surface_.textureCoordinates.empty();
        for (std::size_t i = 0; i < 3; ++i) {
            normal += toDouble(surface_.normals[from[i]]) * weights[i];
            if (hasTexture) {
                u += double(surface_.textureCoordinates[from[i]].u) * weights[i];
                v += double(surface_.textureCoordinates[from[i]].v) * weights[i];
            }
        }
        const bool isVertex = weights[0] == 1;
        mesh_.positions.push_back(toReal(fragments_.nodes[node]));
        mesh_.normals.push_back(isVertex ? surface_.normals[from[0]] : toReal(normalizeOr(normal, {0, 1, 0})));
        if (hasTexture)
            mesh_.textureCoordinates.push_back({float(u), float(v)});
        if (!surface_.colors.empty())
            mesh_.colors.push_back(
                blend({surface_.colors[from[0]], surface_.colors[from[1]], surface_.colors[from[2]]}, weights));
    }

    // Appends the faces that the cut opened: with normals of their own, texture along the axes, and white.
    void append(SurfaceMesh& opened, const std::vector<std::uint32_t>& points, std::uint16_t slot) {
        opened.pointCount = std::uint32_t(points.size());
        opened.normals.assign(points.size(), {0, 1, 0});
        std::vector<std::uint32_t> triangles(opened.triangles.size());
        for (std::uint32_t i = 0; i < triangles.size(); ++i)
            triangles[i] = i;
        for (std::uint32_t i = 0; i < points.size(); ++i)
            opened.points.push_back(i);
        splitNormals(opened, std::vector<std::uint8_t>(points.size(), 1), triangles);
        if (!surface_.textureCoordinates.empty())
            projectTexture(opened, 1);
        const std::uint32_t first = std::uint32_t(mesh_.positions.size());
        for (std::size_t i = 0; i < opened.positions.size(); ++i) {
            mesh_.positions.push_back(opened.positions[i]);
            mesh_.normals.push_back(opened.normals[i]);
            mesh_.points.push_back(points[opened.points[i]]);
        }
        mesh_.textureCoordinates.insert(mesh_.textureCoordinates.end(), opened.textureCoordinates.begin(),
                                        opened.textureCoordinates.end());
        if (!surface_.colors.empty())
            mesh_.colors.resize(mesh_.positions.size(), {255, 255, 255, 255});
        for (const auto& [a, b, c] : opened.triangles) {
            mesh_.triangles.push_back({first + a, first + b, first + c});
            mesh_.slots.push_back(slot);
        }
    }

    const SurfaceMesh& surface_;
    const Fragments& fragments_;
    std::uint16_t slot_;
    SurfaceMesh mesh_;
    std::vector<std::uint32_t> firstVertex_;  // by point
    std::vector<std::uint32_t> nextVertex_;   // by vertex: further ones of the same point
    std::vector<Origin> origin_;              // by vertex
};

// A diagonal between two nodes that an edge elsewhere joins too gets a node in its middle: every edge has two triangles only.
class DiagonalHalver {
public:
    DiagonalHalver(Fragments& fragments, std::span<const MergedFace> faces) : fragments_(fragments) {
        for (const MergedFace& face : faces)
            for (const std::vector<std::uint32_t>& loop : face.loops)
                for (std::size_t i = 0; i < loop.size(); ++i)
                    known_.insert(std::minmax({loop[i], loop[(i + 1) % loop.size()]}));
    }

    void run(const MergedFace& face, std::vector<std::array<std::uint32_t, 3>>& triangles) {
        std::set<Edge> outline;
        for (const std::vector<std::uint32_t>& loop : face.loops)
            for (std::size_t i = 0; i < loop.size(); ++i)
                outline.insert({loop[i], loop[(i + 1) % loop.size()]});
        std::map<Edge, std::size_t> uses;  // by triangles, in either direction, those along the outline left out
        for (const auto& t : triangles)
            for (std::size_t i = 0; i < 3; ++i)
                if (outline.erase({t[i], t[(i + 1) % 3]}) == 0)
                    ++uses[std::minmax({t[i], t[(i + 1) % 3]})];
        for (const auto& [edge, count] : uses)
            for (std::size_t pair = 0; pair < count / 2; ++pair)
                if (!known_.insert(edge).second)
                    halve(face, edge, triangles);
    }

private:
    using Edge = std::pair<std::uint32_t, std::uint32_t>;

    // In one triangle on either side.
    void halve(const MergedFace& face, const Edge& edge, std::vector<std::array<std::uint32_t, 3>>& triangles) {
        const std::uint32_t middle = std::uint32_t(fragments_.nodes.size());
        fragments_.nodes.push_back((fragments_.nodes[edge.first] + fragments_.nodes[edge.second]) * 0.5);
        fragments_.places.push_back(face.isCrack() ? NodePlace{} : NodePlace{NodePlace::Kind::Triangle, face.triangle});
        for (const auto& [from, to] : {edge, Edge{edge.second, edge.first}})
            halveOne(from, to, middle, triangles);
    }

    static void halveOne(std::uint32_t from, std::uint32_t to, std::uint32_t middle,
                         std::vector<std::array<std::uint32_t, 3>>& triangles) {
        for (std::size_t t = triangles.size(); t-- > 0;)
            for (std::size_t i = 0; i < 3; ++i) {
                const std::uint32_t p = triangles[t][i], q = triangles[t][(i + 1) % 3], r = triangles[t][(i + 2) % 3];
                if (p != from || q != to)
                    continue;
                triangles[t] = {p, middle, r};
                triangles.push_back({middle, q, r});
                return;
            }
    }

    Fragments& fragments_;
    std::set<Edge> known_;
};

using PieceTriangles = std::vector<std::vector<PieceTriangle>>;  // by piece

std::vector<SharedTriangle> triangulate(Fragments& fragments, const std::vector<MergedFace>& faces) {
    std::vector<SharedTriangle> result;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    DiagonalHalver halver(fragments, faces);
    for (std::uint32_t i = 0; i < faces.size(); ++i) {
        const MergedFace& face = faces[i];
        triangles.clear();
        triangulateFace(fragments.nodes, face, triangles);
        halver.run(face, triangles);
        for (const auto& nodes : triangles)
            result.push_back({nodes, face.back, face.front, face.isCrack() ? i : face.triangle, face.normal});
    }
    return result;
}

PieceTriangles trianglesOf(const SurfaceMesh& surface, Fragments& fragments, const std::vector<MergedFace>& faces,
                           const AssembleOptions& options) {
    std::vector<SharedTriangle> cut = triangulate(fragments, faces);  // adds nodes
    SharedTriangles shared(std::move(cut), fragments.nodes.size(), options.pieceCount);
    joinShortEdges(surface, fragments, shared, options.shortestEdge);
    PieceTriangles ofPiece(options.pieceCount);
    for (std::uint32_t t = 0; t < shared.size(); ++t) {
        if (!shared.isThere(t))
            continue;
        const auto& [a, b, c] = shared[t].nodes;
        ofPiece[shared[t].back].push_back({{a, b, c}, shared[t].isCrack() ? kNone : shared[t].source});
        if (shared[t].isCrack())
            ofPiece[shared[t].front].push_back({{a, c, b}, kNone});
    }
    return ofPiece;
}

}  // namespace

CutResult assemblePieces(const SurfaceMesh& surface, Fragments fragments, const CellComplex& complex,
                         std::span<const std::uint32_t> pieceOfFragment, const AssembleOptions& options) {
    const PieceTriangles ofPiece = trianglesOf(surface, fragments, mergeFaces(fragments, complex, pieceOfFragment), options);
    CutResult result;
    std::size_t openEdges = 0;
    PieceBuilder builder(surface, fragments, options.slot);
    for (const std::vector<PieceTriangle>& piece : ofPiece)
        result.pieces.push_back(builder.build(piece, openEdges));
    if (openEdges > 0)
        result = {{}, "the pieces would be open at " + std::to_string(openEdges) + " edges"};
    return result;
}

}  // namespace sunder::geometry
