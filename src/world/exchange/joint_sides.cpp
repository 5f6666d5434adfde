#include "world/exchange/joint_sides.h"

namespace sunder::world {

namespace {

// One side of a joint as the solver needs it.
struct End {
    WorldPoint center;
    Pose frame;
};
End endOf(const Body* body, const Pose& frame) {
    if (!body)
        return {toWorldPoint(frame.position), {{}, frame.orientation}};
    if (body->motion == Motion::Static) {
        const Quat q = userOrientation(*body);
        return {userPosition(*body) + rotate(q, frame.position), {{}, q * frame.orientation}};
    }
    return {body->center, inverse(body->bodyFromPrincipal) * frame};
}

// Inverse mass of a body at its end of a joint, as the mean over all directions: so it stays the same while the body turns. It
// is that of the true inertia, which is not raised (dynamics/joints/direct/group_bodies.h).
dynamics::MeanAnswer meanAnswer(const Body* body, const Vec3& arm) {
    if (!body)
        return {};
    const Vec3 &i = body->inversePrincipalInertia, squared = multiply(arm, arm);
    const Real byTurning = i.x * (squared.y + squared.z) + i.y * (squared.x + squared.z) + i.z * (squared.x + squared.y);
    return {body->inverseMass + byTurning / 3, (i.x + i.y + i.z) / 3, {}};
}

// Inverse inertia of a body about the axes of the joint's frame, which stay in the body.
Vec3 answerAboutAxes(const Body* body, const Quat& principalFromJoint) {
    if (!body)
        return {};
    const auto about = [&](const Vec3& axis) {
        const Vec3 u = rotate(principalFromJoint, axis);
        return dot(multiply(u, u), body->inversePrincipalInertia);
    };
    return {about({1, 0, 0}), about({0, 1, 0}), about({0, 0, 1})};
}

}  // namespace

void know(Joint& joint) {
    JointTraits& traits = joint.traits;
    joint.spec = dynamics::specOf(joint.def);
    traits.isPlainBall = joint.spec.isPlainBall();
    traits.fitsBundle = joint.spec.fitsBundle();
    traits.turnRows = traits.fitsBundle ? static_cast<std::uint8_t>(dynamics::turnRowCapacity(joint.spec)) : std::uint8_t(0);
    traits.isActive = joint.spec.isActive();
    traits.mayBreak = joint.def.breakForce || joint.def.breakTorque || joint.def.breakImpulse;
    traits.capacity = static_cast<std::uint8_t>(dynamics::rowCapacity(joint.spec));
    joint.bodyA = joint.def.a.isNull() ? kWorldSlot : joint.def.a.index;
    joint.bodyB = joint.def.b.isNull() ? kWorldSlot : joint.def.b.index;
    traits.known = true;
}

std::uint32_t solverIndexOf(const Body* body) {
    return body && body->motion != Motion::Static ? body->solverIndex : dynamics::kFixedBody;
}

bool isKinematic(const Body* body) { return body && body->motion == Motion::Kinematic; }

bool isAtRest(const Body* body) { return !body || body->motion == Motion::Static; }

JointEnds endsOf(const Joint& joint, const Body* a, const Body* b) {
    const auto anchor = [](const Body* body, const Pose& frame) {
        return isAtRest(body) ? Vec3{} : inverseTransformPoint(body->bodyFromPrincipal, frame.position);
    };
    const auto center = [](const Body* body, const Pose& frame) {
        return isAtRest(body) ? endOf(body, frame).center : body->center;
    };
    return {anchor(a, joint.frameA),
            anchor(b, joint.frameB),
            center(b, joint.frameB) - center(a, joint.frameA),
            {joint.impulse[0], joint.impulse[1], joint.impulse[2]}};
}

void fillBall(dynamics::BallJoint& out, const dynamics::JointLink& link, const JointEnds& ends, Real scale) {
    out.bodyA = link.bodyA;
    out.bodyB = link.bodyB;
    out.anchorA = ends.anchorA;
    out.anchorB = ends.anchorB;
    out.centerOffset = ends.offset;
    out.impulse = ends.impulse * scale;
    out.total = {};
}

void fillConstraint(dynamics::JointConstraint& out, std::uint32_t bodyA, std::uint32_t bodyB, const Joint& joint, const Body* a,
                    const Body* b, Real scale) {
    const End endA = endOf(a, joint.frameA), endB = endOf(b, joint.frameB);
    out.bodyA = bodyA;
    out.bodyB = bodyB;
    out.spec = joint.spec;
    out.frameA = endA.frame;
    out.frameB = endB.frame;
    out.centerOffset = endB.center - endA.center;
    const dynamics::MeanAnswer answerA = meanAnswer(a, endA.frame.position), answerB = meanAnswer(b, endB.frame.position);
    out.answer = {answerA.linear + answerB.linear, answerA.angular + answerB.angular,
                  answerAboutAxes(a, endA.frame.orientation) + answerAboutAxes(b, endB.frame.orientation)};
    for (std::size_t i = 0; i < joint.impulse.size(); ++i)
        out.impulse[i] = joint.impulse[i] * scale;
    out.lastImpulse = out.impulse;
    out.given = {};
    out.totalForce = out.totalTorque = {};
    out.rowCount = 0;
}

}  // namespace sunder::world
