// Scenes to scene files. Fields at their defaults are left out; numbers are the shortest that read back the same.
#include <cmath>
#include <cstdlib>

#include "collision/built_shape.h"
#include "geometry/patterns/built_pattern.h"
#include "scene/text/json.h"
#include "sunder/scene/scene.h"

namespace sunder {

namespace scene {

namespace {

struct IgnoreField {
    void operator()(const FieldInfo&, const auto&) const {}
};
template <class T>
concept Described = requires(const T& value) {
    visitFields(value, IgnoreField{});
};

// 0.1f is written as 0.1, not as the double nearest to it; whole numbers without a point.
Json toJson(Real value) {
    constexpr Real kPlainIntegers = 1e9;
    if (value == std::floor(value) && std::fabs(value) < kPlainIntegers)
        return static_cast<std::int64_t>(value);
    return std::strtod(numberText(value).c_str(), nullptr);
}
Json toJson(int value) { return value; }
Json toJson(std::uint32_t value) { return value; }
Json toJson(std::uint64_t value) { return value; }
Json toJson(bool value) { return value; }
Json toJson(const std::string& value) { return value; }
Json toJson(const Vec3& v) { return {toJson(v.x), toJson(v.y), toJson(v.z)}; }
Json toJson(const Interval& i) { return {toJson(i.low), toJson(i.high)}; }
Json toJson(const Quat& q) { return {toJson(q.x), toJson(q.y), toJson(q.z), toJson(q.w)}; }
Json toJson(const std::array<std::uint32_t, 3>& t) { return {t[0], t[1], t[2]}; }
Json toJson(const std::array<std::uint32_t, 4>& t) { return {t[0], t[1], t[2], t[3]}; }
Json toJson(std::uint8_t lockedAxes) {
    Json list = Json::array();
    for (const EnumName<LockedAxis>& axis : kLockedAxisNames)
        if (lockedAxes & axis.value)
            list.push_back(axis.name);
    return list;
}
Json toJson(const Mechanisms& mechanisms) {
    Json list = Json::array();
    for (const EnumName<Mechanism>& entry : kMechanismNames)
        if (mechanisms.has(entry.value))
            list.push_back(entry.name);
    return list;
}
Json toJson(const Shape& shape);
Json toJson(const SharedPattern&) { return nullptr; }  // its name is put in by writeScene
Json toJson(const StepperChoice<const WorldDef>& choice);
Json toJson(const MethodChoice<const FractureDef>& choice) { return choice.name(); }
template <Described T>
Json toJson(const T& value);
template <class E>
requires std::is_enum_v<E> Json toJson(E value) {
    for (const EnumName<E>& entry : enumNames(E{}))
        if (entry.value == value)
            return entry.name;
    return nullptr;
}
template <class T>
Json toJson(const std::optional<T>& value) {
    return value ? toJson(*value) : Json(nullptr);
}
template <class T>
Json toJson(const std::vector<T>& list) {
    Json json = Json::array();
    for (const T& value : list)
        json.push_back(toJson(value));
    return json;
}

// Writes fields that differ from a default T, and those that a file must give.
template <class T>
void addFields(Json& json, const T& value) {
    Json defaults = Json::object();
    const T fresh;
    visitFields(fresh, [&](const FieldInfo& info, const auto& member) { defaults[std::string(info.name)] = toJson(member); });
    visitFields(value, [&](const FieldInfo& info, const auto& member) {
        Json written = toJson(member);
        if (info.required || written != defaults[std::string(info.name)])
            json[std::string(info.name)] = std::move(written);
    });
}

template <Described T>
Json toJson(const T& value) {
    Json json = Json::object();
    addFields(json, value);
    return json;
}

struct ShapeWriter {
    Json operator()(const Sphere& s) const { return typed("sphere", s); }
    Json operator()(const Box& s) const { return typed("box", s); }
    Json operator()(const Capsule& s) const { return typed("capsule", s); }
    Json operator()(const Cylinder& s) const { return typed("cylinder", s); }
    Json operator()(const Hull& s) const { return typed("hull", s); }
    Json operator()(const Mesh& s) const { return typed("mesh", s); }
    Json operator()(const HeightField& s) const { return typed("height_field", s); }
    Json operator()(const Shell& s) const { return typed("shell", s); }
    Json operator()(const Compound& s) const { return typed("compound", s); }
    Json operator()(const LevelSet& s) const {
        if (!s.parts.empty())
            return typed("level_set", s);
        // A piece of a fracture has no definition but its surface.
        LevelSet written;
        written.parts.push_back({surfaceMesh(s), {}, {}});
        written.cell = s.sampled ? s.sampled->field.grid.cell : Real(0);
        return typed("level_set", written);
    }
    Json operator()(const SharedShape& s) const { return s ? toJson(s->definition) : Json(nullptr); }
    template <class S>
    Json typed(const char* type, const S& s) const {
        Json json = {{"type", type}};
        addFields(json, s);
        return json;
    }
};

Json toJson(const Shape& shape) { return std::visit(ShapeWriter{}, shape); }

Json toJson(const StepperChoice<const WorldDef>& choice) {
    Json json = {{"type", toJson(choice.world.stepper)}};
    switch (choice.world.stepper) {
        case Stepper::FrameRate: addFields(json, choice.world.frameRate); break;
        case Stepper::Impulse: addFields(json, choice.world.impulse); break;
        case Stepper::Damped: addFields(json, choice.world.damped); break;
        case Stepper::Timewarp:
        case Stepper::TimewarpSafer: addFields(json, choice.world.timewarp); break;
    }
    return json.size() == 1 ? json["type"] : json;
}

Json patternJson(const ScenePattern& pattern) {
    if (pattern.built && !pattern.built->source.empty())
        return Json::parse(pattern.built->source);
    const PatternDef& def = pattern.def;
    Json json = {{"type", kPatternTypes[def.kind.index()]}};
    std::visit([&](const auto& kind) { addFields(json, kind); }, def.kind);
    addFields(json, def);
    return json;
}

// Patterns are referred to by their names.
void namePatterns(Json& json, const FractureDef& fracture, const std::vector<ScenePattern>& patterns) {
    visitFields(fracture, [&](const FieldInfo& info, const auto& field) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, SharedPattern>)
            for (const ScenePattern& pattern : patterns)
                if (pattern.built == field)
                    json[std::string(info.name)] = pattern.name;
    });
}

// How pieces are drawn is always said: what a file means that does not say it depends on the shape.
void addFracture(Json& json, const FractureDef& fracture, const std::vector<ScenePattern>& patterns) {
    namePatterns(json, fracture, patterns);
    if (std::holds_alternative<Prescored>(fracture.method))
        json["surface"] = toJson(fracture.surface);
}

}  // namespace

}  // namespace scene

