// At a time t the closest points give a direction n along which the bodies are a gap apart. Whatever turns, no point of a body
// approaches along n faster than
//     closing = n . (vA - vB) + |n x wA| rA + |n x wB| rB        r: the extent from its axis
// so they cannot meet before t + gap / closing. Without turning this is Newton's method on a convex function, which takes a few
// looks. A turning body first advances along the fixed n, where support points take the place of the closest-point search.
#include "collision/continuous/advancement.h"

#include <utility>

#include "collision/narrow_phase/core/gjk.h"
#include "collision/narrow_phase/mesh/convex_triangle.h"
#include "math/trigonometry.h"

namespace sunder::collision {
namespace {

// Two or three suffice for most pairs; slow: a long blade that turns just past its target.
constexpr int kMaxLooks = 64;
constexpr int kMaxStrides = 8;  // along one direction

// v turned about the unit axis.
Vec3d turned(const Vec3d& v, const Vec3d& axis, double sine, double cosine) {
    return v * cosine + cross(axis, v) * sine + axis * (dot(axis, v) * (1 - cosine));
}

// Both cores at one time, relative to A's centre at that time, so that no digits are lost on long paths.
struct Look {
    PlacedCore a, b;
    Vec3d origin;

    Look(const CoreMotion& motionA, const CoreMotion& motionB, double time)
        : a{motionA.core, placementAt(motionA, time)},
          b{motionB.core, placementAt(motionB, time)},
          origin(motionA.center + motionA.velocity * time) {
        a.placement.origin = a.placement.origin - origin;
        b.placement.origin = b.placement.origin - origin;
    }
};

// Where a core reaches farthest along a direction, without turning the core there: the direction is turned back instead.
class Reach {
public:
    explicit Reach(const CoreMotion& motion) : fromCenter_{motion.core, motion.start} {
        fromCenter_.placement.origin = motion.start.origin - motion.center;
        rate_ = length(motion.spin);
        if (rate_ > 0)
            axis_ = motion.spin * (1 / rate_);
    }
    // From the point about which it turns, along n at that time.
    double along(const Vec3d& n, double time) const {
        Vec3d before = n;
        if (rate_ * time > 0) {
            const SinCos angle = sinCos(Real(rate_ * time));
            before = turned(n, axis_, -double(angle.sin), angle.cos);
        }
        return dot(before, fromCenter_.support(before));
    }

private:
    PlacedCore fromCenter_;
    Vec3d axis_;
    double rate_ = 0;
};

// Share of the sizes: closer than this the direction from a point to a triangle would be rounding.
constexpr double kPointTouches = 1e-10;

// findClosestPoints for a point and a triangle, which needs no search.
ClosestPoints pointToTriangle(const PlacedCore& point, const PlacedCore& triangle, double maxDistance) {
    const Vec3d from = point.center();
    Vec3d corner[3];
    for (int i = 0; i < 3; ++i)
        corner[i] = outerPoint(triangle.placement, triangle.core.polyhedron.vertex(i)) - from;
    const Vec3d to = nearestToOrigin(corner).point;
    ClosestPoints closest;
    closest.distance = length(to);
    if (closest.distance > maxDistance)
        return closest;
    closest.status = ClosestPoints::Status::Touching;
    if (!(closest.distance > kPointTouches * (point.core.size + triangle.core.size)))
        return closest;
    closest.status = ClosestPoints::Status::Apart;
    closest.normal = to * (1 / closest.distance);
    closest.onA = from;
    closest.onB = from + to;
    return closest;
}

ClosestPoints closestPoints(const PlacedCore& a, const PlacedCore& b, double maxDistance, const Vec3d* axis) {
    if (a.core.kind == CoreKind::Point && b.core.kind == CoreKind::Triangle)
        return pointToTriangle(a, b, maxDistance);
    if (!(b.core.kind == CoreKind::Point && a.core.kind == CoreKind::Triangle))
        return findClosestPoints(a, b, maxDistance, axis);
    ClosestPoints closest = pointToTriangle(b, a, maxDistance);
    std::swap(closest.onA, closest.onB);
    closest.normal = -closest.normal;
    return closest;
}

}  // namespace

CoreMotion withExtent(CoreMotion motion) {
    const double rate = length(motion.spin);
    motion.extent = 0;
    if (!(rate > 0))
        return motion;
    const Vec3d axis = motion.spin * (1 / rate);
    const auto fromAxis = [&](const Vec3d& arm) { return length(cross(axis, arm)); };
    const Vec3d arm = motion.start.origin - motion.center;
    if (motion.core.kind == CoreKind::Cylinder) {
        motion.extent = fromAxis(arm) + motion.core.halfHeight * fromAxis(motion.start.axisY) + motion.core.radius;
        return motion;
    }
    for (int i = 0; i < motion.core.polyhedron.vertexCount; ++i)
        motion.extent = greater(motion.extent, fromAxis(arm + outerDirection(motion.start, motion.core.polyhedron.vertex(i))));
    return motion;
}

Placement placementAt(const CoreMotion& motion, double time) {
    Placement placed = motion.start;
    const double rate = length(motion.spin);
    const Vec3d center = motion.center + motion.velocity * time;
    Vec3d arm = motion.start.origin - motion.center;
    const bool isBall = motion.core.kind == CoreKind::Point && !(dot(arm, arm) > 0);  // it looks the same however it turns
    if (rate * time > 0 && !isBall) {
        const Vec3d axis = motion.spin * (1 / rate);
        const SinCos angle = sinCos(Real(rate * time));
        const auto turn = [&](const Vec3d& v) { return turned(v, axis, angle.sin, angle.cos); };
        placed.axisX = turn(placed.axisX);
        placed.axisY = turn(placed.axisY);
        placed.axisZ = cross(placed.axisX, placed.axisY);
        if (dot(arm, arm) > 0)
            arm = turn(arm);
    }
    placed.origin = center + arm;
    return placed;
}

namespace {

// Advances along directions that part the two, and knows what came of it.
class Advance {
public:
    Advance(const CoreMotion& a, const CoreMotion& b, double duration, double separation, double tolerance, double pause)
        : a_(a),
          b_(b),
          reachA_(a),
          reachB_(b),
          approach_(a.velocity - b.velocity),
          rounding_(a.core.rounding + b.core.rounding),
          duration_(duration),
          separation_(separation),
          tolerance_(tolerance),
          pause_(pause) {
        const double turning = length(a.spin) * a.extent + length(b.spin) * b.extent;
        fastest_ = length(approach_) + turning;
        strides_ = turning > 0 ? kMaxStrides : 1;
    }

