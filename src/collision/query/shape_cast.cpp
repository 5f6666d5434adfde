// Child by child, by conservative advancement without turning.
#include "collision/query/shape_cast.h"

#include "collision/continuous/advancement.h"
#include "collision/continuous/box_sweep.h"
#include "collision/narrow_phase/convex/collide_convex.h"
#include "collision/narrow_phase/core/gjk.h"
#include "collision/narrow_phase/mesh/convex_triangle.h"
#include "collision/query/level_set_query.h"

namespace sunder::collision {
namespace {

// Gap at which a cast counts as touching: in sizes of the smaller shape, but more than the search resolves of both together.
constexpr double kTouchOfSmaller = 1e-7, kTouchOfBoth = 1e-9;

double touchingGap(const ConvexCore& a, const ConvexCore& b) {
    return greater(kTouchOfSmaller * lesser(a.size, b.size), kTouchOfBoth * (a.size + b.size));
}

// A child of a compound, or the whole of another shape, with its placement in the frame of the query.
struct ChildAt {
    const BuiltShape& shape;
    Placement placement;
    Quat orientation;
    std::uint32_t index;
};

template <class Visit>
void forEachChildAt(const ShapeAt& whole, Visit&& visit) {
    const Placement outer = whole.placement();
    const bool isCompound = whole.shape.type == ShapeType::Compound;
    forEachChild(whole.shape, [&](const BuiltShape& child, const Placement& fromChild, std::uint32_t index) {
        const Quat turn = isCompound ? whole.shape.children[index].parentFromChild.orientation : Quat{};
        visit(ChildAt{child, compose(outer, fromChild), normalize(whole.orientation * turn), isCompound ? index : kNoIndex});
    });
}

// Half size, along the mesh's axes, of a box about the child's origin that holds it.
Vec3d halfSizeIn(const Placement& mesh, const ChildAt& child) {
    const Vec3d r{child.shape.boundingRadius, child.shape.boundingRadius, child.shape.boundingRadius};
    if (child.shape.type != ShapeType::Box)
        return r;
    const Placement relative = relativePlacement(mesh, child.placement);
    const Vec3d h = toDouble(child.shape.halfExtents);
    const auto reach = [&](double x, double y, double z) {
        return std::fabs(x) * h.x + std::fabs(y) * h.y + std::fabs(z) * h.z;
    };
    return {reach(relative.axisX.x, relative.axisY.x, relative.axisZ.x),
            reach(relative.axisX.y, relative.axisY.y, relative.axisZ.y),
            reach(relative.axisX.z, relative.axisY.z, relative.axisZ.z)};
}

// The hit from the view of the shape that was hit (B). Only an overlap of the cores leaves no direction.
CastHit hitOf(const Meeting& meeting) {
    CastHit hit;
    hit.fraction = meeting.time;
    hit.normal = meeting.hasNormal ? -meeting.normal : Vec3d{};
    hit.point = meeting.onB;
    if (meeting.status == Meeting::Status::Touching) {
        hit.depth = meeting.hasNormal ? greater(0, dot(meeting.onA - meeting.onB, meeting.normal)) : 0;
        hit.startsInside = hit.depth > 0 || !meeting.hasNormal;
    }
    return hit;
}

// Sets the way out of an overlap; the manifold is from the moving shape to the target, relative to `origin`.
void resolveOverlap(const ContactManifold& manifold, const Vec3d& origin, CastHit& hit) {
    const ContactPoint* deepest = nullptr;
    for (int i = 0; i < manifold.count; ++i)
        if (!deepest || manifold.points[i].separation < deepest->separation)
            deepest = &manifold.points[i];
    if (!deepest)
        return;
    hit.normal = toDouble(-manifold.normal);
    hit.depth = greater(0, -double(deepest->separation));
    hit.point = origin + toDouble(deepest->onB);
}

void resolveTriangle(const ChildAt& moving, const Placement& mesh, const TriangleCorners& corners, const Vec3d& front,
                     CastHit& hit) {
    const Vec3d origin = moving.placement.origin;
    Vec3 triangle[3];
    for (int i = 0; i < 3; ++i)
        triangle[i] = toReal(outerPoint(mesh, toDouble(corners.corner[i])) - origin);
    ContactManifold manifold = collideConvexTriangle(moving.shape, {{}, moving.orientation}, triangle, 0).manifold;
    if (manifold.count == 0) {
        // From behind no contact would push it out: the way out is the front, as far as the shape reaches below the plane.
        const ConvexCore core(moving.shape);
        const PlacedCore placed{core, moving.placement};
        hit.normal = front;
        hit.point = origin + toDouble(triangle[0]);
        hit.depth = greater(0, dot(front, hit.point - placed.support(-front)) + core.rounding);
        return;
    }
    manifold.normal = -manifold.normal;
    for (int i = 0; i < manifold.count; ++i)
        manifold.points[i].onB = manifold.points[i].onA;
    resolveOverlap(manifold, origin, hit);
}

class Cast {
public:
    Cast(const Vec3d& displacement, double maxFraction, bool backFaces, bool passLeft)
        : displacement_(displacement), end_(maxFraction), backFaces_(backFaces), passLeft_(passLeft) {}

