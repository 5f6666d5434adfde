// See view.h.
#include "view.h"

#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>

#include "interrupt.h"
#include "run.h"
#include "sunder/scene/bundled.h"
#include "sunder/scene/recording.h"
#include "web_server.h"

namespace sunder::cli {

namespace fs = std::filesystem;

namespace {

// Beside the program's folder in a build tree, in share once installed.
fs::path findPage(const fs::path& executable) {
    const fs::path folder = executable.parent_path();
    std::error_code error;
    for (const fs::path& candidate : {folder / "../web", folder / "../share/sunder/web"})
        if (fs::is_regular_file(candidate / "sunder.wasm", error))
            return fs::canonical(candidate, error);
    return {};
}

bool isMesh(const fs::path& file) {
    static constexpr std::array<std::string_view, 6> kEndings = {".obj", ".stl", ".ply", ".glb", ".gltf", ".bin"};
    return std::find(kEndings.begin(), kEndings.end(), file.extension().string()) != kEndings.end();
}

std::string percentEncoded(const std::string& text) {
    std::string result;
    for (const char c : text) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_';
        result += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return result;
}

void openBrowser(const std::string& url) {
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr)
        return;
    std::string program = "xdg-open", address = url;
    char* words[] = {program.data(), address.data(), nullptr};
    pid_t child = 0;
    ::posix_spawnp(&child, program.c_str(), nullptr, nullptr, words, environ);
}

}  // namespace

int view(const ViewOptions& options, const fs::path& executable, const fs::path& sceneFolder) {
    const fs::path page = findPage(executable);
    if (page.empty()) {
        fmt::print(stderr, "sunder view: the playground was not built with this program (make web builds it)\n");
        return kBadInput;
    }
    fs::path opened;
    if (!options.file.empty()) {
        FoundScene found = findScene(options.file, sceneFolder);
        if (!found.problem.empty()) {
            fmt::print(stderr, "sunder: {}\n", found.problem);
            return kBadInput;
        }
        opened = fs::absolute(found.file);
        std::error_code error;
        if (fs::is_directory(opened, error)) {
            fmt::print(stderr, "sunder: {}: is a folder, not a scene or a recording\n", options.file);
            return kBadInput;
        }
        // A scene with mistakes is opened all the same: the page shows them, and can be loaded anew once they are mended.
        if (opened.extension() == ".sunder")
            Recording::open(found.file);
    }
    // Beside the page, only what was named on the command line and the meshes that lie beside it.
    const auto extra = [&](const std::string& name) -> fs::path {
        if (opened.empty() || name.empty() || name.find('/') != std::string::npos || name == "." || name == "..")
            return {};
        const fs::path file = opened.parent_path() / name;
        std::error_code error;
        const bool given = fs::path(name) == opened.filename() || isMesh(file);
        return given && fs::is_regular_file(file, error) ? file : fs::path();
    };
    WebServer server(page, extra, options.port);
    std::string url = fmt::format("http://127.0.0.1:{}/", server.port());
    if (!opened.empty())
        url += "?open=open/" + percentEncoded(opened.filename().string());
    fmt::print("{}\nThe playground is there until Ctrl-C.\n", url);
    std::fflush(stdout);
    catchInterrupts();
    if (!options.noOpen)
        openBrowser(url);
    server.serve(interrupted);
    return kDone;
}

}  // namespace sunder::cli
