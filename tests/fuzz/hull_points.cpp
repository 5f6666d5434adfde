// The hull of any points: an error, or a closed surface that contains them all.
#include <algorithm>
#include <cmath>

#include "byte_source.h"
#include "geometry/convex_hull.h"

namespace {

using namespace sunder;
using geometry::Polyhedron;

std::vector<Vec3> takePoints(fuzz::ByteSource& source) {
    std::vector<Vec3> points;
    const bool raw = source.below(4) == 0;
    const Real scale = Real(std::pow(10.0, double(source.below(9)) - 4)), shift = source.below(3) ? 0 : 100 * scale;
    constexpr std::size_t kMost = 600;
    while (source.left() > 0 && points.size() < kMost) {
        if (raw) {
            const Real x = source.take<Real>(), y = source.take<Real>(), z = source.take<Real>();
            points.push_back({x, y, z});
        } else {
            const Vec3 p = source.inBox(scale);
            points.push_back({p.x + shift, p.y, p.z});
        }
    }
    return points;
}

void checkHull(const geometry::HullResult& result, const std::vector<Vec3>& points) {
    const Polyhedron& hull = result.hull;
    fuzz::require(hull.vertices.size() <= geometry::kMaxHullVertices);
    fuzz::require(hull.vertices.size() + hull.faces.size() == hull.edges.size() + 2);
    for (const std::uint16_t vertex : hull.faceVertices)
        fuzz::require(vertex < hull.vertices.size());
    Vec3 low = points[0], high = points[0];
    double largest = 0;
    for (const Vec3& p : points) {
        low = min(low, p);
        high = max(high, p);
        largest = std::max({largest, double(std::fabs(p.x)), double(std::fabs(p.y)), double(std::fabs(p.z))});
    }
    const Vec3 extent = high - low;
    // The contract's 1e-5 of the size and the rounding of coordinates, as in convex_hull_test.
    const double tolerance =
        1e-5 * double(max(extent.x, max(extent.y, extent.z))) + 5 * double(kEpsilon) * largest + double(result.deviation);
    for (const Polyhedron::Face& face : hull.faces) {
        fuzz::require(std::fabs(length(face.normal) - 1) < Real(1e-3));
        for (const Vec3& p : points) {
            const double outside = double(face.normal.x) * double(p.x) + double(face.normal.y) * double(p.y) +
                                   double(face.normal.z) * double(p.z) - double(face.offset);
            fuzz::require(outside <= tolerance);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::ByteSource source(data, size);
    const std::vector<Vec3> points = takePoints(source);
    const geometry::HullResult result = geometry::buildConvexHull(points);
    if (result.error.empty())
        checkHull(result, points);
    return 0;
}
