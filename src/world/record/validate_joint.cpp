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
    refuse("free_axes", def.freeAxes != 0, {SixDof});
    refuse("linear_low", def.linearLow != Vec3{}, {SixDof});
    refuse("linear_high", def.linearHigh != Vec3{}, {SixDof});
    refuse("angular_low", def.angularLow != Vec3{}, {SixDof});
    refuse("angular_high", def.angularHigh != Vec3{}, {SixDof});
    const bool hasSpring = def.springStiffness > 0 || def.springDamping > 0 || def.springFrequency > 0 ||
                           def.springDampingRatio > 0 || def.springStrength.has_value() || def.springRest != 0;
    refuse("spring_stiffness", hasSpring, {Hinge, Slider, Distance, Wheel});
    refuse("motor_strength", def.motorStrength > 0 || def.motorSpeed != 0, {Hinge, Slider, Distance, Wheel});
    refuse("friction", def.friction > 0, {Ball, Hinge, Slider, Distance, ConeTwist, Wheel});
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
    if (!isOneOf(def.type, {JointType::Wheel, JointType::SixDof}))
        return;
    if (!(length(def.axle) > kShortest) ||
        !(length(cross(def.axis, def.axle)) > kShortest * length(def.axis) * length(def.axle)))
        messages.push_back("axle: " + text(def.axle) + " is not allowed (not 0 and not along the axis)");
}

void checkStrengths(const JointDef& def, Messages& messages) {
    if (def.frequency > 0 && (def.stiffness > 0 || def.damping > 0))
        messages.push_back("frequency: " + numberText(def.frequency) +
                           " is not allowed (give stiffness and damping or frequency and damping_ratio, not both)");
    if (def.springFrequency > 0 && (def.springStiffness > 0 || def.springDamping > 0))
        messages.push_back("spring_frequency: " + numberText(def.springFrequency) +
                           " is not allowed (give spring_stiffness and spring_damping or spring_frequency, not both)");
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
    checkStrengths(def, messages);
    return messages;
}

}  // namespace sunder
