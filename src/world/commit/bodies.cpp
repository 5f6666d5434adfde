#include "world/commit/bodies.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "collision/query/point_distance.h"
#include "core/fitted.h"
#include "world/commit/dent.h"
#include "world/commit/joints.h"
#include "world/commit/pieces/stress_pieces.h"
#include "world/record/body_mass.h"
#include "world/record/bonded_pieces.h"
#include "world/sleep/wake.h"
#include "world/state/contact_filter.h"
#include "world/state/ended_contacts.h"
#include "world/state/proxies.h"

namespace sunder::world {

namespace {

void listBySerial(const PagedVector<Body>& bodies, std::uint32_t slot, std::vector<std::uint32_t>& list) {
    const auto bySerial = [&](std::uint32_t a, std::uint32_t b) { return bodies[a].serial < bodies[b].serial; };
    list.insert(std::upper_bound(list.begin(), list.end(), slot, bySerial), slot);
}

void listMoving(const PagedVector<Body>& bodies, BodyRoster& roster, std::uint32_t slot) {
    listBySerial(bodies, slot, roster.moving);
}

void unlistMoving(BodyRoster& roster, std::uint32_t slot) {
    const auto at = std::find(roster.moving.begin(), roster.moving.end(), slot);
    if (at != roster.moving.end())
        roster.moving.erase(at);
}

void setBonds(PagedVector<Body>& bodies, BodyRoster& roster, std::uint32_t slot, BodyBonds bonds) {
    bodies[slot].bonds = std::move(bonds);
    listBySerial(bodies, slot, roster.bonded);
}

void dropBonds(PagedVector<Body>& bodies, BodyRoster& roster, std::uint32_t slot) {
    if (bodies[slot].bonds)
        std::erase(roster.bonded, slot);
    bodies[slot].bonds.reset();
}

// The body's proxies must have been removed before: only its vertices say how many it has.
void dropVertices(PagedVector<Body>& bodies, BodyRoster& roster, std::uint32_t slot) {
    if (bodies[slot].vertices)
        std::erase(roster.deforming, slot);
    bodies[slot].vertices.reset();
    bodies[slot].solid.reset();
}

// A free slot, or a new one, for a body that is alive from now on.
std::uint32_t takeSlot(PagedVector<Body>& bodies, BodyRoster& roster) {
    std::uint32_t slot;
    if (roster.freeSlots.empty()) {
        slot = static_cast<std::uint32_t>(bodies.size());
        addFitted(bodies);
    } else {
        slot = roster.freeSlots.back();
        roster.freeSlots.pop_back();
        const std::uint32_t generation = bodies[slot].generation;
        bodies[slot] = {};
        bodies[slot].generation = generation;
    }
    Body& body = bodies[slot];
    body.alive = true;
    ++body.generation;
    body.serial = roster.nextSerial++;
    return slot;
}

// Copies the fields of the definition that need no computation.
void describe(Body& body, const BodyDef& def) {
    body.name = def.name;
    body.userData = def.userData;
    body.motion = def.motion;
    body.material = def.material;
    body.massOverride = def.mass;
    body.inertiaOverride = def.inertia;
    body.linearDamping = def.linearDamping;
    body.angularDamping = def.angularDamping;
    body.gravityFactor = def.gravityFactor;
    body.lockedAxes = def.lockedAxes;
    body.surfaceVelocity = def.surfaceVelocity;
    body.layer = def.layer;
    body.mask = def.mask;
    body.sensor = def.sensor;
    body.allowSleep = def.allowSleep;
    body.sleepFactor = def.sleepFactor;
    body.isFresh = def.tolerateOverlap;
    body.keyframes = def.keyframes;
}

}  // namespace

bool hasRoom(const PagedVector<Body>& bodies, const BodyRoster& roster) {
    return !roster.freeSlots.empty() || bodies.size() < kMostAdded;
}

std::uint32_t commitAdd(WorldState& world, const BodyDef& def, BuiltBody built) {
    const std::uint32_t slot = takeSlot(world.bodies, world.roster);
    Body& body = world.bodies[slot];
    describe(body, def);
    body.shape = std::move(built.shape);
    body.shapeAsGiven = std::move(built.asGiven);
    world.roster.layersInUse |= def.layer;
    world.roster.hasLevelSets = world.roster.hasLevelSets || body.shape->hasLevelSet;
    world.roster.hasShells = world.roster.hasShells || std::holds_alternative<Shell>(body.shape->definition);
    world.roster.hasSensors = world.roster.hasSensors || body.sensor;
    world.roster.hasFresh = world.roster.hasFresh || body.isFresh;
    body.fracture = std::move(built.fracture);
    world.breaking.anyBreakable = world.breaking.anyBreakable || body.fracture;
    if (built.bonds)
        setBonds(world.bodies, world.roster, slot, std::move(*built.bonds));
    if (body.fracture)
        prepareToBreak(*world.tasks, world.breaking, *body.fracture);
    if (built.solid) {
        body.massOverride = built.solid->model->mass;
        body.centerOverride = built.solid->model->center;
    }
    updateMass(body);
    prepareStress(world, body);
    placeBody(body, toWorldPoint(def.position), normalize(def.orientation));
    body.velocity = def.motion == Motion::Static ? Vec3{} : def.velocity;
    body.angularVelocity = def.motion == Motion::Static ? Vec3{} : def.angularVelocity;
    if (body.bonds)
        piecesOf(body);  // made here, because it is too slow for a step
    addProxies(world.bodies, world.broadPhase, slot);
    if (body.motion != Motion::Static)
        listMoving(world.bodies, world.roster, slot);
    if (built.solid) {
        body.solid = std::move(*built.solid);
        pinNodes(*body.solid, userPosition(body), userOrientation(body));
        commitVertices(world, slot, verticesOf(*body.solid->model));
    }
    return slot;
}

namespace {

// The piece that a point of the body's frame lies in, or that is nearest to it.
std::uint32_t pieceHolding(std::span<const NewPiece> pieces, const Vec3& point) {
    std::uint32_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < pieces.size(); ++i) {
        const auto hit =
            collision::findDistance({*pieces[i].shape, toDouble(pieces[i].center - point), pieces[i].orientation}, least);
        if (hit && hit->distance < least) {
            least = hit->distance;
            nearest = i;
        }
    }
    return nearest;
}

}  // namespace

