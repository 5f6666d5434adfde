#include "dynamics/joints/direct/group_bodies.h"

#include <algorithm>

#include "dynamics/integrate/substep.h"
#include "dynamics/joints/row/joint_impulses.h"

namespace sunder::dynamics {

namespace {

// 1 / (omega h)^2 of a raised body: omega h = 0.7, which a substep follows well (group_bodies.h).
constexpr Real kSteady = 2;
// Largest factor on an inertia: joints that contradict each other could ask for inertia without bound.
constexpr Real kMostRaised = 1e5;
// Factor on the inertia that a body was solved with: where it needs more than that, the group is solved again.
constexpr Real kWorthSolving = Real(1.25);

// m: distances of the end of an arm from the three axes.
Vec3 levers(const Vec3& arm) {
    const Vec3 squared = multiply(arm, arm);
    return {std::sqrt(squared.y + squared.z), std::sqrt(squared.x + squared.z), std::sqrt(squared.x + squared.y)};
}

Vec3 divide(const Vec3& a, const Vec3& b) { return {a.x / b.x, a.y / b.y, a.z / b.z}; }

Vec3 spinOf(const BodyMotion& motion) { return {Real(motion[3]), Real(motion[4]), Real(motion[5])}; }

}  // namespace

void GroupBodies::plan(std::span<const std::pair<std::uint32_t, std::uint32_t>> joints,
                       std::span<const std::uint8_t> isMoving) {
    std::vector<std::uint32_t> bodies;
    isHeld_ = false;
    for (const auto& [a, b] : joints)
        for (const std::uint32_t body : {a, b})
            if (isMoving[body])
                bodies.push_back(body);
            else
                isHeld_ = true;
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    members_.assign(bodies.size(), {});
    loads_.assign(bodies.size(), {});
    needed_.assign(bodies.size(), 1);
    for (std::size_t i = 0; i < bodies.size(); ++i)
        members_[i].body = bodies[i];
    const auto memberOf = [&](std::uint32_t body) {
        return isMoving[body] ? std::int32_t(std::lower_bound(bodies.begin(), bodies.end(), body) - bodies.begin()) : -1;
    };
    sides_.clear();
    for (const auto& [a, b] : joints)
        sides_.push_back({memberOf(a), memberOf(b)});
}

void GroupBodies::begin(std::span<const SolverBodyConstants> constants, std::span<const Touch> touches) {
    isTouched_ = isLoaded_ = false;
    isGrounded_ = isHeld_;
    for (Member& member : members_) {
        const SolverBodyConstants& body = constants[member.body];
        const Touch& touch = touches[member.body];
        member.mass = body.mass;
        member.inertia = body.principalInertia;
        member.raised = 1;
        member.givingSpeed = touch.givingSpeed;
        isTouched_ = isTouched_ || touch.any;
        isLoaded_ = isLoaded_ || touch.loaded;
        isGrounded_ = isGrounded_ || touch.grounded || body.lockedAxes != 0;
    }
}

void GroupBodies::restore(std::span<SolverBodyConstants> constants) const {
    for (const Member& member : members_)
        if (member.raised != 1) {
            SolverBodyConstants& body = constants[member.body];
            body.principalInertia = member.inertia;
            body.inversePrincipalInertia = divide({1, 1, 1}, member.inertia);
        }
}

void GroupBodies::noteStart(std::span<const SolverBody> bodies) {
    for (Member& member : members_)
        member.start = motionOf(bodies[member.body].freeVelocity, bodies[member.body].freeAngularVelocity);
}

void GroupBodies::sumLoads(std::span<const JointConstraint> joints, std::span<const SolverBody> bodies, Real h) {
    std::fill(loads_.begin(), loads_.end(), Vec3{});
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const Real pull = kSteady * h * length(wrenchOf(joints[i]).linear);
        const auto add = [&](std::int32_t side, const Vec3& arm) {
            if (side >= 0)
                loads_[side] += levers(inverseRotate(bodies[members_[side].body].orientation, arm)) * pull;
        };
        add(sides_[i].a, joints[i].armA);
        add(sides_[i].b, joints[i].armB);
    }
    for (std::size_t i = 0; i < members_.size(); ++i) {
        const Vec3 share = divide(loads_[i], members_[i].inertia);
        needed_[i] = clamp(max(share.x, max(share.y, share.z)), Real(1), kMostRaised);
    }
}

void GroupBodies::setInertia(Member& member, Real raised, SolverBody& body, SolverBodyConstants& constants) {
    const Vec3 given = body.angularVelocity - body.freeAngularVelocity;
    body.angularVelocity = body.freeAngularVelocity + given * (member.raised / raised);
    member.raised = raised;
    constants.principalInertia = member.inertia * raised;
    constants.inversePrincipalInertia = divide({1, 1, 1}, constants.principalInertia);
    body.inverseInertia = worldInverseInertia(body.orientation, constants);
}

void GroupBodies::fitInertia(std::span<const JointConstraint> joints, std::span<SolverBody> bodies,
                             std::span<SolverBodyConstants> constants, Real h) {
    sumLoads(joints, bodies, h);
    for (std::size_t i = 0; i < members_.size(); ++i)
        if (needed_[i] != members_[i].raised)
            setInertia(members_[i], needed_[i], bodies[members_[i].body], constants[members_[i].body]);
}

bool GroupBodies::raiseInertia(std::span<const JointConstraint> joints, std::span<SolverBody> bodies,
                               std::span<SolverBodyConstants> constants, Real h) {
    sumLoads(joints, bodies, h);
    bool isWorth = false;
    for (std::size_t i = 0; i < members_.size() && !isWorth; ++i)
        isWorth = needed_[i] > members_[i].raised * kWorthSolving;
    for (std::size_t i = 0; i < members_.size() && isWorth; ++i)
        if (needed_[i] > members_[i].raised)
            setInertia(members_[i], needed_[i], bodies[members_[i].body], constants[members_[i].body]);
    return isWorth;
}

double GroupBodies::product(std::size_t member, const SolverBody& body, const BodyMotion& u, const BodyMotion& v) const {
    const Member& of = members_[member];
    const Vec3 spinU = inverseRotate(body.orientation, spinOf(u)), spinV = inverseRotate(body.orientation, spinOf(v));
    return double(of.mass) * (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) + double(of.inertia.x) * spinU.x * spinV.x +
           double(of.inertia.y) * spinU.y * spinV.y + double(of.inertia.z) * spinU.z * spinV.z;
}

double GroupBodies::mostGiven(std::size_t member, double gain, const BodyMotion& from, const BodyMotion& to) const {
    const Member& of = members_[member];
    if (!(gain > 0 && of.givingSpeed > 0))
        return 0;
    double squared = 0;
    for (int i = 0; i < 3; ++i)
        squared += (to[i] - from[i]) * (to[i] - from[i]);
    return std::fmin(gain, double(of.givingSpeed) * double(of.mass) * std::sqrt(squared));
}

BodyMotion GroupBodies::lostByRaising(std::size_t member, const BodyMotion& motion) const {
    const double lost = 1 - 1 / double(members_[member].raised);
    return {0, 0, 0, motion[3] * lost, motion[4] * lost, motion[5] * lost};
}

}  // namespace sunder::dynamics
