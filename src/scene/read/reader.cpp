// See reader.h: numbers, vectors, names and lists. Shapes are in reader_shapes.cpp.
#include "scene/read/reader.h"

#include <algorithm>
#include <cmath>

#include "math/quat.h"
#include "sunder/materials.h"

namespace sunder::scene {

namespace {

// A quaternion written with four digits is this close to unit length; a larger error is a mistake.
constexpr double kQuaternionTolerance = 1e-3;

}  // namespace

bool Reader::isObject(const Json& json, const Path& path) {
    if (json.is_object())
        return true;
    problems_.refuse(path, json, "an object");
    return false;
}

bool Reader::isArray(const Json& json, const Path& path) {
    if (json.is_array())
        return true;
    problems_.refuse(path, json, "a list");
    return false;
}

void Reader::checkKeys(const Json& json, const Path& path, const Names& known) {
    for (const auto& item : json.items())
        if (std::find(known.begin(), known.end(), item.key()) == known.end())
            problems_.unknown(path / item.key(), item.key(), "key", known);
}

void Reader::missing(const Path& path, const FieldInfo& info) {
    const bool ranged = info.low != -kUnbounded || info.high != kUnbounded;
    problems_.add(path, "is missing" + (ranged ? " (" + allowedRange(info) + ")" : " (" + std::string(info.doc) + ")"));
}

void Reader::refuseName(const Json& json, const Path& path, const FieldInfo& info, const Names& names) {
    if (json.is_string())
        problems_.unknown(path, json.get_ref<const std::string&>(), std::string(info.name).c_str(), names);
    else
        problems_.refuse(path, json, "one of " + listText(names));
}

bool Reader::isList(const Json& json, const Path& path, const FieldInfo& info, std::size_t size) {
    if (json.is_array() && json.size() == size)
        return true;
    problems_.refuse(path, json, std::to_string(size) + " numbers, each " + allowedRange(info));
    return false;
}

void Reader::read(const Json& json, const Path& path, const FieldInfo& info, Real& out) {
    if (json.is_number() && isAllowed(info, json.get<double>()) && std::isfinite(Real(json.get<double>())))
        out = Real(json.get<double>());
    else
        problems_.refuse(path, json, (json.is_number() ? "" : "a number: ") + allowedRange(info));
}

bool Reader::integer(const Json& json, const Path& path, const FieldInfo& info, std::uint64_t most, std::uint64_t& out) {
    // An integer written as 2.0 or 2e3 counts as one, up to 2^53.
    constexpr double kExactIntegers = 9007199254740992.0;
    const bool whole =
        json.is_number_integer() || (json.is_number_float() && std::floor(json.get<double>()) == json.get<double>() &&
                                     std::fabs(json.get<double>()) <= kExactIntegers);
    const bool negative = whole && json.get<double>() < 0;
    const std::uint64_t value = !whole || negative ? 0 : json.get<std::uint64_t>();
    if (!whole || negative || !isAllowed(info, json.get<double>()) || value > most) {
        problems_.refuse(path, json, "a whole number: " + allowedRange(info));
        return false;
    }
    out = value;
    return true;
}

void Reader::read(const Json& json, const Path& path, const FieldInfo& info, int& out) {
    std::uint64_t value = 0;
    if (integer(json, path, info, 2147483647u, value))
        out = static_cast<int>(value);
}

void Reader::read(const Json& json, const Path& path, const FieldInfo& info, std::uint32_t& out) {
    std::uint64_t value = 0;
    if (integer(json, path, info, 0xffffffffu, value))
        out = static_cast<std::uint32_t>(value);
}

void Reader::read(const Json& json, const Path& path, const FieldInfo& info, std::uint64_t& out) {
    integer(json, path, info, ~std::uint64_t(0), out);
}

void Reader::read(const Json& json, const Path& path, const FieldInfo&, bool& out) {
    if (json.is_boolean())
        out = json.get<bool>();
    else
        problems_.refuse(path, json, "true or false");
}

void Reader::read(const Json& json, const Path& path, const FieldInfo&, std::string& out) {
    if (json.is_string())
        out = json.get<std::string>();
    else
        problems_.refuse(path, json, "a text");
}

void Reader::read(const Json& json, const Path& path, const FieldInfo& info, Vec3& out) {
    if (!isList(json, path, info, 3))
        return;
    read(json[0], path[0], info, out.x);
    read(json[1], path[1], info, out.y);
    read(json[2], path[2], info, out.z);
}

void Reader::read(const Json& json, const Path& path, const FieldInfo& info, Interval& out) {
    if (!isList(json, path, info, 2))
        return;
    read(json[0], path[0], info, out.low);
    read(json[1], path[1], info, out.high);
}

void Reader::read(const Json& json, const Path& path, const FieldInfo& info, Quat& out) {
    if (!isList(json, path, info, 4))
        return;
    double q[4] = {0, 0, 0, 1};
    for (std::size_t i = 0; i < 4; ++i) {
        if (!json[i].is_number()) {
            problems_.refuse(path[i], json[i], "a number");
            return;
        }
        q[i] = json[i].get<double>();
    }
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(std::fabs(length - 1) <= kQuaternionTolerance))
        problems_.refuse(path, json, "a quaternion x, y, z, w of length 1; this one has length " + numberText(float(length)));
    else if (std::fabs(length - 1) < 4 * kEpsilon)  // unit to within rounding: kept as written, so that files keep their bits
        out = {Real(q[0]), Real(q[1]), Real(q[2]), Real(q[3])};
    else
        out = {Real(q[0] / length), Real(q[1] / length), Real(q[2] / length), Real(q[3] / length)};
}

