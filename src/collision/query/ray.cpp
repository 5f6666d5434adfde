// Each shape in its own frame: o is the ray's origin, d its displacement, fractions t of d.
#include "collision/query/ray.h"

#include "collision/continuous/children.h"
#include "collision/query/level_set_query.h"

namespace sunder::collision {
namespace {

struct Entry {
    double fraction = kNever;  // below 0: the origin is inside
    Vec3d normal;
};

// The interval of a ray inside a convex shape, narrowed by one constraint after the other.
struct Span {
    double enter = -kNever, leave = kNever;
    Vec3d normal;

    void narrow(double first, double last, const Vec3d& normalFirst) {
        if (first > enter) {
            enter = first;
            normal = normalFirst;
        }
        leave = lesser(leave, last);
    }
    // Inside where normal . x <= offset.
    void clip(const Vec3d& n, double offset, const Vec3d& o, const Vec3d& d) {
        const double height = dot(n, o) - offset, speed = dot(n, d);
        if (speed < 0)
            narrow(-height / speed, kNever, n);
        else if (speed > 0)
            leave = lesser(leave, -height / speed);
        else if (height > 0)
            leave = -kNever;
    }
    Entry entry() const { return enter <= leave && leave > 0 ? Entry{enter, normal} : Entry{}; }
};

// A ball or, with d and o flattened, an infinite cylinder. The distance of the line from the centre is taken at the foot of the
// perpendicular: the usual discriminant loses it for rays that start far away.
Span spanOfBall(const Vec3d& o, const Vec3d& d, double radius) {
    const double squared = dot(d, d);
    if (!(squared > 0))
        return dot(o, o) <= radius * radius ? Span{} : Span{kNever, -kNever, {}};
    const double middle = -dot(o, d) / squared;
    const Vec3d foot = o + d * middle;
    const double rest = radius * radius - dot(foot, foot);
    if (!(rest >= 0))
        return {kNever, -kNever, {}};
    const double half = std::sqrt(rest / squared);
    return {middle - half, middle + half, (foot - d * half) * (1 / radius)};
}

Entry enterCylinder(const Vec3d& o, const Vec3d& d, double radius, double halfHeight) {
    Span span = spanOfBall({o.x, 0, o.z}, {d.x, 0, d.z}, radius);
    span.clip({0, 1, 0}, halfHeight, o, d);
    span.clip({0, -1, 0}, halfHeight, o, d);
    return span.entry();
}

Entry earlier(const Entry& a, const Entry& b) { return b.fraction < a.fraction ? b : a; }

Entry enterCapsule(const Vec3d& o, const Vec3d& d, double radius, double halfHeight) {
    const Vec3d tip{0, halfHeight, 0};
    const Entry caps = earlier(spanOfBall(o - tip, d, radius).entry(), spanOfBall(o + tip, d, radius).entry());
    Span side = spanOfBall({o.x, 0, o.z}, {d.x, 0, d.z}, radius);
    const double sideEnter = side.enter;
    side.clip({0, 1, 0}, halfHeight, o, d);
    side.clip({0, -1, 0}, halfHeight, o, d);
    Entry middle = side.entry();
    // The flat ends of the middle part lie inside the caps.
    if (middle.fraction > 0 && middle.fraction != sideEnter)
        middle = {};
    return earlier(caps, middle);
}

Entry enterPolyhedron(const Vec3d& o, const Vec3d& d, const geometry::Polyhedron& polyhedron) {
    Span span;
    for (const geometry::Polyhedron::Face& face : polyhedron.faces)
        span.clip(toDouble(face.normal), face.offset, o, d);
    return span.entry();
}

Entry enterConvex(const BuiltShape& shape, const Vec3d& o, const Vec3d& d) {
    switch (shape.type) {
        case ShapeType::Sphere: return spanOfBall(o, d, shape.radius).entry();
        case ShapeType::Capsule: return enterCapsule(o, d, shape.radius, shape.halfHeight);
        case ShapeType::Cylinder: return enterCylinder(o, d, shape.radius, shape.halfHeight);
        default: return enterPolyhedron(o, d, shape.polyhedron);
    }
}

// The fraction at which the ray meets the triangle, kNever where it does not. Neighbours compute exactly opposite numbers for
// their common edge, so that no ray passes between them.
double meetTriangle(const TriangleCorners& triangle, const Vec3d& o, const Vec3d& d) {
    const Vec3d a = toDouble(triangle.corner[0]) - o, b = toDouble(triangle.corner[1]) - o,
                c = toDouble(triangle.corner[2]) - o;
    const double u = dot(d, cross(c, b)), v = dot(d, cross(a, c)), w = dot(d, cross(b, a));
    const bool inside = (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
    const Vec3d n = cross(b - a, c - a);
    const double speed = dot(n, d), fraction = dot(n, a) / speed;
    return inside && speed != 0 && fraction >= 0 ? fraction : kNever;
}

std::optional<CastHit> castAtMesh(const geometry::TriangleMesh& mesh, const Vec3d& o, const Vec3d& d, double maxFraction,
                                  bool backFaces) {
    CastHit best;
    best.fraction = maxFraction;
    mesh.nearest(
        maxFraction, [&](const Bounds& bounds) { return entryFraction(bounds, o, d, {}); },
        [&](std::uint32_t triangle) {
            const bool fromBehind = dot(toDouble(mesh.normal(triangle)), d) > 0;
            if (fromBehind && !backFaces)
                return best.fraction;
            const double fraction = meetTriangle(TriangleCorners(mesh, triangle), o, d);
            const bool isFirst = best.triangle == kNoIndex || fraction < best.fraction || triangle < best.triangle;
            if (!(fraction <= best.fraction) || !isFirst)
                return best.fraction;
            best.fraction = fraction;
            best.triangle = triangle;
            best.normal = toDouble(mesh.normal(triangle)) * (fromBehind ? -1 : 1);
            return best.fraction;
        });
    return best.triangle != kNoIndex ? std::optional(best) : std::nullopt;
}

std::optional<CastHit> castAtConvex(const BuiltShape& shape, const Vec3d& o, const Vec3d& d, double maxFraction) {
    const Entry entry = enterConvex(shape, o, d);
    if (!(entry.fraction <= maxFraction))
        return std::nullopt;
    CastHit hit;
    hit.startsInside = !(entry.fraction > 0);
    hit.fraction = hit.startsInside ? 0 : entry.fraction;
    hit.normal = hit.startsInside ? normalizeOr(-d, {0, 1, 0}) : entry.normal;
    return hit;
}

}  // namespace

std::optional<CastHit> castRay(const ShapeAt& target, const Vec3d& displacement, double maxFraction, bool backFaces) {
    std::optional<CastHit> best;
    const Placement outerFromShape = target.placement();
    forEachChild(target.shape, [&](const BuiltShape& child, const Placement& shapeFromChild, std::uint32_t index) {
        const Placement outerFromChild = compose(outerFromShape, shapeFromChild);
        const Vec3d o = innerPoint(outerFromChild, {}), d = innerDirection(outerFromChild, displacement);
        const double limit = best ? best->fraction : maxFraction;
        std::optional<CastHit> hit = child.type == ShapeType::Mesh       ? castAtMesh(*child.mesh, o, d, limit, backFaces)
                                     : child.type == ShapeType::LevelSet ? castAtLevelSet(*child.levelSet, o, d, limit)
                                                                         : castAtConvex(child, o, d, limit);
        if (!hit || (best && !(hit->fraction < best->fraction)))
            return;
        hit->normal = outerDirection(outerFromChild, hit->normal);
        hit->point = displacement * hit->fraction;
        hit->child = target.shape.type == ShapeType::Compound ? index : kNoIndex;
        if (hit->triangle != kNoIndex)
            hit->triangle = child.mesh->sourceIndex(hit->triangle);
        best = hit;
    });
    return best;
}

}  // namespace sunder::collision
