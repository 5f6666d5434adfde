// See surface_codec.h. A vertex is written as its distance from the one before, a triangle's corner as its distance back from
// the first vertex that no triangle has used yet; both are small in meshes whose neighbours are near in the list.
#include "scene/recording/surface_codec.h"

#include <cstring>

#include "math/quat.h"
#include "scene/recording/bits.h"
#include "scene/recording/octahedral.h"

namespace sunder::scene {

namespace {

// Per coordinate; the precision that follows is in surface_codec.h.
constexpr int kPositionBits = 18, kCoordinateBits = 16, kLookCoordinateBits = 22, kNormalBits = 12;

enum class SolidCode : std::uint8_t { Sphere, Box, Capsule, Cylinder, Hull, Mesh, Surface, LookingSurface };

void writeReal(BinaryWriter& out, Real value) { out.value(float(value)); }
Real readReal(BinaryReader& in) { return Real(in.value<float>()); }
void writeVector(BinaryWriter& out, const Vec3& v) {
    for (const Real x : {v.x, v.y, v.z})
        writeReal(out, x);
}
Vec3 readVector(BinaryReader& in) {
    const Real x = readReal(in), y = readReal(in), z = readReal(in);
    return {x, y, z};
}

// Points rounded to a grid over their bounds.
template <std::size_t kAxes, class Get>
void writePoints(BinaryWriter& out, std::size_t count, int bits, const Get& get) {
    float low[kAxes], extent = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
        float high = low[axis] = float(get(0, axis));
        for (std::size_t i = 1; i < count; ++i) {
            low[axis] = std::min(low[axis], float(get(i, axis)));
            high = std::max(high, float(get(i, axis)));
        }
        extent = std::max(extent, high - low[axis]);
        out.value(low[axis]);
    }
    out.value(extent);
    const double scale = extent > 0 ? double(std::uint64_t(1) << bits) / double(extent) : 0;
    AdaptiveCode codes[kAxes];
    std::int64_t last[kAxes] = {};
    BitWriter stream(out);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t axis = 0; axis < kAxes; ++axis) {
            const auto rounded = std::int64_t(std::floor((double(float(get(i, axis))) - double(low[axis])) * scale + 0.5));
            codes[axis].write(stream, rounded - last[axis]);
            last[axis] = rounded;
        }
}

// The streams of bits that a surface holds come one after another, each with its length in front.
class StreamWriter {
public:
    explicit StreamWriter(BinaryWriter& out) : out_(out) {}
    BinaryWriter& begin() { return block_; }
    void end() {
        writeVarint(out_, block_.size());
        out_.bytes(block_.view().data(), block_.size());
        block_.clear();
    }

private:
    BinaryWriter& out_;
    BinaryWriter block_;
};

std::span<const std::byte> readStream(BinaryReader& in) { return in.block(readCount(in, 1)); }

template <std::size_t kAxes, class Set>
bool readPoints(BinaryReader& in, std::size_t count, int bits, const Set& set) {
    BinaryReader block(readStream(in));
    float low[kAxes];
    for (float& value : low)
        value = block.value<float>();
    const auto extent = block.value<float>();
    if (block.failed() || !std::isfinite(extent))
        return false;
    const double step = double(extent) / double(std::uint64_t(1) << bits);
    AdaptiveCode codes[kAxes];
    std::int64_t last[kAxes] = {};
    BitReader stream(block.block(block.remaining()));
    for (std::size_t i = 0; i < count && !stream.failed(); ++i)
        for (std::size_t axis = 0; axis < kAxes; ++axis) {
            last[axis] = plus(last[axis], codes[axis].read(stream));
            set(i, axis, Real(double(low[axis]) + double(last[axis]) * step));
        }
    return !stream.failed();
}

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

void writeTriangles(BinaryWriter& out, const Triangles& triangles) {
    AdaptiveCode code;
    std::uint32_t unused = 0;
    BitWriter stream(out);
    for (const auto& triangle : triangles)
        for (const std::uint32_t vertex : triangle) {
            code.write(stream, std::int64_t(unused) - vertex);
            unused = std::max(unused, vertex + 1);
        }
}

bool readTriangles(BinaryReader& in, std::size_t vertexCount, Triangles& triangles) {
    AdaptiveCode code;
    std::int64_t unused = 0;
    BitReader stream(readStream(in));
    for (auto& triangle : triangles)
        for (std::uint32_t& vertex : triangle) {
            const std::int64_t number = minus(unused, code.read(stream));
            if (stream.failed() || number < 0 || number >= std::int64_t(vertexCount))
                return false;
            vertex = std::uint32_t(number);
            unused = std::max(unused, number + 1);
        }
    return true;
}

