#include "geometry/pieces/piece_meshes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "core/none.h"
#include "core/task_runner.h"
#include "geometry/level_set/closest_point.h"
#include "geometry/look/look_source.h"
#include "geometry/look/texture_coordinates.h"
#include "geometry/pieces/corner_joiner.h"
#include "geometry/pieces/flat_triangles.h"
#include "geometry/pieces/merged_faces.h"
#include "geometry/pieces/short_edges.h"
#include "geometry/surface/split_normals.h"

namespace sunder::geometry {
namespace {

// The triangles of one piece, on nodes of its own numbering.
struct PieceParts {
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::vector<std::uint32_t> sources;  // by triangle: of the old surface; kNone: a crack face
    std::vector<std::uint32_t> nodes;    // of the cut, by the piece's numbers
};

// The surface of one piece, with the attributes of its vertices.
class PieceBuilder {
public:
    PieceBuilder(const SurfaceMesh& surface, const Fragments& fragments, std::uint16_t slot)
        : surface_(surface), fragments_(fragments), slot_(slot) {}

    SurfaceMesh build(const PieceParts& parts, std::size_t& openEdges) {
        CornerJoiner joiner(fragments_.nodes, parts.nodes, parts.triangles);
        openEdges = joiner.run();
        std::vector<std::uint32_t> pointOf(3 * parts.triangles.size(), kNone), openedOf, openedPoints;
        SurfaceMesh opened;
        for (std::uint32_t t = 0; t < parts.triangles.size(); ++t) {
            const bool isCrack = parts.sources[t] == kNone;
            std::array<std::uint32_t, 3> corners{};
            for (std::uint32_t i = 0; i < 3; ++i) {
                std::uint32_t& point = pointOf[joiner.pointOf(t, i)];
                if (point == kNone) {
                    point = mesh_.pointCount++;
                    firstVertex_.push_back(kNone);
                    openedOf.push_back(kNone);
                }
                const std::uint32_t node = parts.nodes[parts.triangles[t][i]];
                if (!isCrack) {
                    corners[i] = vertexOf(point, node, parts.sources[t]);
                    continue;
                }
                if (openedOf[point] == kNone) {
                    openedOf[point] = std::uint32_t(openedPoints.size());
                    openedPoints.push_back(point);
                    opened.positions.push_back(toReal(fragments_.nodes[node]));
                }
                corners[i] = openedOf[point];
            }
            (isCrack ? opened : mesh_).triangles.push_back(corners);
            if (!isCrack)
                mesh_.slots.push_back(surface_.slots[parts.sources[t]]);
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

std::vector<SharedTriangle> triangulate(Fragments& fragments, const std::vector<MergedFace>& faces,
                                        std::span<const std::uint32_t> pieceOfFragment) {
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
    for (std::size_t i = 0; i < fragments.all.size(); ++i) {
        const Fragment& fragment = fragments.all[i];
        if (isWhole(fragments, fragment))
            result.push_back({fragments.surface.triangles[fragment.source], pieceOfFragment[i], SharedTriangle::kOutside,
                              fragment.source, normalOf(fragments.surface, fragment.source)});
    }
    return result;
}

// Shares the triangles out, those of cracks to both of their pieces.
std::vector<PieceParts> partsOf(const SharedTriangles& shared, std::size_t nodes, std::uint32_t pieces) {
    std::vector<PieceParts> parts(pieces);
    const auto add = [&](std::uint32_t piece, const std::array<std::uint32_t, 3>& triangle, std::uint32_t source) {
        parts[piece].triangles.push_back(triangle);
        parts[piece].sources.push_back(source);
    };
    for (std::uint32_t t = 0; t < shared.size(); ++t) {
        if (!shared.isThere(t))
            continue;
        const auto& [a, b, c] = shared[t].nodes;
        add(shared[t].back, {a, b, c}, shared[t].isCrack() ? kNone : shared[t].source);
        if (shared[t].isCrack())
            add(shared[t].front, {a, c, b}, kNone);
    }
    // In the order of the nodes: which end of an edge is the lower one does not depend on the piece.
    std::vector<std::uint32_t> numberOf(nodes, kNone);
    for (PieceParts& piece : parts) {
        for (const std::array<std::uint32_t, 3>& triangle : piece.triangles)
            for (const std::uint32_t node : triangle)
                if (std::exchange(numberOf[node], 0u) == kNone)
                    piece.nodes.push_back(node);
        std::sort(piece.nodes.begin(), piece.nodes.end());
        for (std::uint32_t i = 0; i < piece.nodes.size(); ++i)
            numberOf[piece.nodes[i]] = i;
        for (std::array<std::uint32_t, 3>& triangle : piece.triangles)
            for (std::uint32_t& node : triangle)
                node = numberOf[node];
        for (const std::uint32_t node : piece.nodes)
            numberOf[node] = kNone;
    }
    return parts;
}

}  // namespace

CutResult assemblePieces(const SurfaceMesh& surface, Fragments fragments, const CellComplex& complex,
                         std::span<const std::uint32_t> pieceOfFragment, const AssembleOptions& options, TaskRunner& tasks) {
    std::vector<SharedTriangle> cut =
        triangulate(fragments, mergeFaces(fragments, complex, pieceOfFragment), pieceOfFragment);  // adds nodes
    SharedTriangles shared(std::move(cut), fragments.nodes.size(), options.pieceCount);
    joinShortEdges(surface, fragments, shared, options.shortestEdge);
    const std::vector<PieceParts> parts = partsOf(shared, fragments.nodes.size(), options.pieceCount);
    CutResult result;
    result.pieces.resize(parts.size());
    std::vector<std::size_t> openEdges(parts.size());
    runTasks(tasks, int(parts.size()), [&](int piece) {
        const std::size_t i = std::size_t(piece);
        result.pieces[i] = PieceBuilder(surface, fragments, options.slot).build(parts[i], openEdges[i]);
    });
    if (const std::size_t open = std::accumulate(openEdges.begin(), openEdges.end(), std::size_t(0)); open > 0)
        result = {{}, "the pieces would be open at " + std::to_string(open) + " edges"};
    return result;
}

}  // namespace sunder::geometry
