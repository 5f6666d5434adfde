// See pictures.h.
#include "pictures.h"

#include <fmt/format.h>

#include <algorithm>

namespace sunder::cli {

namespace {

constexpr int kColumns = 4, kRows = 3, kTileWidth = 480, kTileHeight = 270;
constexpr int kStills = 3;

RenderOptions renderOptions(const Scene& scene, int width) {
    RenderOptions options;
    options.width = width;
    options.height = width * kTileHeight / kTileWidth;
    options.threads = scene.world.threads;
    return options;
}

bool contains(const std::vector<int>& frames, int frame) {
    return std::find(frames.begin(), frames.end(), frame) != frames.end();
}

}  // namespace

Pictures::Pictures(const std::filesystem::path& folder, const Scene& scene, const std::string& title, int width)
    : folder_(folder),
      tiles_(renderOptions(scene, std::min(width, kTileWidth))),
      stills_(renderOptions(scene, width)),
      sheet_(scene.name.empty() ? title : scene.name, kColumns, kRows, kTileWidth, kTileHeight),
      sheetFrames_(ContactSheet::spread(scene.frames, kColumns * kRows)),
      camera_(scene.camera) {
    // Stills are tiles of the sheet, so that no frame is drawn twice.
    for (const int index : ContactSheet::spread(static_cast<int>(sheetFrames_.size()) - 1, kStills))
        stillFrames_.push_back(sheetFrames_[static_cast<std::size_t>(index)]);
}

void Pictures::record(const SceneRunner& runner) {
    if (!contains(sheetFrames_, runner.frame()))
        return;
    if (runner.frame() == 0) {
        const Camera camera = camera_ ? *camera_ : frameBodies(runner.world());
        tiles_.setCamera(camera);
        stills_.setCamera(camera);
    }
    const bool isStill = contains(stillFrames_, runner.frame());
    const Image image = (isStill ? stills_ : tiles_).draw(runner.world());
    sheet_.add(image, runner.frame(), runner.time());
    if (isStill) {
        written_.push_back((folder_ / fmt::format("frame_{:05}.png", runner.frame())).string());
        writePng(image, written_.back());
    }
}

std::vector<std::string> Pictures::finish() {
    written_.push_back((folder_ / "contact_sheet.png").string());
    sheet_.write(written_.back());
    return written_;
}

}  // namespace sunder::cli