void writeMesh(BinaryWriter& out, const std::vector<Vec3>& positions, const Triangles& triangles) {
    writeVarint(out, positions.size());
    writeVarint(out, triangles.size());
    StreamWriter streams(out);
    writePoints<3>(streams.begin(), positions.size(), kPositionBits,
                   [&](std::size_t i, std::size_t axis) { return component(positions[i], int(axis)); });
    streams.end();
    writeTriangles(streams.begin(), triangles);
    streams.end();
}

bool readMesh(BinaryReader& in, std::vector<Vec3>& positions, Triangles& triangles) {
    // A coordinate takes at least one bit and a triangle three: forged counts are refused by it.
    const std::uint64_t vertexCount = readVarint(in), triangleCount = readVarint(in), most = 8 * std::uint64_t(in.remaining());
    if (in.failed() || vertexCount == 0 || vertexCount > most || triangleCount > most)
        return false;
    positions.resize(std::size_t(vertexCount));
    triangles.resize(std::size_t(triangleCount));
    return readPoints<3>(in, positions.size(), kPositionBits,
                         [&](std::size_t i, std::size_t axis, Real x) { setComponent(positions[i], int(axis), x); }) &&
           readTriangles(in, positions.size(), triangles);
}

bool hasLook(const Surface& surface) { return surface.materials || !surface.colors.empty(); }
int coordinateBits(bool hasLook) { return hasLook ? kLookCoordinateBits : kCoordinateBits; }

void writeDetails(BinaryWriter& out, const Surface& surface) {
    StreamWriter streams(out);
    {
        BitWriter stream(streams.begin());
        for (const Vec3& normal : surface.normals)
            for (const std::uint32_t x : octahedralFrom(normal, kNormalBits))
                stream.bits(x, kNormalBits);
    }
    streams.end();
    out.value(std::uint8_t(!surface.textureCoordinates.empty()));
    if (!surface.textureCoordinates.empty()) {
        writePoints<2>(streams.begin(), surface.positions.size(), coordinateBits(hasLook(surface)),
                       [&](std::size_t i, std::size_t axis) { return surface.textureCoordinates[i][axis]; });
        streams.end();
    }
    writeVarint(out, surface.ranges.size());
    for (const SurfaceRange& range : surface.ranges) {
        writeVarint(out, range.firstTriangle);
        writeVarint(out, range.triangleCount);
        writeVarint(out, range.slot);
    }
}

bool readDetails(BinaryReader& in, Surface& surface, bool hasLook) {
    BitReader normals(readStream(in));
    surface.normals.resize(surface.positions.size());
    for (Vec3& normal : surface.normals) {
        const auto u = std::uint32_t(normals.bits(kNormalBits)), v = std::uint32_t(normals.bits(kNormalBits));
        normal = fromOctahedral({u, v}, kNormalBits);
    }
    if (in.value<std::uint8_t>() != 0) {
        surface.textureCoordinates.resize(surface.positions.size());
        if (!readPoints<2>(in, surface.positions.size(), coordinateBits(hasLook),
                           [&](std::size_t i, std::size_t axis, Real x) { surface.textureCoordinates[i][axis] = float(x); }))
            return false;
    }
    surface.ranges.resize(readCount(in, 3));
    std::uint64_t next = 0;
    for (SurfaceRange& range : surface.ranges) {
        range.firstTriangle = std::uint32_t(readVarint(in));
        range.triangleCount = std::uint32_t(readVarint(in));
        range.slot = std::uint16_t(readVarint(in));
        if (range.firstTriangle != next)
            return false;
        next += range.triangleCount;
    }
    return !normals.failed() && !in.failed() && (surface.ranges.empty() || next == surface.triangles.size());
}

void writeLook(BinaryWriter& out, const Surface& surface, const NumberOfMaterials& numberOf) {
    writeVarint(out, surface.materials ? 1 + std::uint64_t(numberOf(surface.materials)) : 0);
    out.value(std::uint8_t(!surface.colors.empty()));
    for (const auto& color : surface.colors)
        out.bytes(color.data(), color.size());
}

bool readLook(BinaryReader& in, Surface& surface, const MaterialsOfNumber& materialsOf) {
    const std::uint64_t number = readVarint(in);
    if (number > 0xffffffffu || (number > 0 && !(surface.materials = materialsOf(std::uint32_t(number - 1)))))
        return false;
    if (in.value<std::uint8_t>() != 0) {
        const std::size_t bytes = 4 * surface.positions.size();
        const std::span<const std::byte> block = in.block(bytes);
        if (block.size() != bytes)
            return false;
        surface.colors.resize(surface.positions.size());
        std::memcpy(surface.colors.data(), block.data(), bytes);
    }
    return !in.failed();
}

