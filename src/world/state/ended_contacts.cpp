#include "world/state/ended_contacts.h"

#include <algorithm>
#include <utility>

namespace sunder::world {

void orderBySerial(const PagedVector<Body>& bodies, ContactEvent& event) {
    if (bodies[event.a.index].serial < bodies[event.b.index].serial)
        return;
    std::swap(event.a, event.b);
    event.normal = -event.normal;
}

void noteEnd(const PagedVector<Body>& bodies, EventState& events, const ContactPair& pair) {
    ContactEvent event;
    event.phase = ContactPhase::End;
    event.a = idOf(bodies, pair.bodyA);
    event.b = idOf(bodies, pair.bodyB);
    event.sensor = bodies[pair.bodyA].sensor || bodies[pair.bodyB].sensor;
    orderBySerial(bodies, event);
    // Several colliders of a deforming body may lose contact at once: one event is enough.
    const auto isSame = [&](const ContactEvent& other) { return other.a == event.a && other.b == event.b; };
    std::vector<ContactEvent>& ended = events.endedContacts;
    const bool deforms = bodies[pair.bodyA].vertices || bodies[pair.bodyB].vertices;
    if (!deforms || std::none_of(ended.begin(), ended.end(), isSame))
        ended.push_back(event);
}

}  // namespace sunder::world
