// What a recording is made into: the list of exports, and `sunder export`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sunder/scene/exports.h"

namespace sunder::cli {

struct ExportOptions {
    std::vector<std::string> kinds;
    std::vector<std::string> overlays;  // contacts, energy, ids
    int pictureWidth = 1280;            // pixels
    int movieWidth = 1280;              // pixels
    int samples = 0;                    // per pixel; 0: as many as suit stills and movies
    int threads = 1;
    bool quiet = false;
    std::string frames;  // of `sunder export`: "30-90", "30-" or "-90"; empty: all
    std::string camera;  // likewise: "x,y,z,x,y,z" of eye and target, and the angle in degrees; empty: the recording's
};

// All kinds but the sequence of PLY files, which is large.
std::vector<std::string> demoExports();
// For --help: "recording (NAME.sunder), ...".
std::string exportHelp();
// False, after a message for each, where a kind or overlay is unknown or cannot be made here.
bool checkExports(const ExportOptions& options);

struct ExportResult {
    std::vector<std::string> written;
    bool finished = true;  // false: interrupted
};
// Makes folder/TITLE.mp4 and so on. `recording` in the list is the caller's business.
ExportResult exportRecording(Recording& recording, const std::filesystem::path& folder, const std::string& title,
                             const ExportOptions& options, std::vector<std::string> otherFiles = {});

int exportFile(const std::filesystem::path& file, std::filesystem::path folder, const ExportOptions& options);

}  // namespace sunder::cli