    double time() const { return time_; }
    double rounding() const { return rounding_; }
    // m: cores that are farther apart do not meet any more.
    double visible() const { return rounding_ + separation_ + tolerance_ + fastest_ * (duration_ - time_); }
    bool isNear(double gap) const { return !(gap > separation_ + tolerance_); }
    // m: how far the surfaces are apart along n, at least.
    double gapAlong(const Vec3d& n) const {
        return dot(n, b_.center - a_.center - approach_ * time_) - reachA_.along(n, time_) - reachB_.along(-n, time_) -
               rounding_;
    }
    // From a gap along n as far as that direction parts the two, or past the pause; false where it does so to the end.
    bool along(const Vec3d& n, double gap) {
        const double closing =
            dot(n, approach_) + length(cross(n, a_.spin)) * a_.extent + length(cross(n, b_.spin)) * b_.extent;
        for (int stride = 0; stride < strides_ && !isNear(gap); ++stride) {
            if (!(closing > 0) || !(closing * (duration_ - time_) >= gap - separation_))
                return false;
            time_ += (gap - separation_) / closing;
            if (time_ > pause_)
                return true;
            if (stride + 1 < strides_)
                gap = gapAlong(n);
        }
        return true;
    }

private:
    const CoreMotion &a_, &b_;
    Reach reachA_, reachB_;
    Vec3d approach_;
    double rounding_, duration_, separation_, tolerance_, pause_;
    double fastest_ = 0, time_ = 0;
    int strides_ = 1;
};

}  // namespace

Meeting findMeeting(const CoreMotion& a, const CoreMotion& b, double duration, double separation, double tolerance,
                    double pause, Vec3d* axis) {
    Meeting result;
    Advance advance(a, b, duration, separation, tolerance, pause);
    const auto isKnown = [&] { return axis != nullptr && dot(*axis, *axis) > 0; };
    if (isKnown() && !advance.along(*axis, advance.gapAlong(*axis)))
        return result;
    const bool hasAdvanced = advance.time() > 0;
    for (result.looks = 1; result.looks <= kMaxLooks; ++result.looks) {
        const double time = advance.time();
        if (time > pause && (result.looks > 1 || hasAdvanced)) {
            result.status = Meeting::Status::Paused;
            result.time = time;
            return result;
        }
        const Look look(a, b, time);
        const ClosestPoints closest = closestPoints(look.a, look.b, advance.visible(), isKnown() ? axis : nullptr);
        if (closest.status == ClosestPoints::Status::Beyond)
            return result;
        const bool apart = closest.status == ClosestPoints::Status::Apart;
        const double gap = (apart ? closest.distance : 0) - advance.rounding();
        result.time = time;
        if (apart) {
            result.hasNormal = true;
            result.normal = closest.normal;
            result.onA = look.origin + closest.onA + closest.normal * a.core.rounding;
            result.onB = look.origin + closest.onB - closest.normal * b.core.rounding;
            if (axis != nullptr)
                *axis = closest.normal;
        }
        if (advance.isNear(gap)) {
            result.status = time > 0 ? Meeting::Status::Meets : Meeting::Status::Touching;
            return result;
        }
        if (!advance.along(result.normal, gap))
            return result;
    }
    result.status = Meeting::Status::Meets;
    return result;
}

}  // namespace sunder::collision
