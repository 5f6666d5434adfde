#include "world/bodies.h"

#include <algorithm>

#include "collision/parts_surface.h"
#include "world/bond_loads.h"
#include "world/events.h"
#include "world/joints.h"
#include "world/sleep.h"

namespace sunder::world {

namespace {

Bounds tightBounds(const Body& body) {
    Pose pose = shapePose(body, body.orientation);
    pose.position = toVec3(body.center + pose.position);
    return collision::worldBounds(*body.shape, pose);
}

void addProxy(WorldState& world, std::uint32_t slot) {
    Body& body = world.bodies[slot];
    body.proxy = world.broadPhase.add(body.motion, collision::fatten(tightBounds(body), {}), slot);
}

void listMoving(WorldState& world, std::uint32_t slot) {
    const auto bySerial = [&](std::uint32_t a, std::uint32_t b) { return world.bodies[a].serial < world.bodies[b].serial; };
    world.moving.insert(std::upper_bound(world.moving.begin(), world.moving.end(), slot, bySerial), slot);
}

void unlistMoving(WorldState& world, std::uint32_t slot) {
    const auto at = std::find(world.moving.begin(), world.moving.end(), slot);
    if (at != world.moving.end())
        world.moving.erase(at);
}

void setBonds(WorldState& world, std::uint32_t slot, BodyBonds bonds) {
    world.bodies[slot].bonds = std::move(bonds);
    const auto bySerial = [&](std::uint32_t a, std::uint32_t b) { return world.bodies[a].serial < world.bodies[b].serial; };
    world.bonded.insert(std::upper_bound(world.bonded.begin(), world.bonded.end(), slot, bySerial), slot);
}

void dropBonds(WorldState& world, std::uint32_t slot) {
    if (world.bodies[slot].bonds)
        std::erase(world.bonded, slot);
    world.bodies[slot].bonds.reset();
}

SharedShape builtShape(const Shape& shape) {
    const SharedShape* shared = std::get_if<SharedShape>(&shape);
    return shared ? *shared : buildShape(shape);
}

// The same level set, drawn as its part is.
SharedShape withOwnSurface(const SharedShape& shape) {
    LevelSet definition = std::get<LevelSet>(shape->definition);
    auto solid = std::make_shared<SampledSolid>(*definition.sampled);
    solid->surface = std::make_shared<const geometry::SurfaceMesh>(collision::surfaceOfParts(definition, solid->field));
    definition.keepSurface = true;
    definition.sampled = std::move(solid);
    return buildShape(definition);
}

// The level set that breaks in place of the body. Throws Error where the resolution is not possible.
SharedShape breakableSolid(const SharedShape& shape, const FractureDef& def) {
    if (shape->type == ShapeType::LevelSet)
        return shape;
    constexpr Real kCells = 46;
    LevelSet levelSet;
    levelSet.parts.push_back({shape, {}, {}});
    levelSet.cell = def.cell;
    levelSet.resolution = def.resolution;
    levelSet.keepSurface = def.surface == FractureSurface::Cut;
    if (def.cell == 0 && def.resolution[0] == 0) {
        const Vec3 size = shape->localBounds.high - shape->localBounds.low;
        levelSet.cell = max(size.x, max(size.y, size.z)) / kCells;
    }
    try {
        return buildShape(levelSet);
    } catch (const Error& error) {
        throw Error("fracture." + std::string(error.what()));
    }
}

// A level set whose pieces are to be cut from its own surface is drawn as that from the start.
SharedShape drawnForCut(const SharedShape& shape, const FractureDef& def) {
    if (def.surface != FractureSurface::Cut || shape->type != ShapeType::LevelSet || shape->levelSet->solid->surface)
        return shape;
    try {
        return withOwnSurface(shape);
    } catch (const Error& error) {
        const std::string text = error.what();
        throw Error("fracture.surface: " + text.substr(text.find(": ") + 2));
    }
}

// volume^(2/3)
Real faceOf(const BuiltShape& shape) {
    const Real volume = Real(shape.massProperties.volume), power = Real(2) / 3;
    return volume <= 1 ? powerOf(volume, power) : 1 / powerOf(1 / volume, power);
}

BodyFracture makeFracture(const SharedShape& shape, const FractureDef& def) {
    BodyFracture fracture;
    fracture.def = def;
    fracture.solid = breakableSolid(shape, def);
    const geometry::Grid& grid = fracture.solid->levelSet->field().grid;
    fracture.alignedScale = patternScale(def, grid);
    fracture.alignedNodes = {grid.nodes.x, grid.nodes.y, grid.nodes.z};
    fracture.face = faceOf(*fracture.solid);
    return fracture;
}

Rare<Shape> asGiven(const Shape& shape) {
    if (!std::holds_alternative<SharedShape>(shape))
        return {};
    return shape;
}

}  // namespace

void updateMass(Body& body) {
    const geometry::MassProperties& unit = body.shape->massProperties;
    const Quat userFrame = userOrientation(body);
    const WorldPoint userOrigin = userPosition(body);
    const WorldPoint oldCenter = body.center;

    const Vec3 shapeCenter{Real(unit.center[0]), Real(unit.center[1]), Real(unit.center[2])};
    body.bodyFromPrincipal = {body.centerOverride.value_or(shapeCenter), {}};
    body.mass = body.inverseMass = 0;
    body.principalInertia = body.inversePrincipalInertia = {};
    if (body.motion == Motion::Dynamic) {
        const double mass = body.massOverride ? double(*body.massOverride) : double(body.material.density) * unit.volume;
        const double density = mass / unit.volume;
        body.mass = Real(mass);
        body.inverseMass = Real(1 / mass);
        if (body.inertiaOverride) {
            body.principalInertia = *body.inertiaOverride;
        } else {
            std::array<double, 6> inertia = unit.inertia;
            const Vec3 shift = body.bodyFromPrincipal.position - shapeCenter;  // parallel axes, for a centre set by hand
            const double x = shift.x, y = shift.y, z = shift.z, v = unit.volume;
            inertia[0] += v * (y * y + z * z);
            inertia[1] += v * (x * x + z * z);
            inertia[2] += v * (x * x + y * y);
            inertia[3] -= v * x * y;
            inertia[4] -= v * x * z;
            inertia[5] -= v * y * z;
            const geometry::PrincipalAxes axes = geometry::principalAxes(inertia);
            body.bodyFromPrincipal.orientation = axes.bodyFromPrincipal;
            body.principalInertia = {Real(axes.moments[0] * density), Real(axes.moments[1] * density),
                                     Real(axes.moments[2] * density)};
        }
        body.inversePrincipalInertia = {1 / body.principalInertia.x, 1 / body.principalInertia.y, 1 / body.principalInertia.z};
    }
    if (body.bonds) {
        body.bonds->pieces.reset();
        body.bonds->isKnown = false;
    }
    placeBody(body, userOrigin, userFrame);
    body.velocity += cross(body.angularVelocity, body.center - oldCenter);
}

void placeBody(Body& body, const WorldPoint& position, const Quat& orientation) {
    body.orientation = orientation * body.bodyFromPrincipal.orientation;
    body.center = position + rotate(orientation, body.bodyFromPrincipal.position);
}

void refreshProxy(WorldState& world, Body& body) {
    if (body.proxy != kNone)
        world.broadPhase.move(body.proxy, tightBounds(body), {});
}

std::uint32_t commitAdd(WorldState& world, const BodyDef& def) {
    SharedShape shape = builtShape(def.shape);
    Rare<BodyFracture> fracture;
    Rare<Shape> given = asGiven(def.shape);
    if (def.fracture) {
        if (const SharedShape drawn = drawnForCut(shape, *def.fracture); drawn != shape)
            given = Shape(shape = drawn);
        fracture = makeFracture(shape, *def.fracture);
    }
    Rare<BodyBonds> bonds;
    if (def.bonds)
        bonds = makeBonds(shape, *def.bonds);
    std::uint32_t slot;
    if (world.freeSlots.empty()) {
        slot = static_cast<std::uint32_t>(world.bodies.size());
        world.bodies.emplace_back();
    } else {
        slot = world.freeSlots.back();
        world.freeSlots.pop_back();
        const std::uint32_t generation = world.bodies[slot].generation;
        world.bodies[slot] = {};
        world.bodies[slot].generation = generation;
    }
    Body& body = world.bodies[slot];
    body.alive = true;
    ++body.generation;
    body.serial = world.nextSerial++;
    body.name = def.name;
    body.userData = def.userData;
    body.motion = def.motion;
    body.shape = shape;
    body.shapeAsGiven = std::move(given);
    body.material = def.material;
    body.massOverride = def.mass;
    body.inertiaOverride = def.inertia;
    body.linearDamping = def.linearDamping;
    body.angularDamping = def.angularDamping;
    body.gravityFactor = def.gravityFactor;
    body.lockedAxes = def.lockedAxes;
    body.surfaceVelocity = def.surfaceVelocity;
    body.layer = def.layer;
    world.layersInUse |= def.layer;
    body.mask = def.mask;
    body.sensor = def.sensor;
    body.allowSleep = def.allowSleep;
    body.isFresh = def.tolerateOverlap;
    world.hasFresh = world.hasFresh || body.isFresh;
    body.keyframes = def.keyframes;
    body.fracture = std::move(fracture);
    world.breaking.anyBreakable = world.breaking.anyBreakable || body.fracture;
    if (bonds)
        setBonds(world, slot, std::move(*bonds));
    if (body.fracture)
        prepareAligned(world, *body.fracture);
    updateMass(body);
    placeBody(body, toWorldPoint(def.position), normalize(def.orientation));
    body.velocity = def.motion == Motion::Static ? Vec3{} : def.velocity;
    body.angularVelocity = def.motion == Motion::Static ? Vec3{} : def.angularVelocity;
    if (body.bonds)
        piecesOf(body);  // now, not in a step
    addProxy(world, slot);
    if (body.motion != Motion::Static)
        listMoving(world, slot);
    return slot;
}

namespace {

BodyDef pieceDef(const Body& parent, const NewPiece& piece, std::size_t number) {
    BodyDef def;
    def.name = parent.name + "_" + std::to_string(number);
    def.shape = piece.shape;
    def.motion = piece.anchored ? Motion::Static : Motion::Dynamic;
    def.velocity = piece.velocity;
    def.angularVelocity = piece.angularVelocity;
    def.material = parent.material;
    if (parent.massOverride)
        def.mass = *parent.massOverride * piece.share;
    def.linearDamping = parent.linearDamping;
    def.angularDamping = parent.angularDamping;
    def.gravityFactor = parent.gravityFactor;
    def.lockedAxes = parent.lockedAxes;
    def.surfaceVelocity = parent.surfaceVelocity;
    def.layer = parent.layer;
    def.mask = parent.mask;
    def.allowSleep = parent.allowSleep;
    def.userData = parent.userData;
    return def;
}

// What is left of the parent's resistance to a piece; none where it may not break again.
Rare<BodyFracture> pieceFracture(const BodyFracture& parent, const NewPiece& piece) {
    // Half of a piece must still be one.
    if (parent.def.generations <= 1 || piece.shape->massProperties.volume < 2 * double(parent.def.smallest))
        return {};
    BodyFracture fracture = parent;
    fracture.solid = piece.shape;
    fracture.face = faceOf(*piece.shape);
    fracture.damage = 0;
    --fracture.def.generations;
    fracture.def.threshold *= powerOf(piece.share, fracture.def.sizeExponent);
    for (FractureAnchor& anchor : fracture.def.anchors) {
        anchor.low -= piece.center;
        anchor.high -= piece.center;
    }
    if (!piece.anchored)
        fracture.def.anchors.clear();
    return fracture;
}

}  // namespace

std::vector<std::uint32_t> commitBreak(WorldState& world, std::uint32_t slot, std::span<const NewPiece> pieces) {
    const Body parent = world.bodies[slot];
    const BodyId parentId{slot, parent.generation};
    commitRemove(world, slot);
    const std::uint64_t birth = ++world.breaking.count;
    std::vector<std::uint32_t> slots;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const NewPiece& piece = pieces[i];
        const std::uint32_t made = commitAdd(world, pieceDef(parent, piece, i));
        Body& body = world.bodies[made];
        body.parent = parentId;
        body.birth = birth;
        if (parent.fracture)
            body.fracture = pieceFracture(*parent.fracture, piece);
        if (piece.bonds)
            setBonds(world, made, *piece.bonds);
        // In double, and without a rounding through the definition.
        const Quat orientation = userOrientation(parent);
        placeBody(body, userPosition(parent) + rotate(orientation, piece.center), orientation * piece.orientation);
        refreshProxy(world, body);
        slots.push_back(made);
    }
    return slots;
}

