#include "world/commit/torn_parts.h"

#include "deformable/frame/part_motion.h"
#include "world/commit/bodies.h"
#include "world/record/body_mass.h"
#include "world/state/proxies.h"

namespace sunder::world {

namespace {

using deformable::FrameMotion;
using deformable::PartMotion;
using deformable::SolidModel;
using deformable::SolidPart;

// A part before it is a body.
struct MadePart {
    DeformableBody solid;
    PartMotion motion;
    Vec3 halfExtents;  // m, of its rest shape
};

// Copies one item per node from the whole to a part. Both copies of a node that was split get the item.
template <class Item>
void goOver(const std::vector<Item>& whole, std::span<const std::uint32_t> nodeFrom, std::size_t nodes,
            std::vector<Item>& part) {
    if (whole.empty())
        return;
    std::vector<const Item*> itemOf(nodes);
    for (const Item& item : whole)
        itemOf[item.node] = &item;
    for (std::uint32_t i = 0; i < nodeFrom.size(); ++i)
        if (const Item* item = itemOf[nodeFrom[i]]) {
            part.push_back(*item);
            part.back().node = i;
        }
}

// How the tetrahedra and pins of the whole go over to the part; nodes and tetrahedra of both in the order of their models.
void inherit(const DeformableBody& whole, const SolidPart& part, std::span<const std::uint32_t> nodeFrom, DeformableBody& out) {
    const SolidModel& model = *out.model;
    const TetMemory memory = unpack(whole);
    TetMemory own;
    for (std::size_t t = 0; t < model.tetCount(); ++t) {
        const std::uint32_t from = part.tetFrom[model.givenTet[t]];
        own.usesQr.push_back(memory.usesQr[from]);
        if (!memory.plastic.empty())
            own.plastic.push_back(memory.plastic[from]);
    }
    const std::shared_ptr<const SolidModel> kept = out.model;
    pack(own, out);
    out.model = kept;
    goOver(whole.pins, nodeFrom, whole.model->nodeCount(), out.pins);
    goOver(whole.holds, nodeFrom, whole.model->nodeCount(), out.holds);
    goOver(whole.forces, nodeFrom, whole.model->nodeCount(), out.forces);
    goOver(whole.grips, nodeFrom, whole.model->nodeCount(), out.grips);
}

// The splinters whose tetrahedra are the part's.
Rare<SplinterRecord> splintersOf(const SplinterRecord& whole, const SolidPart& part, const SolidModel& model, std::size_t tets,
                                 const Vec3& shift) {
    constexpr std::uint32_t kElsewhere = 0xffffffffu;
    std::vector<std::uint32_t> tetOf(tets, kElsewhere);
    for (std::uint32_t t = 0; t < model.tetCount(); ++t)
        tetOf[part.tetFrom[model.givenTet[t]]] = t;
    SplinterRecord own;
    own.halfExtents = whole.halfExtents;
    own.shift = whole.shift + shift;
    for (std::size_t i = 0; i < whole.owner.size(); ++i)
        if (tetOf[whole.owner[i]] != kElsewhere) {
            own.number.push_back(whole.number[i]);
            own.owner.push_back(tetOf[whole.owner[i]]);
            if (!whole.trimmed.empty())
                own.trimmed.push_back(whole.trimmed[i]);
        }
    return own;
}

MadePart makePart(const Body& body, const SolidPart& part, bool isWhole) {
    const DeformableBody& whole = *body.solid;
    MadePart made;
    made.solid.def = whole.def;
    made.solid.def.nodes.clear();  // `torn` takes their place
    made.solid.def.tets.clear();
    made.solid.material = whole.material;
    made.solid.load = whole.load;
    geometry::TetMesh mesh = part.mesh;
    Vec3 shift;
    if (!isWhole) {  // it has a frame of its own, in the middle of its rest shape; pinned boxes mean nothing there
        made.solid.def.pinned.clear();
        made.solid.def.attached.clear();
        const Bounds bounds = boundsOf(mesh);
        const Vec3 middle = (bounds.low + bounds.high) / 2;
        made.halfExtents = (bounds.high - bounds.low) / 2;
        for (Vec3& p : mesh.vertices)
            p -= middle;
        shift = -middle;
    }
    made.solid.model = deformable::buildSolid(mesh, whole.material).model;
    made.solid.torn = std::move(mesh);
    std::vector<std::uint32_t> nodeFrom;
    for (const std::uint32_t given : made.solid.model->givenNode)
        nodeFrom.push_back(part.nodeFrom[given]);
    inherit(whole, part, nodeFrom, made.solid);
    if (whole.splinters)
        made.solid.splinters = splintersOf(*whole.splinters, part, *made.solid.model, whole.memory.tets, shift);
    made.motion = deformable::motionOfPart(*whole.model, frameMotionOf(body), body.vertices->positions,
                                           body.vertices->velocities, *made.solid.model, nodeFrom);
    return made;
}

void setMotion(Body& body, const FrameMotion& motion) {
    body.center = motion.center;
    body.orientation = motion.worldFromBody * body.bodyFromPrincipal.orientation;
    body.velocity = motion.velocity;
    body.angularVelocity = motion.angularVelocity;
}

void keepAs(WorldState& world, std::uint32_t slot, MadePart made) {
    Body& body = world.bodies[slot];
    BodyVertices vertices = verticesOf(*made.solid.model);
    vertices.positions = std::move(made.motion.positions);
    vertices.velocities = std::move(made.motion.velocities);
    vertices.revision = body.vertices->revision + 1;
    body.massOverride = made.solid.model->mass;
    body.centerOverride = made.solid.model->center;
    updateMass(body);
    setMotion(body, made.motion.motion);
    body.solid = std::move(made.solid);
    commitVertices(world, slot, std::move(vertices));
}

std::uint32_t addPart(WorldState& world, const Body& parent, BodyId parentId, MadePart made) {
    NewPiece piece;
    piece.shape = buildShape(Box{made.halfExtents});
    BodyDef def = pieceDef(parent, piece, world.roster.nextSerial);
    def.mass.reset();
    BuiltBody built;
    built.shape = piece.shape;
    built.solid = std::move(made.solid);
    const std::uint32_t slot = commitAdd(world, def, std::move(built));
    Body& body = world.bodies[slot];
    body.parent = parentId;
    body.birth = world.breaking.count;
    body.vertices->positions = std::move(made.motion.positions);
    body.vertices->velocities = std::move(made.motion.velocities);
    setMotion(body, made.motion.motion);
    refreshProxies(world.broadPhase, body);
    return slot;
}

// Joints go over to the part in which their first point lies. Points of theirs that lie in others are held by its tetrahedron.
void handJointsOver(WorldState& world, const Body& parent, std::uint32_t slot, const deformable::Torn& torn,
                    std::span<const std::uint32_t> slots) {
    const SolidModel& whole = *parent.solid->model;
    struct Place {
        std::uint32_t part = 0, tet = 0;
    };
    std::vector<Place> placeOf;  // by tetrahedron of the whole; found for the first joint
    const auto bodyOfPart = [&](std::uint32_t part) { return part == 0 ? slot : slots[part - 1]; };
    const auto findPlaces = [&] {
        placeOf.resize(whole.tetCount());
        for (std::uint32_t p = 0; p < torn.parts.size(); ++p) {
            const SolidModel& model = *world.bodies[bodyOfPart(p)].solid->model;
            for (std::uint32_t t = 0; t < model.tetCount(); ++t)
                placeOf[torn.parts[p].tetFrom[model.givenTet[t]]] = {p, t};
        }
    };
    for (JointFlesh& flesh : world.fleshJoints.held) {
        Joint& joint = world.joints[flesh.joint];
        if (joint.def.a.index != slot && joint.def.b.index != slot)
            continue;
        if (placeOf.empty())
            findPlaces();
        const bool isB = joint.def.b.index == slot;
        std::vector<FleshPoint>& points = isB ? flesh.b : flesh.a;
        const Place first = placeOf[points.front().tet];
        const std::uint32_t taker = bodyOfPart(first.part);
        const SolidModel& model = *world.bodies[taker].solid->model;
        const Vec3 shift = model.mesh.vertices[0] - whole.mesh.vertices[torn.parts[first.part].nodeFrom[model.givenNode[0]]];
        for (FleshPoint& point : points) {
            const Place at = placeOf[point.tet];
            point = pointAtRest(model, at.part == first.part ? at.tet : first.tet, placeAtRest(whole, point) + shift);
        }
        (isB ? joint.frameB : joint.frameA).position += shift;
        (isB ? joint.def.b : joint.def.a) = BodyId{taker, world.bodies[taker].generation};
        joint.traits.known = false;
        world.jointRoster.uncollidingKnown = world.jointRoster.dueKnown = false;
    }
}

// The faces that opened, as they lie in the world.
std::vector<TornFace> facesOf(const Body& body, const deformable::Torn& torn) {
    const Quat turn = userOrientation(body);
    std::vector<TornFace> faces;
    for (const deformable::OpenedFace& face : torn.faces) {
        const Vec3 &a = body.vertices->positions[face.node[0]], &b = body.vertices->positions[face.node[1]],
                   &c = body.vertices->positions[face.node[2]];
        faces.push_back({toVec3(userPosition(body) + rotate(turn, (a + b + c) / 3)),
                         rotate(turn, normalizeOr(cross(b - a, c - a), {0, 1, 0})), face.area});
    }
    return faces;
}

}  // namespace

std::vector<std::uint32_t> commitTear(WorldState& world, std::uint32_t slot, const deformable::Torn& torn) {
    const Body parent = world.bodies[slot];
    const BodyId id{slot, parent.generation};
    const Quat turn = userOrientation(parent);
    TearEvent& tear = world.breaking.tears.emplace_back();
    tear.body = id;
    tear.point = toVec3(userPosition(parent) + rotate(turn, parent.vertices->positions[torn.first.node]));
    tear.normal = rotate(turn, torn.first.normal);
    tear.stress = torn.first.stress;
    tear.area = Real(torn.area);
    tear.faces = facesOf(parent, torn);
    const bool comesApart = torn.parts.size() > 1;
    if (comesApart) {
        ++world.breaking.count;
        ++world.stepStats.breaks;
    }
    keepAs(world, slot, makePart(parent, torn.parts.front(), true));
    std::vector<std::uint32_t> slots;
    for (std::size_t i = 1; i < torn.parts.size(); ++i)
        slots.push_back(addPart(world, parent, id, makePart(parent, torn.parts[i], false)));
    handJointsOver(world, parent, slot, torn, slots);
    if (!comesApart)
        return slots;
    BreakEvent event;
    event.body = id;
    event.point = tear.point;
    event.normal = tear.normal;
    event.stress = tear.stress;
    event.rule = BreakRule::Tear;
    for (const std::uint32_t made : slots)
        event.pieces.push_back({made, world.bodies[made].generation});
    world.breaking.piecesMade += static_cast<int>(slots.size());
    world.breaking.events.push_back(std::move(event));
    return slots;
}

void cutSolid(WorldState& world, const BreakRequest& request) {
    const Body& body = world.bodies[request.body.index];
    const DeformableBody& solid = *body.solid;
    const deformable::Torn torn = deformable::cutAlong(modelOf(solid, *body.shape), body.vertices->positions, request.point,
                                                       request.normal, static_cast<std::uint32_t>(solid.def.smallestPiece));
    if (!torn.parts.empty() && hasRoomFor(world, torn.parts.size() - 1))
        commitTear(world, request.body.index, torn);
}

bool hasRoomFor(const WorldState& world, std::size_t pieces) {
    int living = 0;
    for (const Body& body : world.bodies)
        living += body.alive && body.birth > 0;
    return living + static_cast<int>(pieces) <= world.def.mostPieces &&
           world.breaking.piecesMade + static_cast<int>(pieces) <= world.def.mostPiecesPerStep;
}

}  // namespace sunder::world
