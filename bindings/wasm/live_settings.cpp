// Settings that change while a scene runs, and the threads it runs on. See playground.h.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "answers.h"
#include "playground.h"

namespace sunder::web {

namespace {

bool same(const Material& a, const Material& b) {
    std::vector<std::optional<Real>> values;
    visitFields(a, [&](const FieldInfo&, const std::optional<Real>& value) { values.push_back(value); });
    auto next = values.begin();
    bool equal = true;
    visitFields(b, [&](const FieldInfo&, const std::optional<Real>& value) { equal = *next++ == value && equal; });
    return equal;
}

// The scene without what stands in it: enough to check settings, and quick where its bodies are large meshes.
std::string headOf(std::string_view text) {
    nlohmann::ordered_json scene = nlohmann::ordered_json::parse(text);
    scene["bodies"] = nlohmann::ordered_json::array();
    for (const char* key : {"joints", "patterns", "events"})
        scene.erase(key);
    return scene.dump();
}

}  // namespace

void Playground::useThreads(int threads) {
    // Worlds borrow the pool, and a new thread could start only after the call that asks for it.
    if (threads > 1 && !tasks_)
        tasks_ = makeThreadPool(threads);
}

std::string Playground::change(std::string_view text, std::string_view settings) {
    if (!runner_)
        throw Error("a recording has no settings to change");
    SceneResult result = parseScene(headOf(text), optionsFor(settings, {}));
    if (!result)
        return failure(result.problems);
    result.scene->world.threads = 1;
    runner_->world().setSettings(result.scene->world);  // may refuse
    forgetLater();
    scene_.world = result.scene->world;
    for (SceneMaterial& material : scene_.materials)
        for (const SceneMaterial& changed : result.scene->materials)
            if (changed.name == material.name)
                material.material = changed.material;
    applySettings();
    changedAt_ = runner_->frame();
    return R"({"ok":true})";
}

void Playground::applySettings() {
    World& world = runner_->world();
    world.setSettings(scene_.world);
    for (const BodyId body : world.bodies())
        if (const auto found = materialOf_.find({body.index, body.generation}); found != materialOf_.end())
            if (const Material& wanted = scene_.materials[found->second].material; !same(wanted, world.material(body)))
                world.setMaterial(body, wanted);
    settingsStale_ = false;
}

void Playground::noteMaterials() {
    changedAt_ = -1;
    settingsStale_ = false;
    materialOf_.clear();
    variantOf_.clear();
    materialOfName_.clear();
    noteMaterials(scene_);
}

// Of the scene that is open, or of one whose bodies join it: their materials go into the open scene's list.
void Playground::noteMaterials(const Scene& scene) {
    const auto note = [&](const std::string& body, const std::string& name) {
        const auto hasName = [&](const SceneMaterial& material) { return material.name == name; };
        const auto known = std::find_if(scene_.materials.begin(), scene_.materials.end(), hasName);
        const auto brought = std::find_if(scene.materials.begin(), scene.materials.end(), hasName);
        if (known == scene_.materials.end() && brought == scene.materials.end()) {
            materialOfName_.erase(body);
            return;
        }
        materialOfName_[body] = std::size_t(known - scene_.materials.begin());
        if (known == scene_.materials.end())
            scene_.materials.push_back(SceneMaterial(*brought));
    };
    for (std::size_t i = 0; i < scene.bodies.size() && i < scene.bodyMaterials.size(); ++i)
        note(scene.bodies[i].name, scene.bodyMaterials[i]);
    for (const LateBody& late : scene.lateBodies)
        note(late.def.name, late.material);
}

std::string Playground::looks() const {
    using Json = nlohmann::ordered_json;
    const auto color = [](const std::optional<Vec3>& c) { return c ? Json{c->x, c->y, c->z} : Json(nullptr); };
    Json all = Json::array();
    const auto add = [&](const auto& look) {
        all.push_back({{"color", color(look.color)},
                       {"inner_color", color(look.innerColor)},
                       {"gloss", look.gloss},
                       {"opacity", look.opacity}});
    };
    if (recording_)
        std::for_each(recording_->info().looks.begin(), recording_->info().looks.end(), add);
    else
        for (const SceneMaterial& material : scene_.materials)
            add(material.look);
    return all.dump();
}

}  // namespace sunder::web
