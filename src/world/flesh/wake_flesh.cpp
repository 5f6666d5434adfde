#include "world/flesh/wake_flesh.h"

#include <algorithm>

#include "world/flesh/flesh_touches.h"
#include "world/flesh/holds.h"
#include "world/sleep/wake.h"
#include "world/state/proxies.h"

namespace sunder::world {

namespace {

// Wakes what is asleep in contacts that are near. Returns whether there was anything.
bool wakeIn(WorldState& world, std::span<const FleshContact> contacts) {
    bool any = false;
    for (const FleshContact& contact : contacts)
        for (const FleshContact::Side* side : {&contact.a, &contact.b})
            if (contact.gap < kFleshNear && isAsleep(world.bodies[side->body])) {
                wakeBody(world, side->body);
                any = true;
            }
    return any;
}

// Whether a body at rest only trembles, so that it wakes nobody: what it may cover in the step (reach, m) is less than a free
// body falls in 0.14 s.
bool tremblesAtRest(const WorldState& world, const Body& body, Real reach) {
    constexpr Real kHalfSquare = Real(0.01);  // s^2: half of the square of that time
    return body.restTime > 0 && reach < length(world.def.gravity) * kHalfSquare && body.motion == Motion::Dynamic;
}

// Sleeping deformable bodies that a rigid one that moves may reach in the step.
std::vector<std::uint32_t> sleepersInReach(const WorldState& world, Real dt) {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t slot : world.roster.moving) {
        const Body& body = world.bodies[slot];
        if (body.quarantined || body.solid || body.sensor)
            continue;
        const Real speed = length(body.velocity) + length(body.angularVelocity) * boundingRadius(body);
        const Real reach = (speed + length(world.def.gravity) * dt) * dt + kFleshNear;
        if (tremblesAtRest(world, body, speed * dt))
            continue;
        world.broadPhase.query(Motion::Dynamic, expand(tightBounds(body), reach), [&](std::uint32_t collider) {
            const Body& other = world.bodies[slotOf(collider)];
            if (other.solid && isAsleep(other) && (body.layer & other.mask) && (other.layer & body.mask))
                found.push_back(slotOf(collider));
        });
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

bool isMoving(const Body& body) { return body.motion != Motion::Static && !isAsleep(body) && !body.quarantined; }

}  // namespace

std::vector<std::uint32_t> movingSolids(const WorldState& world) {
    std::vector<std::uint32_t> solids;
    for (const std::uint32_t slot : world.roster.deforming)
        if (const Body& body = world.bodies[slot];
            body.solid && body.motion == Motion::Dynamic && !body.quarantined && !isAsleep(body))
            solids.push_back(slot);
    return solids;
}

void wakeNearFlesh(WorldState& world, Real dt) {
    if (world.roster.deforming.empty() || !isAnyAsleep(world.sleep))
        return;
    FleshSurfaces surfaces(world, dt);
    std::vector<FleshContact> contacts;
    for (const std::uint32_t slot : sleepersInReach(world, dt)) {
        contacts.clear();
        findFleshContacts(surfaces, slot, contacts);
        const bool isReached = std::any_of(contacts.begin(), contacts.end(), [&](const FleshContact& contact) {
            return isMoving(world.bodies[contact.a.body]) || isMoving(world.bodies[contact.b.body]);
        });
        if (isReached)
            wakeBody(world, slot);
    }
    // What wakes may come near others in turn.
    for (bool goesOn = true; goesOn;) {
        contacts.clear();
        for (const std::uint32_t slot : movingSolids(world))
            findFleshContacts(surfaces, slot, contacts);
        goesOn = wakeIn(world, contacts) || wakeHeld(world);
    }
}

}  // namespace sunder::world
