// The engine's description of its settings as JSON, from which the page makes its sliders.
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "playground.h"

namespace sunder::web {

namespace {

using Json = nlohmann::ordered_json;

Json limit(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
// 0.1f as 0.1, not as the double nearest to it.
double shortest(Real value) { return std::strtod(numberText(value).c_str(), nullptr); }

struct Describe {
    std::string prefix;
    Json list = Json::array();

    Json& field(const FieldInfo& info, const char* kind) {
        list.push_back({{"path", prefix + std::string(info.name)},
                        {"name", std::string(info.name)},
                        {"kind", kind},
                        {"unit", std::string(info.unit)},
                        {"low", limit(info.low)},
                        {"high", limit(info.high)},
                        {"low_excluded", info.lowExcluded},
                        {"allowed", allowedRange(info)},
                        {"doc", std::string(info.doc)}});
        return list.back();
    }
    void operator()(const FieldInfo& info, const Real& value) { field(info, "number")["value"] = shortest(value); }
    void operator()(const FieldInfo& info, const std::optional<Real>& value) {
        if (value)
            (*this)(info, *value);
    }
    void operator()(const FieldInfo& info, const int& value) { field(info, "integer")["value"] = value; }
    void operator()(const FieldInfo& info, const bool& value) { field(info, "switch")["value"] = value; }
    void operator()(const FieldInfo& info, const Vec3& v) {
        field(info, "vector")["value"] = {shortest(v.x), shortest(v.y), shortest(v.z)};
    }
    void operator()(const FieldInfo& info, const StepperChoice<const WorldDef>& choice) {
        Json& made = field(info, "choice");
        Json& options = made["options"] = Json::object();
        for (const EnumName<Stepper>& entry : enumNames(Stepper{})) {
            if (entry.value == choice.world.stepper)
                made["value"] = std::string(entry.name);
            Describe inner;
            if (entry.value == Stepper::FrameRate)
                visitFields(choice.world.frameRate, inner);
            else if (entry.value == Stepper::Impulse)
                visitFields(choice.world.impulse, inner);
            else if (entry.value == Stepper::Damped)
                visitFields(choice.world.damped, inner);
            else
                visitFields(choice.world.timewarp, inner);
            options[std::string(entry.name)] = inner.list;
        }
    }
    void operator()(const FieldInfo& info, const std::uint64_t& value) { field(info, "integer")["value"] = value; }
    template <class T>
    requires std::is_enum_v<T>
    void operator()(const FieldInfo& info, const T& value) {
        Json& made = field(info, "name");
        for (const EnumName<T>& entry : enumNames(value)) {
            made["names"].push_back(std::string(entry.name));
            if (entry.value == value)
                made["value"] = std::string(entry.name);
        }
    }
    void operator()(const FieldInfo& info, const ReleaseOptions& release) { group(info, release); }
    void operator()(const FieldInfo& info, const ScatterOptions& scatter) { group(info, scatter); }
    void operator()(const FieldInfo& info, const BondStrength& strength) { group(info, strength); }
    template <class T>
    void group(const FieldInfo& info, const T& value) {
        Describe inner{prefix + std::string(info.name) + "."};
        visitFields(value, inner);
        field(info, "group")["fields"] = inner.list;
    }
    // Lists, and what a later version adds and a slider cannot show.
    template <class T>
    void operator()(const FieldInfo&, const T&) {}
};

// Of all joints at once: how they break, as the first that can break has it.
Json ofJoints(const std::vector<SceneJoint>& joints) {
    Json kept = Json::array();
    for (const SceneJoint& joint : joints)
        if (joint.def.breakForce || joint.def.breakTorque || joint.def.breakImpulse) {
            Describe describe{"joints.*."};
            visitFields(joint.def, describe);
            for (const Json& field : describe.list)
                if (field["name"] == "alpha" || field["name"] == "break_interval")
                    kept.push_back(field);
            break;
        }
    return kept;
}

}  // namespace

std::string Playground::settings() const {
    Describe world;
    visitFields(scene_.world, world);
    // The page has its own way to ask for threads.
    for (auto entry = world.list.begin(); entry != world.list.end(); ++entry)
        if ((*entry)["name"] == "threads") {
            world.list.erase(entry);
            break;
        }
    Json materials = Json::object();
    for (const SceneMaterial& material : scene_.materials) {
        Describe describe{"materials." + material.name + "."};
        visitFields(material.material, describe);
        materials[material.name] = describe.list;
    }
    Json bonds = Json::object();
    for (const BodyDef& body : scene_.bodies)
        if (body.bonds) {
            Describe describe{"bodies." + body.name + ".bonds."};
            BondsDef shown = *body.bonds;
            shown.young = shown.young.value_or(body.material.young);
            shown.poisson = shown.poisson.value_or(body.material.poisson);
            visitFields(shown, describe);
            bonds[body.name] = describe.list;
        }
    return Json{{"world", world.list}, {"materials", materials}, {"joints", ofJoints(scene_.joints)}, {"bonds", bonds}}.dump(
        -1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sunder::web
