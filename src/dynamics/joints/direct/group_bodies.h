// The moving bodies of a group of joints: which joint holds which, what they weigh, and how their energy is summed.
//
// A joint force F at the arm r turns with the body that it pulls, so the body swings about its centre with
// omega^2 = sum F r / I. A substep h follows that up to omega h = 2, and well up to 0.7; beyond 2 the swing grows in every
// substep. A link of a chain that comes taut under a weight gets there from one substep to the next. So the inertia of a body
// is raised for as long as such forces last, until omega h is 0.7: it swings more slowly than it would, which nobody sees,
// instead of flying apart. It is raised by the same factor about all axes: a free turn then keeps the energy of the true
// inertia.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "dynamics/joints/row/joint_constraint.h"

namespace sunder::dynamics {

using BodyMotion = std::array<double, 6>;  // m/s, rad/s: velocity and angular velocity

// What touches, or may touch, a body of a group in a step.
struct Touch {
    bool any = false;
    bool loaded = false;    // some contact pushed it at the end of the last step
    bool grounded = false;  // it touches something that no impulse moves, which takes up momentum
    Real givingSpeed = 0;   // m/s: largest speed of what touches it from outside the group; infinite for dynamic bodies
};

class GroupBodies {
public:
    struct Sides {
        std::int32_t a = -1, b = -1;  // members of the group; -1 for a side that no impulse moves
    };

    // joints: the two bodies of each; isMoving: by body.
    void plan(std::span<const std::pair<std::uint32_t, std::uint32_t>> joints, std::span<const std::uint8_t> isMoving);
    // begin, before the substeps of a step, reads the true masses (touches: by body); restore, after them, puts them back.
    void begin(std::span<const SolverBodyConstants> constants, std::span<const Touch> touches);
    void restore(std::span<SolverBodyConstants> constants) const;

    std::size_t size() const { return members_.size(); }
    std::uint32_t body(std::size_t member) const { return members_[member].body; }
    double mass(std::size_t member) const { return double(members_[member].mass); }
    const Sides& sides(std::size_t joint) const { return sides_[joint]; }
    bool isTouched() const { return isTouched_; }
    bool isLoaded() const { return isLoaded_; }
    // J: the most energy that contacts can have given a body whose motion they changed so.
    double mostGiven(std::size_t member, double gain, const BodyMotion& from, const BodyMotion& to) const;
    // Something outside the group takes up its momentum: a joint or contact with something fixed, or a locked axis.
    bool isGrounded() const { return isGrounded_; }

    // Before the contacts of a substep: notes the motions without the impulses that are repeated from the last substep.
    void noteStart(std::span<const SolverBody> bodies);
    const BodyMotion& start(std::size_t member) const { return members_[member].start; }

    // Raises or lowers inertias to what the joint forces now need. Spin that impulses of this substep gave a body is scaled to
    // what they give its new inertia.
    void fitInertia(std::span<const JointConstraint> joints, std::span<SolverBody> bodies,
                    std::span<SolverBodyConstants> constants, Real h);
    // As fitInertia, but lowers none. Does nothing and returns false where no body would be raised by much (kWorthSolving).
    bool raiseInertia(std::span<const JointConstraint> joints, std::span<SolverBody> bodies,
                      std::span<SolverBodyConstants> constants, Real h);

    // u^T M v with the true mass and inertia of the body.
    double product(std::size_t member, const SolverBody& body, const BodyMotion& u, const BodyMotion& v) const;
    // What a raised body would lose of this motion if it kept the momentum of its true inertia.
    BodyMotion lostByRaising(std::size_t member, const BodyMotion& motion) const;

private:
    struct Member {
        std::uint32_t body = 0;
        Real mass = 0;
        Vec3 inertia;          // kg m^2, principal, not raised
        Real raised = 1;       // factor on the inertia that the solver uses
        Real givingSpeed = 0;  // see Touch
        BodyMotion start{};    // see noteStart
    };
    void sumLoads(std::span<const JointConstraint> joints, std::span<const SolverBody> bodies, Real h);
    static void setInertia(Member& member, Real raised, SolverBody& body, SolverBodyConstants& constants);

    std::vector<Member> members_;
    std::vector<Vec3> loads_;   // kg m^2, principal, by member: the inertia that its joints ask for
    std::vector<Real> needed_;  // by member: the factor on its inertia which that takes
    std::vector<Sides> sides_;  // by joint
    bool isHeld_ = false, isTouched_ = false, isLoaded_ = false, isGrounded_ = false;
};

inline BodyMotion motionOf(const Vec3& velocity, const Vec3& spin) {
    return {velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z};
}
inline void addScaled(BodyMotion& to, const BodyMotion& from, double factor) {
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] += factor * from[i];
}

}  // namespace sunder::dynamics
