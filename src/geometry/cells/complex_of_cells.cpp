// From convex cells to the division of space between them: faces that meet in whole edges.
// 1. On each wall the faces of the cells behind it are cut by the cells in front.
// 2. Corners in the same place are joined.
// 3. Corners on the edges of other polygons, as in a wall of bricks, become corners of those too.
// 4. Polygons become triangles, sorted about each edge by the planes of their walls.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "geometry/cells/convex_cell.h"
#include "geometry/cells/rough_complex.h"

namespace sunder::geometry {
namespace {

// Share of the size of all cells: corners closer than this are one corner. More than clipping in different orders rounds away,
// less than is drawn.
constexpr double kSame = 1e-9;
// Sine of the angle below which a corner of a polygon is straight, and no triangle is made of it and its neighbours.
constexpr double kStraight = 1e-6;

struct Polygon {
    std::vector<Vec3d> points;
    Vec3d normal;
    std::uint32_t front = 0, back = 0, group = 0;
    std::vector<std::uint32_t> corners;
};

Vec3d areaVector(const std::vector<Vec3d>& points) {
    Vec3d sum;
    for (std::size_t i = 1; i + 1 < points.size(); ++i)
        sum += cross(points[i] - points[0], points[i + 1] - points[0]);
    return sum * 0.5;
}

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

class Builder {
public:
    Builder(std::span<const ConvexCell> cells, double size) : cells_(cells), size_(size), weld_(kSame * size) {}

    CellsComplex run() {
        for (const ConvexCell& cell : cells_)
            if (!cell.isEmpty())
                result_.regions.push_back(cell.region);
        std::sort(result_.regions.begin(), result_.regions.end());
        result_.regions.erase(std::unique(result_.regions.begin(), result_.regions.end()), result_.regions.end());
        findPolygons();
        for (Polygon& polygon : polygons_)
            for (const Vec3d& p : polygon.points)
                if (const std::uint32_t corner = weld_.number(p); polygon.corners.empty() || polygon.corners.back() != corner)
                    polygon.corners.push_back(corner);
        sortPoints();
        for (Polygon& polygon : polygons_) {
            addCornersOnEdges(polygon);
            triangulate(polygon);
        }
        result_.complex.points = std::move(weld_.points);
        sortByPlanes(result_.complex);
        return std::move(result_);
    }

private:
    struct Side {
        std::uint64_t wall, part;
        bool isFront;
        std::uint32_t cell, face;
    };

    std::uint32_t labelOf(std::uint32_t cell) const {
        const auto at = std::lower_bound(result_.regions.begin(), result_.regions.end(), cells_[cell].region);
        return std::uint32_t(at - result_.regions.begin());
    }

    void findPolygons() {
        std::vector<Side> sides;
        for (std::uint32_t cell = 0; cell < cells_.size(); ++cell)
            for (std::uint32_t face = 0; face < cells_[cell].faces().size(); ++face)
                if (const CellPlane& plane = cells_[cell].faces()[face].plane; plane.wall != kNoWall)
                    sides.push_back({plane.wall, plane.part, plane.isFront, cell, face});
        std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
            return std::tie(a.wall, a.part, a.isFront, a.cell, a.face) < std::tie(b.wall, b.part, b.isFront, b.cell, b.face);
        });
        for (std::size_t i = 0, end = 0; i < sides.size(); i = end) {
            std::size_t firstFront = i;
            for (end = i; end < sides.size() && sides[end].wall == sides[i].wall && sides[end].part == sides[i].part; ++end)
                firstFront += !sides[end].isFront;
            if (i == 0 || sides[i].wall != sides[i - 1].wall)
                ++groups_;
            for (std::size_t back = i; back < firstFront; ++back)
                for (std::size_t front = firstFront; front < end; ++front)
                    if (cells_[sides[back].cell].region != cells_[sides[front].cell].region)
                        addMeeting(sides[back], sides[front]);
        }
    }

    void addMeeting(const Side& back, const Side& front) {
        const ConvexCell::Face& own = cells_[back.cell].faces()[back.face];
        Polygon polygon;
        polygon.points = own.points;
        for (const ConvexCell::Face& face : cells_[front.cell].faces()) {
            if (face.plane.wall == front.wall)
                continue;
            clipPolygon(polygon.points, face.plane.normal, face.plane.offset, 0.01 * kSame * size_);
            if (polygon.points.size() < 3)
                return;
        }
        double outline = 0;
        for (std::size_t i = 0; i < polygon.points.size(); ++i)
            outline += length(polygon.points[(i + 1) % polygon.points.size()] - polygon.points[i]);
        if (length(areaVector(polygon.points)) <= kSame * size_ * outline)
            return;
        polygon.normal = own.plane.normal;
        polygon.back = labelOf(back.cell);
        polygon.front = labelOf(front.cell);
        polygon.group = groups_;
        polygons_.push_back(std::move(polygon));
    }

    static double along(const Vec3d& p, int axis) { return axis == 0 ? p.x : (axis == 1 ? p.y : p.z); }

    void sortPoints() {
        for (int axis = 0; axis < 3; ++axis) {
            for (std::uint32_t i = 0; i < weld_.points.size(); ++i)
                order_[axis].push_back({along(weld_.points[i], axis), i});
            std::sort(order_[axis].begin(), order_[axis].end());
        }
    }

    void addCornersOnEdges(Polygon& polygon) {
        std::vector<std::uint32_t>& corners = polygon.corners;
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
        const double squared = dot(d, d), tolerance = 2 * kSame * size_;
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

    void triangulate(const Polygon& polygon) {
        const std::vector<std::uint32_t>& corners = polygon.corners;
        const std::size_t count = corners.size();
        if (count < 3)
            return;
        const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            result_.complex.faces.push_back({{a, b, c}, polygon.front, polygon.back, polygon.group, polygon.normal});
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

    std::span<const ConvexCell> cells_;
    double size_;
    PointWeld weld_;
    std::vector<Polygon> polygons_;
    std::uint32_t groups_ = 0;
    bool hasStraight_ = false;
    std::vector<std::pair<double, std::uint32_t>> order_[3];
    CellsComplex result_;
};

}  // namespace

CellsComplex complexOfCells(std::span<const ConvexCell> cells, double size) { return Builder(cells, size).run(); }

}  // namespace sunder::geometry
