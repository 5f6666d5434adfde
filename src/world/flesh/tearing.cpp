#include "world/flesh/tearing.h"

#include <algorithm>
#include <cmath>

#include "world/flesh/flesh_contacts.h"

namespace sunder::world {

namespace {

// A blow at this share of the speed at which a wave of stress reaches the strength, strength / sqrt(young density), is a
// strike: cracks start at a fraction of it, because blows are not spread over a face.
constexpr Real kStrikeShare = Real(0.1);
// Share of the strength above which a body that moves in its own frame still rings.
constexpr Real kRingingLoad = Real(0.3);
constexpr int kMostStrikeParts = 64;  // of a step: bounds its cost where the host's steps are long

Real strikeSpeed(const Body& body) {
    const deformable::FleshMaterial& m = body.solid->material;
    return kStrikeShare * body.material.strength / std::sqrt(m.elastic.young * m.elastic.density);
}

// J: what brings one tetrahedron to its strength. A blow of less, as by a shard, breaks nothing.
Real tetEnergy(const Body& body) {
    const deformable::FleshMaterial& m = body.solid->material;
    const Real volume = body.mass / (m.elastic.density * Real(body.solid->memory.tets));
    return square(body.material.strength) / (2 * m.elastic.young) * volume;
}

// kg: the mass that a blow between two bodies stops.
Real blowMass(const Body& a, const Body& b) {
    const Real sum = (isAsleep(a) ? Real(0) : a.inverseMass) + (isAsleep(b) ? Real(0) : b.inverseMass);
    return sum > 0 ? 1 / sum : Real(0);
}

bool isStruck(FleshSurfaces& surfaces, std::uint32_t slot) {
    const WorldState& world = surfaces.world;
    const Body& body = world.bodies[slot];
    if (body.solid->isTearing)
        return true;
    const Real speed = strikeSpeed(body);
    if (body.solid->load > kRingingLoad && fastestOf(*body.vertices) > speed)
        return true;
    const Real energy = tetEnergy(body);
    std::vector<FleshContact> contacts;
    findFleshContacts(surfaces, slot, contacts);
    return std::any_of(contacts.begin(), contacts.end(), [&](const FleshContact& contact) {
        const Body &a = world.bodies[contact.a.body], &b = world.bodies[contact.b.body];
        const Real closing = dot(closingVelocity(world.bodies, contact), contact.normal);
        return closing > speed && contact.gap < closing * surfaces.dt && blowMass(a, b) * square(closing) > 2 * energy;
    });
}

bool mayTear(const Body& body) {
    // What is too small to come apart does not tear.
    return body.solid && body.solid->def.tears && !isStiff(body) &&
           body.solid->memory.tets >= 2 * std::size_t(body.solid->def.smallestPiece) && body.motion == Motion::Dynamic &&
           !body.quarantined && !isAsleep(body) && body.material.strength > 0;
}

// Pa: the tension at which a node opens. The stress of a band of one cell across the crack frees s^2 / (2 E) times its width
// for a unit area of it (the crack band of [BO83]); a finer mesh needs more stress for the same energy.
Real openingStress(const Body& body, const deformable::SolidModel& model) {
    const Real strength = body.material.strength;
    if (!body.solid->def.paysToughness)
        return strength;
    return max(strength, std::sqrt(2 * model.material.elastic.young * body.material.toughness / model.cell));
}

bool isDue(const DeformableDef& def, const FleshStep& step) {
    if (def.tearInterval <= 0)
        return true;
    const double interval = double(def.tearInterval);
    return std::floor(step.endTime / interval) > std::floor((step.endTime - double(step.dt)) / interval);
}

bool hasRoomFor(const WorldState& world, std::size_t pieces) {
    int living = 0;
    for (const Body& body : world.bodies)
        living += body.alive && body.birth > 0;
    return living + static_cast<int>(pieces) <= world.def.mostPieces &&
           world.breaking.piecesMade + static_cast<int>(pieces) <= world.def.mostPiecesPerStep;
}

}  // namespace

// The small allowance is that of the solver's substeps: 1/30 s at 480 Hz are 16.
int partsWanted(const Body& body, Real dt) {
    return static_cast<int>(min(max(1, std::ceil(dt * body.solid->def.strikeRate - Real(0.01))), Real(kMostStrikeParts)));
}

bool isStiff(const Body& body) {
    return body.solid && body.solid->torn && body.solid->memory.tets <= std::size_t(body.solid->def.rigidPieces) &&
           body.solid->pins.empty();
}

void SavedBodies::save(const PagedVector<Body>& bodies, std::uint32_t slot) {
    const Body& body = bodies[slot];
    Saved& saved = saved_.emplace_back();
    saved.slot = slot;
    saved.motion = body;
    saved.rest = body;
    if (!body.solid)
        return;
    saved.positions = body.vertices->positions;
    saved.velocities = body.vertices->velocities;
    saved.memory = body.solid->memory;
}

void SavedBodies::restore(PagedVector<Body>& bodies) const {
    for (const Saved& saved : saved_) {
        Body& body = bodies[saved.slot];
        static_cast<BodyMotion&>(body) = saved.motion;
        static_cast<BodyRest&>(body) = saved.rest;
        if (!body.solid)
            continue;
        body.vertices->positions = saved.positions;
        body.vertices->velocities = saved.velocities;
        body.solid->memory = saved.memory;
    }
}

deformable::Torn findTear(WorldState& world, std::uint32_t slot, const FleshStep& step) {
    Body& body = world.bodies[slot];
    if (!mayTear(body) || !isDue(body.solid->def, step) || !areFinite(*body.vertices))
        return {};
    DeformableBody& solid = *body.solid;
    const deformable::SolidModel& model = modelOf(solid, *body.shape);
    const deformable::ResidualShare residual{solid.def.residualPropagation, openingStress(body, model)};
    deformable::TensionFound found = deformable::findTension(*world.tasks, model, body.vertices->positions, solid.memory,
                                                             residual.strength, residual.share > 0);
    solid.load = min(found.load, Real(1e6));
    solid.isTearing = false;
    if (found.beyond.empty() || solid.def.tearRounds == 0)
        return {};
    const deformable::TearLimits limits{static_cast<std::size_t>(solid.def.mostTears),
                                        static_cast<std::uint32_t>(solid.def.smallestPiece), residual};
    found.beyond.insert(found.beyond.end(), found.below.begin(), found.below.end());
    deformable::Torn torn = deformable::openNodes(model, body.vertices->positions, found.beyond, limits);
    if (torn.parts.size() > 1 && !hasRoomFor(world, torn.parts.size() - 1))
        return {};
    // Over a whole step contacts are far from linear; what they do to shards tears them at 30 Hz and not at 60.
    if (!torn.parts.empty() && !step.isStrike && partsWanted(body, step.dt) > 1) {
        solid.isTearing = true;
        return {};
    }
    return torn;
}

int strikeParts(const WorldState& world, Real dt) {
    int parts = 1;
    FleshSurfaces surfaces(world, dt);
    for (const std::uint32_t slot : world.roster.deforming) {
        const Body& body = world.bodies[slot];
        if (!mayTear(body))
            continue;
        if (const int wanted = partsWanted(body, dt); wanted > parts && isStruck(surfaces, slot))
            parts = wanted;
    }
    return parts;
}

GivenForces::GivenForces(const WorldState& world, int strikes) {
    if (strikes < 2)
        return;
    for (const std::uint32_t slot : world.roster.moving) {
        const Body& body = world.bodies[slot];
        if (body.motion == Motion::Dynamic)
            given_.push_back({slot, body.generation, body.force, body.torque});
    }
}

void GivenForces::restore(WorldState& world) const {
    for (const Given& given : given_)
        if (Body& body = world.bodies[given.slot]; body.alive && body.generation == given.generation) {
            body.force = given.force;
            body.torque = given.torque;
        }
}

}  // namespace sunder::world
