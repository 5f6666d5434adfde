// 1. Corners in the same place are joined.
// 2. Corners on the edges of other polygons become corners of those too.
// 3. Polygons become triangles, sorted about each edge by the planes of their groups.
#include "geometry/cells/join_polygons.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "geometry/cells/rough_complex.h"

namespace sunder::geometry {
namespace {

// Sine of the angle below which a corner of a polygon is straight, and no triangle is made of it and its neighbours.
constexpr double kStraight = 1e-6;

// Joins points in the same place: buckets of a lattice, and those beside them where a point is near a border.
class PointWeld {
public:
    explicit PointWeld(double tolerance) : tolerance_(tolerance), bucket_(64 * tolerance) {}

    std::uint32_t number(const Vec3d& p) {
        const Range x(p.x, *this), y(p.y, *this), z(p.z, *this);
        for (std::int64_t i = x.low; i <= x.high; ++i)
            for (std::int64_t j = y.low; j <= y.high; ++j)
                for (std::int64_t k = z.low; k <= z.high; ++k)
                    if (const auto found = buckets_.find({i, j, k}); found != buckets_.end())
                        for (const std::uint32_t point : found->second)
                            if (length(points[point] - p) <= tolerance_)
                                return point;
        points.push_back(p);
        const auto place = [&](double value) { return std::int64_t(std::floor(value / bucket_)); };
        buckets_[{place(p.x), place(p.y), place(p.z)}].push_back(std::uint32_t(points.size() - 1));
        return std::uint32_t(points.size() - 1);
    }

    std::vector<Vec3d> points;

private:
    struct Range {
        std::int64_t low, high;
        Range(double value, const PointWeld& weld)
            : low(std::int64_t(std::floor((value - weld.tolerance_) / weld.bucket_))),
              high(std::int64_t(std::floor((value + weld.tolerance_) / weld.bucket_))) {}
    };
    double tolerance_, bucket_;
    std::map<std::array<std::int64_t, 3>, std::vector<std::uint32_t>> buckets_;
};

class Joiner {
public:
    explicit Joiner(double tolerance) : tolerance_(tolerance), weld_(tolerance) {}

    CellComplex run(std::span<const LabelledPolygon> polygons) {
        std::vector<std::vector<std::uint32_t>> corners(polygons.size());
        for (std::size_t i = 0; i < polygons.size(); ++i)
            for (const Vec3d& p : polygons[i].points)
                if (const std::uint32_t corner = weld_.number(p); corners[i].empty() || corners[i].back() != corner)
                    corners[i].push_back(corner);
        sortPoints();
        for (std::size_t i = 0; i < polygons.size(); ++i) {
            addCornersOnEdges(corners[i]);
            triangulate(polygons[i], corners[i]);
        }
        result_.points = std::move(weld_.points);
        sortByPlanes(result_);
        return std::move(result_);
    }

private:
    static double along(const Vec3d& p, int axis) { return axis == 0 ? p.x : (axis == 1 ? p.y : p.z); }

    void sortPoints() {
        for (int axis = 0; axis < 3; ++axis) {
            for (std::uint32_t i = 0; i < weld_.points.size(); ++i)
                order_[axis].push_back({along(weld_.points[i], axis), i});
            std::sort(order_[axis].begin(), order_[axis].end());
        }
    }

    void addCornersOnEdges(std::vector<std::uint32_t>& corners) {
        while (corners.size() > 1 && corners.front() == corners.back())
            corners.pop_back();
        std::vector<std::uint32_t> all;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            all.push_back(corners[i]);
            addPointsBetween(corners[i], corners[(i + 1) % corners.size()], all);
        }
        hasStraight_ = all.size() > corners.size();
        corners = std::move(all);
    }

    void addPointsBetween(std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& out) const {
        const Vec3d &a = weld_.points[from], &b = weld_.points[to], d = b - a;
        const double squared = dot(d, d), tolerance = 2 * tolerance_;
        if (!(squared > 0))
            return;
        // Along the axis in which the edge is shortest the fewest points come into question.
        const double x = std::fabs(d.x), y = std::fabs(d.y), z = std::fabs(d.z);
        const int axis = x <= y && x <= z ? 0 : (y <= z ? 1 : 2);
        const double low = std::min(along(a, axis), along(b, axis)) - tolerance;
        const double high = std::max(along(a, axis), along(b, axis)) + tolerance;
        std::vector<std::pair<double, std::uint32_t>> between;
        for (auto it = std::lower_bound(order_[axis].begin(), order_[axis].end(), std::pair(low, 0u));
             it != order_[axis].end() && it->first <= high; ++it) {
            if (it->second == from || it->second == to)
                continue;
            const Vec3d p = weld_.points[it->second] - a;
            const double t = dot(p, d) / squared;
            if (t > 0 && t < 1 && length(p - d * t) <= tolerance)
                between.push_back({t, it->second});
        }
        std::sort(between.begin(), between.end());
        for (const auto& [t, point] : between)
            out.push_back(point);
    }

    void triangulate(const LabelledPolygon& polygon, const std::vector<std::uint32_t>& corners) {
        const std::size_t count = corners.size();
        if (count < 3)
            return;
        const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            result_.faces.push_back({{a, b, c}, polygon.front, polygon.back, polygon.group, polygon.normal});
        };
        for (std::size_t i = 0; i < count && !hasStraight_; ++i) {
            const Vec3d& p = weld_.points[corners[i]];
            const Vec3d u = weld_.points[corners[(i + 1) % count]] - p, v = weld_.points[corners[(i + count - 1) % count]] - p;
            hasStraight_ = length(cross(u, v)) <= kStraight * length(u) * length(v);
        }
        if (!hasStraight_) {
            for (std::size_t i = 1; i + 1 < count; ++i)
                add(corners[0], corners[i], corners[i + 1]);
            return;
        }
        Vec3d middle;
        for (const std::uint32_t corner : corners)
            middle += weld_.points[corner] * (1.0 / double(count));
        weld_.points.push_back(middle);
        for (std::size_t i = 0; i < count; ++i)
            add(std::uint32_t(weld_.points.size() - 1), corners[i], corners[(i + 1) % count]);
    }

    double tolerance_;
    PointWeld weld_;
    bool hasStraight_ = false;
    std::vector<std::pair<double, std::uint32_t>> order_[3];
    CellComplex result_;
};

}  // namespace

Vec3d areaVector(std::span<const Vec3d> points) {
    Vec3d sum;
    for (std::size_t i = 1; i + 1 < points.size(); ++i)
        sum += cross(points[i] - points[0], points[i + 1] - points[0]);
    return sum * 0.5;
}

bool isSliver(std::span<const Vec3d> points, double tolerance) {
    double outline = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
        outline += length(points[(i + 1) % points.size()] - points[i]);
    return length(areaVector(points)) <= tolerance * outline;
}

CellComplex joinPolygons(std::span<const LabelledPolygon> polygons, double tolerance) {
    return Joiner(tolerance).run(polygons);
}

}  // namespace sunder::geometry
