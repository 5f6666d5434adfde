// Drawn patterns from files: the format goes by the extension. See sunder/scene/pattern_files.h.
#include "sunder/scene/pattern_files.h"

#include <algorithm>

#include "scene/mesh/mesh_files.h"
#include "scene/pattern/sample_files.h"
#include "scene/pattern/svg.h"
#include "sunder/scene/output_file.h"

namespace sunder {

namespace scene {

namespace {

constexpr std::string_view kMeshExtensions[] = {".obj", ".ply", ".stl", ".gltf", ".glb"};

std::string extensionOf(const std::filesystem::path& file) {
    std::string extension = file.extension().string();
    for (char& c : extension)
        c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    return extension;
}

bool isMeshFile(std::string_view extension) {
    return std::find(std::begin(kMeshExtensions), std::end(kMeshExtensions), extension) != std::end(kMeshExtensions);
}

SharedPattern readPattern(const std::filesystem::path& file, const DrawnFrame& frame, int dark) {
    const std::string extension = extensionOf(file);
    if (isMeshFile(extension))
        return patternFromPieces(loadPieces(file), frame);
    if (extension != ".npy" && extension != ".svg" && extension != ".png" && extension != ".pattern")
        throw Error("extension " + quotedText(extension) +
                    " is not allowed (.obj, .ply, .stl, .gltf, .glb, .npy, .svg, .png, .pattern)");
    const std::string data = readFile(file);
    if (extension == ".npy")
        return patternFromLabels(readNpy(data), frame);
    if (extension == ".svg")
        return patternFromCurves(readSvg(data), frame);
    if (extension == ".png") {
        DrawnPicture picture = readPng(data);
        picture.dark = dark;
        return patternFromPicture(picture, frame);
    }
    const DrawnFrame none;
    const bool isAlone = !frame.center && frame.normal == none.normal && frame.unit == none.unit &&
                         frame.isFixed == none.isFixed && !frame.at && !frame.facing && frame.nodes == none.nodes &&
                         frame.rest == none.rest;
    if (!isAlone)
        throw Error(
            "a saved pattern has a frame of its own (no center, normal, unit, fixed, at, facing, nodes or rest beside it)");
    return patternFromBytes({reinterpret_cast<const std::byte*>(data.data()), data.size()});
}

// Whether a message is about a field of the frame, which starts with the field's name, rather than about the file.
bool isAboutFrame(const std::string& message) {
    for (const std::string_view field : {"center: ", "normal: ", "unit: ", "fixed: ", "at: ", "facing: ", "nodes: ", "dark: "})
        if (message.starts_with(field))
            return true;
    return false;
}

}  // namespace

}  // namespace scene

std::vector<DrawnPiece> loadPieces(const std::filesystem::path& file) {
    const scene::MeshReader reader = scene::readerFor(file);
    scene::MeshBuilder builder(file);
    reader(scene::readFile(file), builder);
    return builder.finishObjects();
}

SharedPattern loadPattern(const std::filesystem::path& file, const DrawnFrame& frame, int dark) {
    try {
        return scene::readPattern(file, frame, dark);
    } catch (const Error& error) {
        const std::string message = error.what();
        if (scene::isAboutFrame(message) || message.starts_with(file.string() + ": "))
            throw;
        throw Error(file.string() + ": " + message);
    }
}

SharedPattern patternFromSvg(std::string_view text, const DrawnFrame& frame) {
    try {
        return patternFromCurves(scene::readSvg(text), frame);
    } catch (const Error& error) {
        if (scene::isAboutFrame(error.what()))
            throw;
        throw Error(std::string("svg: ") + error.what());
    }
}

void savePattern(const BuiltPattern& pattern, const std::filesystem::path& file) {
    const std::vector<std::byte> bytes = patternBytes(pattern);
    OutputFile output(file);
    output.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    output.commit();
}

}  // namespace sunder
