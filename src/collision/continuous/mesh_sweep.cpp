#include "collision/continuous/mesh_sweep.h"

namespace sunder::collision {
namespace {

struct CoreBox {
    Vec3d low, high;
};

Vec3d lesserOfEach(const Vec3d& a, const Vec3d& b) { return {lesser(a.x, b.x), lesser(a.y, b.y), lesser(a.z, b.z)}; }
Vec3d greaterOfEach(const Vec3d& a, const Vec3d& b) { return {greater(a.x, b.x), greater(a.y, b.y), greater(a.z, b.z)}; }

// Bounds of the core, turned as in the placement, about its own origin.
CoreBox boxOf(const ConvexCore& core, const Placement& placement) {
    const auto reach = [&](const Vec3d& d) {
        return dot(d, outerDirection(placement, core.support(innerDirection(placement, d))));
    };
    const Vec3d r{core.rounding, core.rounding, core.rounding};
    return {Vec3d{-reach({-1, 0, 0}), -reach({0, -1, 0}), -reach({0, 0, -1})} - r,
            Vec3d{reach({1, 0, 0}), reach({0, 1, 0}), reach({0, 0, 1})} + r};
}

CoreBox boxOf(const ConvexCore& core) { return boxOf(core, {}); }

}  // namespace

MeshSweep::MeshSweep(const CoreMotion& mesh, const CoreMotion& convex, double duration, double reach)
    : convex_(convex), duration_(duration), reach_(reach), turns_(length(mesh.spin) > 0) {
    placement_ = relativePlacement(mesh.start, convex.start);
    start_ = outerPoint(placement_, convex.core.center);
    velocity_ = innerDirection(mesh.start, convex.velocity - mesh.velocity);
    spin_ = innerDirection(mesh.start, convex.spin);
    if (turns_) {
        // Seen from a turning mesh the path is curved; a ball that holds all of it stays where it is.
        const Vec3d approach = convex.velocity - mesh.velocity;
        const double arm = length(convex.center - mesh.center) + length(approach) * duration;
        const double radius = length(convex.start.origin - convex.center) + convex.core.size + reach +
                              (length(approach) + length(mesh.spin) * arm) * duration;
        box_ = BoxSweep(innerPoint(mesh.start, convex.center), {}, {radius, radius, radius});
        return;
    }
    const Placement end = relativePlacement(mesh.start, placementAt(convex, duration));
    const CoreBox before = boxOf(convex.core, placement_), after = boxOf(convex.core, end);
    const Vec3d low = lesserOfEach(before.low, after.low), high = greaterOfEach(before.high, after.high);
    const double angle = length(convex.spin) * duration;
    const double bend = angle * angle / 8 * (length(convex.start.origin - convex.center) + convex.core.size) + reach;
    const Vec3d way = end.origin - placement_.origin - innerDirection(mesh.start, mesh.velocity) * duration;
    box_ = BoxSweep(placement_.origin + (low + high) * 0.5, way, (high - low) * 0.5 + Vec3d{bend, bend, bend});
    // A core that turns leaves its box at time 0 by the chord.
    const CoreBox own = boxOf(convex.core);
    const double grow = bend + lesser(angle, 2.0) * convex.core.size;
    const Vec3d along = innerDirection(placement_, way);
    low_ = own.low + lesserOfEach(along, {}) - Vec3d{grow, grow, grow};
    high_ = own.high + greaterOfEach(along, {}) + Vec3d{grow, grow, grow};
}

bool MeshSweep::overlapsAlongAxes(const Bounds& bounds) const {
    const Vec3d center = (toDouble(bounds.low) + toDouble(bounds.high)) * 0.5 - placement_.origin;
    const Vec3d half = (toDouble(bounds.high) - toDouble(bounds.low)) * 0.5;
    const auto overlaps = [&](const Vec3d& axis, double low, double high) {
        const double at = dot(axis, center);
        const double size = std::fabs(axis.x) * half.x + std::fabs(axis.y) * half.y + std::fabs(axis.z) * half.z;
        return at + size >= low && at - size <= high;
    };
    return overlaps(placement_.axisX, low_.x, high_.x) && overlaps(placement_.axisY, low_.y, high_.y) &&
           overlaps(placement_.axisZ, low_.z, high_.z);
}

double MeshSweep::entryTime(const Bounds& bounds) const {
    const double fraction = box_.entry(bounds);
    return fraction == kNever || !(turns_ || overlapsAlongAxes(bounds)) ? kNever : fraction * duration_;
}

bool MeshSweep::mayMeet(const Vec3 (&corners)[3], const Vec3& normal, double end) const {
    const Vec3d n = toDouble(normal), corner = toDouble(corners[0]);
    if (dot(n, start_ - corner) < 0)
        return false;
    if (turns_)
        return true;
    const Vec3d lowest = outerPoint(placement_, convex_.core.support(innerDirection(placement_, -n)));
    const double gap = dot(n, lowest - corner) - convex_.core.rounding;
    const double closing = length(cross(n, spin_)) * convex_.extent - dot(n, velocity_);
    if (gap - closing * end > reach_)
        return false;
    const auto overlaps = [&](const Vec3d& axis, double low, double high) {
        const double a = dot(axis, corner - placement_.origin), b = a + dot(axis, toDouble(corners[1]) - corner),
                     c = a + dot(axis, toDouble(corners[2]) - corner);
        return greater(greater(a, b), c) >= low && lesser(lesser(a, b), c) <= high;
    };
    return overlaps(placement_.axisX, low_.x, high_.x) && overlaps(placement_.axisY, low_.y, high_.y) &&
           overlaps(placement_.axisZ, low_.z, high_.z);
}

}  // namespace sunder::collision
