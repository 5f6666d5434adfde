// What the readers of the mesh formats share: a builder that checks and collects, and cursors over text and bytes.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sunder/drawn_patterns.h"
#include "sunder/scene/mesh_files.h"

namespace sunder::scene {

inline constexpr std::array<std::uint8_t, 4> kWhite{255, 255, 255, 255};

// Where in a file something stands: { "line", 12 }.
struct Place {
    const char* unit = nullptr;
    std::size_t number = 0;
};

// How the corners of a polygon look: each list is empty or has one entry per corner.
struct CornerLooks {
    std::span<const std::array<float, 2>> coordinates{};    // v down, as in glTF
    std::span<const std::array<std::uint8_t, 4>> colors{};  // linear
    std::uint16_t material = 0;                             // a number that addMaterial gave
};

// Collects vertices and polygons of one file; indices are checked at the end, when all vertices are known.
class MeshBuilder {
public:
    explicit MeshBuilder(std::filesystem::path file) : file_(std::move(file)) {}

    std::size_t vertexCount() const { return vertices_.size(); }
    std::size_t cornerCount() const { return corners_.size(); }
    void addVertex(const std::array<double, 3>& position, const Place& place);
    // Of the vertex that was added last: red, green, blue, opacity as screens have them (sRGB), 0 to 1. Others are white.
    void colorVertex(const std::array<double, 4>& shown);
    void addPolygon(std::span<const std::int64_t> vertices, const Place& place, const CornerLooks& looks = {});
    std::uint16_t addMaterial(MeshMaterial material);
    // Polygons from here on belong to an object of this name.
    void beginObject(std::string_view name);
    Mesh finish() const;
    // A mesh for each object that has triangles; where there is one object, for each of its parts.
    std::vector<DrawnPiece> finishObjects() const;

    [[noreturn]] void fail(const std::string& what) const;
    [[noreturn]] void fail(const Place& place, const std::string& what) const;
    const std::filesystem::path& file() const { return file_; }

private:
    struct Polygon {
        std::size_t firstCorner, cornerCount;
        Place place;
        std::uint16_t material = 0;
    };
    struct Triangle {
        std::array<std::uint32_t, 3> vertices;
        std::array<std::size_t, 3> corners;  // in corners_
        std::uint16_t material = 0;
    };
    std::filesystem::path file_;
    std::vector<Vec3> vertices_;
    std::vector<std::int64_t> corners_;
    struct Object {
        std::string name;
        std::size_t firstPolygon = 0;
    };
    std::vector<Triangle> trianglesOf(std::size_t first, std::size_t last) const;
    Mesh weld(std::span<const std::uint32_t> firstInPlace, std::span<const Triangle> triangles) const;
    // The look of those triangles, or null where the file says nothing of it.
    std::shared_ptr<const MeshLook> lookOf(std::span<const Triangle> triangles) const;
    std::vector<DrawnPiece> finishParts(std::span<const std::uint32_t> firstInPlace) const;

    std::vector<Polygon> polygons_;
    std::vector<Object> objects_;
    // By corner; empty while no polygon had any.
    std::vector<std::array<float, 2>> coordinates_;
    std::vector<std::array<std::uint8_t, 4>> colors_;
    std::vector<std::array<std::uint8_t, 4>> vertexColors_;  // by vertex, up to the last that has one
    MeshMaterials materials_;
};

// A picture of the folder of a mesh file, or null where it is none (PNG or JPEG) or cannot be read.
std::shared_ptr<const MeshImage> loadImage(const std::filesystem::path& meshFile, const std::string& name);
// "image/png" or "image/jpeg" by its first bytes; empty for others.
std::string mediaTypeOf(std::string_view bytes);

// One reader per format: takes the whole file, fills the builder, throws through it.
void readObj(const std::string& text, MeshBuilder& builder);
void readStl(const std::string& data, MeshBuilder& builder);
void readPly(const std::string& data, MeshBuilder& builder);
void readGltf(const std::string& data, MeshBuilder& builder);

// The reader for the file's extension; throws where there is none.
using MeshReader = void (*)(const std::string& data, MeshBuilder& builder);
MeshReader readerFor(const std::filesystem::path& file);
Mesh parseMesh(MeshReader reader, const std::string& data, const std::filesystem::path& file);
// The whole file; throws where it is none, empty or too large.
std::string readFile(const std::filesystem::path& file);

// False where the token is not a number as a whole. Does not depend on the locale.
bool parseNumber(std::string_view token, double& value);
bool parseInteger(std::string_view token, std::int64_t& value);
// "'abc'", cut and with unprintable bytes replaced.
std::string quotedText(std::string_view token);

// Takes the next word off the front of text; empty where there is none. Words are divided by blanks, not by line ends.
std::string_view takeWord(std::string_view& text);

// Words of a whole text, with the number of the line they are in.
class WordCursor {
public:
    explicit WordCursor(std::string_view text, std::size_t line = 1) : rest_(text), line_(line) {}
    // Empty at the end of the text.
    std::string_view next();
    Place place() const { return {"line", line_}; }

private:
    std::string_view rest_;
    std::size_t line_;
};

// Numbers of a binary file. The caller checks has() before read().
class ByteCursor {
public:
    ByteCursor(std::string_view data, std::size_t offset, bool bigEndian)
        : data_(data), offset_(offset), bigEndian_(bigEndian) {}
    bool has(std::size_t bytes) const { return data_.size() - offset_ >= bytes; }
    Place place() const { return {"byte", offset_}; }

    template <class Number>
    Number read() {
        char bytes[sizeof(Number)];
        for (std::size_t i = 0; i < sizeof(Number); ++i)
            bytes[i] = data_[offset_ + (bigEndian_ ? sizeof(Number) - 1 - i : i)];
        offset_ += sizeof(Number);
        // The host is little-endian, as are all that the engine is built for.
        Number number;
        std::memcpy(&number, bytes, sizeof number);
        return number;
    }

private:
    std::string_view data_;
    std::size_t offset_;
    bool bigEndian_;
};

}  // namespace sunder::scene
