// Fracture patterns of scene files: { "type": "radial", "pieces": 40, "seed": 3 } and so on, { "type": "drawn", "file": ... }.
#include <algorithm>

#include "geometry/patterns/built_pattern.h"
#include "scene/read/reader.h"
#include "sunder/scene/pattern_files.h"

namespace sunder::scene {

namespace {

constexpr std::string_view kDrawn = "drawn";

// Sets the number of pieces of a radial pattern by its rays; its rings stay.
void setPieces(RadialPattern& kind, int pieces) {
    kind.splitRing = 1 << 20;
    kind.rings = std::clamp(pieces / 6, 1, 5);
    kind.rays = std::clamp((pieces - 1) / (kind.rings + 1), 3, 64);
}

}  // namespace

// The pattern is built at once, because what is wrong with the file is a problem of the scene.
void Reader::readDrawnPattern(const Json& json, const Path& path, ScenePattern& out) {
    const std::size_t before = problems_.count();
    DrawnPatternDef def;
    readObject(json, path, def, {"type"});
    if (problems_.count() != before)
        return;
    const Path filePath = path / "file";
    if (json.contains("file") == json.contains("svg")) {
        const std::string allowed = "(a file of a drawing, or svg: the text of one)";
        return problems_.add(
            filePath, json.contains("file") ? "stands beside svg; one of them is allowed " + allowed : "is missing " + allowed);
    }
    const auto refuse = [&](const std::string& problem) {
        problems_.addAt(filePath.text(), shortText(json["file"]), shortText(json["file"]) + ": " + problem);
    };
    std::filesystem::path place;
    if (json.contains("file")) {
        const auto file = files_.resolve(def.file);
        if (const std::string* problem = std::get_if<std::string>(&file))
            return refuse(*problem);
        place = std::get<std::filesystem::path>(file);
    }
    try {
        auto built = std::make_shared<BuiltPattern>(
            *(place.empty() ? patternFromSvg(def.svg, def.frame) : loadPattern(place, def.frame, def.dark)));
        built->source = json.dump();
        out.built = std::move(built);
    } catch (const Error& error) {
        std::string message = error.what();
        if (const std::string prefix = place.string() + ": "; !place.empty() && message.starts_with(prefix))
            return refuse(message.substr(prefix.size()));
        const std::size_t colon = message.find(": ");
        problems_.add(path / message.substr(0, colon), message.substr(colon + 2));
    }
}

void Reader::readPattern(const Json& json, const Path& path, ScenePattern& pattern) {
    if (!isObject(json, path))
        return;
    Names types(std::begin(kPatternTypes), std::end(kPatternTypes));
    if (const auto type = json.find("type"); type != json.end() && *type == kDrawn)
        return readDrawnPattern(json, path, pattern);
    PatternDef& out = pattern.def;
    const Path typePath = path / "type";
    const auto found = json.find("type");
    if (found == json.end()) {
        types.push_back(kDrawn);
        problems_.add(typePath, "is missing (one of " + listText(types) + ")");
        return;
    }
    const auto type = std::find_if(types.begin(), types.end(), [&](std::string_view name) { return *found == name; });
    if (type == types.end()) {
        types.push_back(kDrawn);
        return refuseName(*found, typePath, {.name = "pattern type"}, types);
    }
    holdAlternative(out.kind, std::size_t(type - types.begin()));
    std::visit(
        [&](auto& kind) {
            using Kind = std::remove_reference_t<decltype(kind)>;
            checkKeys(json, path, withNamesOf<Kind>(withNamesOf<PatternDef>({"type", "pieces"})));
            readFields(json, path, kind);
        },
        out.kind);
    readFields(json, path, out);
    RadialPattern* radial = std::get_if<RadialPattern>(&out.kind);
    if (const auto pieces = json.find("pieces"); pieces != json.end() && radial) {
        int count = 0;
        const std::size_t before = problems_.count();
        const Path piecesPath = path / "pieces";
        read(*pieces, piecesPath, {.name = "pieces", .low = 1, .high = 1e6}, count);
        if (problems_.count() == before)
            setPieces(*radial, count);
    }
}

void Reader::read(const Json& json, const Path& path, const FieldInfo& info, SharedPattern& out) {
    Names names;
    if (patterns_)
        for (ScenePattern& pattern : *patterns_) {
            names.push_back(pattern.name);
            if (json != pattern.name)
                continue;
            // A reported problem may concern this pattern. The file is rejected then, and any pattern will do, so that a
            // missing one is no second problem.
            if (!pattern.built)
                pattern.built = buildPattern(problems_.count() > 0 ? PatternDef{} : pattern.def);
            out = pattern.built;
            return;
        }
    const ReadyMaterial* ready = json.is_string() ? findReadyMaterial(json.get<std::string>()) : nullptr;
    if (patterns_ && ready) {
        ScenePattern pattern;
        readPattern(Json::parse(ready->pattern), path, pattern);
        pattern.name = ready->name;
        pattern.built = buildPattern(pattern.def);
        out = pattern.built;
        patterns_->push_back(std::move(pattern));
        return;
    }
    for (const ReadyMaterial& each : readyMaterials())
        names.push_back(each.name);
    refuseName(json, path, info, names);
}

}  // namespace sunder::scene
