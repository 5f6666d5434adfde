#include "world/pair/flight.h"

#include "collision/built_shape.h"
#include "collision/narrow_phase/manifold/preference.h"
#include "dynamics/body/point_motion.h"

namespace sunder::world {

Flight flightOf(const Body& body, const Vec3& acceleration, Real dt) {
    const bool moves = body.motion != Motion::Static && !isAsleep(body);
    Flight flight;
    flight.body = &body;
    flight.shape = body.shape.get();
    flight.center = body.center;
    flight.orientation = body.orientation;
    flight.shapePose = shapePose(body, body.orientation);
    flight.radius = boundingRadius(body);
    flight.innerRadius = body.shape->innerRadius;
    flight.deforms = bool(body.vertices);
    flight.isLevelSet = body.shape->hasLevelSet && !flight.deforms;
    flight.isShell = std::holds_alternative<Shell>(body.shape->definition);
    if (body.shape->type == ShapeType::LevelSet)
        flight.cell = body.shape->levelSet->field().grid.cell;
    flight.fixed = !moves;
    flight.solverIndex = moves ? body.solverIndex : 0;
    flight.isDynamic = body.motion == Motion::Dynamic;
    flight.friction = body.material.friction;
    flight.restitution = body.material.restitution;
    flight.rollingFriction = body.material.rollingFriction;
    flight.spinningFriction = body.material.spinningFriction;
    flight.mayRoll = moves && body.shape->hasRound && !flight.deforms;
    if (!(body.surfaceVelocity == Vec3{}))
        flight.surfaceVelocity = rotate(userOrientation(body), body.surfaceVelocity);
    if (!moves)
        return flight;
    flight.drift = (body.velocity + body.formerVelocity) * Real(0.5);
    flight.driftTurn = (body.angularVelocity + body.formerAngularVelocity) * Real(0.5);
    flight.velocity = body.velocity + acceleration * dt;
    flight.angularVelocity = body.angularVelocity;
    flight.speed = length(flight.velocity);
    flight.turning = dynamics::turningSpeed(flight.angularVelocity, flight.radius);
    if (flight.deforms)
        flight.turning += fastestOf(*body.vertices);
    // A body slower than half of what forces add in a step must be held by something, or it would be faster.
    flight.startSpeed = length(body.velocity);
    const Real gained = length(acceleration) * dt;
    flight.isHeld = flight.startSpeed + flight.turning < Real(0.5) * gained;
    flight.fall = Real(0.5) * gained;
    return flight;
}

Pose shapePoseAt(const Flight& flight, const Moment& moment) {
    if (moment.time == 0)
        return flight.shapePose;
    const Quat turned = quatFromRotationVector(turnTo(moment, flight) * moment.time) * flight.orientation;
    Pose pose = shapePose(*flight.body, turned);
    pose.position += velocityTo(moment, flight) * moment.time;
    return pose;
}

const BuiltShape* roundPart(const Flight& flight, std::uint32_t child, const Vec3& normal) {
    if (!flight.mayRoll)
        return nullptr;
    const BuiltShape* part = flight.shape;
    if (part->type == ShapeType::Compound) {
        const std::vector<BuiltShape::Child>& children = part->children;
        // A damaged snapshot may name a child that is not there.
        if (child >= children.size() || !children[child].shape->hasRound)
            return nullptr;
        part = children[child].shape.get();
    }
    if (part->type != ShapeType::Cylinder)
        return part;
    const Vec3 axis = rotate(flight.orientation, rotate(principalFromPart(flight, child).orientation, {0, 1, 0}));
    return std::fabs(dot(axis, normal)) > Real(collision::kFlatCapCosine) ? nullptr : part;
}

Pose principalFromPart(const Flight& flight, std::uint32_t child) {
    const Pose principalFromBody = inverse(flight.body->bodyFromPrincipal);
    const bool isCompound = flight.shape->type == ShapeType::Compound;
    return isCompound ? principalFromBody * flight.shape->children[child].parentFromChild : principalFromBody;
}

}  // namespace sunder::world
