#include "collision/query/level_set_query.h"

#include "collision/continuous/children.h"
#include "collision/continuous/time_of_impact.h"
#include "collision/narrow_phase/collide.h"

namespace sunder::collision {
namespace {

constexpr int kMostSteps = 512;  // of a ray: bounds its cost
constexpr int kBisections = 24;  // once the surface is between two steps: to float precision
// Cells: least step of a ray, at which it crosses the surface.
constexpr double kLeastStep = 0.05;
// Share of the distance that a ray may step: the interpolated field may exceed the true distance.
constexpr double kStepShare = 0.9;
// Iterations of sliding along the surface towards the query point.
constexpr int kSlides = 16;
// Share of the smaller shape's radius at which a cast counts as touching.
constexpr Real kTouch = Real(1e-4);

double distanceAt(const LevelSetShape& shape, const Vec3d& p) { return geometry::sample(shape.field(), toReal(p)).distance; }

Vec3d normalAt(const LevelSetShape& shape, const Vec3d& p) {
    return normalizeOr(toDouble(geometry::sample(shape.field(), toReal(p)).gradient), {0, 1, 0});
}

// The surface point near p, along the gradient.
Vec3d ontoSurface(const LevelSetShape& shape, Vec3d p) {
    for (int i = 0; i < 4; ++i) {
        const geometry::FieldSample sample = geometry::sample(shape.field(), toReal(p));
        const Vec3d gradient = toDouble(sample.gradient);
        const double squared = dot(gradient, gradient);
        if (!(squared > 1e-6))
            break;
        p = p - gradient * (double(sample.distance) / squared);
    }
    return p;
}

Vec3d nearestParticle(const LevelSetShape& shape, const Vec3d& p) {
    Vec3d best;
    double least = kNever;
    for (const Vec3& particle : shape.solid->particles.positions)
        if (const Vec3d arm = toDouble(particle) - p; dot(arm, arm) < least) {
            least = dot(arm, arm);
            best = toDouble(particle);
        }
    return best;
}

Pose poseOf(const ShapeAt& at) { return {toReal(at.position), at.orientation}; }

CastHit startInside(const ManifoldList& manifolds) {
    CastHit hit;
    hit.startsInside = true;
    for (const ContactManifold& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i)
            if (const ContactPoint& point = manifold.points[i]; - double(point.separation) >= hit.depth) {
                hit.depth = -double(point.separation);
                hit.normal = toDouble(-manifold.normal);
                hit.point = toDouble(point.onB);
            }
    return hit;
}

}  // namespace

std::optional<CastHit> castAtLevelSet(const LevelSetShape& shape, const Vec3d& o, const Vec3d& d, double maxFraction) {
    const double rayLength = length(d), least = kLeastStep * double(shape.field().grid.cell) / rayLength;
    double t = entryFraction(shape.bounds, o, d, {});
    CastHit hit;
    if (!(t <= maxFraction) || !(rayLength > 0))
        return std::nullopt;
    double before = t;
    for (int step = 0; step < kMostSteps && t <= maxFraction; ++step) {
        const double distance = distanceAt(shape, o + d * t);
        if (distance < 0) {
            if (t == 0) {
                hit.startsInside = true;
                hit.normal = normalizeOr(-d, {0, 1, 0});
                return hit;
            }
            for (int i = 0; i < kBisections; ++i) {
                const double middle = 0.5 * (before + t);
                (distanceAt(shape, o + d * middle) < 0 ? t : before) = middle;
            }
            hit.fraction = t;
            hit.normal = normalAt(shape, o + d * t);
            return hit;
        }
        before = t;
        t += greater(kStepShare * distance / rayLength, least);
    }
    return std::nullopt;
}

DistanceHit toLevelSet(const Vec3d& p, const LevelSetShape& shape) {
    // Slide from the nearest particle along the surface to the point nearest to p.
    Vec3d q = ontoSurface(shape, nearestParticle(shape, p));
    double pace = 0.7;  // reduced where the point is farther away than the surface's radius of curvature
    for (int i = 0; i < kSlides; ++i) {
        const Vec3d n = normalAt(shape, q), arm = p - q;
        const Vec3d next = ontoSurface(shape, q + (arm - n * dot(arm, n)) * pace);
        if (dot(p - next, p - next) < dot(arm, arm))
            q = next;
        else
            pace *= 0.5;
    }
    const bool isInside = distanceAt(shape, p) < 0;
    const double distance = length(p - q);
    const Vec3d outward = normalAt(shape, q);
    DistanceHit hit;
    hit.distance = isInside ? -distance : distance;
    hit.point = q;
    hit.normal = distance > 1e-9 ? normalizeOr((p - q) * (isInside ? -1.0 : 1.0), outward) : outward;
    return hit;
}

std::optional<CastHit> castWithLevelSet(const ShapeAt& moving, const Vec3d& displacement, const ShapeAt& target,
                                        double maxFraction) {
    thread_local ManifoldList manifolds;
    manifolds.clear();
    const Pose poseMoving = poseOf(moving), poseTarget = poseOf(target);
    const Real touch = kTouch * min(moving.shape.boundingRadius, target.shape.boundingRadius);
    const TimeOfImpact impact =
        findTimeOfImpact({moving.shape, poseMoving, poseMoving.position, toReal(displacement), {}},
                         {target.shape, poseTarget, poseTarget.position, {}, {}}, Real(maxFraction), 0, touch);
    if (impact.status == TimeOfImpact::Status::Apart)
        return std::nullopt;
    CastHit hit;
    if (impact.status == TimeOfImpact::Status::Touching) {
        collide(moving.shape, poseMoving, target.shape, poseTarget, touch, manifolds);
        hit = startInside(manifolds);
        hit.startsInside = hit.depth > 0;
    } else {
        hit.fraction = impact.time;
        hit.normal = toDouble(-impact.normal);
        hit.point = toDouble(impact.onB);
    }
    hit.child = target.shape.type == ShapeType::Compound ? impact.childB : kNoIndex;
    hit.castChild = moving.shape.type == ShapeType::Compound ? impact.childA : kNoIndex;
    return hit;
}

bool touchesLevelSet(const ShapeAt& shape, const ShapeAt& target) {
    thread_local ManifoldList manifolds;
    manifolds.clear();
    const Real touch = kTouch * min(shape.shape.boundingRadius, target.shape.boundingRadius);
    collide(shape.shape, poseOf(shape), target.shape, poseOf(target), touch, manifolds);
    for (const ContactManifold& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i)
            if (manifold.points[i].separation <= 0)
                return true;
    return false;
}

}  // namespace sunder::collision
