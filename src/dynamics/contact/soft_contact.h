// Contact and friction as soft constraints, solved by Gauss-Seidel passes inside short substeps.
//
// One substep:   warmStart   apply the impulses of the last substep
//                solve       push bodies apart: a damped spring, stiff but implicit, acts where they overlap
//                            (then positions move)
//                update      new arms, separations and effective masses
//                relax       take the spring's own velocity out again, let restitution act
// The velocity that moves positions therefore repairs overlap; the velocity that stays does not contain the repair.
#pragma once

#include <span>

#include "dynamics/contact/constraint.h"

namespace sunder::dynamics {

// An implicit damped spring in the form v+ = massScale, biasRate, impulseScale.
struct Softness {
    Real biasRate = 0;      // 1/s: share of the error that is repaired per second
    Real massScale = 1;
    Real impulseScale = 0;
};
Softness makeSoftness(Real frequency, Real dampingRatio, Real h);

struct ContactSettings {
    Real h = 0;                    // s, the substep
    Softness dynamicSoftness;      // between two moving bodies
    Softness fixedSoftness;        // against something that cannot give way
    Real recoverySpeed = 3;        // m/s
    Real restitutionThreshold = 1; // m/s
    bool clampEnergy = true;
};

void updateGeometry(ContactConstraint& constraint, std::span<const SolverBody> bodies);
void warmStart(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings);
void solve(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings);
// Finds which points hit in the coming substep, and how fast they must leave.
void prepareRestitution(ContactConstraint& constraint, std::span<const SolverBody> bodies,
                        std::span<const SolverBodyConstants> constants, const ContactSettings& settings);
void relax(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings);

}  // namespace sunder::dynamics
