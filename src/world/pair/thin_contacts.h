// Thins the contacts of bonded bodies. A wall touches the ground with every brick of its lowest row, but for the motion of a
// rigid body the outermost contacts of a plane are enough: the others are taken out of the solve, and the load that each would
// carry is found afterwards (fracture/bonds/spread_contacts.h).
#pragma once

#include <span>
#include <vector>

#include "core/pages.h"
#include "dynamics/contact/scalar/constraint.h"
#include "world/pair/contact_pair.h"
#include "world/record/body.h"

namespace sunder::world {

class ContactThinner {
public:
    // Before the solve: takes out contacts of bonded bodies that lie in one plane with many others, and inside of them.
    void thin(const PagedVector<Body>& bodies, std::span<const ContactPair> pairs,
              std::span<dynamics::ContactConstraint> constraints);
    // After the solve: puts them back, without impulses.
    void restore(std::span<dynamics::ContactConstraint> constraints);

private:
    struct Hidden {
        std::uint32_t constraint = 0, bodyA = 0, bodyB = 0;
        std::int32_t count = 0;
    };
    struct Place {
        std::uint32_t constraint = 0;
        Vec3 point;
    };
    void thinPair(const ContactPair& pair, const Body& body, bool isB, std::span<dynamics::ContactConstraint> constraints);
    void thinGroup(const Vec3& normal, std::span<dynamics::ContactConstraint> constraints);

    std::vector<Hidden> hidden_;
    std::vector<Place> places_;
    std::vector<std::uint32_t> kept_;
    std::vector<std::uint8_t> isDone_;
};

}  // namespace sunder::world
