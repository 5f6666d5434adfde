// A joint as the solver needs it: anchors and axes in the principal frames of its two bodies.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Fills in the fields that are derived from the definition.
void know(Joint& joint);

std::uint32_t solverIndexOf(const Body* body);
bool isKinematic(const Body* body);
bool isAtRest(const Body* body);  // static, or the world

JointEnds endsOf(const Joint& joint, const Body* a, const Body* b);
void fillBall(dynamics::BallJoint& out, const dynamics::JointLink& link, const JointEnds& ends, Real scale);
void fillConstraint(dynamics::JointConstraint& out, std::uint32_t bodyA, std::uint32_t bodyB, const Joint& joint, const Body* a,
                    const Body* b, Real scale);

}  // namespace sunder::world
