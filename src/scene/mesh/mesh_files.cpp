#include "scene/mesh/mesh_files.h"

#include <locale.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "core/none.h"
#include "core/union_find.h"
#include "geometry/edge_report.h"
#include "geometry/mass_properties.h"
#include "geometry/polygon.h"
#include "render/light.h"

namespace sunder {

namespace scene {

namespace fs = std::filesystem;

namespace {

// Bytes. Files are read whole; a larger one is no mesh for a simulation.
constexpr std::uintmax_t kMaxFileSize = std::uintmax_t(1) << 30;
// Cutting a polygon takes time with the square of its corners.
constexpr std::size_t kMaxPolygonCorners = 4096;

// For each vertex the first one in exactly the same place.
std::vector<std::uint32_t> firstInSamePlace(std::span<const Vec3> vertices) {
    std::vector<std::uint32_t> order(vertices.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Vec3 &p = vertices[a], &q = vertices[b];
        if (p.x != q.x)
            return p.x < q.x;
        if (p.y != q.y)
            return p.y < q.y;
        return p.z != q.z ? p.z < q.z : a < b;
    });
    std::vector<std::uint32_t> first(vertices.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        first[order[i]] = i > 0 && vertices[order[i]] == vertices[order[i - 1]] ? first[order[i - 1]] : order[i];
    return first;
}

}  // namespace

std::string readFile(const fs::path& file) {
    const MeshBuilder builder(file);
    std::error_code error;
    if (!fs::is_regular_file(file, error))
        builder.fail(fs::exists(file, error) ? "is not a file" : "there is no such file");
    const std::uintmax_t size = fs::file_size(file, error);
    if (error)
        builder.fail("cannot be read");
    if (size > kMaxFileSize)
        builder.fail("has " + std::to_string(size) + " bytes (at most " + std::to_string(kMaxFileSize) + ")");
    if (size == 0)
        builder.fail("is empty");
    std::ifstream stream(file, std::ios::binary);
    std::string data(std::size_t(size), '\0');
    if (!stream.read(data.data(), std::streamsize(size)))
        builder.fail("cannot be read");
    return data;
}

void MeshBuilder::fail(const std::string& what) const { throw Error(file_.string() + ": " + what); }

void MeshBuilder::fail(const Place& place, const std::string& what) const {
    fail(std::string(place.unit) + " " + std::to_string(place.number) + ": " + what);
}

void MeshBuilder::addVertex(const std::array<double, 3>& position, const Place& place) {
    const Vec3 vertex{Real(position[0]), Real(position[1]), Real(position[2])};
    if (!isFinite(vertex))
        fail(place, "a coordinate is not a finite number");
    if (vertices_.size() >= kNone)
        fail(place, "too many vertices");
    vertices_.push_back(vertex);
}

void MeshBuilder::colorVertex(const std::array<double, 4>& shown) {
    const auto byte = [](double x) { return std::uint8_t(std::lround(std::clamp(x, 0.0, 1.0) * 255)); };
    std::array<std::uint8_t, 4> linear{};
    for (std::size_t i = 0; i < 3; ++i)
        linear[i] = byte(double(render::fromSrgb(byte(shown[i]))));
    linear[3] = byte(shown[3]);
    vertexColors_.resize(vertices_.size(), kWhite);
    vertexColors_.back() = linear;
}

void MeshBuilder::addPolygon(std::span<const std::int64_t> vertices, const Place& place, const CornerLooks& looks) {
    if (vertices.size() < 3 || vertices.size() > kMaxPolygonCorners)
        fail(place, "a face with " + std::to_string(vertices.size()) + " corners is not allowed (3 to " +
                        std::to_string(kMaxPolygonCorners) + ")");
    polygons_.push_back({corners_.size(), vertices.size(), place, looks.material});
    const auto append = [&](auto& list, const auto& given, const auto& otherwise) {
        if (given.empty() && list.empty())
            return;
        list.resize(corners_.size(), otherwise);
        list.insert(list.end(), given.begin(), given.end());
        list.resize(corners_.size() + vertices.size(), otherwise);
    };
    append(coordinates_, looks.coordinates, std::array<float, 2>{});
    append(colors_, looks.colors, kWhite);
    corners_.insert(corners_.end(), vertices.begin(), vertices.end());
}

std::uint16_t MeshBuilder::addMaterial(MeshMaterial material) {
    constexpr std::size_t kMostMaterials = 60000;
    if (materials_.size() >= kMostMaterials)
        fail("has more than " + std::to_string(kMostMaterials) + " materials");
    materials_.push_back(std::move(material));
    return std::uint16_t(materials_.size() - 1);
}

std::vector<MeshBuilder::Triangle> MeshBuilder::trianglesOf(std::size_t first, std::size_t last) const {
    std::vector<Triangle> triangles;
    std::vector<std::array<std::uint32_t, 3>> local;
    std::vector<Vec3> positions;
    for (std::size_t number = first; number < last; ++number) {
        const Polygon& polygon = polygons_[number];
        const std::int64_t* corners = corners_.data() + polygon.firstCorner;
        positions.clear();
        for (std::size_t i = 0; i < polygon.cornerCount; ++i) {
            if (corners[i] < 0 || std::uint64_t(corners[i]) >= vertices_.size())
                fail(polygon.place, "a face uses vertex " + std::to_string(corners[i]) + " counted from 0, but there are " +
                                        std::to_string(vertices_.size()));
            positions.push_back(vertices_[std::size_t(corners[i])]);
        }
        local.clear();
        geometry::triangulatePolygon(positions, local);
        for (const auto& [a, b, c] : local)
            triangles.push_back({{std::uint32_t(corners[a]), std::uint32_t(corners[b]), std::uint32_t(corners[c])},
                                 {polygon.firstCorner + a, polygon.firstCorner + b, polygon.firstCorner + c},
                                 polygon.material});
    }
    return triangles;
}

// Merges vertices in the same place; drops triangles that lost a corner by it, and vertices that no triangle uses.
Mesh MeshBuilder::weld(std::span<const std::uint32_t> firstInPlace, std::span<const Triangle> triangles) const {
    std::vector<std::uint32_t> newIndex(vertices_.size(), kNone);
    std::vector<Triangle> kept;
    Mesh mesh;
    for (const Triangle& triangle : triangles) {
        const auto& v = triangle.vertices;
        const std::array<std::uint32_t, 3> merged = {firstInPlace[v[0]], firstInPlace[v[1]], firstInPlace[v[2]]};
        if (merged[0] == merged[1] || merged[1] == merged[2] || merged[2] == merged[0])
            continue;
        std::array<std::uint32_t, 3> renumbered;
        for (int i = 0; i < 3; ++i) {
            if (newIndex[merged[i]] == kNone) {
                newIndex[merged[i]] = std::uint32_t(mesh.vertices.size());
                mesh.vertices.push_back(vertices_[merged[i]]);
            }
            renumbered[i] = newIndex[merged[i]];
        }
        mesh.triangles.push_back(renumbered);
        kept.push_back(triangle);
    }
    mesh.look = lookOf(kept);
    return mesh;
}

std::shared_ptr<const MeshLook> MeshBuilder::lookOf(std::span<const Triangle> triangles) const {
    if (coordinates_.empty() && colors_.empty() && vertexColors_.empty() && materials_.empty())
        return nullptr;
    auto look = std::make_shared<MeshLook>();
    // Corners after the last polygon that had such values have none.
    const auto valueAt = [](const auto& list, std::size_t corner, const auto& otherwise) {
        return corner < list.size() ? list[corner] : otherwise;
    };
    // Materials are numbered in the order of their first triangles, those that have none are left out.
    std::vector<std::uint16_t> numbers(materials_.size(), 0xffff);
    MeshMaterials used;
    for (const Triangle& triangle : triangles) {
        MeshLook::Corners coordinates{};
        MeshLook::CornerColors colors{};
        for (std::size_t i = 0; i < 3; ++i) {
            coordinates[i] = valueAt(coordinates_, triangle.corners[i], std::array<float, 2>{});
            colors[i] = vertexColors_.empty() ? valueAt(colors_, triangle.corners[i], kWhite)
                                              : valueAt(vertexColors_, triangle.vertices[i], kWhite);
        }
        if (!coordinates_.empty())
            look->textureCoordinates.push_back(coordinates);
        if (!colors_.empty() || !vertexColors_.empty())
            look->colors.push_back(colors);
        if (materials_.empty())
            continue;
        std::uint16_t& number = numbers[triangle.material];
        if (number == 0xffff) {
            number = std::uint16_t(used.size());
            used.push_back(materials_[triangle.material]);
        }
        look->materialOf.push_back(number);
    }
    if (!used.empty())
        look->materials = std::make_shared<const MeshMaterials>(std::move(used));
    return look;
}

Mesh MeshBuilder::finish() const {
    Mesh mesh = weld(firstInSamePlace(vertices_), trianglesOf(0, polygons_.size()));
    if (mesh.triangles.empty())
        fail("has no triangles");
    return mesh;
}

void MeshBuilder::beginObject(std::string_view name) { objects_.push_back({std::string(name), polygons_.size()}); }

std::vector<DrawnPiece> MeshBuilder::finishObjects() const {
    const std::vector<std::uint32_t> first = firstInSamePlace(vertices_);
    std::vector<DrawnPiece> pieces;
    const auto add = [&](const std::string& name, std::size_t from, std::size_t to) {
        DrawnPiece piece{name.empty() ? "object " + std::to_string(pieces.size() + 1) : name,
                         weld(first, trianglesOf(from, to))};
        if (!piece.mesh.triangles.empty())
            pieces.push_back(std::move(piece));
    };
    add({}, 0, objects_.empty() ? polygons_.size() : objects_[0].firstPolygon);
    for (std::size_t i = 0; i < objects_.size(); ++i)
        add(objects_[i].name, objects_[i].firstPolygon,
            i + 1 < objects_.size() ? objects_[i + 1].firstPolygon : polygons_.size());
    if (pieces.empty())
        fail("has no triangles");
    return pieces.size() == 1 ? finishParts(first) : pieces;
}

// A part is what polygons join that name the same vertices; pieces that only lie against each other are apart.
std::vector<DrawnPiece> MeshBuilder::finishParts(std::span<const std::uint32_t> firstInPlace) const {
    const std::vector<Triangle> all = trianglesOf(0, polygons_.size());
    UnionFind joined(vertices_.size());
    for (const Triangle& triangle : all) {
        joined.join(triangle.vertices[0], triangle.vertices[1]);
        joined.join(triangle.vertices[0], triangle.vertices[2]);
    }
    std::vector<std::uint32_t> partOf(vertices_.size(), kNone);  // by root
    std::vector<std::vector<Triangle>> parts;
    for (const Triangle& triangle : all) {
        std::uint32_t& part = partOf[joined.root(triangle.vertices[0])];
        if (part == kNone) {
            part = std::uint32_t(parts.size());
            parts.emplace_back();
        }
        parts[part].push_back(triangle);
    }
    std::vector<DrawnPiece> pieces;
    for (const std::vector<Triangle>& triangles : parts)
        pieces.push_back({"part " + std::to_string(pieces.size() + 1), weld(firstInPlace, triangles)});
    return pieces;
}

std::string mediaTypeOf(std::string_view bytes) {
    if (bytes.starts_with("\x89PNG"))
        return "image/png";
    return bytes.starts_with("\xff\xd8") ? "image/jpeg" : "";
}

std::shared_ptr<const MeshImage> loadImage(const fs::path& meshFile, const std::string& name) {
    const fs::path relative(name);
    const bool leaves = relative.is_absolute() || std::find(relative.begin(), relative.end(), "..") != relative.end();
    std::error_code error;
    const fs::path path = meshFile.parent_path() / relative;
    if (leaves || !fs::is_regular_file(path, error) || fs::file_size(path, error) > kMaxFileSize)
        return nullptr;
    std::ifstream stream(path, std::ios::binary);
    MeshImage image{name, {}, std::string(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>())};
    image.mediaType = mediaTypeOf(image.bytes);
    return image.mediaType.empty() ? nullptr : std::make_shared<const MeshImage>(std::move(image));
}

bool parseNumber(std::string_view token, double& value) {
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", locale_t{});
    // strtod needs a terminating zero; no writer produces longer numbers.
    char text[64];
    if (token.empty() || token.size() >= sizeof text)
        return false;
    text[token.copy(text, token.size())] = '\0';
    char* end = nullptr;
    value = strtod_l(text, &end, plain);
    return end == text + token.size();
}

bool parseInteger(std::string_view token, std::int64_t& value) {
    const bool negative = !token.empty() && token[0] == '-';
    if (!token.empty() && (token[0] == '-' || token[0] == '+'))
        token.remove_prefix(1);
    if (token.empty() || token.size() > 18)
        return false;
    value = 0;
    for (const char c : token) {
        if (c < '0' || c > '9')
            return false;
        value = 10 * value + (c - '0');
    }
    value = negative ? -value : value;
    return true;
}

std::string quotedText(std::string_view token) {
    std::string text(token.substr(0, 24));
    for (char& c : text)
        if (c < 32 || c > 126)
            c = '?';
    return "'" + text + (token.size() > 24 ? "...'" : "'");
}

std::string_view takeWord(std::string_view& text) {
    constexpr std::string_view kBlanks = " \t\r\v\f";
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
    text.remove_prefix(word.size());
    return word;
}

std::string_view WordCursor::next() {
    constexpr std::string_view kBlanks = " \t\r\v\f\n";
    std::size_t start = 0;
    for (; start < rest_.size() && kBlanks.find(rest_[start]) != std::string_view::npos; ++start)
        line_ += rest_[start] == '\n' ? 1 : 0;
    rest_.remove_prefix(start);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(kBlanks));
    rest_.remove_prefix(word.size());
    return word;
}

MeshReader readerFor(const fs::path& file) {
    std::string extension = file.extension().string();
    for (char& c : extension)
        c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    if (extension == ".obj")
        return readObj;
    if (extension == ".stl")
        return readStl;
    if (extension == ".ply")
        return readPly;
    if (extension == ".gltf" || extension == ".glb")
        return readGltf;
    MeshBuilder(file).fail("extension " + quotedText(extension) + " is not allowed (.obj, .stl, .ply, .gltf, .glb)");
}

Mesh parseMesh(MeshReader reader, const std::string& data, const fs::path& file) {
    MeshBuilder builder(file);
    reader(data, builder);
    return builder.finish();
}

}  // namespace scene

Mesh loadMesh(const std::filesystem::path& file) {
    // Rejects an unknown extension before reading the file.
    const scene::MeshReader reader = scene::readerFor(file);
    return scene::parseMesh(reader, scene::readFile(file), file);
}

MeshReport checkClosed(const Mesh& mesh) {
    const geometry::EdgeReport edges = geometry::reportEdges(mesh.triangles);
    MeshReport report{edges.open, edges.inverted, edges.nonManifold, false};
    report.insideOut = report.isClosed() && geometry::meshMass(mesh.vertices, mesh.triangles).volume < 0;
    return report;
}

}  // namespace sunder
