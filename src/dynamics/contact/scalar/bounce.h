// Restitution: points that met hard leave with a share of the speed at which they met. It acts on what a body's points and
// manifolds together did, not on one after the other: a box that falls flat on the floor, or a table on its four legs, flies up
// as it came down. One after the other they set it spinning, and its second bounce was a tenth as high as it should be.
#pragma once

#include <span>

#include "dynamics/contact/scalar/soft_contact.h"

namespace sunder::dynamics {

// When and where a manifold will hit.
struct Meeting {
    Hits hits = Hits::No;
    std::uint8_t points = 0;  // bits of those that hit with the first one
    Real first = kInfinity,
         joinsFrom = kInfinity;  // s from now: its first hit; it bounces with others that hit later than that
};

// Finds which points will hit in the coming substep and how fast they must leave.
Meeting prepareBounce(ContactConstraint& constraint, std::span<const SolverBody> bodies,
                      std::span<const SolverBodyConstants> constants, const ContactSettings& settings);

// One manifold while it bounces, after its points have met. The impulses of the push are taken into it, and are those of the
// bounce at its end. They are a bad guess for the load of the next substep, so they are not carried on. The arms must be those
// with which push acted.
class Bounce {
public:
    // together: bits of points that leave though they have not met yet.
    Bounce(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings, int together);
    // Gives the points the velocities that they must leave with, without friction. Returns whether they had others.
    bool separate(std::span<SolverBody> bodies, const ContactSettings& settings);
    // Then friction, for what slips. Normal impulses are not found again: to keep up the speed at which points leave while
    // friction turns the bodies would add energy.
    void rub(std::span<SolverBody> bodies);
    // Takes back what adds energy [Su09] 3.2.
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
void bounce(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings, int together);

}  // namespace sunder::dynamics
