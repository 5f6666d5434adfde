// A part of a recording as a recording of its own, seen by another camera.
#pragma once

#include <filesystem>
#include <optional>

#include "sunder/scene/exports.h"

namespace sunder {

struct TrimOptions {
    // Frames of the run, both included; below 0: from the recording's first, to its last.
    int first = -1, last = -1;
    std::optional<Camera> camera{};
};

// Its frames keep the numbers that they have in the run (RecordingInfo::firstFrame). Bodies that are in none of them are left
// out, but for those that pieces broke off. Throws Error where the frames are not in the recording. False where progress asked
// to end: the file is then not whole.
bool trimRecording(Recording& recording, const std::filesystem::path& path, const TrimOptions& options,
                   const ExportProgress& progress = {});

}  // namespace sunder
