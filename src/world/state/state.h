// All the data of a world. No global state: two worlds never share anything but shapes.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "collision/broad_phase/broad_phase.h"
#include "core/pages.h"
#include "core/task_runner.h"
#include "dynamics/contact/scalar/constraint.h"
#include "dynamics/impulse/impulse_state.h"
#include "dynamics/island/energy_guard.h"
#include "dynamics/joints/joint_solver.h"
#include "dynamics/substep/substep_solver.h"
#include "fracture/prescored/place_pattern.h"
#include "sunder/world.h"
#include "world/pair/flight.h"
#include "world/pair/manifold_pool.h"
#include "world/pair/quiet.h"
#include "world/pair/recycle.h"
#include "world/record/body.h"
#include "world/record/joint.h"

namespace sunder::world {

// Two bodies whose bounds overlap. Lives as long as they do.
struct ContactPair {
    std::uint32_t bodyA = 0, bodyB = 0;  // slots, A < B
    SeenPair seen;                       // as of the manifolds
    std::uint32_t firstManifold = 0;     // into WorldState::constraints
    std::uint32_t manifoldCount = 0;
    bool touching = false;       // as last reported by an event
    bool sensorTouches = false;  // one of the two is a sensor, and they overlap
    Real restDepth = 0;          // m: overlap that counts as none, see tolerateOverlap
    Real load = 0;               // N along the normals in the last step, where one of the two can break
};

// Bodies that sleep together, with the pairs among them and with what stays where it is.
struct SleepingIsland {
    std::vector<std::uint32_t> bodies;  // slots, ascending by serial; none where the entry is free
    std::vector<ContactPair> pairs;
    std::vector<dynamics::ContactConstraint> constraints;  // of the pairs, with the impulses to wake with
    Real substep = 0;                                      // s: the time for which those impulses acted
};

struct SleepState {
    std::vector<SleepingIsland> islands;
    std::vector<std::uint32_t> freeIslands;
    std::vector<SleepEvent> events, nextEvents;  // of the last step; since then

