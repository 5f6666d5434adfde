#include "world/commit/bodies.h"

#include <algorithm>

#include "collision/parts_surface.h"
#include "world/commit/joints.h"
#include "world/record/body_mass.h"
#include "world/record/bonded_pieces.h"
#include "world/sleep/wake.h"
#include "world/state/ended_contacts.h"
#include "world/state/proxies.h"

namespace sunder::world {

namespace {

void listMoving(WorldState& world, std::uint32_t slot) {
    const auto bySerial = [&](std::uint32_t a, std::uint32_t b) { return world.bodies[a].serial < world.bodies[b].serial; };
    world.roster.moving.insert(std::upper_bound(world.roster.moving.begin(), world.roster.moving.end(), slot, bySerial), slot);
}

void unlistMoving(WorldState& world, std::uint32_t slot) {
    const auto at = std::find(world.roster.moving.begin(), world.roster.moving.end(), slot);
    if (at != world.roster.moving.end())
        world.roster.moving.erase(at);
}

void setBonds(WorldState& world, std::uint32_t slot, BodyBonds bonds) {
    world.bodies[slot].bonds = std::move(bonds);
    const auto bySerial = [&](std::uint32_t a, std::uint32_t b) { return world.bodies[a].serial < world.bodies[b].serial; };
    world.roster.bonded.insert(std::upper_bound(world.roster.bonded.begin(), world.roster.bonded.end(), slot, bySerial), slot);
}

void dropBonds(WorldState& world, std::uint32_t slot) {
    if (world.bodies[slot].bonds)
        std::erase(world.roster.bonded, slot);
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

namespace {

// A free slot, or a new one, for a body that is alive from now on.
std::uint32_t takeSlot(WorldState& world) {
    std::uint32_t slot;
    if (world.roster.freeSlots.empty()) {
        slot = static_cast<std::uint32_t>(world.bodies.size());
        world.bodies.emplace_back();
    } else {
        slot = world.roster.freeSlots.back();
        world.roster.freeSlots.pop_back();
        const std::uint32_t generation = world.bodies[slot].generation;
        world.bodies[slot] = {};
        world.bodies[slot].generation = generation;
    }
    Body& body = world.bodies[slot];
    body.alive = true;
    ++body.generation;
    body.serial = world.roster.nextSerial++;
    return slot;
}

// What a body takes over from its definition as it stands.
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
    body.isFresh = def.tolerateOverlap;
    body.keyframes = def.keyframes;
}

}  // namespace

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
    const std::uint32_t slot = takeSlot(world);
    Body& body = world.bodies[slot];
    describe(body, def);
    body.shape = shape;
    body.shapeAsGiven = std::move(given);
    world.roster.layersInUse |= def.layer;
    world.roster.hasLevelSets = world.roster.hasLevelSets || shape->hasLevelSet;
    world.roster.hasFresh = world.roster.hasFresh || body.isFresh;
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
    world.roster.freeSlots.push_back(slot);
}

void commitMotion(WorldState& world, std::uint32_t slot, Motion motion) {
    Body& body = world.bodies[slot];
    if (body.motion == motion)
        return;
    forgetPairs(world, slot);
    world.broadPhase.remove(body.proxy);
    unlistMoving(world, slot);
    body.motion = motion;
    world.jointRoster.dueKnown = false;
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
    world.roster.hasLevelSets = world.roster.hasLevelSets || body.shape->hasLevelSet;
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

}  // namespace sunder::world
