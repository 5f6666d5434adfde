// The distance search. v is the point of the current simplex closest to the origin, w the newest support point; points of the
// Minkowski difference are b - a. The lower bound v . w / |v| ends the search early for pairs that are far apart.
#include "collision/narrow_phase/core/gjk.h"

#include "collision/narrow_phase/core/crossing_axes.h"

namespace sunder::collision {
namespace {

constexpr int kMaxIterations = 64;      // smooth shapes need 10 to 30; polyhedra end after a few
constexpr double kTouching = 1e-10;     // of the sizes: closer than this the direction would be rounding
constexpr double kGap = 1e-11;          // of the sizes: the search ends when upper and lower bound are this close
constexpr double kRelativeGap = 1e-11;  // of the distance

struct Simplex {
    Vec3d w[4], onA[4], onB[4];
    double weight[4] = {1, 0, 0, 0};
    int count = 0;
};

// The vertices of a simplex that span its point closest to the origin, and that point.
struct SubSimplex {
    int vertex[3] = {};
    double weight[3] = {};
    int count = 0;
    Vec3d point;
    double squared = 1e300;
};

SubSimplex onVertex(const Simplex& s, int i) { return {{i}, {1}, 1, s.w[i], dot(s.w[i], s.w[i])}; }

// The newest vertex always belongs to the result: without it there would be no progress.
SubSimplex closestOnSegment(const Simplex& s, int i, int newest) {
    const Vec3d d = s.w[newest] - s.w[i];
    const double along = -dot(s.w[i], d), squared = dot(d, d);
    if (along >= squared)
        return onVertex(s, newest);
    if (!(along > 0))
        return onVertex(s, i);
    const double weight = along / squared;
    const Vec3d point = s.w[i] + d * weight;
    return {{i, newest}, {1 - weight, weight}, 2, point, dot(point, point)};
}

// The interior where the origin projects into it, otherwise the closer of the edges at the newest vertex.
SubSimplex closestOnTriangle(const Simplex& s, int i, int j, int newest) {
    const Vec3d &p = s.w[i], &q = s.w[j], &r = s.w[newest];
    const Vec3d pq = q - p, pr = r - p, n = cross(pq, pr);
    const double squared = dot(n, n);
    if (squared > 1e-28 * dot(pq, pq) * dot(pr, pr)) {
        const double weightP = dot(n, cross(q, r)), weightQ = dot(n, cross(r, p)), weightR = dot(n, cross(p, q));
        if (weightP > 0 && weightQ > 0 && weightR > 0) {
            const double scale = 1 / (weightP + weightQ + weightR);
            const Vec3d point = n * (dot(n, p) / squared);
            return {{i, j, newest}, {weightP * scale, weightQ * scale, weightR * scale}, 3, point, dot(point, point)};
        }
    }
    const SubSimplex first = closestOnSegment(s, i, newest), second = closestOnSegment(s, j, newest);
    return second.squared < first.squared ? second : first;
}

// Whether the origin lies on the other side of the plane i j k than the vertex opposite; true for flat tetrahedra.
bool isOutside(const Simplex& s, int i, int j, int k, int opposite) {
    const Vec3d n = cross(s.w[j] - s.w[i], s.w[k] - s.w[i]);
    return !(-dot(n, s.w[i]) * dot(n, s.w[opposite] - s.w[i]) > 0);
}

// Empty where the origin is inside.
SubSimplex closestOnTetrahedron(const Simplex& s) {
    static constexpr int kFaces[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};  // two vertices beside the newest; the opposite
    SubSimplex best;
    for (const auto& f : kFaces) {
        if (!isOutside(s, f[0], f[1], 3, f[2]))
            continue;
        const SubSimplex part = closestOnTriangle(s, f[0], f[1], 3);
        if (part.squared < best.squared)
            best = part;
    }
    return best;
}

SubSimplex closestOnSimplex(const Simplex& s) {
    switch (s.count) {
        case 1: return onVertex(s, 0);
        case 2: return closestOnSegment(s, 0, 1);
        case 3: return closestOnTriangle(s, 0, 1, 2);
        default: return closestOnTetrahedron(s);
    }
}

void keep(Simplex& s, const SubSimplex& part) {
    for (int i = 0; i < part.count; ++i) {  // in ascending order, so nothing is overwritten before it is read
        const int from = part.vertex[i];
        s.w[i] = s.w[from];
        s.onA[i] = s.onA[from];
        s.onB[i] = s.onB[from];
        s.weight[i] = part.weight[i];
    }
    s.count = part.count;
}

Vec3d combine(const Simplex& s, const Vec3d (&points)[4]) {
    Vec3d sum;
    for (int i = 0; i < s.count; ++i)
        sum += points[i] * s.weight[i];
    return sum;
}

// Whether the axes of two cores answer the question.
bool answerByAxes(const PlacedCore& a, const PlacedCore& b, double maxDistance, ClosestPoints& result) {
    const auto [isClosest, axis] = compareAxes(a, b);
    result.distance = axis.separation;
    if (axis.separation > maxDistance)
        return true;
    if (!isClosest)
        return false;
    result.status = axis.separation > kTouching * (a.core.size + b.core.size) ? ClosestPoints::Status::Apart
                                                                              : ClosestPoints::Status::Touching;
    result.onA = axis.onA;
    result.onB = axis.onB;
    result.normal = axis.normal;
    return true;
}

}  // namespace

ClosestPoints findClosestPoints(const PlacedCore& a, const PlacedCore& b, double maxDistance, const Vec3d* start) {
    ClosestPoints result;
    if (haveAxes(a, b) && answerByAxes(a, b, maxDistance, result))
        return result;
    const double size = a.core.size + b.core.size;
    Simplex simplex;
    Vec3d v = start != nullptr ? *start : b.center() - a.center();
    if (start == nullptr && !(dot(v, v) > 1e-24 * size * size))
        v = {size, 0, 0};
    double distance = length(v);
    for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
        const Vec3d onA = a.support(v), onB = b.support(-v), w = onB - onA;
        const double bound = dot(v, w) / distance;
        if (bound > maxDistance) {
            result.distance = bound;
            return result;
        }
        if (simplex.count > 0 && distance - bound <= kGap * size + kRelativeGap * distance)
            break;
        const int newest = simplex.count;  // below 4: a part has at most 3 vertices
        simplex.w[newest] = w;
        simplex.onA[newest] = onA;
        simplex.onB[newest] = onB;
        ++simplex.count;
        const SubSimplex part = closestOnSimplex(simplex);
        const double closest = part.count > 0 ? std::sqrt(part.squared) : 0;
        if (!(closest > kTouching * size)) {
            result.status = ClosestPoints::Status::Touching;
            return result;
        }
        if (newest > 0 && !(closest < distance)) {
            simplex.count = newest;
            break;  // rounding: no progress is possible any more
        }
        keep(simplex, part);
        v = part.point;
        distance = closest;
    }
    result.distance = distance;
    if (distance > maxDistance)
        return result;
    result.status = ClosestPoints::Status::Apart;
    result.onA = combine(simplex, simplex.onA);
    result.onB = combine(simplex, simplex.onB);
    result.normal = v * (1 / distance);
    return result;
}

}  // namespace sunder::collision
