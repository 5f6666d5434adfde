// Contact and friction as soft constraints, solved by one Gauss-Seidel pass in each of many short substeps.
//
// One substep:   beginSubstep   forces act, and the last substep's contact impulses are repeated (integrate/substep.h)
//                push           stop bodies where they touch, push them apart where they overlap, friction
//                               then positions move
//                bounce         points that met hard leave with the velocity that restitution gives them (bounce.h)
//
// Why it is soft. With m the effective mass of a contact point, h the substep, s the overlap and v the approach, impulses that
// are carried on from substep to substep obey   d(impulse)/dt = -leak impulse - (m/h^2) (v + recovery s):   a spring of
// stiffness (m/h^2) recovery / leak whose damping for slow motions of many bodies together (a tall stack that sways) is (m/h^2)
// / leak. Such motions are stable only while leak >= recovery; and the stiffness grows with the square of the substep rate, so
// that many short substeps of one pass beat few long ones of many passes. docs/step.md has the derivation.
//
// Every other substep walks the points of a manifold in the opposite order: the error that an order leaves then changes sign
// and cancels. A constant order makes stacks creep sideways.
//
// This is the readable form of the solver, one contact at a time. It solves the overflow and the contacts of heavy loads, and
// the wide form (wide_contact.h) must equal it bit for bit.
#pragma once

#include <span>

#include "dynamics/contact/scalar/point_passes.h"

namespace sunder::dynamics {

// A step sets all but gentleShare from WorldDef (world/step/frame_rate_stepper.cpp), the leak as kLeakOverRecovery times the
// recovery. The numbers here are no world's defaults: tests that take one contact alone begin with them.
struct ContactSettings {
    Real h = 0;                 // s, the substep
    Real inverseH = 0;          // 1/h
    Real recoveryRate = 5;      // 1/s: overlap is repaired at recoveryRate times its depth
    Real leakRate = 7;          // 1/s: a loaded contact loses its impulse at leakRate times the impulse
    Real firmRecoveryRate = 1;  // 1/s: in place of recoveryRate, where ContactConstraint::isFirm; there is no leak then
    Real recoverySpeed = 3;     // m/s: fastest repair of an overlap
    // Share of the full correction made per visit at a point under load, while the correction is gentle (kGentle). A blow is
    // stopped at once.
    Real gentleShare = kGentleShare;
    Real blowSpeed = kGentle;       // m/s: an impulse that grows by more than this within a substep is a blow, see kBlow
    Real restitutionThreshold = 1;  // m/s: slower impacts do not bounce
    bool clampEnergy = true;
};

// m/s: how fast a gap may close in a substep. It may close at once but for the last kTouchingGap, which closes at the rate at
// which overlap opens.
inline Real allowedApproach(Real gap, Real recoveryRate, const ContactSettings& settings) {
    return max(gap - kTouchingGap, 0) * settings.inverseH + recoveryRate * clamp(gap, 0, kTouchingGap);
}

// m/s: how fast an overlap opens, or the last gap closes (negative).
inline Real repairSpeed(Real separation, bool isFirm, const ContactSettings& settings) {
    if (!isFirm)
        return min(-settings.recoveryRate * separation, settings.recoverySpeed);
    return min(
        settings.firmRecoveryRate * min(-separation, kFirmDepth) + settings.recoveryRate * max(-separation - kFirmDepth, 0),
        settings.recoverySpeed);
}

// Lays the frame at the current positions and applies the manifold's impulses: those of the last step, or of the last substep.
void start(ContactConstraint& constraint, ContactFrame& frame, std::span<SolverBody> bodies);
// As start, for code that works on points instead of frames. layArms finds the arms at the current positions; startAtArms
// applies the impulses at the arms that are stored.
void layArms(ContactConstraint& constraint, std::span<const SolverBody> bodies);
void startAtArms(const ContactConstraint& constraint, std::span<SolverBody> bodies);
void push(ContactConstraint& constraint, ContactFrame& frame, std::span<SolverBody> bodies, const ContactSettings& settings,
          PointOrder order);

// Whether the bodies may touch within dt (s) at their current velocities, with a fall of `fall` (m) on the way.
bool mayMeet(const ContactConstraint& constraint, std::span<const SolverBody> bodies, Real fall, Real dt);

// For code that works on points: arms and separations at the current positions, and which points may matter in the coming
// substep.
void updateGeometry(ContactConstraint& constraint, std::span<const SolverBody> bodies, Real h);
// updateGeometry between two substeps of a step. The bodies repeat the last substep's impulses about their centres with the old
// arms' moments; followArms corrects the moments for the change of the arms.
void followArms(ContactConstraint& constraint, std::span<SolverBody> bodies, Real h);
// Puts loaded points first: a block of manifolds whose other points are idle then ends with the loaded ones.
void sortByLoad(ContactConstraint& constraint);
// Adds the impulses of the substep to the sums over the step.
void sumImpulses(ContactConstraint& constraint);

}  // namespace sunder::dynamics
