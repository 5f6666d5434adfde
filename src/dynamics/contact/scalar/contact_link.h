// What the graph of contacts is made of. Colouring, blocks and islands walk all contacts several times a step, one after the
// other; they read these few bytes instead of whole constraints.
#pragma once

#include <cstdint>

#include "dynamics/contact/scalar/constraint.h"
#include "dynamics/contact/scalar/contact_law.h"

namespace sunder::dynamics {

struct ContactLink {
    std::uint32_t bodyA = kFixedBody, bodyB = kFixedBody;  // indices of SolverBody
    std::uint8_t pointCount = 0;
    std::uint8_t loadedCount = 0;  // points that have impulses to start from
    bool hasRestitution = false;
    bool drives = false;       // a surface moves along itself
    bool isRare = false;       // needs what few contacts do: it drives, anchors do not turn, or friction about the normal
    bool carriedLoad = false;  // once the step is solved: pushed in any substep
    bool waits = false;        // no pass looks at it until one of its bodies has come a way (waiting.h)
    bool isYoung = false;      // see kYoung
    Real load = 0;             // N s along the normal per substep that it starts from
};

inline ContactLink linkOf(const ContactConstraint& constraint) {
    ContactLink link{constraint.bodyA, constraint.bodyB, static_cast<std::uint8_t>(constraint.count)};
    for (int i = 0; i < constraint.count; ++i)
        if (constraint.points[i].normalImpulse > 0) {
            ++link.loadedCount;
            link.load += constraint.points[i].normalImpulse;
        }
    link.isYoung = constraint.age < kYoung;
    link.hasRestitution = constraint.restitution > 0;
    link.drives = !(constraint.surfaceVelocity == Vec3{});
    link.isRare = link.drives || constraint.rollingFriction > 0 || constraint.spinningFriction > 0 ||
                  constraint.frameA.motion != AnchorMotion::Turns || constraint.frameB.motion != AnchorMotion::Turns;
    return link;
}

inline bool carriedLoad(const ContactConstraint& constraint) {
    for (int i = 0; i < constraint.count; ++i)
        if (constraint.points[i].totalNormalImpulse > 0)
            return true;
    return false;
}

}  // namespace sunder::dynamics
