// Children and triangles one by one, each searched only up to the earliest meeting found so far.
#include "collision/continuous/time_of_impact.h"

#include <vector>

#include "collision/continuous/advancement.h"
#include "collision/continuous/children.h"
#include "collision/continuous/level_set_advancement.h"
#include "collision/continuous/mesh_sweep.h"
#include "collision/turned_box.h"

namespace sunder::collision {
namespace {

struct ShapeMotion {
    Placement start;  // of the shape or of a child of it
    Vec3d center, velocity, spin;

    CoreMotion of(const ConvexCore& core) const { return withExtent({core, start, center, velocity, spin}); }
};

ShapeMotion motionOf(const MovingShape& moving) {
    return {toPlacement(moving.pose), toDouble(moving.center), toDouble(moving.velocity), toDouble(moving.angularVelocity)};
}

ShapeMotion childMotion(const ShapeMotion& whole, const Placement& wholeFromChild) {
    ShapeMotion child = whole;
    child.start = compose(whole.start, wholeFromChild);
    return child;
}

struct Search {
    double end;  // the earliest meeting found, or the duration
    double separation, tolerance, pause;
    Vec3d* axis = nullptr;                 // of two convex shapes
    double paused = kNever;                // the earliest time at which the search of a pair paused
    std::uint32_t childA = 0, childB = 0;  // of the pair that is being searched
    TimeOfImpact found{};