struct SolidWriter {
    BinaryWriter& out;
    const NumberOfMaterials& numberOf;
    void code(SolidCode c) const { out.value(std::uint8_t(c)); }
    void operator()(const Sphere& s) const {
        code(SolidCode::Sphere);
        writeReal(out, s.radius);
    }
    void operator()(const Box& b) const {
        code(SolidCode::Box);
        writeVector(out, b.halfExtents);
    }
    void operator()(const Capsule& c) const {
        code(SolidCode::Capsule);
        writeReal(out, c.radius);
        writeReal(out, c.halfHeight);
    }
    void operator()(const Cylinder& c) const {
        code(SolidCode::Cylinder);
        writeReal(out, c.radius);
        writeReal(out, c.halfHeight);
    }
    void operator()(const Hull& h) const {
        code(SolidCode::Hull);
        writeVarint(out, h.points.size());
        for (const Vec3& point : h.points)
            writeVector(out, point);
    }
    void operator()(const Mesh& m) const {
        code(SolidCode::Mesh);
        writeMesh(out, m.vertices, m.triangles);
    }
    void operator()(const Surface& s) const {
        code(hasLook(s) ? SolidCode::LookingSurface : SolidCode::Surface);
        writeMesh(out, s.positions, s.triangles);
        writeDetails(out, s);
        if (hasLook(s))
            writeLook(out, s, numberOf);
    }
};

bool sizesAreGood(std::initializer_list<Real> sizes) {
    for (const Real size : sizes)
        if (!(size >= 0 && size < Real(1e9)))
            return false;
    return true;
}

bool readSolid(BinaryReader& in, DrawnSolid& solid, const MaterialsOfNumber& materialsOf) {
    const auto code = in.value<std::uint8_t>();
    if (in.failed() || code > std::uint8_t(SolidCode::LookingSurface))
        return false;
    switch (SolidCode(code)) {
        case SolidCode::Sphere: {
            const Real radius = readReal(in);
            solid = Sphere{radius};
            return sizesAreGood({radius});
        }
        case SolidCode::Box: {
            const Vec3 h = readVector(in);
            solid = Box{h};
            return sizesAreGood({h.x, h.y, h.z});
        }
        case SolidCode::Capsule:
        case SolidCode::Cylinder: {
            const Real radius = readReal(in), halfHeight = readReal(in);
            if (SolidCode(code) == SolidCode::Capsule)
                solid = Capsule{radius, halfHeight};
            else
                solid = Cylinder{radius, halfHeight};
            return sizesAreGood({radius, halfHeight});
        }
        case SolidCode::Hull: {
            Hull hull;
            hull.points.resize(readCount(in, 12));
            for (Vec3& point : hull.points)
                point = readVector(in);
            for (const Vec3& point : hull.points)
                if (!isFinite(point))
                    return false;
            solid = std::move(hull);
            return true;
        }
        case SolidCode::Mesh: {
            Mesh mesh;
            const bool good = readMesh(in, mesh.vertices, mesh.triangles);
            solid = std::move(mesh);
            return good;
        }
        case SolidCode::Surface:
        case SolidCode::LookingSurface: {
            Surface surface;
            const bool looks = SolidCode(code) == SolidCode::LookingSurface;
            const bool good = readMesh(in, surface.positions, surface.triangles) && readDetails(in, surface, looks) &&
                              (!looks || readLook(in, surface, materialsOf));
            solid = std::move(surface);
            return good;
        }
    }
    return false;
}

}  // namespace

void writeSurface(BinaryWriter& out, const DrawnShape& shape, const NumberOfMaterials& numberOf) {
    writeVarint(out, shape.solids.size());
    for (const PlacedSolid& placed : shape.solids) {
        writeVector(out, placed.bodyFromSolid.position);
        const Quat& q = placed.bodyFromSolid.orientation;
        for (const Real x : {q.x, q.y, q.z, q.w})
            writeReal(out, x);
        std::visit(SolidWriter{out, numberOf}, placed.solid);
    }
}

std::optional<DrawnShape> readSurface(std::span<const std::byte> contents, const MaterialsOfNumber& materialsOf) {
    BinaryReader in(contents);
    DrawnShape shape;
    shape.solids.resize(readCount(in, 33));
    for (PlacedSolid& placed : shape.solids) {
        placed.bodyFromSolid.position = readVector(in);
        Quat& q = placed.bodyFromSolid.orientation;
        q.x = readReal(in);
        q.y = readReal(in);
        q.z = readReal(in);
        q.w = readReal(in);
        if (!isFinite(placed.bodyFromSolid.position) || !isFinite(q) || !(dot(q, q) > 0) ||
            !readSolid(in, placed.solid, materialsOf))
            return std::nullopt;
        q = normalize(q);
    }
    if (in.failed() || in.remaining() != 0)
        return std::nullopt;
    return shape;
}

}  // namespace sunder::scene