std::string writeScene(const Scene& scene) {
    using scene::Json;
    Json json = {{"sunder", 1}};
    scene::addFields(json, scene);
    scene::addFields(json, scene.world);
    for (const SceneMaterial& material : scene.materials) {
        Json& written = json["materials"][material.name] = Json::object();
        scene::addFields(written, material.material);
        scene::addFields(written, material.look);
    }
    for (const ScenePattern& pattern : scene.patterns)
        json["patterns"][pattern.name] = scene::patternJson(pattern);
    Json& bodies = json["bodies"] = Json::array();
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        bodies.push_back(scene::toJson(scene.bodies[i]));
        if (!scene.bodyMaterials[i].empty())
            bodies.back()["material"] = scene.bodyMaterials[i];
        if (scene.bodies[i].fracture)
            scene::addFracture(bodies.back()["fracture"], *scene.bodies[i].fracture, scene.patterns);
    }
    for (const LateBody& late : scene.lateBodies) {
        bodies.push_back(scene::toJson(late.def));
        bodies.back()["joins_at"] = scene::toJson(late.time);
        if (!late.material.empty())
            bodies.back()["material"] = late.material;
        if (late.def.fracture)
            scene::addFracture(bodies.back()["fracture"], *late.def.fracture, scene.patterns);
    }
    for (const SceneJoint& joint : scene.joints)
        json["joints"].push_back(scene::toJson(joint));
    for (const SceneEvent& event : scene.events)
        json["events"].push_back(scene::toJson(event));
    return json.dump(2) + "\n";
}

}  // namespace sunder
