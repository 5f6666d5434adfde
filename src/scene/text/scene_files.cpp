// See scene_files.h. Paths are compared after every symbolic link in them was followed.
#include "scene/text/scene_files.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "scene/png/png_reader.h"
#include "sunder/scene/mesh_files.h"

namespace sunder::scene {

namespace fs = std::filesystem;

SceneFiles::SceneFiles(const fs::path& folder, const SceneOptions& options) {
    std::error_code error;
    const auto allow = [&](const fs::path& path) {
        const fs::path canonical = fs::canonical(path, error);
        if (!error)
            allowed_.push_back(canonical);
        return canonical;
    };
    for (const fs::path& searched : {folder, options.assets})
        if (!searched.empty())
            if (const fs::path canonical = allow(searched); !error)
                searched_.push_back(canonical);
    for (const fs::path& path : options.allowedFolders)
        allow(path);
}

SceneFiles::MeshResult SceneFiles::mesh(const std::string& name) {
    const auto resolved = resolve(name);
    if (const std::string* problem = std::get_if<std::string>(&resolved))
        return *problem;
    const fs::path& path = std::get<fs::path>(resolved);
    std::shared_ptr<const Mesh>& cached = meshes_[path.string()];
    if (!cached) {
        try {
            cached = std::make_shared<const Mesh>(loadMesh(path));
        } catch (const Error& error) {
            meshes_.erase(path.string());
            // The reader of the scene names the file as it stands there.
            const std::string message = error.what(), file = path.string() + ": ";
            return message.starts_with(file) ? message.substr(file.size()) : message;
        }
    }
    return cached;
}

std::variant<SceneFiles::Numbers, std::string> SceneFiles::numbers(const std::string& name) const {
    const auto resolved = resolve(name);
    if (const std::string* problem = std::get_if<std::string>(&resolved))
        return *problem;
    std::ifstream in(std::get<fs::path>(resolved), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in.good() && !in.eof())
        return std::string("cannot be read");
    if (hasPngMark(bytes)) {
        try {
            GrayPixels pixels = readGray(bytes);
            return Numbers{std::uint32_t(pixels.width), std::move(pixels.values)};
        } catch (const Error& error) {
            return std::string(error.what());
        }
    }
    if (bytes.size() % 2 != 0)
        return "has " + std::to_string(bytes.size()) + " bytes (a PNG, or two for each number)";
    Numbers numbers{.values = std::vector<std::uint16_t>(bytes.size() / 2)};
    const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(bytes[i])); };
    for (std::size_t i = 0; i < numbers.values.size(); ++i)
        numbers.values[i] = static_cast<std::uint16_t>(byte(2 * i) | byte(2 * i + 1) << 8);
    return numbers;
}

std::variant<fs::path, std::string> SceneFiles::resolve(const std::string& name) const {
    if (name.empty() || name.find('\0') != std::string::npos)
        return std::string("not a file name");
    bool outside = false;
    for (const fs::path& folder : searched_) {
        std::error_code error;
        const fs::path canonical = fs::weakly_canonical(folder / name, error);
        if (error)
            continue;
        // Does not reveal whether a file outside exists.
        if (!isAllowed(canonical)) {
            outside = true;
            continue;
        }
        if (fs::is_regular_file(canonical, error))
            return canonical;
    }
    if (outside)
        return std::string("is outside the scene's folder (--allow-path DIR allows another)");
    return std::string("no such file in the scene's folder or the bundled assets");
}

bool SceneFiles::isAllowed(const fs::path& canonical) const {
    return std::any_of(allowed_.begin(), allowed_.end(), [&](const fs::path& folder) {
        return std::mismatch(folder.begin(), folder.end(), canonical.begin(), canonical.end()).first == folder.end();
    });
}

}  // namespace sunder::scene
