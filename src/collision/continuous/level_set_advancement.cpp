#include "collision/continuous/level_set_advancement.h"

#include <cmath>

#include "collision/built_shape.h"
#include "collision/narrow_phase/collide.h"
#include "math/vec3d.h"

namespace sunder::collision {
namespace {

constexpr int kMostLooks = 48;  // bounds the cost; the last one counts as the meeting
// Share of the coarser grid's cell: the surface is not known more precisely.
constexpr Real kToleranceCells = Real(0.0625);
// Share of the coarser grid's cell: points up to this much farther than the nearest contribute to the normal.
constexpr Real kNormalCells = Real(0.5);

Real cellOf(const BuiltShape& shape) { return shape.type == ShapeType::LevelSet ? shape.levelSet->field().grid.cell : 0; }

Pose poseAt(const MovingShape& moving, Real time) {
    const Quat turn = quatFromRotationVector(moving.angularVelocity * time);
    return {moving.center + moving.velocity * time + rotate(turn, moving.pose.position - moving.center),
            normalize(turn * moving.pose.orientation)};
}

// m/s: bound of the speed of the shape's points about its centre.
Real turningSpeed(const MovingShape& moving) {
    return length(moving.angularVelocity) * (length(moving.pose.position - moving.center) + moving.shape.boundingRadius);
}

// m/s: bound of the speed of any point of one shape as seen from the other; zero where both move as one rigid body.
Real relativeSpeed(const MovingShape& a, const MovingShape& b) {
    const Vec3 velocity = b.velocity - a.velocity;
    const Real extentA = length(a.pose.position - a.center) + a.shape.boundingRadius;
    const Real extentB = length(b.pose.position - b.center) + b.shape.boundingRadius;
    const Vec3& w = extentA > extentB ? a.angularVelocity : b.angularVelocity;
    const Real together = length(velocity - cross(w, b.center - a.center)) +
                          length(b.angularVelocity - a.angularVelocity) * min(extentA, extentB);
    // The arm between the centres turns and grows meanwhile; 1.25 covers that where both bounds are close.
    return min(length(velocity) + turningSpeed(a) + turningSpeed(b), Real(1.25) * together);
}

// The interval of time in which the bounding balls of the two are within reach of each other; none where end < begin.
struct Interval {
    Real begin, end;
};
Interval whileNear(const MovingShape& a, const MovingShape& b, Real reach, Real duration) {
    const auto radius = [](const MovingShape& moving) {
        return length(moving.pose.position - moving.center) + moving.shape.boundingRadius;
    };
    const Vec3d start = toDouble(b.center - a.center), way = toDouble(b.velocity - a.velocity);
    const double near = double(radius(a)) + double(radius(b)) + double(reach);
    // |start + way t|^2 = near^2
    const double squared = dot(way, way), half = dot(start, way), rest = dot(start, start) - near * near;
    if (!(squared > 0))
        return rest <= 0 ? Interval{0, duration} : Interval{0, -1};
    const double inside = half * half - squared * rest;
    if (inside < 0)
        return {0, -1};
    const double root = std::sqrt(inside);
    return {max(0, Real((-half - root) / squared)), min(duration, Real((-half + root) / squared))};
}

const ContactPoint* deepestPoint(const ManifoldList& manifolds, Vec3& normal) {
    const ContactPoint* best = nullptr;
    for (const ContactManifold& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i)
            if (!best || manifold.points[i].separation < best->separation) {
                best = &manifold.points[i];
                normal = manifold.normal;
            }
    return best;
}

}  // namespace

TimeOfImpact advanceLevelSets(const MovingShape& a, const MovingShape& b, Real duration, Real separation, Real tolerance) {
    thread_local ManifoldList manifolds;
    tolerance = max(tolerance, kToleranceCells * max(cellOf(a.shape), cellOf(b.shape)));
    const Real spread = kNormalCells * max(cellOf(a.shape), cellOf(b.shape));
    const Real speed = relativeSpeed(a, b);
    // Far points cost as much as near ones: a few looks of short range are cheaper than one of long range.
    constexpr Real kLooks = 16;
    const Real glance = max(min(a.shape.innerRadius, b.shape.innerRadius), speed * duration / kLooks);
    TimeOfImpact impact;
    const Interval near = whileNear(a, b, separation + 2 * tolerance, duration);
    if (near.end < near.begin)
        return impact;
    Real time = near.begin;
    for (int look = 0; look < kMostLooks; ++look) {
        manifolds.clear();
        const Real reach = separation + tolerance + min(speed * (duration - time), glance);
        const Real apart = collide(a.shape, poseAt(a, time), b.shape, poseAt(b, time), {reach, spread}, manifolds);
        if (manifolds.empty()) {
            if (!(apart < separation + tolerance + speed * (duration - time)))
                return impact;
            time += max(apart - separation, tolerance) / speed;
        } else {
            const ContactPoint* point = deepestPoint(manifolds, impact.normal);
            impact.onA = point->onA;
            impact.onB = point->onB;
            impact.time = time;
            if (point->separation <= separation + tolerance || look + 1 == kMostLooks) {
                impact.status = time > 0 ? TimeOfImpact::Status::Meets : TimeOfImpact::Status::Touching;
                return impact;
            }
            time += max(point->separation - separation, tolerance) / speed;
        }
        if (!(time <= near.end) || !(speed > 0))
            break;
    }
    return {};
}

}  // namespace sunder::collision
