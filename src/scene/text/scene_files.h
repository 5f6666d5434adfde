// The files a scene may read: its own folder, the bundled assets, and what the caller allows; nothing else.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "sunder/scene/scene.h"

namespace sunder::scene {

class SceneFiles {
public:
    SceneFiles(const std::filesystem::path& folder, const SceneOptions& options);

    // The mesh, or why it cannot be read. Each file is read once.
    using MeshResult = std::variant<std::shared_ptr<const Mesh>, std::string>;
    MeshResult mesh(const std::string& name);
    // The gray values of a PNG, or 16-bit numbers, the lower byte first; or why they cannot be read.
    struct Numbers {
        std::uint32_t columns = 0;  // 0 where the file does not say
        std::vector<std::uint16_t> values{};
    };
    std::variant<Numbers, std::string> numbers(const std::string& name) const;
    // Where the file is, or why it may not be read.
    std::variant<std::filesystem::path, std::string> resolve(const std::string& name) const;

private:
    bool isAllowed(const std::filesystem::path& canonical) const;

    std::vector<std::filesystem::path> searched_;  // in this order
    std::vector<std::filesystem::path> allowed_;   // canonical
    std::map<std::string, std::shared_ptr<const Mesh>> meshes_;
};

}  // namespace sunder::scene