void Reader::readRotation(const Json& json, const Path& path, Quat& out) {
    const auto found = json.is_object() ? json.find("rotation_degrees") : json.end();
    if (!json.is_object() || found == json.end())
        return;
    const Path rotationPath = path / "rotation_degrees";
    if (json.contains("orientation"))
        problems_.add(rotationPath, "is given besides orientation (give one of the two)");
    const std::size_t before = problems_.count();
    RotationDef rotation;
    readObject(*found, rotationPath, rotation);
    if (problems_.count() != before)
        return;
    const Vec3 axis = normalizeOr(rotation.axis, {});
    if (axis == Vec3{})
        problems_.refuse(rotationPath / "axis", (*found)["axis"], "an axis that is not 0");
    else
        out = quatFromRotationVector(axis * Real(double(rotation.angle) * 3.14159265358979323846 / 180));
}

// A list of names, of which each is taken by take(value).
template <class E, class Take>
void Reader::readNames(const Json& json, const Path& path, std::span<const EnumName<E>> entries, Take&& take) {
    if (!isArray(json, path))
        return;
    Names names;
    for (const EnumName<E>& entry : entries)
        names.push_back(entry.name);
    for (std::size_t i = 0; i < json.size(); ++i) {
        const auto found =
            std::find_if(entries.begin(), entries.end(), [&](const EnumName<E>& entry) { return json[i] == entry.name; });
        if (found == entries.end())
            problems_.refuse(path[i], json[i], "one of " + listText(names));
        else
            take(found->value);
    }
}

void Reader::read(const Json& json, const Path& path, const FieldInfo&, std::uint8_t& lockedAxes) {
    readNames(json, path, std::span<const EnumName<LockedAxis>>(kLockedAxisNames),
              [&](LockedAxis axis) { lockedAxes = static_cast<std::uint8_t>(lockedAxes | axis); });
}

void Reader::read(const Json& json, const Path& path, const FieldInfo&, Mechanisms& out) {
    readNames(json, path, std::span<const EnumName<Mechanism>>(kMechanismNames),
              [&](Mechanism mechanism) { out.add(mechanism); });
}

void Reader::read(const Json& json, const Path& path, const FieldInfo& info, Material& out) {
    if (!json.is_string()) {
        if (json.is_object())
            readObject(json, path, out);
        else
            problems_.refuse(path, json, std::string(info.doc));
        return;
    }
    const std::string& name = json.get_ref<const std::string&>();
    Names names;
    for (const SceneMaterial& material : materials_) {
        names.push_back(material.name);
        if (material.name == name) {
            out = material.material;
            return;
        }
    }
    if (const ReadyMaterial* ready = findReadyMaterial(name)) {
        materials_.push_back(ready->material);
        out = ready->material.material;
        return;
    }
    if (const std::optional<Material> known = namedMaterial(name)) {
        out = *known;
        return;
    }
    for (const NamedMaterial& known : namedMaterials())
        names.emplace_back(known.name);
    problems_.unknown(path, name, "material", names);
}

