#include "geometry/shell/plane_outline.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::geometry {

namespace {

// m: of p to the right of the way from a to b.
double rightOf(const PlanePoint& a, const PlanePoint& b, const PlanePoint& p) {
    const double length = std::sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
    return length > 0 ? -twiceArea(a, b, p) / length : 0;
}

void dropStraight(std::vector<PlanePoint>& outline, double tolerance) {
    for (std::size_t i = 0; i < outline.size() && outline.size() > 3;) {
        const PlanePoint &before = outline[(i + outline.size() - 1) % outline.size()],
                         &after = outline[(i + 1) % outline.size()];
        if (rightOf(before, after, outline[i]) < tolerance)
            outline.erase(outline.begin() + std::ptrdiff_t(i));
        else
            ++i;
    }
}

}  // namespace

std::vector<PlanePoint> convexOutline(std::vector<PlanePoint>& points, double tolerance) {
    std::sort(points.begin(), points.end(),
              [](const PlanePoint& a, const PlanePoint& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    std::vector<PlanePoint> outline;
    const auto add = [&](const PlanePoint& p, std::size_t first) {
        while (outline.size() >= first + 2 && twiceArea(outline[outline.size() - 2], outline.back(), p) <= 0)
            outline.pop_back();
        outline.push_back(p);
    };
    for (const PlanePoint& p : points)
        add(p, 0);
    const std::size_t lower = outline.size() - 1;
    for (std::size_t i = points.size() - 1; i-- > 0;)
        add(points[i], lower);
    outline.pop_back();
    dropStraight(outline, tolerance);
    return outline;
}

double depthInside(std::span<const PlanePoint> outline, const PlanePoint& point) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < outline.size(); ++i)
        least = std::min(least, -rightOf(outline[i], outline[(i + 1) % outline.size()], point));
    return least;
}

}  // namespace sunder::geometry
