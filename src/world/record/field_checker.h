// Checks a definition field by field against describe.h.
#pragma once

#include <cmath>

#include "sunder/describe.h"

namespace sunder::world {

using Messages = std::vector<std::string>;

// A quaternion shorter than this has no direction worth normalising.
inline constexpr double kShortestQuaternion = 1e-6;

class FieldChecker {
public:
    FieldChecker(Messages& messages, std::string prefix = {}) : messages_(messages), prefix_(std::move(prefix)) {}

    void operator()(const FieldInfo& info, const Real& value) { number(info, {}, value); }
    void operator()(const FieldInfo& info, const int& value) { number(info, {}, Real(value)); }
    void operator()(const FieldInfo& info, const Vec3& value) { vector(info, value); }
    void operator()(const FieldInfo& info, const Quat& q) {
        const double length = std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w);
        if (!std::isfinite(length) || length < kShortestQuaternion)
            refuse(info, {},
                   "[" + numberText(q.x) + ", " + numberText(q.y) + ", " + numberText(q.z) + ", " + numberText(q.w) + "]",
                   "a unit quaternion x, y, z, w");
    }
    void operator()(const FieldInfo& info, const std::optional<Real>& value) {
        if (value)
            number(info, {}, *value);
    }
    void operator()(const FieldInfo& info, const std::optional<Vec3>& value) {
        if (value)
            vector(info, *value);
    }
    void operator()(const FieldInfo& info, const Motion& value) {
        if (value > Motion::Dynamic)
            refuse(info, {}, std::to_string(int(value)), "static, kinematic, dynamic");
    }
    void operator()(const FieldInfo& info, const std::uint8_t& lockedAxes) {
        if (lockedAxes >= 64)
            refuse(info, {}, std::to_string(lockedAxes), "0 to 63");
    }
    void operator()(const FieldInfo& info, const Mechanisms& mechanisms) {
        if (mechanisms.bits >> kMechanismCount == 0)
            return;
        std::string allowed = "bits of:";
        for (const EnumName<Mechanism>& entry : kMechanismNames)
            allowed += " " + std::string(entry.name);
        refuse(info, {}, std::to_string(mechanisms.bits), allowed);
    }
    void operator()(const FieldInfo&, const Material& material) {
        for (const std::string& message : validate(material))
            messages_.push_back(prefix_ + "material." + message);
    }
    void operator()(const FieldInfo&, const Shape& shape) {
        for (const std::string& message : validate(shape))
            messages_.push_back(prefix_ + "shape." + message);
    }
    void operator()(const FieldInfo& info, const std::vector<Keyframe>& keyframes) {
        for (std::size_t i = 0; i < keyframes.size(); ++i) {
            const std::string element = std::string(info.name) + "[" + std::to_string(i) + "]";
            visitFields(keyframes[i], FieldChecker(messages_, prefix_ + element + "."));
            if (i > 0 && !(keyframes[i].time > keyframes[i - 1].time))
                messages_.push_back(prefix_ + element + ".time: " + numberText(keyframes[i].time) + " is not allowed (after " +
                                    numberText(keyframes[i - 1].time) + " s, the time of the key before it)");
        }
    }
    void operator()(const FieldInfo& info, const StepperChoice<const WorldDef>& choice) {
        if (choice.world.stepper > Stepper::TimewarpSafer)
            refuse(info, {}, std::to_string(int(choice.world.stepper)),
                   "frame_rate, impulse, damped, timewarp, timewarp_safer");
        visitFields(choice.world.frameRate, FieldChecker(messages_, "stepper."));
        visitFields(choice.world.impulse, FieldChecker(messages_, "stepper."));
        visitFields(choice.world.damped, FieldChecker(messages_, "stepper."));
        visitFields(choice.world.timewarp, FieldChecker(messages_, "stepper."));
    }
    void operator()(const FieldInfo& info, const std::optional<Interval>& value) {
        if (!value)
            return;
        number(info, "[0]", value->low);
        number(info, "[1]", value->high);
    }
    void operator()(const FieldInfo&, const std::optional<FractureDef>& fracture) {
        if (fracture)
            visitFields(*fracture, FieldChecker(messages_, prefix_ + "fracture."));
    }
    void operator()(const FieldInfo&, const MethodChoice<const FractureDef>&) {}  // every alternative is allowed
    void operator()(const FieldInfo& info, const SharedPattern& pattern) {
        if (!pattern)
            refuse(info, {}, "nothing", "a pattern from buildPattern");
    }
    void operator()(const FieldInfo& info, const std::vector<FractureAnchor>& anchors) {
        for (std::size_t i = 0; i < anchors.size(); ++i) {
            const std::string element = std::string(info.name) + "[" + std::to_string(i) + "]";
            visitFields(anchors[i], FieldChecker(messages_, prefix_ + element + "."));
            const Vec3 &low = anchors[i].low, &high = anchors[i].high;
            if (!(low.x <= high.x && low.y <= high.y && low.z <= high.z))
                messages_.push_back(prefix_ + element + ".low: it is not below high on every axis");
        }
    }
    void operator()(const FieldInfo& info, const std::vector<Vec3>& points) {
        for (std::size_t i = 0; i < points.size(); ++i)
            for (const Real x : {points[i].x, points[i].y, points[i].z})
                if (!(std::fabs(x) <= Real(info.high)))
                    return refuse(info, "[" + std::to_string(i) + "]", numberText(x) + " m",
                                  numberText(Real(info.low)) + " to " + numberText(Real(info.high)));
    }
    void operator()(const FieldInfo&, const std::vector<std::array<std::uint32_t, 4>>&) {}  // by complaintsAbout
    void operator()(const FieldInfo& info, const std::vector<DeformableHold>& holds) {
        for (std::size_t i = 0; i < holds.size(); ++i) {
            const std::string element = std::string(info.name) + "[" + std::to_string(i) + "]";
            visitFields(holds[i], FieldChecker(messages_, prefix_ + element + "."));
            const Vec3 &low = holds[i].low, &high = holds[i].high;
            if (!(low.x <= high.x && low.y <= high.y && low.z <= high.z))
                messages_.push_back(prefix_ + element + ".low: it is not below high on every axis");
        }
    }
    void operator()(const FieldInfo& info, const std::vector<JointDrive>& drives) {
        for (std::size_t i = 0; i < drives.size(); ++i)
            visitFields(drives[i], FieldChecker(messages_, prefix_ + std::string(info.name) + "[" + std::to_string(i) + "]."));
    }
    void operator()(const FieldInfo& info, const std::array<std::uint32_t, 3>& counts) {
        for (std::size_t i = 0; i < 3; ++i)
            number(info, "[" + std::to_string(i) + "]", Real(counts[i]));
    }
    void operator()(const FieldInfo& info, const ReleaseOptions& release) { nested(info, release); }
    void operator()(const FieldInfo& info, const ScatterOptions& scatter) { nested(info, scatter); }
    void operator()(const FieldInfo& info, const BondStrength& strength) { nested(info, strength); }
    void operator()(const FieldInfo& info, const std::optional<BondsDef>& bonds) {
        if (bonds)
            nested(info, *bonds);
    }
    void operator()(const FieldInfo& info, const std::optional<DeformableDef>& deformable) {
        if (deformable)
            nested(info, *deformable);
    }
    void operator()(const FieldInfo& info, const std::vector<Bond>& bonds) {
        for (std::size_t i = 0; i < bonds.size(); ++i)
            visitFields(bonds[i], FieldChecker(messages_, prefix_ + std::string(info.name) + "[" + std::to_string(i) + "]."));
    }
    void operator()(const FieldInfo&, const std::vector<std::uint32_t>&) {}
    template <class E>
    requires std::is_enum_v<E>
    void operator()(const FieldInfo& info, const E& value) {
        if (std::size_t(value) >= enumNames(E{}).size())
            refuse(info, {}, std::to_string(int(value)), "one of " + std::to_string(enumNames(E{}).size()));
    }
    // Types without a range.
    void operator()(const FieldInfo&, const bool&) {}
    void operator()(const FieldInfo&, const std::string&) {}
    void operator()(const FieldInfo&, const std::uint32_t&) {}
    void operator()(const FieldInfo&, const std::uint64_t&) {}

private:
    template <class T>
    void nested(const FieldInfo& info, const T& value) {
        visitFields(value, FieldChecker(messages_, prefix_ + std::string(info.name) + "."));
    }
    void refuse(const FieldInfo& info, const std::string& index, const std::string& value, const std::string& allowed) {
        messages_.push_back(prefix_ + std::string(info.name) + index + ": " + value + " is not allowed (" + allowed + ")");
    }
    void number(const FieldInfo& info, const std::string& index, Real value) {
        if (!isAllowed(info, value))
            refuse(info, index, numberText(value), allowedRange(info));
    }
    void vector(const FieldInfo& info, const Vec3& value) {
        number(info, "[0]", value.x);
        number(info, "[1]", value.y);
        number(info, "[2]", value.z);
    }

    Messages& messages_;
    std::string prefix_;
};

}  // namespace sunder::world
