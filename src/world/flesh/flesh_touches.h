// What deformable bodies touched in a part of a step: contact events and what breakable bodies felt come from it, and who
// sleeps with whom.
#pragma once

#include "deformable/contact/island_contact.h"
#include "world/flesh/flesh_contacts.h"

namespace sunder::world {

// m: bodies this near to a deformable one sleep with it, and one that comes this near wakes it. One distance for both, so that
// no two islands keep waking each other.
inline constexpr Real kFleshNear = Real(0.02);

class FleshTouches {
public:
    void add(const PagedVector<Body>& bodies, const FleshContact& found, const deformable::IslandContact& solved);
    // Fills SolveState::fleshTouches: one for each pair of bodies, in order of slots.
    void take(std::vector<SweptBlow>& blows);

private:
    struct Touch {
        SweptBlow blow;    // striker < struck
        Real hardest = 0;  // N s
    };
    std::vector<Touch> touches_;
};

}  // namespace sunder::world
