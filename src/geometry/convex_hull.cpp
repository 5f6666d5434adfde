// 1. Points are sorted and rounded to a grid of 2^20 steps over the largest extent; duplicates go.
// 2. Quickhull on the grid, exact, farthest point first; points within a tolerance of the hull are left out.
// 3. Coplanar triangles are merged; the vertices of the result are the input points, not the grid's.
// 4. The result is checked. Where a sliver makes it fail, step 3 is repeated with other tolerances, in the end on the grid's
// own vertices, where no triangle is degenerate.
#include "geometry/convex_hull.h"

#include <algorithm>
#include <optional>

#include "geometry/face_merge.h"
#include "geometry/quickhull.h"
#include "math/vec3d.h"

namespace sunder::geometry {

namespace {

// Shares of the size. The contract is 1e-5; the tolerances for leaving out, for merging and of the grid (1e-6) share it.
constexpr double kLeaveOut = 2e-6, kMerge = 4e-6, kContract = 1e-5;
// Share of the size. A thinner cloud has no inside that float contact tolerances could resolve.
constexpr double kFlat = 1e-5;

struct Cloud {
    std::vector<Vec3> points;  // in lexicographic order, one per grid point
    std::vector<GridPoint> grid;
    Vec3d low;
    double cell = 0;      // m per grid step
    double size = 0;      // m, the largest extent
    double rounding = 0;  // m, of the coordinates
};

bool before(const Vec3& a, const Vec3& b) {
    if (a.x != b.x)
        return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

Cloud makeCloud(std::span<const Vec3> input) {
    std::vector<Vec3> sorted(input.begin(), input.end());
    for (Vec3& p : sorted)
        p = p + Vec3{};  // -0 becomes 0, so that equal points have equal bits
    std::sort(sorted.begin(), sorted.end(), before);
    Cloud cloud;
    Vec3 low = sorted[0], high = sorted[0];
    for (const Vec3& p : sorted) {
        low = min(low, p);
        high = max(high, p);
    }
    const Vec3d extent = toDouble(high) - toDouble(low);
    cloud.low = toDouble(low);
    cloud.size = std::max(extent.x, std::max(extent.y, extent.z));
    cloud.cell = cloud.size / double(kGridSize);
    const Vec3 largest = max(abs(low), abs(high));
    cloud.rounding = double(kEpsilon) * max(largest.x, max(largest.y, largest.z));
    if (!(cloud.cell > 0))
        return cloud;
    const auto onGrid = [&](double offset) { return std::int64_t(std::floor(offset / cloud.cell + 0.5)); };
    std::vector<std::pair<std::array<std::int64_t, 3>, std::uint32_t>> keys;
    for (std::uint32_t i = 0; i < sorted.size(); ++i) {
        const Vec3d offset = toDouble(sorted[i]) - cloud.low;
        keys.push_back({{onGrid(offset.x), onGrid(offset.y), onGrid(offset.z)}, i});
    }
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i > 0 && keys[i].first == keys[i - 1].first)
            continue;
        cloud.grid.push_back({keys[i].first[0], keys[i].first[1], keys[i].first[2]});
        cloud.points.push_back(sorted[keys[i].second]);
    }
    return cloud;
}

// The loops' vertices in the cloud's order, as input points or as points of the grid.
Polyhedron toPolyhedron(const Cloud& cloud, const std::vector<Loop>& loops, bool onGrid) {
    std::vector<std::uint16_t> newIndex(cloud.points.size(), 0xffff);
    for (const Loop& loop : loops)
        for (const std::uint32_t vertex : loop)
            newIndex[vertex] = 0;
    std::vector<Vec3> vertices;
    for (std::size_t i = 0; i < newIndex.size(); ++i) {
        if (newIndex[i] == 0xffff)
            continue;
        newIndex[i] = std::uint16_t(vertices.size());
        vertices.push_back(onGrid ? toReal(cloud.low + toDouble(cloud.grid[i]) * cloud.cell) : cloud.points[i]);
    }
    std::vector<std::vector<std::uint16_t>> newLoops;
    for (const Loop& loop : loops) {
        newLoops.emplace_back();
        for (const std::uint32_t vertex : loop)
            newLoops.back().push_back(newIndex[vertex]);
    }
    return makePolyhedron(std::move(vertices), newLoops);
}

// The largest distance of a point above a face.
double outsideBy(const Polyhedron& hull, std::span<const Vec3> points) {
    double largest = 0;
    for (const Polyhedron::Face& face : hull.faces)
        for (const Vec3& point : points)
            largest = std::max(largest, dot(toDouble(face.normal), toDouble(point)) - double(face.offset));
    return largest;
}

bool isSound(const Polyhedron& hull, double tolerance) {
    for (const Polyhedron::Face& face : hull.faces)
        if (!isFinite(face.normal))
            return false;
    return hull.innerRadius > 0 && outsideBy(hull, hull.vertices) <= tolerance;
}

std::optional<Polyhedron> makeFaces(const Cloud& cloud, const GridHull& gridHull, double tolerance) {
    struct Attempt {
        double merge;  // factor on the usual tolerance; negative: no merging
        bool onGrid;
    };
    const Attempt attempts[] = {{1, false}, {0.25, false}, {1, true}, {0.25, true}, {-1, true}};
    const double merge = std::max(kMerge * cloud.size, 2 * cloud.rounding) / cloud.cell;
    for (const Attempt& attempt : attempts) {
        const std::vector<Loop> loops = mergeFaces(cloud.grid, gridHull.triangles, attempt.merge * merge);
        if (loops.empty())
            continue;
        Polyhedron hull = toPolyhedron(cloud, loops, attempt.onGrid);
        if (isSound(hull, tolerance) && (gridHull.truncated || outsideBy(hull, cloud.points) <= tolerance))
            return hull;
    }
    return std::nullopt;
}

}  // namespace

HullResult buildConvexHull(std::span<const Vec3> points) {
    if (points.size() < 4)
        return {{}, "a hull needs at least 4 points, there are " + std::to_string(points.size()), 0};
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!isFinite(points[i]))
            return {{}, "point " + std::to_string(i) + " is not finite", 0};
    const Cloud cloud = makeCloud(points);
    const std::string flat =
        "the points lie in one plane, on one line or in one place (a hull must be thicker than 1e-05 of its size)";
    if (!(cloud.cell > 0))
        return {{}, flat, 0};
    const double thickness = std::max(kFlat * cloud.size, 4 * cloud.rounding) / cloud.cell;
    const auto simplex = findSimplex(cloud.grid, thickness);
    if (!simplex)
        return {{}, flat, 0};
    const double leaveOut = std::max(kLeaveOut * cloud.size, cloud.rounding) / cloud.cell;
    const GridHull gridHull = quickhull(cloud.grid, *simplex, leaveOut, kMaxHullVertices);
    std::optional<Polyhedron> hull = makeFaces(cloud, gridHull, kContract * cloud.size + 4 * cloud.rounding);
    if (!hull)
        return {{}, "no sound hull could be made: the points are too close to a plane or a line", 0};
    const Real deviation = Real(outsideBy(*hull, points));
    return {std::move(*hull), "", deviation};
}

}  // namespace sunder::geometry
