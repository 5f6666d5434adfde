#include "world/query/joint_state.h"

#include <cmath>

#include "dynamics/joints/row/joint_rows.h"
#include "world/exchange/joint_sides.h"
#include "world/state/handles.h"

namespace sunder::world {

namespace {

// Where the joint is along and about its free directions.
void setPosition(JointType type, const dynamics::JointGeometry& at, JointState& state) {
    switch (type) {
        case JointType::Slider: state.position = dot(at.gap, at.axesA.row0); break;
        case JointType::Wheel:
            state.position = dot(at.gap, at.axesA.row0);
            state.angle = angleAbout(at, 1);
            state.steering = steeringAngle(at);
            break;
        case JointType::Distance: state.position = length(at.gap); break;
        case JointType::Hinge: state.angle = angleAbout(at, 0); break;
        case JointType::ConeTwist:
            state.angle = angleAbout(at, 0);
            state.swing = swingAngle(at);
            break;
        case JointType::Ball:
        case JointType::Fixed:
        case JointType::SixDof: state.angle = length(turnVector(at)); break;
    }
}

}  // namespace

JointState stateOf(const PagedVector<Body>& bodies, const Joint& joint, const JointFlesh* flesh) {
    using namespace dynamics;
    Joint known = joint;
    know(known);
    const Body *a = bodyOf(bodies, joint.def.a), *b = bodyOf(bodies, joint.def.b);
    if (flesh && !flesh->a.empty())
        known.frameA = frameNow(*a, joint.def.type, flesh->a, joint.frameA);
    if (flesh && !flesh->b.empty())
        known.frameB = frameNow(*b, joint.def.type, flesh->b, joint.frameB);
    SolverBody sides[2];
    const auto place = [](SolverBody& out, const Body* body) {
        if (!body || body->motion == Motion::Static)
            return;
        out.orientation = body->orientation;
        out.inverseMass = {body->inverseMass, body->inverseMass, body->inverseMass};
        out.inverseInertia = rotateDiagonal(toMatrix(body->orientation), body->inversePrincipalInertia);
    };
    place(sides[0], a);
    place(sides[1], b);
    JointConstraint constraint;
    fillConstraint(constraint, 0, 1, known, a, b, 0);
    // The rows give the errors: with a repair rate of 1 the bias of a rigid row is its error. The substep (s) cancels out.
    constexpr Real kAnyStep = Real(1e-3);
    makeRows(constraint, sides[0], sides[1], {kAnyStep, 1 / kAnyStep, kInfinity, 1, 1});
    const JointGeometry at = geometryOf(constraint, sides[0], sides[1]);
    JointState state;
    state.force = joint.force;
    state.torque = joint.torque;
    state.flowed = joint.flowed;
    double linear = 0, angular = 0;
    for (int i = 0; i < constraint.rowCount; ++i) {
        const JointRow& row = constraint.rows[i];
        double error = row.bias;
        if (!row.rigid) {
            error = row.error;
            state.elasticEnergy += 0.5 * double(springOf(row, kAnyStep).stiffness) * error * error;
            if (isDrive(row))
                continue;
        } else if (row.bounded) {
            continue;
        }
        (row.linear == Vec3{} ? angular : linear) += error * error;
    }
    state.error = Real(std::sqrt(linear));
    state.angularError = Real(std::sqrt(angular));
    state.rotation = at.turn;
    setPosition(joint.def.type, at, state);
    return state;
}

}  // namespace sunder::world
