// The mechanisms of Stepper::FrameRate that can be switched off one by one, to measure what each brings and costs: docs/step.md
// explains them and has the table that `sunder_bars --ablate` prints. None is switched off by default.
#pragma once

#include <cstdint>

namespace sunder {

enum class Mechanism : std::uint8_t {
    Leak,            // contacts forget their impulse as fast as they repair overlap
    GentleShare,     // a small correction at a point under load is made in part
    ForgottenBlows,  // a blow is no guess for the next substep
    HeavyBlocks,     // contacts of light bodies under heavy ones are solved together
    EnergyGuard,     // no island may end a step with more energy than it was given
    Waiting,         // contacts that no body can reach are left out of the passes until one can
    Recycling,       // manifolds are kept while two bodies hardly move against each other
    Inheritance,     // points found anew start from the impulses of the last step
    Thinning,        // bonded bodies on each other are held by few of their manifolds
    StepParts,       // contacts are looked for up to four times in a violent step
    RockingPoints,   // points beside an edge or a corner on which a shape may rock
    FacingCorners,   // corners of two faces that nearly face each other where boxes or triangles meet with an edge
    JointMass,       // the inertia of a light body between great joint forces is raised
    Steadying,       // structures that stand have firm contacts and are solved as a whole
};
inline constexpr int kMechanismCount = 14;

// A set of mechanisms.
struct Mechanisms {
    std::uint32_t bits = 0;

    constexpr bool has(Mechanism mechanism) const { return (bits >> static_cast<int>(mechanism) & 1u) != 0; }
    constexpr void add(Mechanism mechanism) { bits |= 1u << static_cast<int>(mechanism); }
    friend constexpr bool operator==(const Mechanisms&, const Mechanisms&) = default;
};

}  // namespace sunder
