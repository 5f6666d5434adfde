// Bodies, joints and contacts as the step in progress solves them. Nothing here is needed after a step.
#pragma once

#include <vector>

#include "core/pages.h"
#include "dynamics/impulse/impulse_state.h"
#include "dynamics/island/energy_guard.h"
#include "dynamics/island/steady_islands.h"
#include "dynamics/joints/joint_solver.h"
#include "dynamics/substep/substep_solver.h"
#include "world/pair/thin_contacts.h"
#include "world/record/joint.h"
#include "world/state/felt_state.h"

namespace sunder::world {

// Filled by exchange/joints, item by item for the joints that the solve takes.
struct SolveJoints {
    std::vector<dynamics::JointLink> links;
    std::vector<std::uint32_t> active;  // slots
    std::vector<JointEnds> ends;
    dynamics::JointSolver solver;
};

struct SolveState {
    // Slots of the bodies in the solve, all that move or some of them: body layout[i] is solver body i + 1, 0 is the fixed
    // body.
    std::vector<std::uint32_t> layout;
    PagedVector<dynamics::SolverBody> bodies;
    PagedVector<dynamics::SolverBodyConstants> constants;
    std::vector<std::uint8_t> stops;  // scratch of exchange/motion.cpp: bodies that are to be quarantined
    ContactThinner thinner;
    dynamics::SubstepSolver solver;
    SolveJoints joints;
    dynamics::Islands islands;
    dynamics::SteadyIslands steady;
    dynamics::EnergyGuard energyGuard;
    std::vector<dynamics::Strike> strikes;  // between fast bodies and what they met outside the contacts, in this step
    std::vector<SweptBlow> sweptBlows;      // the same in detail, see contact/continuous.h
    std::vector<SweptBlow> fleshTouches;    // what deformable bodies touch or are near, see flesh/flesh_touches.h
    bool areFleshTouchesNews = false;       // they were not felt and reported yet
    FeltState felt;                         // impulses on bodies that may break
    // Of Stepper::Impulse and Stepper::Damped
    dynamics::ImpulseScratch impulse;
    PagedVector<dynamics::ContactConstraint> impulseConstraints;  // what becomes WorldState::constraints
    std::vector<Real> restTimes;                                  // s, by solver body; Stepper::Damped
};

}  // namespace sunder::world