    // Scratch, kept for its memory
    dynamics::Islands groups;             // of awake bodies
    std::vector<std::uint8_t> mayRest;    // by group
    std::vector<std::uint32_t> islandOf;  // by group
    std::vector<std::uint32_t> struck;    // islands that an awake body pushed on
    std::vector<std::uint32_t> reached;   // islands that are to wake
    std::vector<Real> wayOf;  // by island: where it is to wake, how far its bodies may then go in the step (m); else -1
    collision::ManifoldList manifolds;
};

// A meeting later in the step of two bodies of which one is fast.
struct FarImpact {
    std::uint32_t pair = 0;  // into WorldState::pairs
    Real time = 0;           // s since the start of the step
    bool isLate = false;     // one of them is turned aside before
};

// A pair that has manifolds, and had those of the last step.
struct FoundPair {
    std::uint32_t pair = 0;                    // into WorldState::pairs
    std::uint32_t oldFirst = 0, oldCount = 0;  // into WorldState::previousManifolds
    bool isKept = false;                       // the old ones serve this step too
    Real time = 0;                             // s since the start of the step at which new ones are seen
};

// What the narrow phase of one block of pairs found; kept between steps for its memory.
struct NarrowPhaseBlock {
    std::uint32_t foundCount = 0;                             // in WorldState::foundPairs, from the block's first pair on
    std::uint32_t count = 0;                                  // of manifolds, kept and new
    std::span<const collision::ContactManifold> manifolds{};  // of those that are not kept
    std::vector<FarImpact> impacts;
    std::uint32_t fastPairs = 0;  // moving bodies that close on each other fast for their size, see step_parts.h
    double fastWays = 0;          // and the sum of their ways, each as a share of the thinner body's inner radius
};

// A step, or one of the parts into which a violent one is divided.
struct StepPart {
    Real dt = 0;        // s
    Real timeLeft = 0;  // s: from its start to the end of the step; dt itself in the last part
    bool isLast() const { return timeLeft == dt; }
};

// An event and its place among the others: by the serials of its two bodies.
struct PlacedEvent {
    std::uint64_t lowSerial = 0, highSerial = 0;
    const ContactEvent* event = nullptr;
};

// Memory of reportContacts.
struct EventScratch {
    struct Block {
        std::uint32_t first = 0, count = 0;                     // its events in `found`
        std::uint64_t lowestSerial = ~0ull, highestSerial = 0;  // of the lower ones of their pairs
    };
    std::vector<Block> blocks;          // of pairs
    std::vector<std::uint32_t> places;  // by share and block: how many events, then where the next one goes in `sorted`
    // In the solver's memory, while events are sought.
    std::span<ContactEvent> found{};
    std::span<PlacedEvent> sorted{};
};

// A break that is to happen: asked for by a call, or put off by the caps on pieces.
struct BreakRequest {
    enum class Kind : std::uint8_t { Pattern, Plane };
    BodyId body;
    Kind kind = Kind::Pattern;
    Vec3 point, normal;  // in the body's frame; the normal outward
    Real impulse = 0;    // N s, of the blow
    Real push = 0;       // N s along -normal that the pieces are still to be given
};

// The hardest blow on a breakable body in the solve at hand.
struct BodyHit {
    BreakRequest request;
    std::uint64_t serial = 0;
    Real share = 0;  // of the threshold
};

struct Explosion {
    Vec3 point;
    Real impulse = 0, radius = 0;
};

// A small piece, and when it is to be dealt with.
struct DebrisPiece {
    BodyId body;
    Debris fate = Debris::Stay;
    double due = 0;  // s
};

// A pattern on the grid of one kind of body, for one direction of impact. A cache: it follows from its keys.
struct AlignedEntry {
    SharedPattern pattern;
    Real scale = 0, cell = 0;
    std::array<std::int32_t, 3> nodes{};
    fracture::Axis axis = fracture::Axis::PlusX;
    std::unique_ptr<fracture::AlignedPattern> aligned;
};

struct BreakingState {
    std::vector<BreakRequest> waiting;
    std::vector<Explosion> explosions;
    std::vector<DebrisPiece> debris;
    std::uint64_t count = 0;    // of all breaks
    bool anyBreakable = false;  // some body was ever added that can break: without one nothing need be watched
    std::vector<BreakEvent> events;

    // Scratch of a step
    std::vector<BodyHit> hits;
    int piecesMade = 0;             // in this step
    std::uint64_t countBefore = 0;  // breaks before this step
    std::vector<AlignedEntry> aligned;
};

// Energy on its way back into two bodies, see overloads.h.
struct Release {
    BodyId a, b;                    // null: the world
    WorldPoint pointInA, pointInB;  // in their frames
    Vec3 force, torque;             // on B about the point, world axes
    Vec3 towardsB;                  // from A to B
    double stored = 0;              // J, of the broken constraint
    double energy = 0;              // J still to be given
    double timeLeft = 0;            // s
    std::uint64_t seed = 0;
};

// A joint that is loaded beyond its strength in the solve at hand.
struct JointOverload {
    std::uint32_t joint = 0;  // slot
    Real ratio = 0;           // load over strength
    bool isImpact = false;
    Vec3 force, torque;       // on B: of the load, or of the blow (N s)
    double springEnergy = 0;  // J
};

// The same for a bond of a body.
struct BondOverload {
    std::uint32_t bond = 0;
    double ratio = 0;
    bool isImpact = false;
    fracture::Wrench load;    // what b does to a, body axes: of the load, or of the blow (N s)
    double springEnergy = 0;  // J
};
struct BodyOverload {
    std::uint32_t body = 0;           // slot
    std::vector<BondOverload> bonds;  // ascending
};

struct OverloadState {
    std::vector<Release> releases;  // that go on for some steps
    std::vector<BondEvent> bondEvents;
    std::uint64_t count = 0;  // of all releases: seeds their directions

    // Scratch of a step
    std::vector<JointOverload> joints;
    std::vector<BodyOverload> bodies;
};

struct WorldState {
    WorldDef def;
    std::unique_ptr<TaskRunner> ownTasks;
    TaskRunner* tasks = nullptr;

