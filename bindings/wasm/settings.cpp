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
            options[std::string(entry.name)] = inner.list;
        }
    }
    // What a later version adds and a slider cannot show.
    template <class T>
    void operator()(const FieldInfo&, const T&) {}
};

}  // namespace

std::string Playground::settings() const {
    Describe world;
    visitFields(scene_.world, world);
    // The page runs the engine on one thread.
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
    return Json{{"world", world.list}, {"materials", materials}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sunder::web