std::vector<std::uint32_t> commitBreak(WorldState& world, std::uint32_t slot, std::span<const NewPiece> pieces) {
    const Body parent = world.bodies[slot];
    const BodyId parentId{slot, parent.generation};
    const std::vector<DetachedJoint> detached =
        detachJoints(world, slot, [&](const Vec3& point) { return pieceHolding(pieces, point); });
    commitRemove(world, slot);
    const std::uint64_t birth = ++world.breaking.count;
    std::vector<std::uint32_t> slots;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const NewPiece& piece = pieces[i];
        const BodyDef def = pieceDef(parent, piece, i);
        const std::uint32_t made = commitAdd(world, def, buildBody(def));
        Body& body = world.bodies[made];
        body.parent = parentId;
        body.birth = birth;
        if (parent.fracture)
            body.fracture = pieceFracture(*parent.fracture, piece);
        if (piece.bonds)
            setBonds(world.bodies, world.roster, made, *piece.bonds);
        // The pose is set here, because the definition would round it to Real.
        const Quat orientation = userOrientation(parent);
        placeBody(body, userPosition(parent) + rotate(orientation, piece.center), orientation * piece.orientation);
        refreshProxies(world.broadPhase, body);
        slots.push_back(made);
    }
    for (const DetachedJoint& end : detached)
        attachJoint(world, end, slots[end.piece], {pieces[end.piece].center, pieces[end.piece].orientation});
    return slots;
}

void commitRemove(WorldState& world, std::uint32_t slot) {
    Body& body = world.bodies[slot];
    removeJointsOf(world, slot);
    forgetPairs(world, slot);
    removeProxies(world.broadPhase, body);
    unlistMoving(world.roster, slot);
    dropBonds(world.bodies, world.roster, slot);
    dropVertices(world.bodies, world.roster, slot);
    const std::uint32_t generation = body.generation;
    body = {};
    body.generation = generation;
    world.roster.freeSlots.push_back(slot);
}

