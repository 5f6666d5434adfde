// Breaks that are to happen, and what breaking (breaking/) keeps.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "fracture/bonds/bond_graph.h"
#include "fracture/prescored/place_pattern.h"
#include "sunder/bonds.h"
#include "sunder/events.h"
#include "sunder/stress_map.h"
#include "world/record/body.h"

namespace sunder::world {

// A break that is to happen: asked for by a call, or put off by the caps on pieces.
struct BreakRequest {
    enum class Kind : std::uint8_t { Pattern, Plane, Loads };
    BodyId body;
    Kind kind = Kind::Pattern;
    Vec3 point, normal;                      // in the body's frame; the normal outward
    Real impulse = 0;                        // N s, of the blow
    Real push = 0;                           // N s along -normal that the pieces are still to be given
    std::optional<double> waitsSince{};      // s, of the clock: when the caps put it off; empty where a call asked for it
    std::vector<StressLoad> loads{};         // of Kind::Loads: what the body is to be tried with
    Real energy = 0;                         // J: what the blows among the loads lost
    std::optional<std::uint32_t> striker{};  // slot of what struck it in the solve at hand; empty for all others
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
    bool isShielded = true;  // static and kinematic bodies keep it from what is behind them
};

// A small piece, and when it is to freeze, shrink or vanish.
struct DebrisPiece {
    BodyId body;
    Debris fate = Debris::Stay;
    double due = 0;  // s
};

// A pattern resampled on the grid of one kind of body, for one direction of impact. A cache: it follows from the fields above
// it.
struct AlignedEntry {
    SharedPattern pattern;
    Real scale = 0, cell = 0;
    std::array<std::int32_t, 3> nodes{};
    fracture::Axis axis = fracture::Axis::PlusX;
    std::unique_ptr<fracture::AlignedPattern> aligned;
};

// The tetrahedra of a body that cracks by stress. A cache: it follows from the solid and their number.
struct StressMesh;
struct WholeSolver;
struct StressMeshEntry {
    SharedShape solid;
    Stressed method;
    std::shared_ptr<const StressMesh> mesh;
    std::shared_ptr<WholeSolver> solver;  // of the mesh without cracks; null until it is asked for
};

// What became of a body under stress, beside its pieces.
struct StressOutcome {
    bool isTried = false, isSolved = true;
    int rounds = 0;                 // of stresses that were found
    std::vector<KeptCrack> cracks;  // where the body stays whole
    Real stress = 0;                // Pa: the largest tension before the first new crack
    Real equivalent = 0;            // Pa: the largest equivalent stress (von Mises) then
    Vec3 point;                     // in the body's frame: where
    std::uint32_t element = 0;      // in which tetrahedron
    BreakRule rule = BreakRule::Strength;
};

// A dent that a body is to take at the end of the step.
struct Dent {
    SharedShape shape;                // of the body, in its frame
    DentEvent event;                  // of the body; its point in the body's frame
    bool isSettled = false;           // the solve that found it stands
    std::vector<KeptCrack> cracks{};  // that the same blow has left in the dented body
};

struct BreakingState {
    std::vector<BreakRequest> waiting;
    std::vector<Explosion> explosions;
    std::vector<DebrisPiece> debris;
    std::vector<BodyId> debrisByAge;  // all small pieces, the oldest first; some may be gone
    std::uint64_t count = 0;          // of all breaks
    bool anyBreakable = false;        // a body that can break was ever added; otherwise steps need not look for hits
    std::vector<BreakEvent> events;
    std::vector<TearEvent> tears;
    std::vector<DentEvent> dentEvents;
    std::vector<DustGrain> dust;  // in the air, oldest first; drawn only

    // Scratch of a step
    std::vector<BodyHit> hits;
    std::vector<Dent> dents;
    int piecesMade = 0;             // in this step
    double workDone = 0;            // s: in this step (breaking_work.h)
    std::uint64_t countBefore = 0;  // breaks before this step
    std::vector<AlignedEntry> aligned;
    // All patterns that bodies ever had, so that restoring an earlier state need not build them again.
    std::vector<SharedPattern> knownPatterns;
    std::vector<StressMeshEntry> stressMeshes;
    StressOutcome stressOutcome;        // of the body that was last tried
    std::vector<StressMap> stressMaps;  // found in the last step; for pictures
};

// Energy of a broken joint or bond that two bodies get back over some time, see overloads.h.
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

// A bond that is loaded beyond its strength in the solve at hand.
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

}  // namespace sunder::world
