// The scenes that come with Sunder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sunder {

struct BundledScene {
    std::string name;  // of the file, without .json
    std::filesystem::path file;
    std::string description;
    std::string figure;
};

// The scene folder that belongs to the executable: in the build tree, or where it was installed. Empty where there is none.
std::filesystem::path findSceneFolder(const std::filesystem::path& executable);

// Sorted by name. Files that are not scenes are left out.
std::vector<BundledScene> listScenes(const std::filesystem::path& folder);

// A scene by its path, or by the name of a bundled one.
struct FoundScene {
    std::filesystem::path file;
    std::string problem;  // why there is none; suggests the nearest bundled scene
};
FoundScene findScene(const std::string& pathOrName, const std::filesystem::path& folder);

}  // namespace sunder
