// See bundled.h.
#include "sunder/scene/bundled.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "scene/text/json.h"
#include "scene/text/problems.h"

namespace sunder {

namespace fs = std::filesystem;

fs::path findSceneFolder(const fs::path& executable) {
    std::error_code error;
    const fs::path bin = fs::weakly_canonical(executable, error).parent_path();
    // Installed: PREFIX/bin and PREFIX/share/sunder/scenes. Built: BUILD/bin, with the sources' scenes one or more levels up.
    for (const char* candidate : {"../share/sunder/scenes", "../../scenes", "../../../scenes"})
        if (const fs::path folder = (bin / candidate).lexically_normal(); fs::is_regular_file(folder / "wall.json", error))
            return folder;
    return {};
}

std::vector<BundledScene> listScenes(const fs::path& folder) {
    std::vector<BundledScene> scenes;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() != ".json")
            continue;
        std::ifstream stream(entry.path(), std::ios::binary);
        std::stringstream text;
        text << stream.rdbuf();
        const scene::JsonResult parsed = scene::parseJson(text.str());
        if (!parsed.value || !parsed.value->is_object() || !parsed.value->contains("sunder"))
            continue;
        const auto field = [&](const char* key) {
            const auto found = parsed.value->find(key);
            return found != parsed.value->end() && found->is_string() ? found->get<std::string>() : std::string();
        };
        scenes.push_back({entry.path().stem().string(), entry.path(), field("description"), field("figure")});
    }
    std::sort(scenes.begin(), scenes.end(), [](const BundledScene& a, const BundledScene& b) { return a.name < b.name; });
    return scenes;
}

FoundScene findScene(const std::string& pathOrName, const fs::path& folder) {
    std::error_code error;
    const bool isFolder = fs::is_directory(pathOrName, error);  // a folder with the name of a scene does not hide it
    if (!isFolder && fs::exists(pathOrName, error))
        return {pathOrName, {}};
    const std::vector<BundledScene> scenes = listScenes(folder);
    std::vector<std::string_view> names;
    for (const BundledScene& scene : scenes) {
        if (scene.name == pathOrName || scene.name + ".json" == pathOrName)
            return {scene.file, {}};
        names.push_back(scene.name);
    }
    if (isFolder)
        return {pathOrName, {}};  // the reader will report it
    const std::string_view nearest = scene::nearestName(pathOrName, names);
    return {{},
            pathOrName + ": no such file, and no bundled scene of that name" +
                (nearest.empty() ? " (`sunder list` shows them)" : "; did you mean \"" + std::string(nearest) + "\"?")};
}

}  // namespace sunder