void Reader::read(const Json& json, const Path& path, const FieldInfo&, Camera& out) { readObject(json, path, out); }

void Reader::read(const Json& json, const Path& path, const FieldInfo&, Keyframe& out) {
    readObject(json, path, out, {"rotation_degrees"});
    readRotation(json, path, out.orientation);
}

void Reader::read(const Json& json, const Path& path, const FieldInfo& info, const StepperChoice<WorldDef>& out) {
    const bool withOptions = json.is_object();
    const Json type = withOptions ? json.value("type", Json("frame_rate")) : json;
    const Path typePath = path / "type";
    const std::size_t before = problems_.count();
    read(type, withOptions ? typePath : path, info, out.world.stepper);
    if (!withOptions || problems_.count() != before)
        return;
    switch (out.world.stepper) {
        case Stepper::FrameRate: readObject(json, path, out.world.frameRate, {"type"}); break;
        case Stepper::Impulse: readObject(json, path, out.world.impulse, {"type"}); break;
        case Stepper::Damped: readObject(json, path, out.world.damped, {"type"}); break;
        case Stepper::Timewarp:
        case Stepper::TimewarpSafer: readObject(json, path, out.world.timewarp, {"type"}); break;
    }
}

namespace {

// The index of the fracture method with this name; their number where there is none.
std::size_t methodCalled(const Json& json) {
    const auto isCalled = [&](std::string_view name) { return json == name; };
    return std::size_t(std::find_if(std::begin(kFractureMethodNames), std::end(kFractureMethodNames), isCalled) -
                       kFractureMethodNames);
}

}  // namespace

// Which keys are allowed depends on the method, so that is found first.
void Reader::read(const Json& json, const Path& path, const FieldInfo&, FractureDef& out) {
    if (!isObject(json, path))
        return;
    FractureDef named;
    if (const auto method = json.find("method"); method != json.end()) {
        const std::size_t before = problems_.count();
        const Path methodPath = path / "method";
        read(*method, methodPath, {.name = "method"}, MethodChoice<FractureDef>{named});
        if (problems_.count() != before)
            return;
    }
    checkKeys(json, path, withNamesOf({}, named));
    readFields(json, path, out);
}

void Reader::read(const Json& json, const Path& path, const FieldInfo& info, const MethodChoice<FractureDef>& out) {
    if (!holdAlternative(out.fracture.method, methodCalled(json)))
        refuseName(json, path, info, Names(std::begin(kFractureMethodNames), std::end(kFractureMethodNames)));
}

void Reader::read(const Json& json, const Path& path, const FieldInfo& info, PerAxis& out) {
    out.single = !json.is_array();
    if (!out.single) {
        read(json, path, info, out.value);
        return;
    }
    Real value = 0;
    read(json, path, info, value);
    out.value = {value, value, value};
}

void Reader::read(const Json& json, const Path& path, const FieldInfo& info, Counts& out) {
    out.line = !json.is_array();
    if (out.line) {
        read(json, path, info, out.along[0]);
    } else if (isList(json, path, info, 3)) {
        for (std::size_t i = 0; i < 3; ++i)
            read(json[i], path[i], info, out.along[i]);
    }
}

void Reader::read(const Json& json, const Path& path, const FieldInfo& info, Widths& out) {
    if (!json.is_array()) {
        read(json, path, info, out.x);
        out.z = out.x;
    } else if (isList(json, path, info, 2)) {
        read(json[0], path[0], info, out.x);
        read(json[1], path[1], info, out.z);
    }
}

void Reader::read(const Json& json, const Path& path, const FieldInfo& info, WallCount& out) {
    if (!isList(json, path, info, 2))
        return;
    read(json[0], path[0], info, out.bricks);
    read(json[1], path[1], info, out.rows);
}

}  // namespace sunder::scene
