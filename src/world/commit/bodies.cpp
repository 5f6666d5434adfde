#include "world/commit/bodies.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "collision/parts_surface.h"
#include "collision/query/point_distance.h"
#include "core/fitted.h"
#include "world/commit/dent.h"
#include "world/commit/joints.h"
#include "world/commit/stress_of_body.h"
#include "world/commit/stress_pieces.h"
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

SharedShape builtShape(const Shape& shape) {
    const SharedShape* shared = std::get_if<SharedShape>(&shape);
    return shared ? *shared : buildShape(shape);
}

// A copy of the level set that is drawn as the exact surface of the one shape in LevelSet::parts.
SharedShape withOwnSurface(const SharedShape& shape) {
    LevelSet definition = std::get<LevelSet>(shape->definition);
    auto solid = std::make_shared<SampledSolid>(*definition.sampled);
    solid->surface = std::make_shared<const geometry::SurfaceMesh>(collision::surfaceOfParts(definition, solid->field));
    definition.keepSurface = true;
    definition.sampled = std::move(solid);
    return buildShape(definition);
}

// Cells of the grid on which a body breaks, where its definition does not say. Along its longest side: more make pieces finer
// and a break slower. Across its thinnest side at least so many that some nodes are inside: a pane of glass has a hundredth of
// its length. Those of the longest side have a limit, beyond which a break takes too long.
constexpr Real kDefaultCells = 36, kCellsAcross = Real(1.5), kMostDefaultCells = 256;

Real defaultCell(const BuiltShape& shape) {
    const Vec3 size = shape.localBounds.high - shape.localBounds.low;
    const Real longest = max(size.x, max(size.y, size.z)), thinnest = min(size.x, min(size.y, size.z));
    return max(min(longest / kDefaultCells, thinnest / kCellsAcross), longest / kMostDefaultCells);
}

// Share of a body's volume below which pieces stay with a neighbour, where its definition does not say.
constexpr double kSmallestShare = 1.0 / 200;

// The level set that breaks in place of the body; a thin shell that cracks by stress breaks as it is. Throws Error where the
// resolution is not possible.
SharedShape breakableSolid(const SharedShape& shape, const FractureDef& def) {
    if (shape->type == ShapeType::LevelSet || (shellOf(*shape) && std::holds_alternative<Stressed>(def.method)))
        return shape;
    LevelSet levelSet;
    levelSet.parts.push_back({shape, {}, {}});
    levelSet.cell = def.cell;
    levelSet.resolution = def.resolution;
    levelSet.keepSurface = def.surface == FractureSurface::Cut;
    if (def.cell == 0 && def.resolution[0] == 0)
        levelSet.cell = defaultCell(*shape);
    try {
        return buildShape(levelSet);
    } catch (const Error& error) {
        throw Error("fracture." + std::string(error.what()));
    }
}

// With FractureSurface::Cut a level set is drawn as the exact surface of its shape from the start, because its pieces are cut
// from that.
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

// m^2: volume^(2/3).
Real faceOf(const BuiltShape& shape) {
    const Real volume = Real(shape.massProperties.volume), power = Real(2) / 3;
    return volume <= 1 ? powerOf(volume, power) : 1 / powerOf(1 / volume, power);
}

BodyFracture makeFracture(const SharedShape& shape, const FractureDef& def) {
    BodyFracture fracture;
    fracture.def = def;
    fracture.solid = breakableSolid(shape, def);
    if (def.smallest == 0)
        fracture.def.smallest = Real(kSmallestShare * fracture.solid->massProperties.volume);
    fitToBody(fracture);
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

namespace {

BuiltBody buildBody(const Shape& shape, const FractureDef* fracture) {
    BuiltBody built;
    built.shape = builtShape(shape);
    built.asGiven = asGiven(shape);
    if (!fracture)
        return built;
    if (const SharedShape drawn = drawnForCut(built.shape, *fracture); drawn != built.shape)
        built.asGiven = Shape(built.shape = drawn);
    built.fracture = makeFracture(built.shape, *fracture);
    return built;
}

}  // namespace

BuiltBody buildBody(const BodyDef& def) {
    BuiltBody built = buildBody(def.shape, def.fracture ? &*def.fracture : nullptr);
    if (def.bonds)
        built.bonds = makeBonds(built.shape, *def.bonds);
    if (def.deformable)
        built.solid = makeDeformable(*built.shape, *def.deformable, def.material, def.mass);
    return built;
}

BuiltBody buildBody(const Body& body, const FractureDef* fracture) {
    BuiltBody built = buildBody(Shape(body.shape), fracture);
    if (built.shape == body.shape)
        built.asGiven = body.shapeAsGiven;
    return built;
}

BuiltBody buildBody(const Body& body, const Shape& shape) {
    const SharedShape given = builtShape(shape);
    const bool breaks = body.fracture && given->type != ShapeType::Mesh;
    BuiltBody built = buildBody(Shape(given), breaks ? &body.fracture->def : nullptr);
    if (built.shape == given)
        built.asGiven = asGiven(shape);
    return built;
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

BodyDef pieceDef(const Body& parent, const NewPiece& piece, std::size_t number) {
    BodyDef def;
    def.name = parent.name + "_" + std::to_string(number);
    def.shape = piece.shape;
    def.motion = piece.isAnchored ? Motion::Static : Motion::Dynamic;
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
    def.sleepFactor = parent.sleepFactor;
    def.userData = parent.userData;
    return def;
}

namespace {

// How a piece breaks; empty where it may not break again.
Rare<BodyFracture> pieceFracture(const BodyFracture& parent, const NewPiece& piece) {
    // A piece of less than twice the smallest volume cannot be divided into two pieces.
    if (parent.def.generations <= 1 || piece.shape->massProperties.volume < 2 * double(parent.def.smallest))
        return {};
    BodyFracture fracture = parent;
    try {
        fracture.solid = breakableSolid(piece.shape, parent.def);
    } catch (const Error&) {
        return {};  // it is no level set, and too thin for the body's grid: a step must not fail for that
    }
    fracture.face = faceOf(*fracture.solid);
    fracture.damage = 0;
    fracture.stress = {};
    if (Stressed* method = std::get_if<Stressed>(&fracture.def.method))
        *method = ofShare(*method, piece.share);
    --fracture.def.generations;
    fracture.def.threshold *= powerOf(piece.share, fracture.def.sizeExponent);
    for (FractureAnchor& anchor : fracture.def.anchors) {
        anchor.low -= piece.center;
        anchor.high -= piece.center;
    }
    if (!piece.isAnchored)
        fracture.def.anchors.clear();
    return fracture;
}

}  // namespace

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
