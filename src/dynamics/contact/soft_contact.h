// Contact and friction as soft constraints, solved by Gauss-Seidel passes inside short substeps.
//
// One substep:   warmStart   apply the impulses of the last substep
//                solve       stop bodies where they touch and push them apart where they overlap   (then positions move)
//                update      new arms, separations and effective masses
//                relax       take the push out of the velocities again, let restitution act
// The velocity that moves positions therefore repairs overlap; the velocity that stays does not contain the repair.
//
// Why it is soft. With m the effective mass of a contact point, h the substep, s the overlap and v the approach, warm started
// impulses obey   d(impulse)/dt = -leak impulse - (m/h^2) (v + recovery s):   a spring of stiffness (m/h^2) recovery / leak
// whose damping for slow motions of many bodies together (a tall stack that sways) is (m/h^2) / leak. Such motions are
// stable only while leak >= recovery; and the stiffness grows with the square of the substep rate, so that many short
// substeps of one pass beat few long ones of many passes. docs/step.md has the derivation.
//
// relax walks the points of a manifold in the opposite order to solve: the error that an order leaves changes sign and
// cancels, where the same order twice makes stacks creep sideways.
#pragma once

#include <span>

#include "dynamics/contact/constraint.h"

namespace sunder::dynamics {

struct ContactSettings {
    Real h = 0;                     // s, the substep
    Real recoveryRate = 5;          // 1/s: share of an overlap that is repaired per second
    Real leakRate = 7;              // 1/s: share of its impulse that a loaded contact forgets per second
    Real recoverySpeed = 3;         // m/s: fastest repair
    Real restitutionThreshold = 1;  // m/s
    bool clampEnergy = true;
};

// Gaps below this (m) count as touching: the contact is a spring there on both sides of zero, so that bodies at rest do not
// knock on each other.
inline constexpr Real kTouchingGap = Real(5e-4);

// How fast a gap may close in a substep: in one go, but for the last bit, which closes at the rate at which overlap opens.
Real allowedApproach(Real gap, const ContactSettings& settings);

void updateGeometry(ContactConstraint& constraint, std::span<const SolverBody> bodies, Real h);
void warmStart(ContactConstraint& constraint, std::span<SolverBody> bodies);
void solve(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings);
// Finds which points hit in the coming substep, and how fast they must leave.
void prepareRestitution(ContactConstraint& constraint, std::span<const SolverBody> bodies,
                        std::span<const SolverBodyConstants> constants, const ContactSettings& settings);
void relax(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings);
// Ends the substep: sums the impulses for events, and clamps those of a bounce so that they add no energy [Su09] 3.2.
void finishSubstep(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings);

}  // namespace sunder::dynamics