void commitRemove(WorldState& world, std::uint32_t slot) {
    Body& body = world.bodies[slot];
    removeJointsOf(world, slot);
    forgetPairs(world, slot);
    if (body.proxy != kNone)
        world.broadPhase.remove(body.proxy);
    unlistMoving(world, slot);
    dropBonds(world, slot);
    const std::uint32_t generation = body.generation;
    body = {};
    body.generation = generation;
    world.freeSlots.push_back(slot);
}

void commitMotion(WorldState& world, std::uint32_t slot, Motion motion) {
    Body& body = world.bodies[slot];
    if (body.motion == motion)
        return;
    forgetPairs(world, slot);
    world.broadPhase.remove(body.proxy);
    unlistMoving(world, slot);
    body.motion = motion;
    world.dueJointsKnown = false;
    updateMass(body);
    if (motion == Motion::Static)
        body.velocity = body.angularVelocity = {};
    else
        listMoving(world, slot);
    addProxy(world, slot);
}

void commitShape(WorldState& world, std::uint32_t slot, const Shape& shape) {
    Body& body = world.bodies[slot];
    body.shape = builtShape(shape);
    body.shapeAsGiven = asGiven(shape);
    if (body.fracture && body.shape->type == ShapeType::Mesh)
        body.fracture.reset();
    if (body.fracture) {
        if (const SharedShape drawn = drawnForCut(body.shape, body.fracture->def); drawn != body.shape)
            body.shapeAsGiven = Shape(body.shape = drawn);
        body.fracture = makeFracture(body.shape, body.fracture->def);
    }
    dropBonds(world, slot);
    body.centerOverride.reset();
    updateMass(body);
    forgetPairs(world, slot);
    world.broadPhase.remove(body.proxy);
    addProxy(world, slot);
}

void forgetPairs(WorldState& world, std::uint32_t slot) {
    wakePairsOf(world, slot);
    std::erase_if(world.pairs, [&](const ContactPair& pair) {
        if (pair.bodyA != slot && pair.bodyB != slot)
            return false;
        if (pair.touching)
            noteEnd(world, pair);
        world.pairSet.erase(collision::pairKey(pair.bodyA, pair.bodyB));
        return true;
    });
    findAgain(world, slot);
}

void findAgain(WorldState& world, std::uint32_t slot) {
    const Body& body = world.bodies[slot];
    if (body.proxy == kNone)
        return;
    world.broadPhase.remove(body.proxy);
    addProxy(world, slot);
}

void push(Body& body, const Vec3& impulse) { body.velocity += impulse * body.inverseMass; }

void turn(Body& body, const Vec3& angularImpulse) {
    const Vec3 local = multiply(body.inversePrincipalInertia, inverseRotate(body.orientation, angularImpulse));
    body.angularVelocity += rotate(body.orientation, local);
}

}  // namespace sunder::world
