// Settings that change while a scene runs, and the threads it runs on. See playground.h.
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
    const std::vector<BodyId> bodies = runner_->world().bodies();
    for (std::size_t i = 0; i < bodies.size() && i < scene_.bodyMaterials.size(); ++i)
        for (std::size_t k = 0; k < scene_.materials.size(); ++k)
            if (scene_.materials[k].name == scene_.bodyMaterials[i])
                materialOf_[{bodies[i].index, bodies[i].generation}] = k;
}

}  // namespace sunder::web
