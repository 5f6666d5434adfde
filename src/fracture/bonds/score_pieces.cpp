// Drawn pieces as a bonded body: their union is the solid, and a pattern of them scores it. See sunder/drawn_patterns.h.
#include <algorithm>
#include <cmath>

#include "math/bounds.h"
#include "sunder/definitions.h"
#include "sunder/describe.h"
#include "sunder/drawn_patterns.h"

namespace sunder {

namespace {

constexpr int kFewestNodes = 33, kMostNodes = 257;
// Samples of the pattern per cell of the solid.
constexpr double kFiner = 1.5;

}  // namespace

ScoredPattern scorePieces(std::span<const DrawnPiece> pieces, Real cell) {
    if (!(cell > 0) || !(cell <= Real(kMaxSize)))
        throw Error("cell: " + numberText(cell) + " is not allowed (above 0 m)");
    Mesh all;
    Bounds bounds;
    for (const DrawnPiece& piece : pieces) {
        const auto first = std::uint32_t(all.vertices.size());
        all.vertices.insert(all.vertices.end(), piece.mesh.vertices.begin(), piece.mesh.vertices.end());
        for (const auto& [a, b, c] : piece.mesh.triangles)
            all.triangles.push_back({first + a, first + b, first + c});
    }
    for (const Vec3& p : all.vertices)
        bounds = unite(bounds, p);
    const Vec3 size = bounds.high - bounds.low;
    DrawnFrame frame;
    frame.unit = 1;
    frame.isFixed = true;
    frame.rest = PatternRest::Nearest;
    frame.nodes = std::clamp(int(kFiner * double(max(size.x, max(size.y, size.z)) / cell)) + 1, kFewestNodes, kMostNodes);
    ScoredPatternDef def;
    def.pattern = patternFromPieces(pieces, frame);
    def.shape = std::move(all);
    def.cell = cell;
    return scoreByPattern(def);
}

}  // namespace sunder
