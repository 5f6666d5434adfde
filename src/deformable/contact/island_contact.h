// A contact of a composite island: two points that must not pass each other, with Coulomb friction.
#pragma once

#include "deformable/step/linear_system.h"

namespace sunder::deformable {

// Spring: lets nothing pass. Damping: slows down what closes in while it overlaps. Penalty: a spring of a given stiffness.
enum class ContactResponse : std::uint8_t { Spring, Damping, Penalty };

struct IslandContact {
    ContactGradient gradient;  // velocity of the first point relative to the second
    Vec3 normal;               // unit, from the second to the first
    Real gap = 0;              // m: at the start of the step, negative where they overlap
    Vec3 displacement;         // m: relative, in this step if nothing acted on either
    Real friction = 0;
    // Of two rigid bodies, of which the heavier may rest on the lighter: as stiff as the heavier needs. Not for a heavy striker
    // of light shards: what the spring of such a contact stores exceeds their energy so far that an error of the solve, a small
    // share of it, throws the striker about.
    bool carries = false;
    bool isHold = false;   // the points stay together: it never opens and never slips
    bool isAlong = false;  // a hold along the normal alone
    Real carried = 0;      // kg: of a hold of two rigid bodies, the heaviest that may hang on it
    bool slides = false;   // a limit of a way: without friction, and not one of the contacts that let go together
    Vec3 aside{};          // m: of a hold, from the second to the first across the normal, at the start of the step
    ContactResponse response = ContactResponse::Spring;
    Real given = 0;  // kg: of the other two, dt times the damping or dt^2 times the stiffness
    // Static friction by a PID controller [Parker09] 6: what sticks takes back a share of the way it has slipped since it
    // stuck.
    bool takesSlipBack = false;
    Vec3 slip{};  // m: that way; after the solve at the end of the step, or 0 where it slides or is open

    // Found by the solve:
    Real normalImpulse = 0;  // N s, at least 0
    Vec3 tangentImpulse;     // N s, on the first point
    Vec3 held;               // N s: what a hold gave the first point
};

struct ContactSettings {
    SolveLimits limits;
    int mostRounds = 16;           // of the active set
    Real roughTolerance = 0;       // of rounds before the last ones: which contacts are closed shows before the last digits do
    int frictionRounds = 8;        // beyond, friction alone asks for no further round
    Real stiffness = 10;           // of a contact, in units of the system's own where it acts
    int mostAugmentations = 3;     // rounds that shift the load from the springs to multipliers
    Real goodDepth = Real(1e-4);   // m: depth that needs no further round
    Real quickDepth = Real(2e-3);  // m: depth that is made good in one step; of what lies deeper, a share
    Real recoveredShare = Real(0.2);
    Real recoveryRate = 60;  // Hz: of these steps; shorter ones make good in proportion
};

struct ContactOutcome {
    int rounds = 0, iterations = 0;
    Real deepest = 0;  // m, at the end of the step
};

// Solves the system with these contacts. right: kg m/s without them. change: that of pinned nodes, and 0; then the solution.
// guess: where the solve starts, with the same pinned nodes.
ContactOutcome solveWithContacts(TaskRunner& tasks, LinearSystem& system, std::span<const Four> right,
                                 std::span<IslandContact> contacts, std::span<const Four> guess, std::span<Four> change,
                                 Real dt, const ContactSettings& settings);

}  // namespace sunder::deformable
