// The objects of a mesh file as pieces of one bonded body.
#include "math/vec3.h"
#include "scene/read/reader.h"
#include "sunder/scene/pattern_files.h"

namespace sunder::scene {

// Reads the pieces; their bonds are kept for the body whose shape this is.
void Reader::readScoredPieces(const Json& json, const Path& path, Compound& out) {
    const std::size_t before = problems_.count();
    checkKeys(json, path, withNamesOf<ScoredPiecesDef>({"type", "file", "scale"}));
    ScoredPiecesDef def;
    readFields(json, path, def);
    PerAxis scale{{1, 1, 1}, true};
    if (json.contains("scale"))
        read(json["scale"], path / "scale", {.name = "scale", .low = 0, .high = kMaxSize, .lowExcluded = true}, scale);
    const Path filePath = path / "file";
    const auto file = json.find("file");
    if (file == json.end() || !file->is_string())
        problems_.add(filePath, "is missing (the name of a file of closed meshes, an object for each piece)");
    if (problems_.count() != before)
        return;
    const auto refuse = [&](const std::string& problem) {
        problems_.addAt(filePath.text(), shortText(*file), shortText(*file) + ": " + problem);
    };
    const auto place = files_.resolve(file->get<std::string>());
    if (const std::string* problem = std::get_if<std::string>(&place))
        return refuse(*problem);
    try {
        std::vector<DrawnPiece> pieces = loadPieces(std::get<std::filesystem::path>(place));
        for (DrawnPiece& piece : pieces)
            for (Vec3& vertex : piece.mesh.vertices)
                vertex = multiply(vertex, scale.value);
        ScoredPattern scored = scorePieces(pieces, def.cell);
        out = std::move(scored.pieces);
        scoredBonds_ = std::move(scored.bonds);
    } catch (const Error& error) {
        refuse(error.what());
    }
}

}  // namespace sunder::scene
