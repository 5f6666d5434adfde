// The moving bodies of a group of joints: which joint holds which, what they weigh, and how their energy is summed.
//
// A force F at the arm r of a joint turns with the body that it pulls at, which swings about its centre with
// omega^2 = sum F r / I. A substep h follows that up to omega h = 2, and well up to 0.7; beyond, the body would be thrown
// further in each substep. A link of a chain that comes taut under a weight gets there from one substep to the next. So the
// inertia of a body is raised for as long as such forces last, until omega h is 0.7: it swings more slowly than it would, which
// nobody sees, instead of flying apart. About all axes alike: a free turn then keeps the energy that the body has in truth.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "dynamics/joints/row/joint_constraint.h"

namespace sunder::dynamics {

using BodyMotion = std::array<double, 6>;  // m/s, rad/s: velocity and angular velocity

// What touches a body of a group in a step, or may.
struct Touch {
    bool any = false;
    bool loaded = false;    // a contact that pushed at the end of the last step
    bool grounded = false;  // something that no impulse moves, and that takes up momentum
    Real givingSpeed = 0;   // m/s: the fastest that what is not of the group may move against it; infinite where it is dynamic
};

class GroupBodies {
public:
    struct Sides {
        std::int32_t a = -1, b = -1;  // members of the group, -1 where the joint holds something that no impulse moves
    };

    // joints: the two bodies of each; isMoving: by body.
    void plan(std::span<const std::pair<std::uint32_t, std::uint32_t>> joints, std::span<const std::uint8_t> isMoving);
    // Before the substeps of a step: the bodies as they are; touches: by body. After them: as they were.
    void begin(std::span<const SolverBodyConstants> constants, std::span<const Touch> touches);
    void restore(std::span<SolverBodyConstants> constants) const;

    std::size_t size() const { return members_.size(); }
    std::uint32_t body(std::size_t member) const { return members_[member].body; }
    double mass(std::size_t member) const { return double(members_[member].mass); }
    const Sides& sides(std::size_t joint) const { return sides_[joint]; }
    bool isTouched() const { return isTouched_; }
    bool isLoaded() const { return isLoaded_; }
    // J: the most that contacts can have given a body that they took from one motion to another.
    double mostGiven(std::size_t member, double gain, const BodyMotion& from, const BodyMotion& to) const;
    // Something outside the group takes up its momentum.
    bool isGrounded() const { return isGrounded_; }

    // Before the contacts of a substep: notes the motions that they find, without what impulses of the last substep repeat.
    void noteStart(std::span<const SolverBody> bodies);
    const BodyMotion& start(std::size_t member) const { return members_[member].start; }

    // Inertia for what the joints pull with now. What impulses of this substep have given a body becomes what its new inertia
    // answers them with.
    void fitInertia(std::span<const JointConstraint> joints, std::span<SolverBody> bodies,
                    std::span<SolverBodyConstants> constants, Real h);
    // The same, but nothing is lowered; false, and nothing is done, where no body would be raised by much.
    bool raiseInertia(std::span<const JointConstraint> joints, std::span<SolverBody> bodies,
                      std::span<SolverBodyConstants> constants, Real h);

    // u^T M v with the masses that the body has in truth.
    double product(std::size_t member, const SolverBody& body, const BodyMotion& u, const BodyMotion& v) const;
    // What a raised body loses of this motion where it keeps the momentum of its true inertia.
    BodyMotion lostByRaising(std::size_t member, const BodyMotion& motion) const;

private:
    struct Member {
        std::uint32_t body = 0;
        Real mass = 0;
        Vec3 inertia;          // kg m^2, principal: in truth
        Real raised = 1;       // times that is what the solver takes it for
        Real givingSpeed = 0;  // see Touch
        BodyMotion start{};    // see noteStart
    };
    void sumLoads(std::span<const JointConstraint> joints, std::span<const SolverBody> bodies, Real h);
    static void setInertia(Member& member, Real raised, SolverBody& body, SolverBodyConstants& constants);

    std::vector<Member> members_;
    std::vector<Vec3> loads_;   // kg m^2, principal, by member: the inertia that its joints ask for
    std::vector<Real> needed_;  // by member: how much its inertia must be raised for them
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
