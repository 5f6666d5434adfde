#include "geometry/face_merge.h"

#include <algorithm>
#include <utility>

#include "core/none.h"

namespace sunder::geometry {

namespace {

// Cosine of the largest angle between a face's plane and a sliver that may join it. Slivers have poor normals; only one that
// would fold back over the face must stay out.
constexpr double kMinCosine = 0.1;

struct Plane {
    Vec3d normal;
    double offset = 0;
    double area = 0;  // twice the triangle's
};

std::vector<Plane> planesOf(std::span<const GridPoint> points, std::span<const HullTriangle> triangles) {
    std::vector<Plane> planes;
    for (const HullTriangle& triangle : triangles) {
        const GridPoint& a = points[triangle.vertices[0]];
        const Vec3d normal = toDouble(cross(points[triangle.vertices[1]] - a, points[triangle.vertices[2]] - a));
        const double area = length(normal);
        const Vec3d unit = normal * (1 / area);
        planes.push_back({unit, dot(unit, toDouble(a)), area});
    }
    return planes;
}

// The rim of a region as one loop; empty where it is not one simple loop.
Loop rimOf(std::span<const HullTriangle> triangles, const std::vector<std::uint32_t>& region,
           const std::vector<std::uint32_t>& regionOf) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // from, to
    for (const std::uint32_t t : region)
        for (int i = 0; i < 3; ++i)
            if (regionOf[triangles[t].neighbors[i]] != regionOf[t])
                edges.push_back({triangles[t].vertices[i], triangles[t].vertices[(i + 1) % 3]});
    std::sort(edges.begin(), edges.end());
    Loop loop;
    for (std::uint32_t vertex = edges.empty() ? kNone : edges[0].first; vertex != kNone;) {
        const auto edge = std::lower_bound(edges.begin(), edges.end(), std::pair{vertex, 0u});
        const bool branches =
            edge == edges.end() || edge->first != vertex || (edge + 1 != edges.end() && (edge + 1)->first == vertex);
        if (branches || loop.size() > edges.size())
            return {};
        loop.push_back(vertex);
        vertex = edge->second == loop[0] ? kNone : edge->second;
    }
    return loop.size() == edges.size() ? loop : Loop{};
}

// Triangles connected to the seed whose corners all lie in its plane.
std::vector<std::uint32_t> growRegion(std::span<const GridPoint> points, std::span<const HullTriangle> triangles,
                                      const std::vector<Plane>& planes, std::uint32_t seed, double tolerance,
                                      std::vector<std::uint32_t>& regionOf) {
    const Plane& plane = planes[seed];
    const auto fits = [&](std::uint32_t t) {
        if (regionOf[t] != kNone || dot(planes[t].normal, plane.normal) < kMinCosine)
            return false;
        for (const std::uint32_t vertex : triangles[t].vertices)
            if (std::fabs(dot(plane.normal, toDouble(points[vertex])) - plane.offset) > tolerance)
                return false;
        return true;
    };
    std::vector<std::uint32_t> region{seed};
    regionOf[seed] = seed;
    for (std::size_t i = 0; i < region.size() && tolerance >= 0; ++i) {
        for (const std::uint32_t neighbor : triangles[region[i]].neighbors) {
            if (fits(neighbor)) {
                regionOf[neighbor] = seed;
                region.push_back(neighbor);
            }
        }
    }
    return region;
}

// Removes vertices in which fewer than three faces meet: they lie on a straight edge.
void dropStraightVertices(std::vector<Loop>& loops, std::size_t pointCount) {
    std::vector<std::uint32_t> faceCount(pointCount);
    for (const Loop& loop : loops)
        for (const std::uint32_t vertex : loop)
            ++faceCount[vertex];
    for (Loop& loop : loops)
        loop.erase(std::remove_if(loop.begin(), loop.end(), [&](std::uint32_t vertex) { return faceCount[vertex] < 3; }),
                   loop.end());
}

// Every edge is shared by exactly two loops in opposite directions, and V - E + F = 2.
bool isClosedSurface(const std::vector<Loop>& loops, std::size_t pointCount) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges, reversed;
    std::vector<char> used(pointCount);
    for (const Loop& loop : loops) {
        if (loop.size() < 3)
            return false;
        for (std::size_t i = 0; i < loop.size(); ++i) {
            edges.push_back({loop[i], loop[(i + 1) % loop.size()]});
            reversed.push_back({loop[(i + 1) % loop.size()], loop[i]});
            used[loop[i]] = 1;
        }
    }
    std::sort(edges.begin(), edges.end());
    std::sort(reversed.begin(), reversed.end());
    if (edges != reversed || std::adjacent_find(edges.begin(), edges.end()) != edges.end())
        return false;
    const std::size_t vertexCount = std::size_t(std::count(used.begin(), used.end(), char(1)));
    return vertexCount + loops.size() == edges.size() / 2 + 2;
}

}  // namespace

std::vector<Loop> mergeFaces(std::span<const GridPoint> points, std::span<const HullTriangle> triangles, double tolerance) {
    const std::vector<Plane> planes = planesOf(points, triangles);
    // Large triangles first: their planes are the most accurate.
    std::vector<std::uint32_t> order(triangles.size());
    for (std::uint32_t t = 0; t < order.size(); ++t)
        order[t] = t;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return planes[a].area != planes[b].area ? planes[a].area > planes[b].area : a < b;
    });
    std::vector<Loop> loops;
    std::vector<std::uint32_t> regionOf(triangles.size(), kNone);
    for (const std::uint32_t seed : order) {
        if (regionOf[seed] != kNone)
            continue;
        const std::vector<std::uint32_t> region = growRegion(points, triangles, planes, seed, tolerance, regionOf);
        Loop rim = rimOf(triangles, region, regionOf);
        if (rim.empty()) {
            for (const std::uint32_t t : region)
                regionOf[t] = kNone;
            regionOf[seed] = seed;
            rim = Loop(triangles[seed].vertices.begin(), triangles[seed].vertices.end());
        }
        loops.push_back(std::move(rim));
    }
    dropStraightVertices(loops, points.size());
    return isClosedSurface(loops, points.size()) ? loops : std::vector<Loop>{};
}

}  // namespace sunder::geometry
