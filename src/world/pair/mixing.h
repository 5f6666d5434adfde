// Coefficients of a contact, from those of the two materials.
#pragma once

#include <cmath>
#include <optional>

#include "math/vec3.h"

namespace sunder::world {

// The geometric mean; 0 where one is 0.
inline Real mixedFriction(Real a, Real b) { return a > 0 && b > 0 ? std::sqrt(a * b) : Real(0); }

// Rolling or spinning friction (m) of one side of a contact.
struct TurnFriction {
    Real length = 0;     // what was set; else what its roundness gives, infinite where it is not round
    bool isSet = false;  // by the material
};
// Share of its radius that a round body has where its material says nothing: of balls on hard ground it is 0.001 to 0.02.
// Without any, one ball that rolls at 2 mm/s or spins in its place keeps a whole heap awake.
constexpr Real kRoundShare = Real(0.01);

// radius: m, of what is round, else infinite.
inline TurnFriction turnFrictionOf(const std::optional<Real>& material, Real radius) {
    return material ? TurnFriction{*material, true} : TurnFriction{kRoundShare * radius, false};
}

// Contacts of bodies that are not round resist turning too where one point alone carries load, by a share of the thinner one's
// inner radius. Corners are not sharp; without it a box between two others turns for ever about the line through its two points
// of contact.
constexpr Real kPointShare = Real(0.01);

// The mean where both are set, else the one that is; where none is, that of the smaller round body, or `other`.
inline Real mixedTurnFriction(const TurnFriction& a, const TurnFriction& b, Real other) {
    if (a.isSet && b.isSet)
        return mixedFriction(a.length, b.length);
    if (a.isSet || b.isSet)
        return a.isSet ? a.length : b.length;
    const Real smaller = min(a.length, b.length);
    return smaller < kInfinity ? smaller : other;
}

// The larger one: a ball bounces off any floor.
inline Real mixedRestitution(Real a, Real b) { return max(a, b); }

}  // namespace sunder::world
