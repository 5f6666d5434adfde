// Pictures of a run: a contact sheet of frames spread over it, and a few of them full size.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sunder/scene/render.h"
#include "sunder/scene/runner.h"

namespace sunder::cli {

class Pictures {
public:
    // Stills are width pixels wide, 9/16 of that high.
    Pictures(const std::filesystem::path& folder, const Scene& scene, const std::string& title, int width);

    // Draws the frame where it belongs to the sheet.
    void record(const SceneRunner& runner);
    // Writes the sheet; gives the names of all files.
    std::vector<std::string> finish();

private:
    std::filesystem::path folder_;
    Renderer tiles_, stills_;
    ContactSheet sheet_;
    std::vector<int> sheetFrames_, stillFrames_;
    std::optional<Camera> camera_;
    std::vector<std::string> written_;
};

}  // namespace sunder::cli
