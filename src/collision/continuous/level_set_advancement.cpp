#include "collision/continuous/level_set_advancement.h"

#include <cmath>

#include "collision/built_shape.h"
#include "collision/narrow_phase/collide.h"
#include "collision/narrow_phase/level_set/separating_plane.h"
#include "math/vec3d.h"

namespace sunder::collision {
namespace {

constexpr int kMostLooks = 48;  // bounds the cost; the last one counts as the meeting
// Share of the coarser grid's cell: the surface is not known more precisely.
constexpr Real kToleranceCells = Real(0.0625);
// Share of the coarser grid's cell: where a plane shows less room than this, particles tell more.
constexpr Real kLeastGain = Real(0.5);
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
struct TimeInterval {
    Real begin, end;
};
TimeInterval whileNear(const MovingShape& a, const MovingShape& b, Real reach, Real duration) {
    const auto radius = [](const MovingShape& moving) {
        return length(moving.pose.position - moving.center) + moving.shape.boundingRadius;
    };
    const Vec3d start = toDouble(b.center - a.center), way = toDouble(b.velocity - a.velocity);
    const double near = double(radius(a)) + double(radius(b)) + double(reach);
    // |start + way t|^2 = near^2
    const double squared = dot(way, way), half = dot(start, way), rest = dot(start, start) - near * near;
    if (!(squared > 0))
        return rest <= 0 ? TimeInterval{0, duration} : TimeInterval{0, -1};
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

// How far apart a plane shows two level sets to be, and how fast they can close that gap.
struct Clearance {
    Real gap = 0;      // m; 0 where there is no such plane
    Real closing = 0;  // m/s
};

// Of planes that part the two, the one whose gap would take longest to close: bodies that pass each other have one whose gap
// never closes. Only planes with more than `least` (m) between them count. left: s, beyond which planes are equally good.
Clearance clearanceOf(const MovingShape& a, const Pose& poseA, const MovingShape& b, const Pose& poseB, Real least, Real left) {
    Clearance best;
    if (a.shape.type != ShapeType::LevelSet || b.shape.type != ShapeType::LevelSet)
        return best;
    const Real turning = turningSpeed(a) + turningSpeed(b);
    const PlaneSearch planes(*a.shape.levelSet, poseA, *b.shape.levelSet, poseB);
    for (int i = 0; i < PlaneSearch::kAxes; ++i) {
        const Vec3 axis = planes.axis(i);
        const Real closing = dot(a.velocity - b.velocity, axis) + turning;
        // Better than the best so far: gap / closing > best.gap / best.closing.
        const Real enough = best.gap > 0 ? max(least, best.gap * closing / best.closing) : least;
        const Real gap = planes.gapAlong(axis, enough);
        if (!(gap > enough))
            continue;
        best = {gap, closing};
        if (!(gap - least <= closing * left))
            break;
    }
    return best;
}

}  // namespace

TimeOfImpact advanceLevelSets(const MovingShape& a, const MovingShape& b, Real duration, Real separation, Real tolerance,
                              Real apart) {
    thread_local ManifoldList manifolds;
    const Real cell = max(cellOf(a.shape), cellOf(b.shape));
    tolerance = max(tolerance, kToleranceCells * cell);
    const Real speed = relativeSpeed(a, b);
    // Far points cost as much as near ones: a few looks of short range are cheaper than one of long range.
    constexpr Real kLooks = 16;
    const Real glance = max(min(a.shape.innerRadius, b.shape.innerRadius), speed * duration / kLooks);
    TimeOfImpact impact;
    const TimeInterval near = whileNear(a, b, separation + 2 * tolerance, duration);
    Real time = near.begin;
    if (const Real gap = apart - separation; gap > speed * time)
        time = speed > 0 ? gap / speed : kInfinity;
    for (int look = 0; look < kMostLooks && time <= near.end; ++look) {
        manifolds.clear();
        const Pose poseA = poseAt(a, time), poseB = poseAt(b, time);
        const Real close = separation + tolerance;
        if (const auto [gap, closing] = clearanceOf(a, poseA, b, poseB, close + kLeastGain * cell, duration - time); gap > 0) {
            if (!(gap - close <= closing * (duration - time)))
                return impact;
            time += (gap - close) / closing;
            continue;
        }
        const Real left = speed * (duration - time);
        const Real reach = close + min(left, glance);
        const auto lookWithin = [&](Real spread) {
            return collide(a.shape, poseA, b.shape, poseB, {reach, spread}, manifolds);
        };
        const Real distance = lookWithin(0);
        if (manifolds.empty()) {
            if (!(distance < close + left))
                return impact;
            time += max(distance - separation, tolerance) / speed;
        } else {
            const ContactPoint* point = deepestPoint(manifolds, impact.normal);
            if (point->separation <= close || look + 1 == kMostLooks) {
                manifolds.clear();
                lookWithin(kNormalCells * cell);
                point = deepestPoint(manifolds, impact.normal);
                impact.onA = point->onA;
                impact.onB = point->onB;
                impact.time = time;
                impact.status = time > 0 ? TimeOfImpact::Status::Meets : TimeOfImpact::Status::Touching;
                return impact;
            }
            time += max(point->separation - separation, tolerance) / speed;
        }
        if (!(speed > 0))
            break;
    }
    return {};
}

}  // namespace sunder::collision
