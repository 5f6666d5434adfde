// Fracture patterns that somebody drew: pieces as closed meshes, labelled voxels, a picture of cracks, curves.
//   [Su09] 4.3
// A drawing has a frame of its own. Its `center` comes to lie where the body is hit and its `normal` along the outward normal
// there; its up (+y; of a picture the upper edge) is laid as near as can be to the body's +y. With `isFixed` the drawing lies
// in the body's frame as it was drawn, wherever the body is hit, or where `at` and `facing` lay it.
//   With a `unit` the drawing has a size in metres. Without, it is scaled as other patterns are: the largest sphere about its
// centre inside the drawing gets twice the body's radius, so that it covers the body wherever this is hit.
//   All functions throw sunder::Error that names the field or the piece, what is wrong and what is allowed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sunder/patterns.h"
#include "sunder/shapes.h"

namespace sunder {

// What becomes of space that no piece claims. Whole: it is one more region, so that what is beyond the drawing does not break.
// Nearest: it goes to the nearest piece; the outermost ones have no end.
enum class PatternRest : std::uint8_t { Whole, Nearest };

struct DrawnFrame {
    std::optional<Vec3> center{};  // in units of the drawing; none: the middle of its bounds
    Vec3 normal{0, 1, 0};          // any length above 0; of labels along an axis; of pictures and curves always +y
    Real unit = 0;                 // m per unit of the drawing, >= 0; 0: the drawing is fitted to the body
    bool isFixed = false;          // needs a unit
    // Of a fixed drawing, in the body's frame: where its centre lies (m), and where its normal points, any length above 0.
    // None: as it was drawn.
    std::optional<Vec3> at{}, facing{};
    // Samples along the longest side: pieces 9 to 257 (0: 129), pictures and curves 9 to 1025 (0: 257). Labels are as they are.
    int nodes = 0;
    PatternRest rest = PatternRest::Whole;
};

struct DrawnPiece {
    std::string name{};  // for messages
    Mesh mesh{};         // closed, convex or not
};
// Pieces must not overlap. With PatternRest::Whole they must share their faces; gaps are refused.
SharedPattern patternFromPieces(std::span<const DrawnPiece> pieces, const DrawnFrame& frame = {});

// Voxels, for example of a block that was broken by finite elements: cubes of one unit, the first corner in the origin.
struct DrawnLabels {
    std::array<int, 3> size{};            // voxels along x, y and z, 2 to 1024 each
    std::vector<std::uint32_t> labels{};  // x runs fastest, then y; 0 is space that no piece claims
};
SharedPattern patternFromLabels(const DrawnLabels& drawn, const DrawnFrame& frame = {});

// Dark lines separate pieces; cracks run through the body along the normal. The picture is one unit wide; x is to the right, z
// is down, the origin is its upper left corner.
struct DrawnPicture {
    int width = 0, height = 0;         // pixels, 2 to 8192
    std::vector<std::uint8_t> gray{};  // rows from the top; 0 is black
    int dark = 128;                    // 1 to 255: pixels below this are cracks
};
SharedPattern patternFromPicture(const DrawnPicture& drawn, const DrawnFrame& frame = {});

// Lines through the body. Points are (x, z) as in a picture: to the right and down.
struct DrawnCurves {
    std::array<double, 2> low{}, high{};                          // the edges of the drawing
    std::vector<std::vector<std::array<double, 2>>> polylines{};  // points that are joined by straight lines
};
SharedPattern patternFromCurves(const DrawnCurves& drawn, const DrawnFrame& frame = {});

// Any pattern as the bytes of a pattern file, and back.
std::vector<std::byte> patternBytes(const BuiltPattern& pattern);
SharedPattern patternFromBytes(std::span<const std::byte> bytes);

// What a pattern is. Lengths are in metres where the pattern has a unit, else in its own units.
struct PatternInfo {
    bool isDrawn = false, isInMetres = false, isFixed = false;
    bool isPrism = false;               // cracks run straight along the normal; volumes are areas then
    std::array<int, 3> nodes{};         // of its samples
    Vec3 size{};                        // of its grid
    std::vector<double> volumes{};      // of the regions, by counting samples
    std::optional<std::size_t> rest{};  // which of them is space that no piece claims
};
PatternInfo inspectPattern(const BuiltPattern& pattern);

}  // namespace sunder
