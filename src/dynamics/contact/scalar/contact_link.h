// The few bytes per contact that colouring, blocks and islands need. They walk all contacts several times a step, and whole
// constraints are many times as large.
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
    bool drives = false;  // a surface moves along itself, as a conveyor's does
    // Has a feature that few contacts have: driven surface, anchors that do not turn, rolling or spinning friction.
    bool isRare = false;
    bool carriedLoad = false;  // after the step: the contact pushed in some substep
    bool waits = false;        // no pass visits it until one of its bodies leaves its foreseen way (waiting.h)
    bool isYoung = false;      // age < kYoung
    bool isFirm = false;       // see ContactConstraint
    bool isFace = false;       // flat, with points that span a face
    Real load = 0;             // N s along the normal per substep: the warm start
};

// Fewer points do not span a face.
inline constexpr int kFacePoints = 3;

inline ContactLink linkOf(const ContactConstraint& constraint) {
    ContactLink link{constraint.bodyA, constraint.bodyB, static_cast<std::uint8_t>(constraint.count)};
    for (int i = 0; i < constraint.count; ++i)
        if (constraint.points[i].normalImpulse > 0) {
            ++link.loadedCount;
            link.load += constraint.points[i].normalImpulse;
        }
    link.isYoung = constraint.age < kYoung;
    link.isFirm = constraint.isFirm;
    link.isFace = constraint.isFlat && constraint.count >= kFacePoints;
    link.hasRestitution = constraint.material.restitution > 0;
    link.drives = !(constraint.material.surfaceVelocity == Vec3{});
    link.isRare = link.drives || constraint.material.rollingFriction > 0 || constraint.material.spinningFriction > 0 ||
                  !anchorsTurn(constraint);
    return link;
}

inline bool carriedLoad(const ContactConstraint& constraint) {
    for (int i = 0; i < constraint.count; ++i)
        if (constraint.points[i].totalNormalImpulse > 0)
            return true;
    return false;
}

}  // namespace sunder::dynamics
