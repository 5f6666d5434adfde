// WorldDef::scatter for a step, and for a contact of the stepper `frame_rate`.
#pragma once

#include "dynamics/contact/scalar/constraint.h"
#include "dynamics/contact/scalar/scatter.h"
#include "math/trigonometry.h"
#include "world/pair/flight.h"

namespace sunder::world {

inline dynamics::Scatter scatterOf(const ScatterOptions& options, std::uint64_t steps) {
    constexpr std::uint64_t kStepSeeds = 0x9e3779b97f4a7c15u;  // odd: no two steps have the same seed
    if (!(options.speed > 0))
        return {};
    const SinCos turn = sinCos(options.degrees * (kPi / 180));
    return {options.speed, turn.sin / turn.cos, core::Random(options.seed ^ (steps * kStepSeeds)).bits()};
}

// Tilts the normal of a contact that carries no load yet and at which the bodies approach fast; returns whether it did. The
// bounce clamp and the guard of the island keep it from adding energy.
inline bool scatterContact(const dynamics::Scatter& scatter, std::uint64_t pair, const Flight& a, const Flight& b,
                           dynamics::ContactConstraint& constraint) {
    Real fastest = 0;
    for (int i = 0; i < constraint.count; ++i) {
        const dynamics::ConstraintPoint& point = constraint.points[i];
        if (point.normalImpulse > 0)
            return false;
        const auto velocityOf = [](const Flight& flight, const dynamics::AnchorFrame& frame, const Vec3& anchor) {
            if (flight.fixed)
                return Vec3{};
            return flight.velocity + cross(flight.angularVelocity, armAtStart(frame, flight.orientation, anchor));
        };
        const Vec3 u = velocityOf(b, constraint.frameB, point.anchorB) - velocityOf(a, constraint.frameA, point.anchorA);
        fastest = max(fastest, -dot(u, constraint.normal));
    }
    if (!scatter.tilts(fastest))
        return false;
    constraint.normal = dynamics::tiltedNormal(scatter, pair, constraint.normal);
    constraint.tangent1 = anyPerpendicular(constraint.normal);
    constraint.tangent2 = cross(constraint.normal, constraint.tangent1);
    return true;
}

}  // namespace sunder::world