    // Bodies by slot; free slots are reused with a new generation.
    PagedVector<Body> bodies;
    std::vector<std::uint32_t> freeSlots;
    std::uint64_t nextSerial = 0;
    std::vector<std::uint32_t> moving;  // slots of kinematic and awake dynamic bodies, ascending by serial
    std::uint32_t layersInUse = 0;      // of all bodies that there are, and of some that there were; follows from the bodies

    // Joints by slot, as bodies are.
    std::vector<Joint> joints;
    std::vector<std::uint32_t> freeJoints;
    std::uint64_t nextJointSerial = 0;
    std::vector<JointEvent> pendingJointEvents;  // to be reported by the next step
    // Follows from the joints: keys of pairs that are joined and do not collide, in order.
    std::vector<std::uint64_t> jointPairs;
    bool jointPairsKnown = false;
    // Slots of the joints that a step must look at, ascending: all but those of sleepers with each other and with what stays
    // where it is. Follows from joints and bodies; found again where one of them fell asleep, woke, came, went or changed.
    std::vector<std::uint32_t> dueJoints;
    bool dueJointsKnown = false;

    // Contacts
    collision::BroadPhase broadPhase;
    collision::PairSet pairSet;
    PagedVector<ContactPair> pairs;
    PagedVector<dynamics::ContactConstraint> constraints;
    // In the solver's memory, while contacts are sought.
    std::span<const dynamics::KeptManifold> previousManifolds;
    std::span<FoundPair> foundPairs;  // of every block at the place of its pairs
    Real lastSubstep = 0;             // s: the time for which the impulses of `constraints` acted

    SleepState sleep;
    BreakingState breaking;
    std::vector<std::uint32_t> bonded;  // slots of bodies with bonds, ascending by serial
    OverloadState overloads;

    // Scratch of the contact search, kept for its memory
    PagedVector<Flight> flights;    // by slot; those of moving bodies are filled in
    PagedVector<Travel> travels;    // by slot, as flights
    std::uint64_t flightStamp = 0;  // of the flights of the step in progress
    bool hasFresh = false;          // some body has Body::isFresh; part of the state
    std::vector<collision::PairBuffer> pairBuffers;
    collision::PairBuffer newPairs;
    std::vector<NarrowPhaseBlock> narrowPhaseBlocks;
    ManifoldPool foundManifolds;
    std::vector<std::size_t> blockOffsets;
    std::vector<ContactEvent> endedContacts;  // to be reported by the next step
    EventScratch eventScratch;

    // The step in progress: index 0 is the fixed body, then `moving` in order.
    PagedVector<dynamics::SolverBody> solverBodies;
    PagedVector<dynamics::SolverBodyConstants> solverConstants;
    std::vector<std::uint8_t> hasMoved;  // scratch of the search for pairs, by slot
    std::vector<std::uint8_t> marks;     // scratch: what a walk on all threads leaves to the serial one after it
    dynamics::SubstepSolver solver;
    std::vector<dynamics::JointLink> jointLinks;
    std::vector<std::uint32_t> activeJoints;  // slots, as jointLinks
    std::vector<JointLoad> jointLoads;        // by solver body, see gatherJoints
    std::vector<JointEnds> jointEnds;         // as jointLinks
    dynamics::JointSolver jointSolver;
    dynamics::Islands islands;
    dynamics::ImpulseScratch impulse;                             // of Stepper::Impulse
    PagedVector<dynamics::ContactConstraint> impulseConstraints;  // scratch: what becomes `constraints`
    dynamics::EnergyGuard energyGuard;
    std::vector<dynamics::Strike> strikes;  // of fast bodies in this step, outside the contacts

    // Results
    std::vector<ContactEvent> contactEvents;
    std::vector<ErrorEvent> errorEvents;
    std::vector<JointEvent> jointEvents;
    std::uint64_t stepCount = 0;
    double time = 0;
    WorldStats stepStats;  // the part that the step itself counts
};

// Blocks of the last contact search; there may be more from larger ones before.
inline std::span<NarrowPhaseBlock> usedBlocks(WorldState& world) {
    return std::span(world.narrowPhaseBlocks).first(world.blockOffsets.empty() ? 0 : world.blockOffsets.size() - 1);
}

}  // namespace sunder::world
