#include "world/contact/sensors.h"

#include <algorithm>
#include <array>

#include "collision/continuous/time_of_impact.h"
#include "collision/query/shape_cast.h"
#include "collision/query/surface_query.h"
#include "world/contact/met_pair.h"
#include "world/contact/way_of.h"
#include "world/pair/distances.h"
#include "world/state/contact_filter.h"
#include "world/state/proxies.h"

namespace sunder::world {

namespace {

using collision::MovingShape;
using dynamics::SolverBody;

constexpr std::size_t kSensorPairsPerTask = 64;  // grain of the tasks
// Share of the smaller body's radius: a body that passes at less than this distance counts as touching.
constexpr Real kTolerance = Real(0.002);

bool maySense(const Body& a, const Body& b) {
    return (a.sensor || b.sensor) && !a.quarantined && !b.quarantined &&
           (a.motion == Motion::Dynamic || b.motion == Motion::Dynamic) && (a.layer & b.mask) && (b.layer & a.mask);
}

// A body's way through the step: two straight legs, with one angular velocity on each.
class Way {
public:
    Way(const SolveState& solve, const Body& body, const WorldPoint& origin, Real dt)
        : body_(body), start_(body_.center - origin), dt_(dt) {
        if (body_.motion == Motion::Static || isAsleep(body_))
            return;
        solver_ = &solve.bodies[body_.solverIndex];
        way_ = wayOf(solve, body_, dt);
        // A kinematic body goes straight on.
        if (body_.motion != Motion::Dynamic)
            way_ = {{}, solver_->displacement - solver_->velocity * dt, 0};
    }

    Real turnTime() const { return way_.time; }
    // The motion from a time on, until the way bends.
    MovingShape from(Real time) const {
        Vec3 moved, velocity, spin;
        Quat orientation = body_.orientation;
        if (solver_) {
            const bool turned = time >= way_.time;
            moved = placeOn(way_, time, solver_->displacement, dt_);
            velocity = turned ? solver_->velocity : way_.time > 0 ? way_.bend * (1 / way_.time) : Vec3{};
            spin = turned ? solver_->angularVelocity : body_.angularVelocity;
            orientation = turned ? quatFromRotationVector(spin * (time - dt_)) * solver_->orientation
                                 : quatFromRotationVector(spin * time) * body_.orientation;
        }
        Pose pose = shapePose(body_, orientation);
        const Vec3 center = start_ + moved;
        pose.position += center;
        return {*body_.shape, pose, center, velocity, spin};
    }

private:
    const Body& body_;
    const SolverBody* solver_ = nullptr;
    BentWay way_;
    Vec3 start_;
    Real dt_;
};

bool overlap(const MovingShape& a, const MovingShape& b) {
    const collision::ShapeAt first{a.shape, toDouble(a.pose.position), a.pose.orientation};
    const collision::ShapeAt second{b.shape, toDouble(b.pose.position), b.pose.orientation};
    const bool isMeshA = a.shape.type == ShapeType::Mesh;
    return isMeshA ? collision::findOverlap(second, first) : collision::findOverlap(first, second);
}

// Whether a sensor overlaps the surface of a body whose vertices move, as both lie at the end of the step. A deformable one is
// there already: a stage of its own moves it before the rigid bodies.
bool overlapsSurface(const SolveState& solve, const Body& body, const Body& sensor, Real dt) {
    if (sensor.vertices || sensor.shape->type == ShapeType::Mesh)
        return false;
    const WorldPoint origin = body.center;
    Pose pose = shapePose(body, body.orientation);
    if (!body.solid && body.motion != Motion::Static && !isAsleep(body)) {
        const SolverBody& solver = solve.bodies[body.solverIndex];
        pose = shapePose(body, solver.orientation);
        pose.position += solver.displacement;
    }
    collision::MovingSurface surface{{}, body.vertices->triangles};
    for (const Vec3& p : body.vertices->positions)
        surface.points.push_back(transformPoint(pose, p));
    const MovingShape at = Way(solve, sensor, origin, dt).from(dt);
    return collision::findOverlap({at.shape, toDouble(at.pose.position), at.pose.orientation}, surface);
}

bool meet(const SolveState& solve, const Body& a, const Body& b, Real dt) {
    if (a.vertices)
        return overlapsSurface(solve, a, b, dt);
    if (b.vertices)
        return overlapsSurface(solve, b, a, dt);
    if (a.shape->type == ShapeType::Mesh && b.shape->type == ShapeType::Mesh)
        return false;
    const Way wayA(solve, a, a.center, dt), wayB(solve, b, a.center, dt);
    std::array<Real, 4> times{0, wayA.turnTime(), wayB.turnTime(), dt};
    std::sort(times.begin(), times.end());
    const Real tolerance = kTolerance * min(a.shape->boundingRadius, b.shape->boundingRadius);
    for (int i = 0; i < 3; ++i)
        if (const Real duration = times[i + 1] - times[i]; duration > 0) {
            const auto impact = collision::findTimeOfImpact(wayA.from(times[i]), wayB.from(times[i]), duration, 0, tolerance);
            if (impact.status != collision::TimeOfImpact::Status::Apart)
                return true;
        }
    return overlap(wayA.from(dt), wayB.from(dt));
}

// Adds pairs with sensors that a body met because it went another way than expected.
void addPairs(WorldState& world, std::uint32_t slot, Real dt) {
    const Body& body = world.bodies[slot];
    const SolverBody& solver = world.solve.bodies[body.solverIndex];
    const Real far = kUnnoticedShare * body.shape->innerRadius;
    if (body.motion != Motion::Dynamic || body.quarantined || !isFinite(solver.displacement) ||
        !(length(solver.displacement - velocityBefore(world.solve, body, dt) * dt) > far))
        return;
    const BentWay way = wayOf(world.solve, body, dt);
    const Vec3 center = toVec3(body.center), radius = Vec3{1, 1, 1} * body.shape->boundingRadius;
    Bounds box{center, center};
    for (const Vec3& place : {way.bend, way.afterBend, solver.displacement})
        box = unite(box, {center + place, center + place});
    const Real reach = length(shapePose(body, body.orientation).position);
    box = {box.low - radius - Vec3{reach, reach, reach}, box.high + radius + Vec3{reach, reach, reach}};
    std::vector<std::uint32_t> found;
    for (const Motion motion : {Motion::Static, Motion::Kinematic, Motion::Dynamic})
        world.broadPhase.query(motion, box, [&](std::uint32_t collider) {
            const std::uint32_t other = slotOf(collider);
            if (other != slot && !world.bodies[other].vertices && maySense(body, world.bodies[other]) &&
                passesFilter(world, slot, other))
                found.push_back(other);
        });
    std::sort(found.begin(), found.end());
    for (const std::uint32_t other : found)
        if (ContactPair* pair = addMetPair(world, slot, other))
            pair->sensorTouches = true;
}

}  // namespace

void senseWays(WorldState& world, Real dt) {
    if (!world.roster.hasSensors)
        return;
    for (const std::uint32_t slot : world.solve.layout)
        addPairs(world, slot, dt);
    runRanges(*world.tasks, world.pairs.size(), kSensorPairsPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (ContactPair& pair = world.pairs[i]; pair.sensorTouches)
                pair.sensorTouches = meet(world.solve, world.bodies[pair.bodyA], world.bodies[pair.bodyB], dt);
    });
}

}  // namespace sunder::world
