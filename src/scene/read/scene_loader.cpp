// Scene files to scenes: the top level of the file. Bodies are in body_reader.cpp, fields in reader.cpp.
#include <algorithm>
#include <fstream>

#include "scene/read/body_reader.h"
#include "scene/read/joint_reader.h"
#include "scene/read/settings.h"
#include "sunder/materials.h"
#include "sunder/scene/scene.h"

namespace sunder {

namespace scene {

namespace {

constexpr int kFormatVersion = 1;

// A pipe or a device may stand in for a file; the size limit is that of a file.
std::optional<std::string> readText(const std::filesystem::path& file, std::string& problem) {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (!std::filesystem::exists(status)) {
        problem = "no such file";
        return std::nullopt;
    }
    if (std::filesystem::is_directory(status)) {
        problem = "is a folder, not a scene file";
        return std::nullopt;
    }
    std::ifstream stream(file, std::ios::binary);
    std::string text;
    std::vector<char> block(1 << 16);
    while (stream && text.size() <= kMaxFileBytes) {
        stream.read(block.data(), static_cast<std::streamsize>(block.size()));
        text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    }
    if (text.size() > kMaxFileBytes)
        problem = "too large (at most " + std::to_string(kMaxFileBytes >> 20) + " MB)";
    else if (!stream.eof())
        problem = "cannot be read";
    return problem.empty() ? std::make_optional(std::move(text)) : std::nullopt;
}

// A ready material with its look, or a material by name alone; those of the scene come first where bodies name them, not here.
bool startFrom(const Json& name, const Path& path, Problems& problems, SceneMaterial& out) {
    if (!name.is_string()) {
        problems.refuse(path, name, "the name of a ready material");
        return false;
    }
    const std::string text = name.get<std::string>();
    if (const ReadyMaterial* ready = findReadyMaterial(text)) {
        out.material = ready->material.material;
        out.look = ready->material.look;
        return true;
    }
    if (const std::optional<Material> known = namedMaterial(text)) {
        out.material = *known;
        return true;
    }
    Names names;
    for (const NamedMaterial& known : namedMaterials())
        names.emplace_back(known.name);
    problems.unknown(path, text, "material", names);
    return false;
}

void readMaterials(const Json& root, Reader& reader, Problems& problems, std::vector<SceneMaterial>& materials) {
    const auto found = root.find("materials");
    const Path rootPath;
    const Path path = rootPath / "materials";
    if (found == root.end() || !reader.isObject(*found, path))
        return;
    for (const auto& item : found->items()) {
        SceneMaterial material;
        material.name = item.key();
        const Path materialPath = path / item.key();
        if (item.value().is_string()) {
            startFrom(item.value(), materialPath, problems, material);
        } else if (reader.isObject(item.value(), materialPath)) {
            reader.checkKeys(item.value(), materialPath,
                             Reader::withNamesOf<Material>(Reader::withNamesOf<MaterialLook>({"like"})));
            if (const auto like = item.value().find("like"); like != item.value().end())
                startFrom(*like, materialPath / "like", problems, material);
            reader.readFields(item.value(), materialPath, material.material);
            reader.readFields(item.value(), materialPath, material.look);
        }
        materials.push_back(std::move(material));
    }
}

void readPatterns(const Json& root, Reader& reader, std::vector<ScenePattern>& patterns) {
    const auto found = root.find("patterns");
    const Path rootPath;
    const Path path = rootPath / "patterns";
    if (found == root.end() || !reader.isObject(*found, path))
        return;
    for (const auto& item : found->items()) {
        ScenePattern pattern;
        reader.readPattern(item.value(), path / item.key(), pattern);
        pattern.name = item.key();
        patterns.push_back(std::move(pattern));
    }
}

void readEvents(const Json& root, Reader& reader, Scene& scene) {
    const auto found = root.find("events");
    if (found == root.end())
        return;
    const Path rootPath;
    const Path path = rootPath / "events";
    Problems& problems = reader.problems();
    const std::size_t before = problems.count();
    reader.read(*found, path, {.name = "events"}, scene.events);
    if (problems.count() != before)
        return;
    for (std::size_t i = 0; i < scene.events.size(); ++i) {
        const SceneEvent& event = scene.events[i];
        if (event.explode.has_value() + event.breakBody.has_value() + event.cut.has_value() != 1)
            problems.add(path[i], "an event needs one of explode, break and cut");
        const std::string* name = event.breakBody ? &event.breakBody->body : event.cut ? &event.cut->body : nullptr;
        std::vector<std::string_view> breakable;
        for (const BodyDef& body : scene.bodies)
            if (body.fracture || (event.cut && body.deformable))
                breakable.push_back(body.name);
        if (name && std::find(breakable.begin(), breakable.end(), *name) == breakable.end())
            problems.unknown(path[i] / (event.breakBody ? "break" : "cut") / "body", *name,
                             event.breakBody ? "body with a fracture" : "body that breaks or deforms", breakable);
    }
}

void readVersion(const Json& root, Problems& problems) {
    const auto version = root.find("sunder");
    if (version == root.end())
        problems.add(Path() / "sunder", "is missing (1, the version of the format)");
    else if (*version != kFormatVersion)
        problems.refuse(Path() / "sunder", *version, "1, the version of the format");
}

void readRoot(const Json& root, SceneFiles& files, Problems& problems, Scene& scene) {
    Reader reader(problems, files, scene.materials);
    const Path path;
    if (!reader.isObject(root, path))
        return;
    Names known = {"sunder", "materials", "patterns", "bodies", "joints", "events", "$schema"};
    known = Reader::withNamesOf<WorldDef>(Reader::withNamesOf<Scene>(std::move(known)));
    reader.checkKeys(root, path, known);
    readVersion(root, problems);
    reader.readFields(root, path, scene);
    reader.readFields(root, path, scene.world);
    if (scene.camera && scene.camera->position == scene.camera->target)
        problems.refuse(path / "camera" / "target", root["camera"].value("target", Json::array({0, 0, 0})),
                        "apart from its position");
    readMaterials(root, reader, problems, scene.materials);
    readPatterns(root, reader, scene.patterns);
    reader.usePatterns(scene.patterns);
    if (const auto bodies = root.find("bodies"); bodies != root.end())
        BodyReader(reader, scene).readBodies(*bodies, path / "bodies");
    else
        problems.add(path / "bodies", "is missing (a list of bodies and generators)");
    if (const auto joints = root.find("joints"); joints != root.end())
        readJoints(*joints, path / "joints", reader, scene);
    readEvents(root, reader, scene);
}

SceneResult readScene(std::string_view text, const std::string& file, const std::filesystem::path& folder,
                      const SceneOptions& options) {
    Problems problems(file);
    JsonResult parsed = parseJson(text);
    if (!parsed.value) {
        problems.addAt(parsed.where, {}, parsed.message);
        return {std::nullopt, problems.take()};
    }
    for (const std::string& setting : options.sets)
        applySetting(*parsed.value, setting, problems);
    SceneFiles files(folder, options);
    Scene scene;
    readRoot(*parsed.value, files, problems, scene);
    if (problems.count() > 0)
        return {std::nullopt, problems.take()};
    return {std::move(scene), {}};
}

}  // namespace

}  // namespace scene

SceneResult loadScene(const std::filesystem::path& file, const SceneOptions& options) {
    std::string problem;
    const std::optional<std::string> text = scene::readText(file, problem);
    if (!text)
        return {std::nullopt, {{file.string(), {}, {}, problem}}};
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    return scene::readScene(*text, file.string(), folder, options);
}

SceneResult parseScene(std::string_view text, const SceneOptions& options) {
    return scene::readScene(text, options.fileName, options.folder, options);
}

}  // namespace sunder
