#include "geometry/cutting/piece_meshes.h"

#include <algorithm>

#include "core/union_find.h"
#include "geometry/surface/split_normals.h"
#include "geometry/surface/texture_coordinates.h"

namespace sunder::geometry {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

struct Edge {
    std::uint32_t fragment = kNone, corner = 0, next = 0;
};

// Joins the corners that are one point: those on either side of a seam, all around. Where a piece touches itself the point is
// two. Says how many seams have no two sides in one piece.
std::size_t closeSeams(const Fragments& fragments, std::uint32_t seamCount, UnionFind& points) {
    std::vector<Edge> waiting(seamCount);
    std::vector<std::uint8_t> uses(seamCount);
    std::size_t bad = 0;
    for (std::uint32_t number = 0; number < fragments.all.size(); ++number) {
        const Fragment& fragment = fragments.all[number];
        for (std::uint32_t i = 0; i < fragment.cornerCount; ++i) {
            const Edge edge{number, fragment.firstCorner + i, fragment.firstCorner + (i + 1) % fragment.cornerCount};
            const std::uint32_t seam = fragments.corners[edge.corner].seam;
            if (seam == Fragments::kNoSeam)
                continue;
            uses[seam] = std::uint8_t(std::min(uses[seam] + 1, 3));
            if (uses[seam] == 1) {
                waiting[seam] = edge;
                continue;
            }
            const Edge& other = waiting[seam];
            const bool fits = uses[seam] == 2 && fragments.all[other.fragment].piece == fragment.piece &&
                              fragments.corners[other.corner].node == fragments.corners[edge.next].node &&
                              fragments.corners[other.next].node == fragments.corners[edge.corner].node;
            bad += !fits;
            if (fits) {
                points.join(edge.corner, other.next);
                points.join(edge.next, other.corner);
            }
        }
    }
    for (const auto& [a, b] : fragments.same)
        points.join(a, b);
    return bad + std::size_t(std::count(uses.begin(), uses.end(), 1));
}

// The old surface of one piece, with the attributes of its vertices.
class PieceBuilder {
public:
    PieceBuilder(const SurfaceMesh& surface, const ClosedSurface& topology, const Crossings& cut, const NodeNumbers& nodes)
        : surface_(surface), topology_(topology), cut_(cut), nodes_(nodes) {}

    SurfaceMesh build(const Fragments& fragments, std::span<const std::uint32_t> numbers, UnionFind& points,
                      std::vector<std::uint32_t>& pointOfRoot, std::uint16_t slot) {
        mesh_ = {};
        firstVertex_.clear(), nextVertex_.clear(), origin_.clear();
        SurfaceMesh opened;
        std::vector<std::uint32_t> openedOf;  // by point
        std::vector<std::uint32_t> openedPoints;
        for (const std::uint32_t number : numbers) {
            const Fragment& fragment = fragments.all[number];
            corners_.clear();
            for (std::uint32_t i = 0; i < fragment.cornerCount; ++i) {
                const std::uint32_t corner = fragment.firstCorner + i;
                std::uint32_t& point = pointOfRoot[points.root(corner)];
                if (point == kNone) {
                    point = mesh_.pointCount++;
                    firstVertex_.push_back(kNone);
                    openedOf.push_back(kNone);
                }
                const std::uint32_t node = fragments.corners[corner].node;
                if (!fragment.isFace) {
                    corners_.push_back(vertexOf(point, node, fragment.source));
                    continue;
                }
                if (openedOf[point] == kNone) {
                    openedOf[point] = std::uint32_t(openedPoints.size());
                    openedPoints.push_back(point);
                    opened.positions.push_back(toReal(nodes_.position(node)));
                }
                corners_.push_back(openedOf[point]);
            }
            for (std::uint32_t i = fragment.firstTriangle; i < fragment.firstTriangle + fragment.triangleCount; ++i) {
                const auto& [a, b, c] = fragments.triangles[i];
                (fragment.isFace ? opened : mesh_).triangles.push_back({corners_[a], corners_[b], corners_[c]});
                if (!fragment.isFace)
                    mesh_.slots.push_back(surface_.slots[fragment.source]);
            }
        }
        append(opened, openedPoints, slot);
        return std::move(mesh_);
    }

private:
    struct Origin {
        std::uint32_t a, b;  // a vertex (twice), the ends of an edge, or a triangle and kNone
        friend bool operator==(const Origin&, const Origin&) = default;
    };

