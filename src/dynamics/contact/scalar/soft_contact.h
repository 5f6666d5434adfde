// Contact and friction as soft constraints, solved by one Gauss-Seidel pass in each of many short substeps.
//
// One substep:   beginSubstep   forces act, and what contacts did in the last substep is done again (integrate/substep.h)
//                push           stop bodies where they touch, push them apart where they overlap, friction
//                               then positions move
//                bounce         points that met hard leave with the velocity that restitution gives them
//
// Why it is soft. With m the effective mass of a contact point, h the substep, s the overlap and v the approach, impulses that
// are carried on from substep to substep obey   d(impulse)/dt = -leak impulse - (m/h^2) (v + recovery s):   a spring of
// stiffness (m/h^2) recovery / leak whose damping for slow motions of many bodies together (a tall stack that sways) is
// (m/h^2) / leak. Such motions are stable only while leak >= recovery; and the stiffness grows with the square of the substep
// rate, so that many short substeps of one pass beat few long ones of many passes. docs/step.md has the derivation.
//
// Every other substep walks the points of a manifold in the opposite order: the error that an order leaves changes sign and
// cancels, where the same order always makes stacks creep sideways.
//
// This is the solver in its readable form, one contact at a time. It serves contacts that are solved apart, and it is what the
// wide form (wide_contact.h) must equal bit for bit.
#pragma once

#include <span>

#include "dynamics/contact/scalar/contact_frame.h"
#include "dynamics/contact/scalar/contact_law.h"

namespace sunder::dynamics {

struct ContactSettings {
    Real h = 0;                       // s, the substep
    Real inverseH = 0;                // 1/h
    Real recoveryRate = 5;            // 1/s: share of an overlap that is repaired per second
    Real leakRate = 7;                // 1/s: share of its impulse that a loaded contact forgets per second
    Real recoverySpeed = 3;           // m/s: fastest repair
    Real gentleShare = kGentleShare;  // of a gentle correction is made by one visit
    Real blowSpeed = kGentle;         // m/s: an impulse that grows by more than this within a substep is a blow, see kBlow
    Real restitutionThreshold = 1;    // m/s
    bool clampEnergy = true;
};

enum class PointOrder { Forward, Backward };
inline PointOrder opposite(PointOrder order) {
    return order == PointOrder::Forward ? PointOrder::Backward : PointOrder::Forward;
}

// How fast a gap may close in a substep: in one go, but for the last bit, which closes at the rate at which overlap opens.
inline Real allowedApproach(Real gap, const ContactSettings& settings) {
    return max(gap - kTouchingGap, 0) * settings.inverseH + settings.recoveryRate * clamp(gap, 0, kTouchingGap);
}

// Lays the frame where the bodies are, and applies the impulses that the manifold has: of the last step, or of the last
// substep.
void start(ContactConstraint& constraint, ContactFrame& frame, std::span<SolverBody> bodies);
// The same for what looks at points one by one, in two parts: their arms where the bodies are, and the impulses at the arms
// that they have.
void layArms(ContactConstraint& constraint, std::span<const SolverBody> bodies);
void startAtArms(const ContactConstraint& constraint, std::span<SolverBody> bodies);
void push(ContactConstraint& constraint, ContactFrame& frame, std::span<SolverBody> bodies, const ContactSettings& settings,
          PointOrder order);

// Whether the bodies may touch within the step (s) as they move now, and by a fall (m) on the way.
bool mayMeet(const ContactConstraint& constraint, std::span<const SolverBody> bodies, Real fall, Real dt);

// Arms and separations of the points where the bodies are now, and which points can matter in the coming substep: for what
// looks at points one by one.
void updateGeometry(ContactConstraint& constraint, std::span<const SolverBody> bodies, Real h);
// The same within a step, between substeps: what contacts gave in the last substep is given again about the centres of the
// bodies, but the arms have changed, so that the impulses' moments change with them.
void followArms(ContactConstraint& constraint, std::span<SolverBody> bodies, Real h);
// Points under load first: eight manifolds whose others lie idle are then done with those at once.
void sortByLoad(ContactConstraint& constraint);
// Adds the impulses of the substep to those of the step.
void sumImpulses(ContactConstraint& constraint);

// Finds which points hit in the coming substep, and how fast they must leave; false where none does.
bool prepareBounce(ContactConstraint& constraint, std::span<const SolverBody> bodies,
                   std::span<const SolverBodyConstants> constants, const ContactSettings& settings);
// Once they have met: gives them that velocity, without adding energy [Su09] 3.2. The blow is no guess for the load of the
// next substep, so it is forgotten. The arms must be those with which push acted.
void bounce(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings);

}  // namespace sunder::dynamics
