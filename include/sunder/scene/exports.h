// Files for other programs, made from a recording. Each appears whole or not at all; all throw Error, naming the path, where
// they cannot be written. docs/exports.md describes their contents.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sunder/scene/recording.h"

namespace sunder {

// Called as work goes on; returning false cancels it and removes the file.
using ExportProgress = std::function<bool(int done, int total)>;

// Binary glTF 2.0: meshes, materials and one animation.
bool writeGlb(Recording& recording, const std::filesystem::path& path, const ExportProgress& progress = {});
// USD as text, with time samples and visibility.
bool writeUsda(Recording& recording, const std::filesystem::path& path, const ExportProgress& progress = {});
// One binary PLY file per frame, with normals and colours: folder/frame_00000.ply ...
bool writePlySequence(Recording& recording, const std::filesystem::path& folder, const ExportProgress& progress = {});
// The stats of all frames, a header line first.
bool writeCsv(Recording& recording, const std::filesystem::path& path);

struct MovieOptions {
    int width = 1280;  // pixels, even, 64 to 7680; the height is 9/16 of it
    int samples = 8;   // per pixel
    int threads = 1;
    bool contacts = false, energy = false, ids = false;  // overlays
};

// Why no movie can be made on this machine, or "".
std::string movieProblem();
// H.264 in MP4, through the program ffmpeg. Recordings of more than 60 frames per second lose frames, not speed.
bool writeMovie(Recording& recording, const std::filesystem::path& path, const MovieOptions& options,
                const ExportProgress& progress = {});

struct PictureFiles {
    std::vector<std::filesystem::path> stills;
    std::filesystem::path sheet;
};
// A contact sheet of frames spread over the run, and a few of them full size.
bool writePictures(Recording& recording, const std::filesystem::path& folder, const std::string& title,
                   const MovieOptions& options, PictureFiles& files, const ExportProgress& progress = {});

struct ReportOptions {
    std::string title;
    std::filesystem::path movie;        // put into the page where it is there and not large
    std::vector<std::string> files;     // names of what else the run left
    std::vector<std::string> warnings;  // besides those the recording holds
    int threads = 1;
};
// One self-contained HTML page.
bool writeReport(Recording& recording, const std::filesystem::path& path, const ReportOptions& options,
                 const ExportProgress& progress = {});

}  // namespace sunder
