// The data of a step of the impulse scheme: what its phases share.
//
// Symbols as in [GBF03]: N points from B to A, j acts on A and its opposite on B, u is the velocity of A's contact point less
// that of B's. Arms run from the centres of one moment to one common world point, so that no angular momentum appears.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/built_shape.h"
#include "collision/narrow_phase/manifold/manifold.h"
#include "dynamics/body/solver_body.h"
#include "dynamics/contact/scalar/constraint.h"
#include "dynamics/contact/scalar/contact_link.h"
#include "dynamics/contact/scalar/scatter.h"
#include "dynamics/impulse/contact_graph.h"
#include "dynamics/impulse/joint_system.h"

namespace sunder::dynamics {

// A place where two bodies touch or are about to.
struct ImpulseSite {
    std::uint32_t key = 0, feature = 0;  // persistent: equal for the same pair of features from pass to pass
    Vec3 N;
    Vec3 armA, armB;
    Vec3 anchorA, anchorB;                 // the arms in the principal frames; in world axes where the body never moves
    std::uint32_t childA = 0, childB = 0;  // of compounds: which child touches
    Real separation = 0;                   // m, at the placement that was tested
    Real approach = 0;                     // m/s: u.N for which the separation holds, in the first contact phase
    Real goal = 0;                         // m/s: the least u.N after this visit
    Sym3 K;                                // velocity change of u per impulse at the point
    Vec3 impulse;                          // j, N s: what acted so far in this phase
    Vec3 impulseBefore;                    // j at the start of this visit
    Vec3 steadyImpulse;                    // in a report: the part of j that contact gave, not a collision
};

// One body of a pair, with its shape. Bodies that never move share solver body 0, so their own orientations are kept here.
struct ImpulseSide {
    std::uint32_t body = kFixedBody;
    const BuiltShape* shape = nullptr;
    Pose principalFromShape;
    Quat fixedOrientation;
};

struct Momentary {
    Vec3 velocity, angularVelocity;
};

// Of the first contact phase, which moves bodies.
struct PositionPhase {
    Vec3 impulse;                // on A: moves bodies, then is dropped
    Momentary testedA, testedB;  // velocities for which it found its sites
    bool isTested = false;       // it has found them
    bool isHeldApart = false;    // it ended with such an impulse
    bool moved = false;          // such an impulse acted at some time in it
};

struct ImpulsePair {
    ImpulseSide a, b;
    Vec3 centerOffset;         // centre of B less centre of A at the start of the step
    ContactMaterial material;  // sticking surfaces have u = -surfaceVelocity in the tangent plane: conveyors
    Real margin = 0;           // m: surfaces this close become sites
    Real touching = 0;         // m: surfaces this close touch
    int level = 0;             // of the higher body in the contact graph
    std::uint32_t source = 0;  // the caller's number of this pair

    std::vector<ImpulseSite> sites, previousSites;
    std::vector<ImpulseSite> carried;           // of steady contact: sites at x^n with the impulses of the last step
    Vec3 angularImpulse, angularImpulseBefore;  // of rolling and spinning friction on A, so far in this phase
    PositionPhase positionPhase;
    bool isSolved = false;            // of the damped step: the analytic stage found its forces
    bool isAlmostAtRest = false;      // of the stepper impulse: its surfaces hardly move in the step
    std::uint8_t responseOf = 0;      // what ImpulseSite::K holds for: pair_impulse.cpp; 0 where it must be found
    std::vector<ImpulseSite> report;  // impulses that changed v^(n+1), summed over the step
};

// Shock propagation: passes over the pairs of one level while its bodies find their place on the finished ones.
inline constexpr int kLevelPasses = 8;

struct ImpulseSettings {
    Real dt = 0;
    int collisionPasses = 5, contactPasses = 10, shockPasses = 1;
    Real restitutionThreshold = 0;
    bool clampEnergy = true, energyFix = true;
    bool oneStepRotation = false;  // bodies turn by one explicit step instead of by exact turns
    bool slowIsContact = false;    // the collision phase passes over pairs that would not bounce and do not go far in the step
    Scatter scatter;
};

// Kept between steps only to reuse its memory.
struct ImpulseScratch {
    std::vector<ImpulsePair> pairs;  // the first pairCount are in use
    std::size_t pairCount = 0;
    std::vector<Vec3> setback;     // per body, see predicted_motion.h
    std::vector<Real> lastImpact;  // s: time of the body's last impact in this step; no earlier one may follow
    std::vector<Momentary> kept;   // v^n after the collisions, while v^(n+1/2) is worked on
    std::vector<Momentary> fall;   // of steady contact, per body: what forces gave it in this step
    ContactGraph graph;
    std::vector<Rest> rests;
    std::vector<std::uint8_t> isSupport;
    std::vector<std::uint8_t> isStable;  // of the damped step, per body: immovable to those on it (stability.h)
    std::vector<std::uint32_t> order;    // of the pairs, lowest level first
    std::vector<ContactLink> links;      // of the constraints that report what the step did
    collision::ManifoldList manifolds;
    JointSystem joints;
    std::vector<std::uint32_t> jointGroup;  // by body: one body of those that joints connect to it
    std::vector<std::uint8_t> isJoined;     // by body: a joint holds it
};

// One step in progress.
struct ImpulseStep {
    std::span<SolverBody> bodies;
    std::span<const SolverBodyConstants> constants;
    ImpulseSettings settings;
    ImpulseScratch& scratch;
    int clampedImpulses = 0;

    std::span<ImpulsePair> pairs() const { return {scratch.pairs.data(), scratch.pairCount}; }
};

}  // namespace sunder::dynamics
