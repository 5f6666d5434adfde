// Patterns that somebody drew, from files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sunder/describe.h"
#include "sunder/drawn_patterns.h"
#include "sunder/scene/render.h"

namespace sunder {

// One of a scene's patterns that is drawn: { "type": "drawn", "file": "cracks.svg", "unit": 0.001 }.
struct DrawnPatternDef {
    std::string file{};  // one of these two
    std::string svg{};   // the text of an SVG drawing
    DrawnFrame frame{};
    int dark = 128;  // of pictures: 1 to 255, pixels below this are cracks
};

// The format goes by the extension:
//   .obj .ply .stl .gltf .glb   closed meshes, an object for each piece; where a file has one object, its separate parts
//   .npy                        labels: an array of whole numbers with three axes x, y, z (numpy.save)
//   .svg                        curves that separate pieces
//   .png                        a picture: dark lines separate pieces
//   .pattern                    a saved pattern, which has a frame of its own
// Throws Error with the file, the object where there is one, what is wrong and what is allowed. What is wrong with the frame
// starts with the name of the field in a scene file.
SharedPattern loadPattern(const std::filesystem::path& file, const DrawnFrame& frame = {}, int dark = 128);
// Loads the pattern of an SVG drawing that is no file; what is wrong with it starts with "svg".
SharedPattern patternFromSvg(std::string_view text, const DrawnFrame& frame = {});
// The file appears whole or not at all.
void savePattern(const BuiltPattern& pattern, const std::filesystem::path& file);

// The meshes of a file's objects. Throws Error as loadMesh() does.
std::vector<DrawnPiece> loadPieces(const std::filesystem::path& file);

// A picture of a pattern: a box as large as the pattern, cut by it, the pieces drawn apart. Throws Error where it cannot be
// cut.
Image drawPattern(const SharedPattern& pattern, const RenderOptions& options);

inline constexpr EnumName<PatternRest> kPatternRestNames[] = {{"whole", PatternRest::Whole}, {"nearest", PatternRest::Nearest}};
constexpr std::span<const EnumName<PatternRest>> enumNames(PatternRest) { return kPatternRestNames; }

template <MaybeConst<DrawnPatternDef> P, class Visit>
void visitFields(P& p, Visit&& visit) {
    visit(
        FieldInfo{.name = "file",
                  .doc = "closed meshes (.obj, .ply, .stl, .gltf, .glb), labels (.npy), curves (.svg), a picture (.png), or a "
                         "saved pattern (.pattern)"},
        p.file);
    visit(FieldInfo{.name = "svg", .doc = "in place of a file: the text of an SVG drawing"}, p.svg);
    visit(FieldInfo{.name = "center",
                    .low = -kMaxPosition,
                    .high = kMaxPosition,
                    .doc = "of the drawing, in its units: comes to lie where the body is hit; its middle where not given"},
          p.frame.center);
    visit(FieldInfo{.name = "normal", .doc = "direction of the drawing that is laid along the outward normal of the hit"},
          p.frame.normal);
    visit(FieldInfo{.name = "unit",
                    .unit = "m",
                    .low = 0,
                    .high = kMaxSize,
                    .doc = "of the drawing; of a picture, its width; 0: the drawing is fitted to the body"},
          p.frame.unit);
    visit(FieldInfo{.name = "fixed", .doc = "the drawing lies in the body's frame as it was drawn, wherever the body is hit"},
          p.frame.isFixed);
    visit(FieldInfo{.name = "at",
                    .unit = "m",
                    .low = -kMaxPosition,
                    .high = kMaxPosition,
                    .doc = "of a fixed drawing: where its centre lies in the body's frame"},
          p.frame.at);
    visit(FieldInfo{.name = "facing", .doc = "of a fixed drawing: where its normal points in the body's frame"},
          p.frame.facing);
    visit(FieldInfo{.name = "nodes", .low = 0, .high = 1025, .doc = "samples along the longest side; 0: as many as is usual"},
          p.frame.nodes);
    visit(FieldInfo{.name = "rest", .doc = "space that no piece claims: stays whole, or goes to the nearest piece"},
          p.frame.rest);
    visit(FieldInfo{.name = "dark", .low = 1, .high = 255, .doc = "of a picture: pixels below this are cracks"}, p.dark);
}

}  // namespace sunder
