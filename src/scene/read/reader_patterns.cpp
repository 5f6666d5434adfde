// Fracture patterns of scene files: { "type": "radial", "pieces": 40, "seed": 3 } and so on.
#include <algorithm>

#include "scene/read/reader.h"

namespace sunder::scene {

namespace {

// Sets the number of pieces of a radial pattern by its rays; its rings stay.
void setPieces(RadialPattern& kind, int pieces) {
    kind.splitRing = 1 << 20;
    kind.rings = std::clamp(pieces / 6, 1, 5);
    kind.rays = std::clamp((pieces - 1) / (kind.rings + 1), 3, 64);
}

}  // namespace

void Reader::readPattern(const Json& json, const Path& path, PatternDef& out) {
    if (!isObject(json, path))
        return;
    const Names types(std::begin(kPatternTypes), std::end(kPatternTypes));
    const Path typePath = path / "type";
    const auto found = json.find("type");
    if (found == json.end()) {
        problems_.add(typePath, "is missing (one of " + listText(types) + ")");
        return;
    }
    const auto type = std::find_if(types.begin(), types.end(), [&](std::string_view name) { return *found == name; });
    if (type == types.end())
        return refuseName(*found, typePath, {.name = "pattern type"}, types);
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
    refuseName(json, path, info, names);
}

}  // namespace sunder::scene
