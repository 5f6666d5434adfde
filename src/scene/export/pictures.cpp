// Movies, stills and contact sheets of a recording.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "scene/export/encoder.h"
#include "sunder/scene/exports.h"

namespace sunder {

namespace {

constexpr double kMostFrameRate = 60;  // Hz: screens show no more
// The contact sheet; tiles are in pixels, so that the sheet is 1920 wide.
constexpr int kColumns = 4, kRows = 3, kTileWidth = 480, kTileHeight = 270;
constexpr int kStills = 3;  // pictures of single frames

RenderOptions renderOptions(const MovieOptions& options) {
    if (options.width < 64 || options.width > 7680 || options.width % 2 != 0)
        throw Error("width: " + std::to_string(options.width) + " is not allowed (64 to 7680, even)");
    RenderOptions render;
    render.width = options.width;
    render.height = options.width * 9 / 16 / 2 * 2;  // H.264 wants even numbers
    render.samples = options.samples;
    render.threads = options.threads;
    render.contacts = options.contacts;
    render.energy = options.energy;
    render.ids = options.ids;
    return render;
}

}  // namespace

std::string movieProblem() {
    const char* path = std::getenv("PATH");
    const std::string folders = path == nullptr ? "" : path;
    for (std::size_t begin = 0; begin <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', begin), folders.size());
        if (end > begin && ::access((folders.substr(begin, end - begin) + "/ffmpeg").c_str(), X_OK) == 0)
            return "";
        begin = end + 1;
    }
    return "movies need the program ffmpeg, which is not installed (on Debian: apt-get install ffmpeg)";
}

bool writeMovie(Recording& recording, const std::filesystem::path& path, const MovieOptions& options,
                const ExportProgress& progress) {
    const RenderOptions render = renderOptions(options);
    const double rate = recording.info().frameRate;
    const int stride = std::max(1, int(std::ceil(rate / kMostFrameRate - 1e-6)));
    scene::Encoder encoder(path, render.width, render.height, rate / stride);
    Renderer renderer(render);
    const int total = (recording.frameCount() + stride - 1) / stride;
    for (int i = 0; i < total; ++i) {
        recording.seek(i * stride);
        encoder.add(renderer.draw(recording));
        if (progress && !progress(i + 1, total))
            return false;
    }
    encoder.finish();
    return true;
}

bool writePictures(Recording& recording, const std::filesystem::path& folder, const std::string& title,
                   const MovieOptions& options, PictureFiles& files, const ExportProgress& progress) {
    MovieOptions tileOptions = options;
    tileOptions.width = std::min(options.width, kTileWidth);
    Renderer tiles(renderOptions(tileOptions)), stills(renderOptions(options));
    const Camera camera = recording.info().camera ? *recording.info().camera : frameBodies(recording);
    tiles.setCamera(camera);
    stills.setCamera(camera);
    ContactSheet sheet(recording.info().name.empty() ? title : recording.info().name, kColumns, kRows, kTileWidth, kTileHeight);
    const std::vector<int> frames = ContactSheet::spread(recording.frameCount() - 1, kColumns * kRows);
    // Stills are tiles of the sheet, so that no frame is drawn twice.
    const std::vector<int> stillTiles = ContactSheet::spread(int(frames.size()) - 1, kStills);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        recording.seek(frames[i]);
        const bool isStill = std::find(stillTiles.begin(), stillTiles.end(), int(i)) != stillTiles.end();
        const Image image = (isStill ? stills : tiles).draw(recording);
        sheet.add(image, recording.runFrame(), recording.time());
        if (isStill) {
            files.stills.push_back(folder / fmt::format("frame_{:05}.png", recording.runFrame()));
            writePng(image, files.stills.back().string());
        }
        if (progress && !progress(int(i) + 1, int(frames.size())))
            return false;
    }
    files.sheet = folder / "contact_sheet.png";
    sheet.write(files.sheet.string());
    return true;
}

}  // namespace sunder
