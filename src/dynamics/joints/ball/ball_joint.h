// A plain ball joint, as large nets are solved: one visit per substep, its three rows at once; the bodies repeat its impulse in
// the next substep, as those of contacts (integrate/substep.h).
//
//     C = gap = xB + rB - xA - rA        J v = vB + wB x rB - vA - wA x rA
//     p+ = kept (p - M (J v + beta C + h/2 (wB x (wB x rB) - wA x (wA x rA))))        M = (J M^-1 J^T)^-1
//
// kept = 1 - leak h with leak above beta: a joint that repairs faster than it forgets makes a long chain swing up
// (docs/step.md, section 1).
//
// Light bodies between great forces. A force F at the arm r turns with the body that it pulls, which swings with
// omega^2 = sum F r / I. A substep follows that up to omega h = 2; beyond it the swing grows in every substep: a ball of 50
// times a knot's mass that fell into a net of 14 x 14 knots threw the whole net out of the world. So a joint turns a body as if
// it had more inertia, about all axes alike, once its own impulse asks for it (direct/group_bodies.h does the same for groups).
//
// This is the readable form. It serves joints for which no colour was left, and the wide form below must equal it bit for bit.
#pragma once

#include <span>
#include <vector>

#include "dynamics/joints/row/joint_constraint.h"
#include "math/lanes.h"

namespace sunder::dynamics {

struct BallJoint {
    std::uint32_t bodyA = 0, bodyB = 0;
    Vec3 anchorA, anchorB;  // principal frames
    Vec3 centerOffset;
    Vec3 impulse, total;  // N s on B: of the last substep, of the step
    Vec3 armA, armB;      // of the last substep
    Sym3 mass;
    Real swingA = 0, swingB = 0;  // 1/(N s): inertia that an impulse asks for, in the body's own; 0: it cannot turn
    Real turnsA = 1, turnsB = 1;  // what the joint turns the bodies by, of what it would with their own inertia
};

// Sets swingA and swingB.
void findSwing(BallJoint& joint, std::span<const SolverBodyConstants> bodies, Real h);

// Shares of the inertia (turnsA, turnsB) below this much of the last ones are taken over within the step, with a new mass.
inline constexpr Real kWorthRaising = Real(0.8);
// Largest factor on an inertia: joints that contradict each other could ask for inertia without bound.
inline constexpr Real kMostSwing = 1e5;

// Finds the effective mass where the bodies are now, and applies the impulse of the last substep.
void startBall(BallJoint& joint, std::span<SolverBody> bodies);
void solveBall(BallJoint& joint, std::span<SolverBody> bodies, const JointSettings& settings);

// kLanes of one colour; Number as in contact/wide/wide_block.h.
template <class Number>
struct alignas(64) BallBlock {
    std::uint32_t bodyA[wide::kLanes], bodyB[wide::kLanes];
    std::uint32_t movesA, movesB;  // bits of the lanes whose bodies feel impulses
    std::int32_t lanes;
    wide::Vec3Of<Number> anchorA, anchorB, centerOffset, impulse, total, armA, armB;
    wide::Sym3Of<Number> mass;
    Number swingA, swingB, turnsA, turnsB;
};
struct WideBall : BallBlock<wide::Lanes> {};
// startBall and solveBall for kLanes joints, compiled for one instruction set (contact/wide/wide_kernels.h).
struct BallKernels {
    void (*start)(WideBall* blocks, int count, SolverBody* bodies);
    void (*solve)(WideBall* blocks, int count, SolverBody* bodies, const JointSettings& settings);
};

struct WideBallBlocks {
    std::vector<WideBall> all;
};

// Fills a block with joints[first] .. joints[first + count - 1], count <= kLanes.
void pack(WideBall& block, std::span<const BallJoint> joints, std::uint32_t first, int count,
          std::span<const SolverBodyConstants> bodies, Real h);
// Copies the impulses of the block back to the joints.
void unpack(const WideBall& block, std::span<BallJoint> joints, std::uint32_t first);

}  // namespace sunder::dynamics