void commitMotion(WorldState& world, std::uint32_t slot, Motion motion) {
    Body& body = world.bodies[slot];
    if (body.motion == motion)
        return;
    forgetPairs(world, slot);
    removeProxies(world.broadPhase, body);
    unlistMoving(world.roster, slot);
    body.motion = motion;
    world.jointRoster.dueKnown = false;
    updateMass(body);
    if (motion == Motion::Static)
        body.velocity = body.angularVelocity = {};
    else
        listMoving(world.bodies, world.roster, slot);
    addProxies(world.bodies, world.broadPhase, slot);
}

void commitShape(WorldState& world, std::uint32_t slot, BuiltBody built) {
    Body& body = world.bodies[slot];
    body.shape = std::move(built.shape);
    world.roster.hasLevelSets = world.roster.hasLevelSets || body.shape->hasLevelSet;
    world.roster.hasShells = world.roster.hasShells || std::holds_alternative<Shell>(body.shape->definition);
    body.shapeAsGiven = std::move(built.asGiven);
    body.fracture = std::move(built.fracture);
    dropBonds(world.bodies, world.roster, slot);
    body.centerOverride.reset();
    updateMass(body);
    forgetPairs(world, slot);
    removeProxies(world.broadPhase, body);
    dropVertices(world.bodies, world.roster, slot);
    addProxies(world.bodies, world.broadPhase, slot);
}

void commitDent(WorldState& world, std::uint32_t slot, const Dent& dent) {
    Body& body = world.bodies[slot];
    takeDent(body, dent.shape);
    body.fracture->stress.cracks = dent.cracks;
    world.roster.hasLevelSets = true;
    forgetPairs(world, slot);
    removeProxies(world.broadPhase, body);
    addProxies(world.bodies, world.broadPhase, slot);
}

void commitFracture(WorldState& world, std::uint32_t slot, BuiltBody built) {
    Body& body = world.bodies[slot];
    body.fracture = std::move(built.fracture);
    if (!body.fracture)
        return;
    body.shape = std::move(built.shape);  // another where it is drawn in another way; the same solid
    body.shapeAsGiven = std::move(built.asGiven);
    world.breaking.anyBreakable = true;
    prepareToBreak(*world.tasks, world.breaking, *body.fracture);
    prepareStress(world, body);
}

void commitVertices(WorldState& world, std::uint32_t slot, BodyVertices vertices) {
    assert(isSound(vertices));
    Body& body = world.bodies[slot];
    forgetPairs(world, slot);
    removeProxies(world.broadPhase, body);
    if (!body.vertices)
        listBySerial(world.bodies, slot, world.roster.deforming);
    body.vertices = std::move(vertices);
    addProxies(world.bodies, world.broadPhase, slot);
}

void forgetPairs(WorldState& world, std::uint32_t slot) {
    wakePairsOf(world, slot);
    std::erase_if(world.pairs, [&](const ContactPair& pair) {
        if (pair.bodyA != slot && pair.bodyB != slot)
            return false;
        if (pair.touching)
            noteEnd(world.bodies, world.events, pair);
        world.pairSet.erase(keyOf(pair));
        return true;
    });
    findAgain(world.bodies, world.broadPhase, slot);
}

void filterPairs(WorldState& world) {
    wakeAll(world);
    std::erase_if(world.pairs, [&](const ContactPair& pair) {
        if (passesFilter(world, pair.bodyA, pair.bodyB))
            return false;
        if (pair.touching)
            noteEnd(world.bodies, world.events, pair);
        world.pairSet.erase(keyOf(pair));
        return true;
    });
    for (std::uint32_t slot = 0; slot < world.bodies.size(); ++slot)
        if (world.bodies[slot].alive)
            findAgain(world.bodies, world.broadPhase, slot);
}

}  // namespace sunder::world
