// Checks a state that was read: bytes from outside may have the right checksum and still be inconsistent.
#include <algorithm>
#include <cmath>

#include "sunder/steppers.h"
#include "world/contact/step_parts.h"
#include "world/persist/snapshot.h"
#include "world/record/field_checker.h"
#include "world/state/handles.h"

namespace sunder::world {

namespace {

// Unit quaternions drift by rounding, by much less than the 0.01 allowed here.
bool isRotation(const Quat& q) { return isFinite(q) && std::fabs(dot(q, q) - 1) < Real(0.01); }
// A quaternion that is normalised before use.
bool isTurn(const Quat& q) { return isFinite(q) && dot(q, q) > 0; }
// m: the square of this is still a finite float, and no body gets so far.
constexpr double kFarthest = 1e18;
bool isPlace(const WorldPoint& p) {
    return std::fabs(p.x) < kFarthest && std::fabs(p.y) < kFarthest && std::fabs(p.z) < kFarthest;
}
bool isSize(Real value) { return std::isfinite(value) && value >= 0; }
bool isSize(const Vec3& v) { return isSize(v.x) && isSize(v.y) && isSize(v.z); }

bool isPath(const std::vector<Keyframe>& keys) {
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (!isFinite(keys[i].position) || !isTurn(keys[i].orientation) || !std::isfinite(keys[i].time) ||
            (i > 0 && !(keys[i].time > keys[i - 1].time)))
            return false;
    return true;
}

bool isWindow(const fracture::LoadWindow& window) {
    return std::all_of(window.recent.begin(), window.recent.end(), [](const fracture::LoadSample& sample) {
        return sample.duration > 0 && std::isfinite(sample.duration);
    });
}

bool areBondsSound(const Body& body) {
    const Compound* compound = std::get_if<Compound>(&body.shape->definition);
    if (!compound)
        return false;
    const std::size_t pieces = compound->children.size();
    const BodyBonds& bonds = *body.bonds;
    std::vector<std::string> messages;
    visitFields(bonds.def, FieldChecker(messages));
    if (!messages.empty() || !std::isfinite(bonds.young) || !(bonds.young > 0) ||
        !(bonds.poisson > -1 && bonds.poisson <= Real(0.5)))
        return false;
    for (const Bond& bond : bonds.def.bonds)
        if (bond.a >= pieces || bond.b >= pieces || bond.a == bond.b)
            return false;
    for (const std::uint32_t piece : bonds.def.anchored)
        if (piece >= pieces)
            return false;
    const auto areSound = [&](const auto& loads) {
        for (std::size_t i = 0; i < loads.size(); ++i)
            if (loads[i].piece >= pieces || (i > 0 && loads[i].piece <= loads[i - 1].piece))
                return false;
        return true;
    };
    return areSound(bonds.loads) && areSound(bonds.given) && areSound(bonds.known) && isWindow(bonds.clock) &&
           std::all_of(bonds.loads.begin(), bonds.loads.end(), [](const PieceLoad& load) { return isWindow(load.window); });
}

bool isFractureSound(const BodyFracture& fracture) {
    std::vector<std::string> messages;
    std::visit([&](const auto& method) { visitFields(method, FieldChecker(messages)); }, fracture.def.method);
    const bool isShell = fracture.solid && std::holds_alternative<Shell>(fracture.solid->definition) &&
                         std::holds_alternative<Stressed>(fracture.def.method);
    return messages.empty() && fracture.solid && (isShell || fracture.solid->type == ShapeType::LevelSet) &&
           isSize(fracture.def.threshold) && isSize(fracture.face) && isSize(fracture.damage);
}

// Velocities and forces are not checked: a step removes bodies whose state is not finite.
bool isSolidSound(const Body& body) {
    Messages messages;
    visitFields(body.solid->def, FieldChecker(messages));
    return messages.empty() && body.vertices && body.motion == Motion::Dynamic &&
           isSound(*body.solid, *body.shape, body.vertices->positions.size());
}

const char* faultOf(const Body& body) {
    if (!body.shape)
        return "has no shape";
    if (body.motion == Motion::Dynamic && body.shape->type == ShapeType::Mesh)
        return "is dynamic and a mesh";
    if (!isPlace(body.center) || !isRotation(body.orientation))
        return "has no pose";
    if (!isFinite(body.bodyFromPrincipal.position) || !isRotation(body.bodyFromPrincipal.orientation) || !isSize(body.mass) ||
        !isSize(body.inverseMass) || !isSize(body.principalInertia) || !isSize(body.inversePrincipalInertia))
        return "has no mass";
    if (!isSize(body.linearDamping) || !isSize(body.angularDamping) || !std::isfinite(body.gravityFactor) ||
        !isSize(body.sleepFactor) || !isFinite(body.surfaceVelocity) || body.lockedAxes >= 64 ||
        !validate(body.material).empty())
        return "has properties out of range";
    if (!isPath(body.keyframes) || (body.target && (!isFinite(body.target->position) || !isTurn(body.target->orientation))))
        return "has a path that cannot be followed";
    if (body.fracture && !isFractureSound(*body.fracture))
        return "cannot break as it says";
    if (body.bonds && !areBondsSound(body))
        return "has bonds that do not fit its shape";
    if (body.vertices && !isSound(*body.vertices))
        return "has vertices that do not fit each other";
    if (body.solid && !isSolidSound(body))
        return "deforms in a way that does not fit its shape";
    return nullptr;
}

std::string findBodyFault(const PagedVector<Body>& bodies, const BodyRoster& roster, const collision::BroadPhase& broadPhase) {
    if (bodies.size() > kMostSlots)
        return "it has too many bodies";
    std::size_t colliders = 0;
    for (std::uint32_t slot = 0; slot < bodies.size(); ++slot) {
        const Body& body = bodies[slot];
        if (!body.alive)
            continue;
        const char* fault = faultOf(body);
        if (!fault && body.serial >= roster.nextSerial)
            fault = "is newer than the newest";
        colliders += fault ? 0 : colliderCount(body);
        for (std::uint32_t child = 0; !fault && child < colliderCount(body); ++child)
            if (!broadPhase.holds(proxyOf(body, child), body.motion, colliderOf(slot, child)))
                fault = "is not in the broad phase";
        if (fault)
            return "body " + std::to_string(slot) + " " + fault;
    }
    if (!broadPhase.isConsistent() || broadPhase.proxyCount() != colliders)
        return "its broad phase contradicts itself";
    return {};
}

// Whether an island lists dynamic bodies that refer to it, in the order in which they were added; marks them as listed.
bool isIslandSound(const PagedVector<Body>& bodies, const SleepState& sleep, std::uint32_t index,
                   std::vector<std::uint8_t>& listed) {
    const std::uint64_t* last = nullptr;
    for (const std::uint32_t slot : sleep.islands[index].bodies) {
        if (slot >= bodies.size())
            return false;
        const Body& body = bodies[slot];
        if (!body.alive || body.motion != Motion::Dynamic || body.quarantined || body.island != index ||
            body.solverIndex != dynamics::kFixedBody || listed[slot]++ || (last && body.serial <= *last))
            return false;
        last = &body.serial;
    }
    return true;
}

// Whether every entry without bodies is listed as free exactly once, and is empty.
bool areFreeIslandsSound(const SleepState& sleep) {
    std::vector<std::uint8_t> listed(sleep.islands.size());
    for (const std::uint32_t island : sleep.freeIslands)
        if (island >= sleep.islands.size() || listed[island]++)
            return false;
    for (std::size_t i = 0; i < sleep.islands.size(); ++i) {
        const SleepingIsland& island = sleep.islands[i];
        const bool isSound =
            listed[i] ? island.bodies.empty() && island.pairs.empty() : !island.bodies.empty() && island.substep > 0;
        if (!isSound || !isSize(island.substep))
            return false;
    }
    return true;
}

// Whether the list names all bodies of that kind, in the order they were added.
template <class IsOfIt>
bool isListOf(const PagedVector<Body>& bodies, const std::vector<std::uint32_t>& list, IsOfIt&& isOfIt) {
    const auto isListed = [&](const Body& body) { return body.alive && isOfIt(body); };
    const std::uint64_t* last = nullptr;
    for (const std::uint32_t slot : list) {
        if (slot >= bodies.size() || !isListed(bodies[slot]) || (last && bodies[slot].serial <= *last))
            return false;
        last = &bodies[slot].serial;
    }
    return list.size() == std::size_t(std::count_if(bodies.begin(), bodies.end(), isListed));
}

// Whether free slots are all dead bodies, each once, and moving bodies all awake ones, in the order in which they were added.
bool areListsSound(const PagedVector<Body>& bodies, const BodyRoster& roster, const SleepState& sleep) {
    std::vector<std::uint8_t> listed(bodies.size());
    for (const std::uint32_t slot : roster.freeSlots)
        if (slot >= bodies.size() || bodies[slot].alive || listed[slot]++)
            return false;
    const std::uint64_t* last = nullptr;
    for (const std::uint32_t slot : roster.moving) {
        if (slot >= bodies.size() || !bodies[slot].alive || bodies[slot].motion == Motion::Static || isAsleep(bodies[slot]) ||
            (last && bodies[slot].serial <= *last))
            return false;
        listed[slot] = 1;
        last = &bodies[slot].serial;
    }
    for (std::uint32_t island = 0; island < sleep.islands.size(); ++island)
        if (!isIslandSound(bodies, sleep, island, listed))
            return false;
    if (!isListOf(bodies, roster.bonded, [](const Body& body) { return bool(body.bonds); }) ||
        !isListOf(bodies, roster.deforming, [](const Body& body) { return bool(body.vertices); }))
        return false;
    for (std::size_t slot = 0; slot < bodies.size(); ++slot)
        if (!listed[slot] && !(bodies[slot].alive && bodies[slot].motion == Motion::Static))
            return false;
    return true;
}

bool arePairsSound(const PagedVector<Body>& bodies, std::span<const ContactPair> pairs, std::size_t constraints,
                   std::uint32_t island = kNone) {
    const auto body = [&](std::uint32_t slot) -> const Body* {
        return slot < bodies.size() && bodies[slot].alive ? &bodies[slot] : nullptr;
    };
    for (const ContactPair& pair : pairs) {
        const Body *a = body(pair.bodyA), *b = body(pair.bodyB);
        if (!a || !b || pair.bodyA >= pair.bodyB || pair.childA >= colliderCount(*a) || pair.childB >= colliderCount(*b) ||
            (a->motion != Motion::Dynamic && b->motion != Motion::Dynamic) ||
            std::uint64_t(pair.firstManifold) + pair.manifoldCount > constraints)
            return false;
        // Pairs kept by a sleeping island have a body of it, and the other body is of the same island, awake or fixed. Of all
        // other pairs at least one body is awake.
        const bool isSound = island == kNone ? !isAsleep(*a) || !isAsleep(*b)
                                             : (a->island == island || b->island == island) &&
                                                   (a->island == b->island || !isAsleep(*a) || !isAsleep(*b));
        if (!isSound)
            return false;
    }
    return true;
}

bool isFrame(const Pose& frame) { return isFinite(frame.position) && isRotation(frame.orientation); }

// Whether the points by which a joint holds deformable bodies are as many as its type needs, in tetrahedra that there are.
bool holdsFlesh(const WorldState& world, std::uint32_t slot) {
    const Joint& joint = world.joints[slot];
    const JointFlesh* flesh = fleshOf(world.fleshJoints, slot);
    const auto isSound = [&](BodyId id, const std::vector<FleshPoint>& points) {
        const Body* body = bodyOf(world.bodies, id);
        const bool isFlesh = body && body->solid;
        const int count = isFlesh ? pointsOf(joint.def.type, 0).count : 0;
        return points.size() == static_cast<std::size_t>(count) &&
               std::all_of(points.begin(), points.end(), [&](const FleshPoint& point) {
                   return point.tet < body->solid->memory.tets && std::all_of(point.weight.begin(), point.weight.end(),
                                                                              [](Real w) { return std::fabs(w) < Real(1e6); });
               });
    };
    if (!flesh)
        return isSound(joint.def.a, {}) && isSound(joint.def.b, {});
    return isSound(joint.def.a, flesh->a) && isSound(joint.def.b, flesh->b) && std::isfinite(flesh->reach) &&
           !(flesh->a.empty() && flesh->b.empty()) && complaintsAboutFlesh(joint.def).empty();
}

const char* faultOf(const WorldState& world, const Joint& joint) {
    const auto isThere = [&](BodyId id) { return id.isNull() || isAlive(world, id); };
    if (!isThere(joint.def.a) || !isThere(joint.def.b) || joint.def.a == joint.def.b)
        return "has no two bodies";
    if (!isFrame(joint.frameA) || !isFrame(joint.frameB))
        return "has no frames";
    if (!validate(joint.def).empty())
        return "has properties out of range";
    for (const Real impulse : joint.impulse)
        if (!std::isfinite(impulse))
            return "has impulses that are not finite";
    if (!isWindow(joint.window))
        return "has loads without a time";
    return joint.serial >= world.jointRoster.nextSerial ? "is newer than the newest" : nullptr;
}

// One for each joint, by its slot.
bool areListed(const std::vector<JointFlesh>& held, const std::vector<Joint>& joints) {
    for (std::size_t i = 0; i < held.size(); ++i)
        if (held[i].joint >= joints.size() || !joints[held[i].joint].alive || (i > 0 && held[i - 1].joint >= held[i].joint))
            return false;
    return true;
}

std::string findJointFault(const WorldState& world) {
    if (!areListed(world.fleshJoints.held, world.joints))
        return "its list of joints of deformable bodies contradicts its joints";
    std::vector<std::uint8_t> free(world.joints.size());
    for (const std::uint32_t slot : world.jointRoster.freeSlots)
        if (slot >= world.joints.size() || world.joints[slot].alive || free[slot]++)
            return "its list of free joints contradicts its joints";
    for (std::uint32_t slot = 0; slot < world.joints.size(); ++slot) {
        if (!world.joints[slot].alive && !free[slot])
            return "its list of free joints contradicts its joints";
        if (const char* fault = world.joints[slot].alive ? faultOf(world, world.joints[slot]) : nullptr)
            return "joint " + std::to_string(slot) + " " + fault;
        if (world.joints[slot].alive && !holdsFlesh(world, slot))
            return "joint " + std::to_string(slot) + " does not fit the deformable bodies that it holds";
    }
    if (!abilitiesOf(world.def.stepper).joints && world.joints.size() > world.jointRoster.freeSlots.size())
        return "it has joints, which its stepper cannot solve";
    return {};
}

}  // namespace

std::string findFault(const WorldState& world) {
    if (const std::vector<std::string> problems = validate(world.def); !problems.empty())
        return "its settings are not valid: " + problems.front();
    if (!std::isfinite(world.clock.time) || !isSize(world.clock.pace.substep) || world.clock.pace.parts < 0 ||
        world.clock.pace.parts > kMostStepParts)
        return "its time is not valid";
    if (const std::string fault = findBodyFault(world.bodies, world.roster, world.broadPhase); !fault.empty())
        return fault;
    if (!areListsSound(world.bodies, world.roster, world.sleep))
        return "its lists of bodies contradict its bodies";
    if (!areFreeIslandsSound(world.sleep))
        return "its sleeping islands contradict each other";
    if (!arePairsSound(world.bodies, world.pairs, world.constraints.size()))
        return "its pairs contradict its bodies";
    for (std::uint32_t i = 0; i < world.sleep.islands.size(); ++i)
        if (const SleepingIsland& island = world.sleep.islands[i];
            !arePairsSound(world.bodies, island.pairs, island.constraints.size(), i))
            return "the pairs of its sleeping islands contradict its bodies";
    if (const std::string fault = findJointFault(world); !fault.empty())
        return fault;
    return {};
}

}  // namespace sunder::world