    void search(const ChildAt& moving, const ChildAt& target) {
        if (isOver())
            return;
        const ConvexCore core(moving.shape);
        if (target.shape.type == ShapeType::Mesh)
            return searchMesh(moving, core, target);
        const ConvexCore other(target.shape);
        std::optional<CastHit> hit = look(moving, core, target.placement, other);
        if (!hit)
            return;
        if (hit->startsInside) {
            const Pose pose{toReal(moving.placement.origin - target.placement.origin), moving.orientation};
            resolveOverlap(collideConvex(moving.shape, pose, target.shape, {{}, target.orientation}, 0),
                           target.placement.origin, *hit);
        }
        hit->child = target.index;
        take(*hit, touchingGap(core, other));
    }
    const std::optional<CastHit>& best() const { return best_; }

private:
    bool isOver() const { return best_ && best_->startsInside; }

    // The hit, if it is earlier than any before.
    std::optional<CastHit> look(const ChildAt& moving, const ConvexCore& core, const Placement& placement,
                                const ConvexCore& other) const {
        const CoreMotion a{core, moving.placement, moving.placement.origin, displacement_, {}};
        const CoreMotion b{other, placement, placement.origin, {}, {}};
        const Meeting meeting = findMeeting(a, b, end_, 0, touchingGap(core, other));
        if (meeting.status == Meeting::Status::Apart || (best_ && !(meeting.time < best_->fraction)))
            return std::nullopt;
        CastHit hit = hitOf(meeting);
        hit.castChild = moving.index;
        return hit;
    }

    void take(CastHit hit, double gap) {
        hit.startsInside = hit.startsInside && hit.depth > gap;
        // A shape that only touches at the start and does not move into the surface slides along it or leaves it: no hit.
        if (!hit.startsInside && hit.fraction == 0 && dot(displacement_, hit.normal) >= 0)
            return;
        end_ = hit.fraction;
        best_ = hit;
    }

    void searchMesh(const ChildAt& moving, const ConvexCore& core, const ChildAt& target) {
        const geometry::TriangleMesh& mesh = *target.shape.mesh;
        const Vec3d origin = innerPoint(target.placement, moving.placement.origin);
        const Vec3d way = innerDirection(target.placement, displacement_);
        const BoxSweep sweep(origin, way, halfSizeIn(target.placement, moving));
        mesh.nearest(
            end_, [&](const Bounds& bounds) { return sweep.entry(bounds); },
            [&](std::uint32_t triangle) {
                const Vec3d front = toDouble(mesh.normal(triangle));
                if (isOver() || (!backFaces_ && dot(front, way) > 0))
                    return end_;
                const TriangleCorners corners(mesh, triangle);
                const ConvexCore other(corners.corner);
                std::optional<CastHit> hit = look(moving, core, target.placement, other);
                if (!hit)
                    return end_;
                if (hit->startsInside)
                    resolveTriangle(moving, target.placement, corners, outerDirection(target.placement, front), *hit);
                if (passLeft_ && hit->startsInside && !(dot(displacement_, hit->normal) < 0))
                    return end_;
                hit->child = target.index;
                hit->triangle = mesh.sourceIndex(triangle);
                take(*hit, touchingGap(core, other));
                return end_;
            });
    }

    Vec3d displacement_;
    double end_;
    bool backFaces_, passLeft_;
    std::optional<CastHit> best_;
};

bool touches(const PlacedCore& a, const PlacedCore& b) {
    const double rounding = a.core.rounding + b.core.rounding;
    return findClosestPoints(a, b, rounding).status != ClosestPoints::Status::Beyond;
}

bool childrenTouch(const ChildAt& child, const ChildAt& target) {
    const ConvexCore core(child.shape);
    const PlacedCore placed{core, relativePlacement(target.placement, child.placement)};
    if (target.shape.type != ShapeType::Mesh) {
        const ConvexCore other(target.shape);
        return touches(placed, {other, {}});
    }
    const geometry::TriangleMesh& mesh = *target.shape.mesh;
    const Vec3d grow = halfSizeIn(target.placement, child);
    bool found = false;
    mesh.nearest(
        0, [&](const Bounds& bounds) { return found ? kNever : entryFraction(bounds, placed.placement.origin, {}, grow); },
        [&](std::uint32_t triangle) {
            const TriangleCorners corners(mesh, triangle);
            const ConvexCore other(corners.corner);
            found = found || touches(placed, {other, {}});
            return 0.0;
        });
    return found;
}

}  // namespace

std::optional<CastHit> castShape(const ShapeAt& moving, const Vec3d& displacement, const ShapeAt& target, double maxFraction,
                                 bool backFaces, bool passLeft) {
    if (moving.shape.hasLevelSet || target.shape.hasLevelSet)
        return castWithLevelSet(moving, displacement, target, maxFraction);
    Cast cast(displacement, maxFraction, backFaces, passLeft);
    forEachChildAt(target, [&](const ChildAt& targetChild) {
        forEachChildAt(moving, [&](const ChildAt& movingChild) { cast.search(movingChild, targetChild); });
    });
    return cast.best();
}

bool findOverlap(const ShapeAt& shape, const ShapeAt& target) {
    if (shape.shape.hasLevelSet || target.shape.hasLevelSet)
        return touchesLevelSet(shape, target);
    bool found = false;
    forEachChildAt(target, [&](const ChildAt& targetChild) {
        forEachChildAt(shape, [&](const ChildAt& child) { found = found || childrenTouch(child, targetChild); });
    });
    return found;
}

}  // namespace sunder::collision
