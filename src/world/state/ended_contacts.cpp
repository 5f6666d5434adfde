#include "world/state/ended_contacts.h"

#include <algorithm>
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
    // Several colliders of two bodies may part at once.
    const auto isSame = [&](const ContactEvent& other) { return other.a == event.a && other.b == event.b; };
    std::vector<ContactEvent>& ended = world.events.endedContacts;
    const bool deforms = world.bodies[pair.bodyA].vertices || world.bodies[pair.bodyB].vertices;
    if (!deforms || std::none_of(ended.begin(), ended.end(), isSame))
        ended.push_back(event);
}

}  // namespace sunder::world
