// All the data of a world. No global state: two worlds never share anything but shapes.
#pragma once

#include <memory>
#include <vector>

#include "collision/broad_phase/broad_phase.h"
#include "core/task_runner.h"
#include "dynamics/contact/constraint.h"
#include "dynamics/contact/substep_solver.h"
#include "dynamics/energy_guard.h"
#include "dynamics/impulse/impulse_state.h"
#include "dynamics/joints/joint_solver.h"
#include "sunder/world.h"
#include "world/body.h"
#include "world/flight.h"
#include "world/joint.h"
#include "world/recycle.h"

namespace sunder::world {

// Two bodies whose bounds overlap. Lives as long as they do.
struct ContactPair {
    std::uint32_t bodyA = 0, bodyB = 0;  // slots, A < B
    std::uint32_t firstManifold = 0;     // into WorldState::constraints
    std::uint32_t manifoldCount = 0;
    bool touching = false;       // as last reported by an event
    bool sensorTouches = false;  // one of the two is a sensor, and they overlap
    SeenPair seen;               // as of the manifolds
};

// A meeting later in the step of two bodies of which one is fast.
struct FarImpact {
    std::uint32_t pair = 0;  // into WorldState::pairs
    Real time = 0;           // s since the start of the step
    bool isLate = false;     // one of them is turned aside before
};

// What the narrow phase of one block of pairs found; kept between steps for its memory.
struct NarrowPhaseBlock {
    std::vector<dynamics::ContactConstraint> constraints;
    std::vector<FarImpact> impacts;
    collision::ManifoldList scratch, ahead;
};

struct WorldState {
    WorldDef def;
    std::unique_ptr<TaskRunner> ownTasks;
    TaskRunner* tasks = nullptr;

    // Bodies by slot; free slots are reused with a new generation.
    std::vector<Body> bodies;
    std::vector<std::uint32_t> freeSlots;
    std::uint64_t nextSerial = 0;
    std::vector<std::uint32_t> moving;  // slots of dynamic and kinematic bodies, ascending by serial

    // Joints by slot, as bodies are.
    std::vector<Joint> joints;
    std::vector<std::uint32_t> freeJoints;
    std::uint64_t nextJointSerial = 0;
    std::vector<JointEvent> pendingJointEvents;  // to be reported by the next step
    // Follows from the joints: keys of pairs that are joined and do not collide, in order.
    std::vector<std::uint64_t> jointPairs;
    bool jointPairsKnown = false;

    // Contacts
    collision::BroadPhase broadPhase;
    collision::PairSet pairSet;
    std::vector<ContactPair> pairs;
    std::vector<dynamics::ContactConstraint> constraints, previousConstraints;
    Real lastSubstep = 0;  // s: the time for which the impulses of `constraints` acted

    // Scratch of the contact search, kept for its memory
    std::vector<Flight> flights;  // by slot; those of moving bodies are filled in
    std::vector<collision::PairBuffer> pairBuffers;
    collision::PairBuffer newPairs;
    std::vector<NarrowPhaseBlock> narrowPhaseBlocks;
    std::vector<std::size_t> blockOffsets;
    std::vector<ContactEvent> endedContacts;  // to be reported by the next step

    // The step in progress: index 0 is the fixed body, then `moving` in order.
    std::vector<dynamics::SolverBody> solverBodies;
    std::vector<dynamics::SolverBodyConstants> solverConstants;
    dynamics::SubstepSolver solver;
    std::vector<dynamics::JointLink> jointLinks;
    std::vector<std::uint32_t> activeJoints;  // slots, as jointLinks
    std::vector<JointLoad> jointLoads;        // by solver body, see gatherJoints
    std::vector<JointEnds> jointEnds;         // as jointLinks
    dynamics::JointSolver jointSolver;
    dynamics::Islands islands;
    dynamics::ImpulseScratch impulse;                             // of Stepper::Impulse
    std::vector<dynamics::ContactConstraint> impulseConstraints;  // scratch: what becomes `constraints`
    dynamics::EnergyGuard energyGuard;

    // Results
    std::vector<ContactEvent> contactEvents;
    std::vector<ErrorEvent> errorEvents;
    std::vector<JointEvent> jointEvents;
    std::uint64_t stepCount = 0;
    double time = 0;
    WorldStats stepStats;  // the part that the step itself counts
};

}  // namespace sunder::world