    bool isOver() const { return found.status == TimeOfImpact::Status::Touching; }
    // True where the meeting is earlier than any found before.
    bool take(const Meeting& meeting) {
        if (meeting.status == Meeting::Status::Paused) {
            paused = lesser(paused, meeting.time);
            return false;
        }
        const bool isEarlier = found.status == TimeOfImpact::Status::Apart || meeting.time < end;
        if (meeting.status == Meeting::Status::Apart || !isEarlier)
            return false;
        end = meeting.time;
        found.status =
            meeting.status == Meeting::Status::Touching ? TimeOfImpact::Status::Touching : TimeOfImpact::Status::Meets;
        found.time = Real(meeting.time);
        found.normal = meeting.hasNormal ? toReal(meeting.normal) : Vec3{};
        found.onA = toReal(meeting.onA);
        found.onB = toReal(meeting.onB);
        found.childA = childA;
        found.childB = childB;
        return true;
    }
    TimeOfImpact result() const {
        const bool isLater = found.status == TimeOfImpact::Status::Meets && paused < end;
        if (!isLater && !(found.status == TimeOfImpact::Status::Apart && paused < kNever))
            return found;
        TimeOfImpact unsure;
        unsure.status = TimeOfImpact::Status::Paused;
        unsure.time = Real(paused);
        return unsure;
    }
};

void searchMesh(const geometry::TriangleMesh& mesh, const ShapeMotion& motion, const CoreMotion& convex, bool meshIsFirst,
                Search& search) {
    const MeshSweep sweep({convex.core, motion.start, motion.center, motion.velocity, motion.spin}, convex, search.end,
                          search.separation + search.tolerance);
    mesh.nearest(
        search.end, [&](const Bounds& bounds) { return sweep.entryTime(bounds); },
        [&](std::uint32_t triangle) {
            const TriangleCorners corners(mesh, triangle);
            if (search.isOver() || !sweep.mayMeet(corners.corner, mesh.normal(triangle), search.end))
                return search.end;
            const ConvexCore core(corners.corner);
            const CoreMotion moving = motion.of(core);
            const Meeting meeting = meshIsFirst ? findMeeting(moving, convex, search.end, search.separation, search.tolerance)
                                                : findMeeting(convex, moving, search.end, search.separation, search.tolerance);
            if (search.take(meeting))
                search.found.triangle = triangle;
            return search.end;
        });
}

void searchPair(const BuiltShape& a, const ShapeMotion& motionA, const BuiltShape& b, const ShapeMotion& motionB,
                Search& search) {
    if (a.type == ShapeType::Mesh && b.type == ShapeType::Mesh)
        return;
    if (a.type == ShapeType::Mesh) {
        const ConvexCore core(b);
        return searchMesh(*a.mesh, motionA, motionB.of(core), true, search);
    }
    const ConvexCore coreA(a);
    if (b.type == ShapeType::Mesh)
        return searchMesh(*b.mesh, motionB, motionA.of(coreA), false, search);
    const ConvexCore coreB(b);
    search.take(findMeeting(motionA.of(coreA), motionB.of(coreB), search.end, search.separation, search.tolerance, search.pause,
                            search.axis));
}

// A child of a compound, or the whole of another shape, and a box that it does not leave before the end of the search.
struct SweptChild {
    const BuiltShape* shape;
    Placement shapeFromChild;
    std::uint32_t index;
    Bounds box;
};

// A box, in the frame of the shape, that the other one does not leave before the end of the search, seen from the shape.
Bounds reachOfOther(const MovingShape& moving, const MovingShape& other, Real duration, Real margin) {
    const Vec3 between = other.pose.position - moving.pose.position;
    const Real rates = length(moving.angularVelocity) + length(other.angularVelocity);
    const Real turned = rates * duration *
                        (length(between) + length(other.center - other.pose.position) +
                         length(moving.center - moving.pose.position) + other.shape.boundingRadius);
    const Real reach = other.shape.boundingRadius + margin + length(other.velocity - moving.velocity) * duration + turned;
    const Vec3 middle = inverseRotate(moving.pose.orientation, between);
    return expand(Bounds{middle, middle}, reach + Real(1e-5) * (1 + length(middle) + reach));
}

// The children that may meet the other shape. velocity: relative to it, which is taken to be at rest.
void listChildren(const MovingShape& moving, const MovingShape& other, const Vec3& velocity, Real duration, Real margin,
                  std::vector<SweptChild>& children) {
    children.clear();
    const Real rate = length(moving.angularVelocity);
    const bool isShell = std::holds_alternative<Shell>(moving.shape.definition);
    const auto add = [&](const BuiltShape& shape, const Pose& fromChild, std::uint32_t index) {
        const Pose pose = moving.pose * fromChild;
        Bounds box = isShell ? TurnedBox(shape.localBounds, pose).bounds() : worldBounds(shape, pose);
        const Vec3 arm = max(moving.center - box.low, box.high - moving.center);
        const Real rounding = Real(1e-5) * (1 + length(arm));
        box = expand(box, margin + rounding + rate * length(arm) * duration);
        const Vec3 way = velocity * duration;
        box = unite(box, {box.low + way, box.high + way});
        children.push_back({&shape, toPlacement(fromChild), index, box});
    };
    if (moving.shape.type != ShapeType::Compound)
        return add(moving.shape, {}, 0);
    const Bounds near = isShell ? reachOfOther(moving, other, duration, margin) : Bounds{};
    for (std::uint32_t i = 0; i < moving.shape.children.size(); ++i)
        if (!isShell || overlaps(moving.shape.children[i].bounds, near))
            add(*moving.shape.children[i].shape, moving.shape.children[i].parentFromChild, i);
}

Bounds wholeOf(const std::vector<SweptChild>& children) {
    Bounds whole;
    for (const SweptChild& child : children)
        whole = unite(whole, child.box);
    return whole;
}

void keepOverlapping(std::vector<SweptChild>& children, const Bounds& other) {
    std::erase_if(children, [&](const SweptChild& child) { return !overlaps(child.box, other); });
}

}  // namespace

TimeOfImpact findTimeOfImpact(const MovingShape& a, const MovingShape& b, Real duration, Real separation, Real tolerance,
                              Real pause, Vec3d* axis) {
    if (a.shape.hasLevelSet || b.shape.hasLevelSet)
        return advanceLevelSets(a, b, duration, separation, tolerance);
    const ShapeMotion motionA = motionOf(a), motionB = motionOf(b);
    Search search{double(duration), double(separation), double(tolerance), double(pause)};
    if (a.shape.type != ShapeType::Compound && b.shape.type != ShapeType::Compound) {
        search.axis = axis;
        searchPair(a.shape, motionA, b.shape, motionB, search);
        return search.result();
    }
    // Only pairs of children whose swept boxes overlap are tried: few of the million of two walls of a thousand bricks.
    thread_local std::vector<SweptChild> childrenA, childrenB;
    listChildren(a, b, {}, duration, separation + tolerance, childrenA);
    if (childrenA.empty())
        return search.result();
    listChildren(b, a, b.velocity - a.velocity, duration, separation + tolerance, childrenB);
    keepOverlapping(childrenA, wholeOf(childrenB));
    keepOverlapping(childrenB, wholeOf(childrenA));
    for (const SweptChild& childA : childrenA)
        for (const SweptChild& childB : childrenB) {
            if (search.isOver())
                return search.result();
            if (!overlaps(childA.box, childB.box))
                continue;
            search.childA = childA.index;
            search.childB = childB.index;
            searchPair(*childA.shape, childMotion(motionA, childA.shapeFromChild), *childB.shape,
                       childMotion(motionB, childB.shapeFromChild), search);
        }
    return search.result();
}

}  // namespace sunder::collision
