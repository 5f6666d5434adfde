// Separating axes of two triangles: their normals, the nine cross products of their edges and, for triangles in one plane, the
// normals of their edges in it.
#include "geometry/shell/triangles_apart.h"

namespace sunder::geometry {

namespace {

struct Span {
    double low, high;
};

Span spanAlong(const TriangleCorners& t, const Vec3d& axis) {
    const double x = dot(t[0], axis), y = dot(t[1], axis), z = dot(t[2], axis);
    return {std::fmin(x, std::fmin(y, z)), std::fmax(x, std::fmax(y, z))};
}

// An axis without a length parts nothing.
bool parts(const Vec3d& axis, const TriangleCorners& a, const TriangleCorners& b, double gap) {
    const Span p = spanAlong(a, axis), q = spanAlong(b, axis);
    return std::fmax(q.low - p.high, p.low - q.high) > gap * length(axis);
}

}  // namespace

bool areApart(const TriangleCorners& first, const TriangleCorners& second, double gap) {
    // From a corner of one of them: the numbers stay small, wherever in the world they are.
    const Vec3d origin = first[0];
    TriangleCorners a, b;
    for (std::size_t i = 0; i < 3; ++i) {
        a[i] = first[i] - origin;
        b[i] = second[i] - origin;
    }
    const Vec3d edgesA[3] = {a[1] - a[0], a[2] - a[1], a[0] - a[2]}, edgesB[3] = {b[1] - b[0], b[2] - b[1], b[0] - b[2]};
    const Vec3d normalA = cross(edgesA[0], edgesA[1]), normalB = cross(edgesB[0], edgesB[1]);
    if (parts(normalA, a, b, gap) || parts(normalB, a, b, gap))
        return true;
    for (const Vec3d& e : edgesA)
        for (const Vec3d& f : edgesB)
            if (parts(cross(e, f), a, b, gap))
                return true;
    for (std::size_t i = 0; i < 3; ++i)
        if (parts(cross(normalA, edgesA[i]), a, b, gap) || parts(cross(normalB, edgesB[i]), a, b, gap))
            return true;
    return false;
}

}  // namespace sunder::geometry
