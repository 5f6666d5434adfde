#include "geometry/polygon.h"

#include <algorithm>
#include <cmath>

#include "math/vec3d.h"

namespace sunder::geometry {

namespace {

// Share of the largest coordinate that float coordinates are rounded by.
constexpr double kRounding = 1e-7;

// The polygon seen along the axis that shows most of it, counter-clockwise.
std::vector<PlanePoint> flatten(std::span<const Vec3> corners) {
    Vec3d normal;
    const Vec3d origin = toDouble(corners[0]);
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
        normal = normal + cross(toDouble(corners[i]) - origin, toDouble(corners[i + 1]) - origin);
    const double x = std::fabs(normal.x), y = std::fabs(normal.y), z = std::fabs(normal.z);
    std::vector<PlanePoint> points;
    for (const Vec3& corner : corners) {
        const Vec3d p = toDouble(corner) - origin;
        if (z >= x && z >= y)
            points.push_back(normal.z >= 0 ? PlanePoint{p.x, p.y} : PlanePoint{p.y, p.x});
        else if (y >= x)
            points.push_back(normal.y >= 0 ? PlanePoint{p.z, p.x} : PlanePoint{p.x, p.z});
        else
            points.push_back(normal.x >= 0 ? PlanePoint{p.y, p.z} : PlanePoint{p.z, p.y});
    }
    return points;
}

class EarCutter {
public:
    explicit EarCutter(std::vector<PlanePoint> points) : points_(std::move(points)) {
        double size = 0;
        for (std::uint32_t i = 0; i < points_.size(); ++i) {
            ring_.push_back(i);
            size = std::max({size, std::fabs(points_[i].x), std::fabs(points_[i].y)});
        }
        slack_ = kRounding * size;
    }

    // No corner turns right, and the corners seen from the first one go around once.
    bool isConvex() const {
        for (std::size_t i = 0; i < ring_.size(); ++i)
            if (turn(i) < 0)
                return false;
        for (std::size_t i = 1; i + 1 < points_.size(); ++i)
            if (twiceArea(points_[0], points_[i], points_[i + 1]) < 0)
                return false;
        return true;
    }

    void cut(std::vector<std::array<std::uint32_t, 3>>& triangles) {
        std::size_t candidate = 0, tried = 0;
        while (ring_.size() > 3) {
            if (tried < ring_.size() && !isEar(candidate)) {
                candidate = (candidate + 1) % ring_.size();
                ++tried;
                continue;
            }
            if (tried == ring_.size())
                candidate = flattest();
            triangles.push_back({before(candidate), ring_[candidate], after(candidate)});
            ring_.erase(ring_.begin() + std::ptrdiff_t(candidate));
            candidate %= ring_.size();
            tried = 0;
        }
        triangles.push_back({ring_[0], ring_[1], ring_[2]});
    }

private:
    std::uint32_t before(std::size_t i) const { return ring_[(i + ring_.size() - 1) % ring_.size()]; }
    std::uint32_t after(std::size_t i) const { return ring_[(i + 1) % ring_.size()]; }
    double turn(std::size_t i) const { return twiceArea(points_[before(i)], points_[ring_[i]], points_[after(i)]); }

    // Without an ear the polygon crosses itself, or has a fin without width: the corner that changes least must do.
    std::size_t flattest() const {
        std::size_t best = 0;
        for (std::size_t i = 1; i < ring_.size(); ++i)
            if (std::fabs(turn(i)) < std::fabs(turn(best)))
                best = i;
        return best;
    }

    static bool isSame(const PlanePoint& p, const PlanePoint& q) { return p.x == q.x && p.y == q.y; }

    // On the line to the slack counts as left of it.
    bool isLeft(const PlanePoint& a, const PlanePoint& b, const PlanePoint& p) const {
        return twiceArea(a, b, p) >= -slack_ * (std::fabs(b.x - a.x) + std::fabs(b.y - a.y));
    }

    bool isEar(std::size_t i) const {
        if (turn(i) <= 0)
            return false;
        const std::uint32_t ia = before(i), ib = ring_[i], ic = after(i);
        const PlanePoint &a = points_[ia], &b = points_[ib], &c = points_[ic];
        for (const std::uint32_t other : ring_) {
            if (other == ia || other == ib || other == ic)
                continue;
            const PlanePoint& p = points_[other];
            if (isSame(p, a) || isSame(p, b) || isSame(p, c))
                continue;
            if (isLeft(a, b, p) && isLeft(b, c, p) && isLeft(c, a, p))
                return false;
        }
        return true;
    }

    std::vector<PlanePoint> points_;
    std::vector<std::uint32_t> ring_;
    double slack_ = 0;  // m: corners this close to an ear are in it
};

}  // namespace

double twiceArea(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double twiceArea(std::span<const PlanePoint> polygon) {
    double sum = 0;
    for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
        sum += twiceArea(polygon[0], polygon[i], polygon[i + 1]);
    return sum;
}

bool doCross(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c, const PlanePoint& d) {
    return (twiceArea(a, b, c) > 0) != (twiceArea(a, b, d) > 0) && (twiceArea(c, d, a) > 0) != (twiceArea(c, d, b) > 0);
}

// By the number of edges that a ray along x crosses.
bool contains(std::span<const PlanePoint> polygon, const PlanePoint& p) {
    bool isInside = false;
    for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
        const PlanePoint &a = polygon[i], &b = polygon[j];
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x)
            isInside = !isInside;
    }
    return isInside;
}

void triangulatePolygon(std::vector<PlanePoint> corners, std::vector<std::array<std::uint32_t, 3>>& triangles) {
    if (corners.size() < 3)
        return;
    const std::uint32_t count = std::uint32_t(corners.size());
    EarCutter cutter(std::move(corners));
    if (!cutter.isConvex())
        return cutter.cut(triangles);
    for (std::uint32_t i = 1; i + 1 < count; ++i)
        triangles.push_back({0, i, i + 1});
}

void triangulatePolygon(std::span<const Vec3> corners, std::vector<std::array<std::uint32_t, 3>>& triangles) {
    if (corners.size() >= 3)
        triangulatePolygon(flatten(corners), triangles);
}

}  // namespace sunder::geometry
