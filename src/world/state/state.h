// All the data of a world. No global state: two worlds never share anything but shapes.
//
// Every member has an owner, the folder or file that changes it; others read it. Only the records, the lists of pairs and
// contacts, and what a step reports are written from several places:
//
//   host, tasks           the public class, at the start and when a program sets a filter
//   bodies, roster        commit/ and the public class; poses and velocities by exchange/motion, flesh/ and breaking/; bonds
//                         and damage by breaking/; rest, and who moves, by sleep/; freshness by contact/
//   joints, jointRoster   commit/joints, the public class; impulses by exchange/joints; loads by breaking/; `due` by sleep/ too
//   broadPhase            commit/bodies, contact/find_contacts, step/timewarp_neighbours, query/queries (settleProxies); sleep/
//                         and exchange/motion make it look for a body's pairs again
//   pairSet, pairs        contact/; taken away and given back by sleep/ and commit/bodies
//   constraints           contact/ finds them, the solver fills in impulses; sleep/ takes them away and gives them back
//   clock                 step/
//   search                contact/
//   solve                 a field for each stage: exchange/ fills it, the steppers run it, contact/ and flesh/ list who met
//   sleep; overloads      sleep/; breaking/
//   breaking              breaking/; its events of breaks, tears and dents, and its caches of meshes and patterns, by commit/
//   events                contact/events, commit/joints, exchange/motion, breaking/ (joints, lost stresses), timewarp_stepper
//   stepStats             each stage counts its own
//
// A function that needs at most four of them takes those, so that its signature says what it reads and writes.
#pragma once

#include <memory>
#include <vector>

#include "collision/broad_phase/broad_phase.h"
#include "core/pages.h"
#include "core/task_runner.h"
#include "sunder/world.h"
#include "world/pair/contact_pair.h"
#include "world/record/body.h"
#include "world/record/joint.h"
#include "world/state/breaking_state.h"
#include "world/state/event_state.h"
#include "world/state/flesh_joints.h"
#include "world/state/piece_maker.h"
#include "world/state/search_state.h"
#include "world/state/sleep_state.h"
#include "world/state/solve_state.h"
#include "world/state/vertex_search.h"

namespace sunder::world {

// Which bodies there are.
struct BodyRoster {
    std::vector<std::uint32_t> freeSlots;  // to be used again, with a new generation
    std::uint64_t nextSerial = 0;
    std::vector<std::uint32_t> moving;     // slots of kinematic and awake dynamic bodies, ascending by serial
    std::vector<std::uint32_t> bonded;     // slots of bodies with bonds, ascending by serial
    std::vector<std::uint32_t> deforming;  // slots of bodies with vertices, ascending by serial
    bool hasFresh = false;                 // some body has Body::isFresh
    // Of all bodies, and perhaps of some that are gone: derived from the bodies.
    std::uint32_t layersInUse = 0;
    bool hasLevelSets = false, hasShells = false;
    bool hasSensors = false;
};

// Which joints there are.
struct JointRoster {
    std::vector<std::uint32_t> freeSlots;
    std::uint64_t nextSerial = 0;
    // Derived from the joints: keys of pairs that are joined and do not collide, ascending.
    std::vector<std::uint64_t> uncolliding;
    bool uncollidingKnown = false;
    // Slots of the joints that a step must look at, ascending: all but those of sleepers with each other or with bodies that
    // stay where they are. Derived from joints and bodies; found again after one of them fell asleep, woke, came, went or
    // changed.
    std::vector<std::uint32_t> due;
    bool dueKnown = false;
};

// How the last step was divided: the next one begins with that.
struct Pace {
    Real substep = 0;  // s: the time for which the impulses of WorldState::constraints acted
    int parts = 0;     // into which the next step is divided at first, from what the last one found
};

struct Clock {
    std::uint64_t steps = 0;
    double time = 0;  // s
    Pace pace;
};

// What a world is given besides its definition: by the program that it runs in, or by tests.
struct Host {
    std::unique_ptr<TaskRunner> ownTasks;  // where the program brings none
    ContactFilter contactFilter;           // empty: layers and masks decide alone
    PreSolve preSolve;                     // empty: materials decide
    PieceMaker pieceMaker = nullptr;       // of tests: replaces the fracture methods of all bodies
    VertexSearch vertexSearch = nullptr;   // finds the contacts of deforming bodies; tests bring one
};

struct WorldState {
    WorldDef def;
    Host host;
    TaskRunner* tasks = nullptr;  // of the host, or Host::ownTasks

    PagedVector<Body> bodies;  // by slot
    BodyRoster roster;
    std::vector<Joint> joints;  // by slot
    JointRoster jointRoster;

    collision::BroadPhase broadPhase;
    collision::PairSet pairSet;
    PagedVector<ContactPair> pairs;
    PagedVector<dynamics::ContactConstraint> constraints;

    Clock clock;
    SearchState search;
    SolveState solve;
    SleepState sleep;
    BreakingState breaking;
    OverloadState overloads;
    EventState events;
    WorldStats stepStats;  // the fields that the step itself counts
    FleshJointState fleshJoints;
};

// Whether a mechanism is switched off (FrameRateOptions::without), for measuring.
inline bool isWithout(const WorldDef& def, Mechanism mechanism) { return def.frameRate.without.has(mechanism); }

}  // namespace sunder::world
