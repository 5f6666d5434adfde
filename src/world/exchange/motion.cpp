#include "world/exchange/motion.h"

#include <algorithm>
#include <atomic>

#include "dynamics/integrate/substep.h"
#include "world/record/body_mass.h"
#include "world/state/proxies.h"

namespace sunder::world {

namespace {

// Between two keyframes a body moves on a straight line and turns at a constant rate.
Pose poseOnPath(const std::vector<Keyframe>& keys, double time) {
    if (time <= keys.front().time)
        return {keys.front().position, keys.front().orientation};
    if (time >= keys.back().time)
        return {keys.back().position, keys.back().orientation};
    const auto next =
        std::upper_bound(keys.begin(), keys.end(), time, [](double t, const Keyframe& key) { return t < key.time; });
    const Keyframe &from = *(next - 1), &to = *next;
    const Real share = Real((time - from.time) / (double(to.time) - from.time));
    const Quat start = normalize(from.orientation);
    const Vec3 turn = rotationVectorBetween(start, normalize(to.orientation));
    return {from.position + (to.position - from.position) * share, quatFromRotationVector(turn * share) * start};
}

// Gives a kinematic body the velocity that takes it to its target in timeLeft (s), the time to the end of the whole step.
void aimKinematic(const Clock& clock, Body& body, Real timeLeft) {
    if (!body.target && !body.keyframes.empty())
        body.target = poseOnPath(body.keyframes, clock.time + double(timeLeft));
    if (!body.target)
        return;
    const Quat orientation = normalize(body.target->orientation);
    body.velocity =
        (toWorldPoint(body.target->position) + rotate(orientation, body.bodyFromPrincipal.position) - body.center) / timeLeft;
    body.angularVelocity = rotationVectorBetween(body.orientation, orientation * body.bodyFromPrincipal.orientation) / timeLeft;
}

dynamics::SolverBodyConstants constantsOf(const WorldDef& def, const Body& body) {
    dynamics::SolverBodyConstants constants;
    // A deformable body moves by a stage of its own, and contacts with it are solved there.
    constants.isDynamic = body.motion == Motion::Dynamic && !body.quarantined && !body.solid;
    if (!constants.isDynamic)
        return constants;
    const std::uint8_t locked = body.lockedAxes;
    const Vec3 acceleration = def.gravity * body.gravityFactor + body.force * body.inverseMass;
    constants.acceleration = {locked & kLockX ? 0 : acceleration.x, locked & kLockY ? 0 : acceleration.y,
                              locked & kLockZ ? 0 : acceleration.z};
    constants.torque = body.torque;
    constants.mass = body.mass;
    constants.principalInertia = body.principalInertia;
    constants.inversePrincipalInertia = body.inversePrincipalInertia;
    constants.linearDamping = body.linearDamping;
    constants.angularDamping = body.angularDamping;
    constants.lockedAxes = locked;
    return constants;
}

// m/s, rad/s, m/s^2, rad/s^2: beyond this, products in a step overflow, and bodies that touch it would stop being finite too.
constexpr Real kLargestRate = Real(1e9);
bool isSane(const Vec3& v) {  // component by component: a maximum of them may drop a NaN
    return std::fabs(v.x) < kLargestRate && std::fabs(v.y) < kLargestRate && std::fabs(v.z) < kLargestRate;
}

void quarantine(PagedVector<Body>& bodies, collision::BroadPhase& broadPhase, EventState& events, std::uint32_t slot) {
    Body& body = bodies[slot];
    body.quarantined = true;
    touchProxies(broadPhase, body);  // so that its pairs are dropped
    body.velocity = body.angularVelocity = body.force = body.torque = {};
    if (body.vertices)
        makeFinite(*body.vertices);
    events.errors.push_back({{slot, body.generation}, "the state of body '" + body.name + "' is no longer finite"});
}

bool isFiniteState(const dynamics::SolverBody& body) {
    return isFinite(body.velocity) && isFinite(body.angularVelocity) && isFinite(body.displacement) &&
           isFinite(body.orientation);
}

constexpr std::size_t kMovedBodiesPerTask = 256;  // grain of the tasks

// Fills in solver body i + 1; false where the body's state is not finite or beyond kLargestRate.
bool gatherBody(const WorldDef& def, const Clock& clock, PagedVector<Body>& bodies, SolveState& solve, std::size_t i,
                Real timeLeft) {
    Body& body = bodies[solve.layout[i]];
    body.solverIndex = static_cast<std::uint32_t>(i + 1);
    if (body.motion == Motion::Kinematic)
        aimKinematic(clock, body, timeLeft);
    dynamics::SolverBodyConstants& constants = solve.constants[i + 1];
    constants = constantsOf(def, body);
    constants.radius = boundingRadius(body) + length(shapePose(body, body.orientation).position);
    constants.centerFromFirst = body.center - bodies[solve.layout.front()].center;
    dynamics::SolverBody& solver = solve.bodies[i + 1];
    solver = {};
    if (body.quarantined)
        return true;
    if (body.vertices && !areFinite(*body.vertices))
        return false;
    if (body.solid) {
        solver.orientation = body.orientation;
        return true;
    }
    if (!(isSane(body.velocity) && isSane(body.angularVelocity) && isSane(constants.acceleration) &&
          isSane(multiply(constants.torque, constants.inversePrincipalInertia))))
        return false;
    const std::uint8_t locked = body.lockedAxes;
    solver.velocity = {locked & kLockX ? 0 : body.velocity.x, locked & kLockY ? 0 : body.velocity.y,
                       locked & kLockZ ? 0 : body.velocity.z};
    solver.angularVelocity = {locked & kLockRx ? 0 : body.angularVelocity.x, locked & kLockRy ? 0 : body.angularVelocity.y,
                              locked & kLockRz ? 0 : body.angularVelocity.z};
    solver.orientation = body.orientation;
    if (!constants.isDynamic)
        return true;
    solver.inverseMass = {locked & kLockX ? 0 : body.inverseMass, locked & kLockY ? 0 : body.inverseMass,
                          locked & kLockZ ? 0 : body.inverseMass};
    solver.inverseInertia = dynamics::worldInverseInertia(body.orientation, constants);
    return true;
}

void clearForces(Body& body) {
    body.force = body.torque = {};
    if (body.solid)
        body.solid->forces.clear();
}

// Copies the result of the step to the body; false where it is no longer finite.
bool scatterBody(Body& body, const dynamics::SolverBody& solver, bool isLast) {
    if (isLast)
        clearForces(body);
    if (body.quarantined)
        return true;
    if (!isFiniteState(solver) || (body.vertices && !areFinite(*body.vertices)))
        return false;
    if (body.solid)
        return true;
    if (isLast && body.motion == Motion::Kinematic && body.target) {
        // It is put exactly at its target, and rests there unless it gets another one.
        placeBody(body, toWorldPoint(body.target->position), normalize(body.target->orientation));
        if (body.keyframes.empty())
            body.velocity = body.angularVelocity = {};
        body.target.reset();
        return true;
    }
    body.formerVelocity = body.velocity;
    body.formerAngularVelocity = body.angularVelocity;
    body.velocity = solver.velocity;
    body.angularVelocity = solver.angularVelocity;
    body.center = body.center + solver.displacement;
    body.orientation = solver.orientation;
    return true;
}

// Calls goesOn(i) for every body of the layout, on all threads; bodies for which it is false are then quarantined, in order.
template <class Function>
void forEachMoving(WorldState& world, Function&& goesOn) {
    std::atomic<bool> anyStops{false};
    world.solve.stops.resize(world.solve.layout.size());
    runRanges(*world.tasks, world.solve.layout.size(), kMovedBodiesPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            world.solve.stops[i] = !goesOn(i);
            if (world.solve.stops[i])
                anyStops.store(true, std::memory_order_relaxed);
        }
    });
    for (std::size_t i = 0; anyStops && i < world.solve.layout.size(); ++i)
        if (world.solve.stops[i]) {
            quarantine(world.bodies, world.broadPhase, world.events, world.solve.layout[i]);
            world.solve.constants[i + 1] = {};
            world.solve.bodies[i + 1] = {};
        }
}

}  // namespace

void gatherBodies(WorldState& world, std::span<const std::uint32_t> slots, Real timeLeft) {
    SolveState& solve = world.solve;
    if (slots.size() < world.roster.moving.size())  // those that are left out count as fixed
        for (const std::uint32_t slot : world.roster.moving)
            world.bodies[slot].solverIndex = dynamics::kFixedBody;
    solve.layout.assign(slots.begin(), slots.end());
    solve.bodies.resize(slots.size() + 1);
    solve.constants.resize(slots.size() + 1);
    solve.bodies[dynamics::kFixedBody] = {};
    solve.constants[dynamics::kFixedBody] = {};
    forEachMoving(world, [&](std::size_t i) { return gatherBody(world.def, world.clock, world.bodies, solve, i, timeLeft); });
}

void gatherBodies(WorldState& world, Real timeLeft) { gatherBodies(world, world.roster.moving, timeLeft); }

void scatterBodies(WorldState& world, bool isLast) {
    forEachMoving(world, [&](std::size_t i) {
        return scatterBody(world.bodies[world.solve.layout[i]], world.solve.bodies[i + 1], isLast);
    });
}

}  // namespace sunder::world
