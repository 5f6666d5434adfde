// `sunder run` and `sunder demo`: simulate a scene, write what was asked for.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exports.h"
#include "sunder/scene/runner.h"
#include "sunder/scene/scene.h"

namespace sunder::cli {

// Exit status: what scripts rely on.
enum Exit : int { kDone = 0, kBadInput = 1, kInternalError = 2, kDiffers = 3, kInterrupted = 130 };

struct RunOptions {
    std::string scene;
    std::optional<int> frames;
    std::optional<int> threads;
    std::vector<std::string> sets;
    std::vector<std::filesystem::path> allowedFolders;
    std::filesystem::path out;
    std::filesystem::path stats;
    std::filesystem::path trace;
    std::filesystem::path record;
    std::vector<std::string> show;
    ExportOptions exports;
    bool noExport = false;
    bool quiet = false;
};

int run(RunOptions options, const std::filesystem::path& sceneFolder);
int demo(RunOptions options, const std::filesystem::path& sceneFolder);

int hardwareThreads();

// Throws Error where it cannot be made.
void makeFolder(const std::filesystem::path& folder);

// The scene, or nothing after its problems were printed.
std::optional<Scene> openScene(const RunOptions& options, const std::filesystem::path& sceneFolder);
// The scene, ready to run. Throws Error with the scene's file where a body cannot be made.
std::unique_ptr<SceneRunner> startScene(const RunOptions& options, const Scene& scene, CallLog* log = nullptr);

}  // namespace sunder::cli
