#include "world/contact/collider_events.h"

#include <algorithm>
#include <array>

namespace sunder::world {

namespace {

bool touchedBefore(const ContactEvent& event) { return event.phase != ContactPhase::Begin; }
bool touchesNow(const ContactEvent& event) { return event.phase != ContactPhase::End; }

// The event keeps the place of the deepest overlap; colliders that no longer touch do not set it.
void add(ContactEvent& sum, const ContactEvent& event) {
    const bool before = touchedBefore(sum) || touchedBefore(event), now = touchesNow(sum) || touchesNow(event);
    if (touchesNow(event) && (!touchesNow(sum) || event.penetration > sum.penetration)) {
        sum.point = event.point;
        sum.normal = event.normal;
        sum.penetration = event.penetration;
    }
    sum.impulse += event.impulse;
    sum.frictionImpulse += event.frictionImpulse;
    sum.phase = !now ? ContactPhase::End : before ? ContactPhase::Persist : ContactPhase::Begin;
}

}  // namespace

void mergeColliderEvents(const PagedVector<Body>& bodies, std::vector<ContactEvent>& events, std::size_t first) {
    std::vector<std::size_t> order;
    for (std::size_t i = first; i < events.size(); ++i)
        if (bodies[events[i].a.index].vertices || bodies[events[i].b.index].vertices)
            order.push_back(i);
    const auto pairOf = [&](std::size_t i) {
        const ContactEvent& event = events[i];
        return std::array{event.a.index, event.a.generation, event.b.index, event.b.generation};
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return pairOf(i) < pairOf(j); });
    std::vector<std::uint8_t> isMerged(events.size());
    std::size_t into = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || pairOf(order[i]) != pairOf(into)) {
            into = order[i];
            continue;
        }
        add(events[into], events[order[i]]);
        isMerged[order[i]] = 1;
    }
    std::size_t kept = first;
    for (std::size_t i = first; i < events.size(); ++i)
        if (!isMerged[i])
            events[kept++] = events[i];
    events.resize(kept);
}

}  // namespace sunder::world
