// A part of a recording as a recording of its own, seen by another camera.
#pragma once

#include <filesystem>
#include <optional>

#include "sunder/scene/exports.h"

namespace sunder {

struct TrimOptions {
    int first = 0, last = -1;  // frames, both included; last below 0: to the end
    std::optional<Camera> camera{};
};

// Frames count from 0 again; bodies that are in none of them are left out, but for those that pieces broke off. Throws Error
// where the frames are not in the recording. False where progress asked to end: the file is then not whole.
bool trimRecording(Recording& recording, const std::filesystem::path& path, const TrimOptions& options,
                   const ExportProgress& progress = {});

}  // namespace sunder
