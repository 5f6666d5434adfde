#include "geometry/warp/warp_surface.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "geometry/look/look_source.h"

namespace sunder::geometry {

namespace {

constexpr Real kSameNormal = Real(0.999);  // cosine: vertices of a point that were split for their texture alone
constexpr int kMostHalvings = 40;
constexpr std::uint32_t kNoVertex = 0xffffffffu;

using VertexPair = std::pair<std::uint32_t, std::uint32_t>;
VertexPair edgeOf(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

// Halves edges. An edge of the surface may be two edges of vertices, of which both get a vertex in the middle at one new point.
class Halver {
public:
    Halver(SurfaceMesh& surface, Real longest) : surface_(surface), longest_(longest) {}

    // Whether any edge was too long.
    bool halve() {
        for (const auto& triangle : surface_.triangles)
            markLongest(triangle);
        std::vector<std::array<std::uint32_t, 3>> triangles;
        std::vector<std::uint16_t> slots;
        for (std::size_t i = 0; i < surface_.triangles.size(); ++i) {
            const std::size_t before = triangles.size();
            divide(surface_.triangles[i], triangles);
            slots.insert(slots.end(), triangles.size() - before, surface_.slots[i]);
        }
        const bool isAny = triangles.size() > surface_.triangles.size();
        surface_.triangles = std::move(triangles);
        surface_.slots = std::move(slots);
        return isAny;
    }

private:
    // Only the longest edge of a triangle: long thin triangles become short ones, not thinner ones.
    void markLongest(const std::array<std::uint32_t, 3>& t) {
        Real most = square(longest_);
        std::optional<VertexPair> found;
        for (int i = 0; i < 3; ++i) {
            const std::uint32_t a = t[i], b = t[(i + 1) % 3];
            const Real squared = lengthSquared(surface_.positions[a] - surface_.positions[b]);
            const VertexPair edge = edgeOf(surface_.points[a], surface_.points[b]);
            if (squared > most || (found && squared == most && edge < *found)) {
                most = squared;
                found = edge;
            }
        }
        if (found)
            isMarked_.insert(*found);
    }

    void divide(const std::array<std::uint32_t, 3>& t, std::vector<std::array<std::uint32_t, 3>>& out) {
        std::array<std::uint32_t, 3> middle{};
        int count = 0, last = 0;
        for (int i = 0; i < 3; ++i) {
            middle[i] = middleOf(t[i], t[(i + 1) % 3]);
            if (middle[i] != kNoVertex) {
                ++count;
                last = i;
            }
        }
        if (count == 0) {
            out.push_back(t);
        } else if (count == 3) {
            out.push_back({t[0], middle[0], middle[2]});
            out.push_back({t[1], middle[1], middle[0]});
            out.push_back({t[2], middle[2], middle[1]});
            out.push_back({middle[0], middle[1], middle[2]});
        } else if (count == 1) {
            const std::uint32_t a = t[last], b = t[(last + 1) % 3], c = t[(last + 2) % 3];
            out.push_back({a, middle[last], c});
            out.push_back({middle[last], b, c});
        } else {
            int whole = 0;
            while (middle[whole] != kNoVertex)
                ++whole;
            const std::uint32_t a = t[whole], b = t[(whole + 1) % 3], c = t[(whole + 2) % 3];
            const std::uint32_t p = middle[(whole + 1) % 3], q = middle[(whole + 2) % 3];
            out.push_back({a, b, p});
            out.push_back({a, p, q});
            out.push_back({q, p, c});
        }
    }

    // The vertex in the middle of an edge, or none where the edge stays whole.
    std::uint32_t middleOf(std::uint32_t a, std::uint32_t b) {
        if (!isMarked_.contains(edgeOf(surface_.points[a], surface_.points[b])))
            return kNoVertex;
        const auto [entry, isNew] = vertices_.try_emplace(edgeOf(a, b), std::uint32_t(surface_.positions.size()));
        if (!isNew)
            return entry->second;
        const auto [point, isNewPoint] =
            points_.try_emplace(edgeOf(surface_.points[a], surface_.points[b]), surface_.pointCount);
        surface_.pointCount += isNewPoint;
        surface_.points.push_back(point->second);
        const Vec3 normal = normalizeOr(surface_.normals[a] + surface_.normals[b], surface_.normals[a]);
        surface_.positions.push_back((surface_.positions[a] + surface_.positions[b]) * Real(0.5));
        surface_.normals.push_back(normal);
        if (!surface_.textureCoordinates.empty()) {
            const TextureCoordinate p = surface_.textureCoordinates[a], q = surface_.textureCoordinates[b];
            surface_.textureCoordinates.push_back({(p.u + q.u) / 2, (p.v + q.v) / 2});
        }
        if (!surface_.colors.empty())
            surface_.colors.push_back(blend({surface_.colors[a], surface_.colors[b], surface_.colors[b]}, {0.5, 0.5, 0}));
        return entry->second;
    }

    SurfaceMesh& surface_;
    Real longest_;
    std::set<VertexPair> isMarked_;  // of points
    std::map<VertexPair, std::uint32_t> vertices_, points_;
};

double areaOf(const SurfaceMesh& surface) {
    double area = 0;
    for (const auto& t : surface.triangles)
        area += 0.5 * double(length(cross(surface.positions[t[1]] - surface.positions[t[0]],
                                          surface.positions[t[2]] - surface.positions[t[0]])));
    return area;
}

// Means of the triangles about each vertex, by area; vertices of one point that had one normal keep one.
std::vector<Vec3> normalsOf(const SurfaceMesh& surface) {
    const std::size_t count = surface.positions.size();
    std::vector<Vec3> sums(count), normals(count);
    for (const auto& t : surface.triangles) {
        const Vec3 normal =
            cross(surface.positions[t[1]] - surface.positions[t[0]], surface.positions[t[2]] - surface.positions[t[0]]);
        for (const std::uint32_t vertex : t)
            sums[vertex] += normal;
    }
    std::vector<std::vector<std::uint32_t>> ofPoint(surface.pointCount);
    for (std::uint32_t vertex = 0; vertex < count; ++vertex)
        ofPoint[surface.points[vertex]].push_back(vertex);
    for (const std::vector<std::uint32_t>& same : ofPoint)
        for (const std::uint32_t vertex : same) {
            Vec3 sum;
            for (const std::uint32_t other : same)
                if (dot(surface.normals[vertex], surface.normals[other]) > kSameNormal)
                    sum += sums[other];
            normals[vertex] = normalizeOr(sum, surface.normals[vertex]);
        }
    return normals;
}

}  // namespace

SurfaceMesh divided(const SurfaceMesh& surface, Real longest) {
    SurfaceMesh result = surface;
    // Halving leaves triangles of half that length and about a fifth of its square.
    const double fewest = areaOf(surface) / (0.2 * double(kMostWarpedTriangles));
    longest = max(longest, Real(std::sqrt(fewest)));
    for (int i = 0; i < kMostHalvings && result.triangles.size() < kMostWarpedTriangles; ++i)
        if (!Halver(result, longest).halve())
            break;
    return result;
}

SurfaceMesh warped(const SurfaceMesh& surface, const Displacement& displacement) {
    SurfaceMesh result = surface;
    for (Vec3& position : result.positions)
        position += displacement(position);
    result.normals = normalsOf(result);
    return result;
}

}  // namespace sunder::geometry
