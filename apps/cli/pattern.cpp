#include "pattern.h"

#include <fmt/format.h>

#include <algorithm>

#include "run.h"
#include "sunder/scene/output_file.h"
#include "sunder/scene/pattern_files.h"
#include "sunder/scene/scene.h"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "pattern";

// As a scene file would have it, so that all its keys mean what they mean there. Null where it is wrong, with the problems
// told.
SharedPattern build(const PatternOptions& options, const std::vector<std::string>& moreSets = {}) {
    const bool isType =
        std::find(std::begin(kPatternTypes), std::end(kPatternTypes), options.source) != std::end(kPatternTypes);
    const fs::path file = options.source;
    SceneOptions scene;
    scene.fileName = options.source;
    const std::string prefix = std::string("patterns.") + kName + ".";
    if (!isType) {
        scene.folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
        scene.sets.push_back(prefix + "file=" + file.filename().string());
    }
    for (const std::string& set : moreSets)
        scene.sets.push_back(prefix + set);
    for (const std::string& set : options.sets)
        scene.sets.push_back(prefix + set);
    const std::string text = fmt::format(
        R"({{"sunder": 1, "patterns": {{"{0}": {{"type": "{1}"}}}}, "bodies": [
            {{"shape": {{"type": "box", "half_extents": [1, 1, 1]}}, "fracture": {{"pattern": "{0}", "threshold": 1}}}}]}})",
        kName, isType ? options.source : "drawn");
    const SceneResult result = parseScene(text, scene);
    for (const SceneProblem& problem : result.problems)
        fmt::print(stderr, "{}\n", problem.text());
    return result ? result.scene->patterns[0].built : nullptr;
}

}  // namespace

int makePattern(const PatternOptions& options) {
    const SharedPattern pattern = build(options);
    if (!pattern)
        return kBadInput;
    savePattern(*pattern, options.out);
    return kDone;
}

int showPattern(const PatternOptions& options) {
    const SharedPattern pattern = build(options);
    if (!pattern)
        return kBadInput;
    const PatternInfo info = inspectPattern(*pattern);
    const char* unit = info.isInMetres ? " m" : "";
    fmt::print("{}: {} regions, {} x {} x {} samples\n", options.source, info.volumes.size(), info.nodes[0], info.nodes[1],
               info.nodes[2]);
    if (info.isPrism)
        fmt::print("{:.6g} x {:.6g}{}, cracks run straight along the normal\n", info.size.x, info.size.z, unit);
    else
        fmt::print("{:.6g} x {:.6g} x {:.6g}{}\n", info.size.x, info.size.y, info.size.z, unit);
    fmt::print("{}\n", info.isFixed      ? "lies in the body's frame as it was drawn"
                       : info.isInMetres ? "keeps its size; its centre lies where the body is hit"
                                         : "is fitted to the body; its centre lies where the body is hit");
    for (std::size_t i = 0; i < info.volumes.size(); ++i)
        fmt::print("region {}: {} {:.6g}{}{}\n", i + 1, info.isPrism ? "area" : "volume", info.volumes[i],
                   info.isInMetres ? (info.isPrism ? " m^2" : " m^3") : "",
                   info.rest == i ? " (what no piece claims: stays whole)" : "");
    return kDone;
}

int previewPattern(const PatternOptions& options) {
    // Without a size a drawing would be cut off by the box that it is fitted to.
    const bool isMade =
        std::find(std::begin(kPatternTypes), std::end(kPatternTypes), options.source) != std::end(kPatternTypes);
    const bool isSaved = fs::path(options.source).extension() == ".pattern";
    const SharedPattern pattern =
        build(options, isMade || isSaved ? std::vector<std::string>{} : std::vector<std::string>{"unit=1", "rest=nearest"});
    if (!pattern)
        return kBadInput;
    RenderOptions render;
    render.width = options.width;
    render.height = options.width * 3 / 4;
    render.threads = hardwareThreads();
    writePng(drawPattern(pattern, render), options.out.string());
    return kDone;
}

}  // namespace sunder::cli
