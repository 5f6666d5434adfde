#include "world/state/ended_contacts.h"

#include <utility>

namespace sunder::world {

void orderBySerial(const WorldState& world, ContactEvent& event) {
    if (world.bodies[event.a.index].serial < world.bodies[event.b.index].serial)
        return;
    std::swap(event.a, event.b);
    event.normal = -event.normal;
}

void noteEnd(WorldState& world, const ContactPair& pair) {
    ContactEvent event;
    event.phase = ContactPhase::End;
    event.a = idOf(world, pair.bodyA);
    event.b = idOf(world, pair.bodyB);
    event.sensor = world.bodies[pair.bodyA].sensor || world.bodies[pair.bodyB].sensor;
    orderBySerial(world, event);
    world.events.endedContacts.push_back(event);
}

}  // namespace sunder::world
