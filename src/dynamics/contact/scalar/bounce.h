// Restitution: points that met hard leave with a share of the speed at which they met. It acts on what a body's points and
// manifolds together did, not on one after the other: a box that falls flat on the floor, or a table on its four legs, flies up
// as it came down. One after the other they set it spinning, and its second bounce was a tenth as high as it should be.
#pragma once

#include <span>

#include "dynamics/contact/scalar/soft_contact.h"

namespace sunder::dynamics {

// Finds which points will hit in the coming substep and how fast they must leave.
Hits prepareBounce(ContactConstraint& constraint, std::span<const SolverBody> bodies,
                   std::span<const SolverBodyConstants> constants, const ContactSettings& settings);

// One manifold while it bounces, after its points have met. The impulses of the push are taken into it, and are those of the
// bounce at its end, without adding energy [Su09] 3.2. They are a bad guess for the load of the next substep, so they are not
// carried on. The arms must be those with which push acted.
class Bounce {
public:
    // isJoined: it bounces with another manifold of its bodies that hits.
    Bounce(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings, bool isJoined);
    // Gives the points the velocities that they must leave with. Returns whether they had others.
    bool solve(std::span<SolverBody> bodies, const ContactSettings& settings);
    void clamp(std::span<SolverBody> bodies);
    // The impulses become part of the bodies' free motion.
    void finish(std::span<SolverBody> bodies);

private:
    ContactConstraint* constraint_;
    ContactFrame frame_;
    GivenImpulse taken_;  // what push gave, at its arms, less the same at those of now
    int points_ = 0;      // bits of those that leave
};

// All of it for a manifold by itself.
void bounce(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings);

}  // namespace sunder::dynamics
