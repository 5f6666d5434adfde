// Children and triangles one by one, each searched only up to the earliest meeting known so far.
#include "collision/continuous/time_of_impact.h"

#include <vector>

#include "collision/continuous/advancement.h"
#include "collision/continuous/level_set_advancement.h"
#include "collision/continuous/parts.h"

namespace sunder::collision {
namespace {

struct ShapeMotion {
    Placement start;  // of the shape or of a part of it
    Vec3d center, velocity, spin;

    CoreMotion of(const ConvexCore& core) const { return withReach({core, start, center, velocity, spin}); }
};

ShapeMotion motionOf(const MovingShape& moving) {
    return {toPlacement(moving.pose), toDouble(moving.center), toDouble(moving.velocity), toDouble(moving.angularVelocity)};
}

ShapeMotion partMotion(const ShapeMotion& whole, const Placement& wholeFromPart) {
    ShapeMotion part = whole;
    part.start = compose(whole.start, wholeFromPart);
    return part;
}

struct Search {
    double end;  // the earliest meeting known, or the duration
    double separation, tolerance;
    std::uint32_t childA = 0, childB = 0;  // the pair being looked at
    TimeOfImpact found{};

    bool isOver() const { return found.status == TimeOfImpact::Status::Touching; }
    // True where the meeting is earlier than any before.
    bool take(const Meeting& meeting) {
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
};

// The farthest that any point of the core gets from the centre it turns about.
double farthest(const CoreMotion& motion) { return length(motion.start.origin - motion.center) + motion.core.size; }

// Where the convex shape's centre goes, in the frame of the mesh at time 0, and the ball about it that holds the shape.
struct WayInMesh {
    Vec3d origin, displacement;
    double radius = 0;

    WayInMesh(const ShapeMotion& mesh, const CoreMotion& convex, const Search& search) {
        const Vec3d approach = convex.velocity - mesh.velocity;
        origin = innerPoint(mesh.start, convex.center);
        displacement = innerDirection(mesh.start, approach) * search.end;
        radius = farthest(convex) + search.separation + search.tolerance;
        const double rate = length(mesh.spin);
        if (rate > 0) {
            // Seen from a mesh that turns the way is curved; a ball that holds it will do.
            const double arm = length(convex.center - mesh.center) + length(approach) * search.end;
            radius += (length(approach) + rate * arm) * search.end;
            displacement = {};
        }
    }
};

void searchMesh(const geometry::TriangleMesh& mesh, const ShapeMotion& motion, const CoreMotion& convex, bool meshIsFirst,
                Search& search) {
    const WayInMesh way(motion, convex, search);
    const double duration = search.end;
    const Vec3d grow{way.radius, way.radius, way.radius};
    const Vec3d middle = innerPoint(motion.start, outerPoint(convex.start, convex.core.center));
    mesh.nearest(
        search.end, [&](const Bounds& bounds) { return entryFraction(bounds, way.origin, way.displacement, grow) * duration; },
        [&](std::uint32_t triangle) {
            const TriangleCorners corners(mesh, triangle);
            if (search.isOver() || dot(toDouble(mesh.normal(triangle)), middle - toDouble(corners.corner[0])) < 0)
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
    search.take(findMeeting(motionA.of(coreA), motionB.of(coreB), search.end, search.separation, search.tolerance));
}

// A part of a compound, or the whole of another shape, and a box that it does not leave before the end of the search.
struct Part {
    const BuiltShape* shape;
    Placement shapeFromPart;
    std::uint32_t child;
    Bounds box;
};

// velocity: against what the other shape is taken to be at rest.
void listParts(const MovingShape& moving, const Vec3& velocity, Real duration, Real margin, std::vector<Part>& parts) {
    parts.clear();
    const Real rate = length(moving.angularVelocity);
    const auto add = [&](const BuiltShape& shape, const Pose& fromPart, std::uint32_t child) {
        Bounds box = worldBounds(shape, moving.pose * fromPart);
        const Vec3 arm = max(moving.center - box.low, box.high - moving.center);
        const Real rounding = Real(1e-5) * (1 + length(arm));
        box = expand(box, margin + rounding + rate * length(arm) * duration);
        const Vec3 way = velocity * duration;
        box = unite(box, {box.low + way, box.high + way});
        parts.push_back({&shape, toPlacement(fromPart), child, box});
    };
    if (moving.shape.type != ShapeType::Compound)
        return add(moving.shape, {}, 0);
    for (std::uint32_t i = 0; i < moving.shape.children.size(); ++i)
        add(*moving.shape.children[i].shape, moving.shape.children[i].parentFromChild, i);
}

Bounds wholeOf(const std::vector<Part>& parts) {
    Bounds whole;
    for (const Part& part : parts)
        whole = unite(whole, part.box);
    return whole;
}

void keepOverlapping(std::vector<Part>& parts, const Bounds& other) {
    std::erase_if(parts, [&](const Part& part) { return !overlaps(part.box, other); });
}

}  // namespace

TimeOfImpact findTimeOfImpact(const MovingShape& a, const MovingShape& b, Real duration, Real separation, Real tolerance) {
    if (a.shape.hasLevelSet || b.shape.hasLevelSet)
        return advanceLevelSets(a, b, duration, separation, tolerance);
    const ShapeMotion motionA = motionOf(a), motionB = motionOf(b);
    Search search{double(duration), double(separation), double(tolerance)};
    if (a.shape.type != ShapeType::Compound && b.shape.type != ShapeType::Compound) {
        searchPair(a.shape, motionA, b.shape, motionB, search);
        return search.found;
    }
    // Of two walls of a thousand bricks each few can meet: those whose ways do.
    thread_local std::vector<Part> partsA, partsB;
    listParts(a, {}, duration, separation + tolerance, partsA);
    listParts(b, b.velocity - a.velocity, duration, 0, partsB);
    keepOverlapping(partsA, wholeOf(partsB));
    keepOverlapping(partsB, wholeOf(partsA));
    for (const Part& partA : partsA)
        for (const Part& partB : partsB) {
            if (search.isOver())
                return search.found;
            if (!overlaps(partA.box, partB.box))
                continue;
            search.childA = partA.child;
            search.childB = partB.child;
            searchPair(*partA.shape, partMotion(motionA, partA.shapeFromPart), *partB.shape,
                       partMotion(motionB, partB.shapeFromPart), search);
        }
    return search.found;
}

}  // namespace sunder::collision
