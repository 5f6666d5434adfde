// Checks of a joint beyond the ranges of describe.h: which fields its type uses, and that they agree with each other.
#include "math/vec3.h"
#include "world/record/field_checker.h"

namespace sunder {

namespace {

using world::FieldChecker;
using world::Messages;

std::string_view nameOf(JointType type) {
    for (const EnumName<JointType>& entry : kJointTypeNames)
        if (entry.value == type)
            return entry.name;
    return "joint";
}

bool isOneOf(JointType type, std::initializer_list<JointType> types) {
    for (const JointType other : types)
        if (type == other)
            return true;
    return false;
}

// Fields that the type does not use must have their defaults.
void refuseUnknown(const JointDef& def, Messages& messages) {
    using enum JointType;
    const auto refuse = [&](const char* field, bool isSet, std::initializer_list<JointType> types) {
        if (isSet && !isOneOf(def.type, types))
            messages.push_back(std::string(field) + ": a " + std::string(nameOf(def.type)) + " joint has none");
    };
    refuse("limits", def.limits.has_value(), {Hinge, Slider, Distance, ConeTwist, Wheel});
    refuse("cone", def.cone.has_value(), {ConeTwist});
    refuse("cone_z", def.coneZ.has_value(), {ConeTwist});
    refuse("free_axes", def.freeAxes != 0, {SixDof});
    refuse("linear_low", def.linearLow != Vec3{}, {SixDof});
    refuse("linear_high", def.linearHigh != Vec3{}, {SixDof});
    refuse("angular_low", def.angularLow != Vec3{}, {SixDof});
    refuse("angular_high", def.angularHigh != Vec3{}, {SixDof});
    const bool hasSpring = def.springStiffness > 0 || def.springDamping > 0 || def.springFrequency > 0 ||
                           def.springDampingRatio > 0 || def.springStrength.has_value();
    refuse("spring_stiffness", hasSpring, {Ball, Hinge, Slider, Distance, ConeTwist, Wheel});
    refuse("spring_rest", def.springRest != 0, {Hinge, Slider, Distance, Wheel});
    refuse("spring_rotation", def.springRotation != Quat{}, {Ball, ConeTwist});
    refuse("motor_strength", def.motorStrength > 0, {Ball, Hinge, Slider, Distance, ConeTwist, Wheel});
    refuse("motor_speed", def.motorSpeed != 0, {Hinge, Slider, Distance, Wheel});
    refuse("motor_velocity", def.motorVelocity != Vec3{}, {Ball, ConeTwist});
    refuse("drives", !def.drives.empty(), {SixDof});
    const bool hasSteering = def.steering != 0 || def.steeringLimits || def.steeringStiffness > 0 || def.steeringDamping > 0 ||
                             def.steeringFrequency > 0 || def.steeringDampingRatio > 0 || def.steeringStrength;
    refuse("steering", hasSteering, {Wheel});
    refuse("friction", def.friction.value_or(0) > 0, {Ball, Hinge, Slider, Distance, ConeTwist, Wheel});
    refuse("yield_force", def.yieldForce.has_value(), {Ball, Hinge, Fixed});
}

void checkInterval(const char* field, Real low, Real high, Messages& messages) {
    if (low > high)
        messages.push_back(std::string(field) + ": [" + numberText(low) + ", " + numberText(high) +
                           "] is not allowed (the lower limit first)");
}

void checkLimits(const JointDef& def, Messages& messages) {
    if (def.limits) {
        checkInterval("limits", def.limits->low, def.limits->high, messages);
        const bool isAngle = isOneOf(def.type, {JointType::Hinge, JointType::ConeTwist});
        constexpr Real kHalfTurn = Real(3.1416);  // rad, rounded up so that the float nearest to pi is allowed
        if (isAngle && (def.limits->low < -kHalfTurn || def.limits->high > kHalfTurn))
            messages.push_back("limits: [" + numberText(def.limits->low) + ", " + numberText(def.limits->high) +
                               "] is not allowed (-3.1416 to 3.1416 rad)");
        if (def.type == JointType::Distance && def.limits->low < 0)
            messages.push_back("limits[0]: " + numberText(def.limits->low) + " is not allowed (0 m or more)");
    }
    const auto axes = [&](const char* field, const Vec3& low, const Vec3& high) {
        for (int axis = 0; axis < 3; ++axis)
            checkInterval(field, component(low, axis), component(high, axis), messages);
    };
    if (def.steeringLimits)
        checkInterval("steering_limits", def.steeringLimits->low, def.steeringLimits->high, messages);
    if (def.coneZ && !(def.cone && *def.cone > 0))
        messages.push_back("cone_z: it needs a cone above 0, the swing about the axle");
    axes("linear_low", def.linearLow, def.linearHigh);
    axes("angular_low", def.angularLow, def.angularHigh);
}

void checkAxes(const JointDef& def, Messages& messages) {
    constexpr Real kShortest = Real(1e-6);  // of an axis: a shorter one has no direction worth normalising
    const auto text = [](const Vec3& v) {
        return "[" + numberText(v.x) + ", " + numberText(v.y) + ", " + numberText(v.z) + "]";
    };
    if (!isOneOf(def.type, {JointType::Ball, JointType::Fixed, JointType::Distance}) && !(length(def.axis) > kShortest))
        messages.push_back("axis: " + text(def.axis) + " is not allowed (an axis that is not 0)");
    const auto isAlong = [](const Vec3& axle, const Vec3& axis) {
        return !(length(axle) > kShortest) || !(length(cross(axis, axle)) > kShortest * length(axis) * length(axle));
    };
    if (isOneOf(def.type, {JointType::Wheel, JointType::SixDof}) && isAlong(def.axle, def.axis))
        messages.push_back("axle: " + text(def.axle) + " is not allowed (not 0 and not along the axis)");
    if (def.axisB && !(length(*def.axisB) > kShortest))
        messages.push_back("axis_b: " + text(*def.axisB) + " is not allowed (an axis that is not 0)");
    else if (def.axleB && isAlong(*def.axleB, def.axisB.value_or(def.axis)))
        messages.push_back("axle_b: " + text(*def.axleB) + " is not allowed (not 0 and not along the axis of b)");
}

void checkDrives(const JointDef& def, Messages& messages) {
    std::uint8_t driven = 0;
    for (std::size_t i = 0; i < def.drives.size(); ++i) {
        const JointDrive& drive = def.drives[i];
        const std::string path = "drives[" + std::to_string(i) + "].";
        if (drive.axes == 0)
            messages.push_back(path + "axes: none is not allowed (at least one direction)");
        if (drive.axes & driven)
            messages.push_back(path + "axes: a drive before it has one of them (each direction is driven once)");
        if (drive.frequency > 0 && (drive.stiffness > 0 || drive.damping > 0))
            messages.push_back(path + "frequency: " + numberText(drive.frequency) +
                               " is not allowed (give stiffness and damping or frequency and damping_ratio, not both)");
        if (!(drive.stiffness > 0) && !(drive.damping > 0) && !(drive.frequency > 0) && !drive.strength)
            messages.push_back(path + "strength: is missing (or give a stiffness, a damping or a frequency)");
        driven = static_cast<std::uint8_t>(driven | drive.axes);
    }
}

void checkStrengths(const JointDef& def, Messages& messages) {
    if (def.frequency > 0 && (def.stiffness > 0 || def.damping > 0))
        messages.push_back("frequency: " + numberText(def.frequency) +
                           " is not allowed (give stiffness and damping or frequency and damping_ratio, not both)");
    if (def.springFrequency > 0 && (def.springStiffness > 0 || def.springDamping > 0))
        messages.push_back("spring_frequency: " + numberText(def.springFrequency) +
                           " is not allowed (give spring_stiffness and spring_damping or spring_frequency, not both)");
    if (def.steeringFrequency > 0 && (def.steeringStiffness > 0 || def.steeringDamping > 0))
        messages.push_back("steering_frequency: " + numberText(def.steeringFrequency) +
                           " is not allowed (give steering_stiffness and steering_damping or steering_frequency, not both)");
    if (isOneOf(def.type, {JointType::Ball, JointType::ConeTwist}) && def.motorStrength > 0 && def.friction.value_or(0) > 0)
        messages.push_back("friction: " + numberText(*def.friction) +
                           " is not allowed (a motor brakes with its strength; give one of the two)");
    if (def.yieldForce && !(def.stiffness > 0))
        messages.push_back("yield_force: " + numberText(*def.yieldForce) +
                           " is not allowed without a stiffness above 0 (a rigid joint has no stretch that could remain)");
    if (def.yieldForce && def.breakForce && *def.yieldForce > *def.breakForce)
        messages.push_back("yield_force: " + numberText(*def.yieldForce) + " is not allowed with break_force " +
                           numberText(*def.breakForce) + " (at most that)");
    if (def.type == JointType::Distance && !def.limits && !(def.springStiffness > 0) && !(def.springFrequency > 0) &&
        !(def.motorStrength > 0) && !(length(def.anchorB.value_or(def.anchor) - def.anchor) > 0))
        messages.push_back("anchor_b: a distance joint needs a second point, at a distance from its anchor");
    if (def.type == JointType::Distance && def.limits && def.limits->low == def.limits->high && !(def.limits->low > 0))
        messages.push_back("limits: a distance of 0 is not allowed (use a ball joint)");
}

}  // namespace

std::vector<std::string> validate(const JointDef& def) {
    Messages messages;
    if (def.type > JointType::Wheel) {
        messages.push_back("type: " + std::to_string(int(def.type)) + " is not allowed (a JointType)");
        return messages;
    }
    visitFields(def, FieldChecker(messages));
    if (!messages.empty())
        return messages;
    refuseUnknown(def, messages);
    checkLimits(def, messages);
    checkAxes(def, messages);
    checkDrives(def, messages);
    checkStrengths(def, messages);
    return messages;
}

}  // namespace sunder
