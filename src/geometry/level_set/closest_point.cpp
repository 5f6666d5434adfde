// By the Voronoi regions of the triangle's corners, edges and face.
#include "geometry/level_set/closest_point.h"

namespace sunder::geometry {
namespace {

double ratio(double part, double whole) { return whole != 0 ? part / whole : 0; }

TrianglePoint at(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c, double v, double w) {
    const double u = 1 - v - w;
    const Vec3d offset = p - (a * u + b * v + c * w);
    return {dot(offset, offset), {u, v, w}};
}

}  // namespace

TrianglePoint closestPoint(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d ab = b - a, ac = c - a, ap = p - a;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0)
        return at(p, a, b, c, 0, 0);
    const Vec3d bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3)
        return at(p, a, b, c, 1, 0);
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return at(p, a, b, c, ratio(d1, d1 - d3), 0);
    const Vec3d cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6)
        return at(p, a, b, c, 0, 1);
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return at(p, a, b, c, 0, ratio(d2, d2 - d6));
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const double w = ratio(d4 - d3, (d4 - d3) + (d5 - d6));
        return at(p, a, b, c, 1 - w, w);
    }
    const double inverse = 1 / (va + vb + vc);
    return at(p, a, b, c, vb * inverse, vc * inverse);
}

std::array<double, 3> planeWeights(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d n = cross(b - a, c - a);
    const double squared = dot(n, n);
    if (!(squared > 0))
        return {1, 0, 0};
    const double v = dot(cross(p - a, c - a), n) / squared, w = dot(cross(b - a, p - a), n) / squared;
    return {1 - v - w, v, w};
}

}  // namespace sunder::geometry