    std::uint32_t vertexOf(std::uint32_t point, std::uint32_t node, std::uint32_t triangle) {
        const auto& vertices = surface_.triangles[triangle];
        const auto& corners = topology_.triangles[triangle];
        Origin origin{triangle, kNone};
        double t = 0;
        if (!nodes_.isCrossing(node)) {
            const std::uint32_t vertex =
                vertices[std::size_t(std::find(corners.begin(), corners.end(), node) - corners.begin())];
            origin = {vertex, vertex};
        } else if (const Crossing& crossing = cut_.crossings[nodes_.crossing(node)]; crossing.onSurfaceEdge) {
            const auto& edges = topology_.triangleEdges[triangle];
            const std::size_t side = std::size_t(std::find(edges.begin(), edges.end(), crossing.edge) - edges.begin());
            const bool isAlong = topology_.edges[crossing.edge].from == corners[side];
            origin = {vertices[side], vertices[(side + 1) % 3]};
            if (!isAlong)
                std::swap(origin.a, origin.b);
            t = std::clamp(crossing.at.value(), 0.0, 1.0);
        }
        for (std::uint32_t known = firstVertex_[point]; known != kNone; known = nextVertex_[known])
            if (origin_[known] == origin)
                return known;
        const std::uint32_t vertex = std::uint32_t(mesh_.positions.size());
        mesh_.points.push_back(point);
        if (origin.b == kNone)
            addWeighted(vertices, weightsAt(nodes_.position(node), corners), node);
        else if (origin.a == origin.b)
            addWeighted({origin.a, origin.a, origin.a}, {1, 0, 0}, node);
        else
            addWeighted({origin.a, origin.b, origin.b}, {1 - t, t, 0}, node);
        origin_.push_back(origin);
        nextVertex_.push_back(firstVertex_[point]);
        firstVertex_[point] = vertex;
        return vertex;
    }

    std::array<double, 3> weightsAt(const Vec3d& p, const std::array<std::uint32_t, 3>& corners) const {
        const Vec3d &a = topology_.points[corners[0]], &b = topology_.points[corners[1]], &c = topology_.points[corners[2]];
        const Vec3d n = cross(b - a, c - a);
        const double squared = dot(n, n);
        if (!(squared > 0))
            return {1, 0, 0};
        const double v = std::clamp(dot(cross(p - a, c - a), n) / squared, 0.0, 1.0);
        const double w = std::clamp(dot(cross(b - a, p - a), n) / squared, 0.0, 1 - v);
        return {1 - v - w, v, w};
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
        mesh_.positions.push_back(toReal(nodes_.position(node)));
        mesh_.normals.push_back(isVertex ? surface_.normals[from[0]] : toReal(normalizeOr(normal, {0, 1, 0})));
        if (hasTexture)
            mesh_.textureCoordinates.push_back({float(u), float(v)});
    }

    // Appends the faces that the cut opened: with normals of their own and texture along the axes.
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
        for (const auto& [a, b, c] : opened.triangles) {
            mesh_.triangles.push_back({first + a, first + b, first + c});
            mesh_.slots.push_back(slot);
        }
    }

    const SurfaceMesh& surface_;
    const ClosedSurface& topology_;
    const Crossings& cut_;
    const NodeNumbers& nodes_;
    SurfaceMesh mesh_;
    std::vector<std::uint32_t> firstVertex_;  // by point
    std::vector<std::uint32_t> nextVertex_;   // by vertex: further ones of the same point
    std::vector<Origin> origin_;              // by vertex
    std::vector<std::uint32_t> corners_;      // of the current fragment
};

}  // namespace

PieceMeshes assemblePieces(const Fragments& fragments, std::uint32_t seamCount, std::uint32_t pieceCount,
                           const SurfaceMesh& surface, const ClosedSurface& topology, const Crossings& cut,
                           const NodeNumbers& nodes, std::uint16_t slot) {
    PieceMeshes result;
    UnionFind points(fragments.corners.size());
    if (const std::size_t bad = closeSeams(fragments, seamCount, points); bad > 0) {
        result.error = "the pieces would be open at " + std::to_string(bad) + " edges";
        return result;
    }
    std::vector<std::vector<std::uint32_t>> ofPiece(pieceCount);
    for (std::uint32_t number = 0; number < fragments.all.size(); ++number)
        ofPiece[fragments.all[number].piece].push_back(number);
    std::vector<std::uint32_t> pointOfRoot(fragments.corners.size(), kNone);
    PieceBuilder builder(surface, topology, cut, nodes);
    for (const std::vector<std::uint32_t>& numbers : ofPiece)
        result.pieces.push_back(builder.build(fragments, numbers, points, pointOfRoot, slot));
    return result;
}

}  // namespace sunder::geometry
