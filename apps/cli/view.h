// `sunder view`: serves the playground on this machine and opens a scene or recording in it.
#pragma once

#include <filesystem>
#include <string>

namespace sunder::cli {

struct ViewOptions {
    std::string file;  // a scene, its bundled name, or a recording; empty: the page chooses
    int port = 0;      // any that is free
    bool noOpen = false;
};

int view(const ViewOptions& options, const std::filesystem::path& executable, const std::filesystem::path& sceneFolder);

}  // namespace sunder::cli
