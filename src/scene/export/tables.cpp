// Stats as CSV, and frames as PLY files.
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "math/quat.h"
#include "render/light.h"
#include "scene/recording/track_looks.h"
#include "sunder/scene/exports.h"
#include "sunder/scene/output_file.h"

namespace sunder {

bool writeCsv(Recording& recording, const std::filesystem::path& path) {
    OutputFile file(path);
    fmt::memory_buffer text;
    for (const std::string& name : recording.info().statNames)
        fmt::format_to(std::back_inserter(text), "{},", name);
    fmt::format_to(std::back_inserter(text), "hash\n");
    for (int frame = 0; frame < recording.frameCount(); ++frame) {
        recording.seek(frame);
        for (const double value : recording.stats())
            fmt::format_to(std::back_inserter(text), "{},", std::isfinite(value) ? fmt::format("{}", value) : "");
        fmt::format_to(std::back_inserter(text), "{:016x}\n", recording.hash());
    }
    file.write({text.data(), text.size()});
    file.commit();
    return true;
}

namespace {

// All bodies of a frame as one mesh, vertices in the world's frame.
class PlyWriter {
public:
    explicit PlyWriter(Recording& recording) : recording_(recording) {
        looks_ = scene::TrackLooks().of(recording);
        for (int i = 0; i < recording.surfaceCount(); ++i)
            surfaces_.push_back(tessellate(recording.surface(std::uint32_t(i))));
    }

    void write(const std::filesystem::path& path) {
        vertices_.clear();
        faces_.clear();
        vertexCount_ = faceCount_ = 0;
        auto moved = recording_.moved().begin();
        for (std::size_t i = 0; i < recording_.living().size(); ++i) {
            const std::uint32_t track = recording_.living()[i];
            const TrackDef& def = recording_.tracks()[track].def;
            if (def.deforms)
                addBody(track, recording_.poses()[i], tessellate({{{{}, recording_.surfaceOf(*moved++)}}}));
            else
                addBody(track, recording_.poses()[i], surfaces_[def.surface]);
        }
        OutputFile file(path);
        file.write(
            fmt::format("ply\nformat binary_little_endian 1.0\ncomment frame {} of a run at {:g} Hz, by Sunder\n"
                        "element vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
                        "property float nx\nproperty float ny\nproperty float nz\n"
                        "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                        "element face {}\nproperty list uchar int vertex_indices\nproperty int track\nend_header\n",
                        recording_.runFrame(), recording_.info().frameRate, vertexCount_, faceCount_));
        file.write(vertices_);
        file.write(faces_);
        file.commit();
    }

private:
    template <class T>
    static void append(std::string& out, T value) {
        out.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    // Of the mesh's own material where it brought one, without its picture.
    static Vec3 colorOf(const render::Look& look, const Surface& surface, std::uint16_t slot) {
        if (slot == DrawnSurface::kFractureSurface)
            return look.opened;
        const std::size_t material = DrawnSurface::materialOfSlot(slot);
        if (!surface.materials || material >= surface.materials->size())
            return surface.colors.empty() ? look.albedo : Vec3{1, 1, 1};
        const std::array<float, 4>& color = (*surface.materials)[material].color;
        return {Real(color[0]), Real(color[1]), Real(color[2])};
    }
    static Vec3 times(const Vec3& color, const std::array<std::uint8_t, 4>& linear) {
        return {color.x * linear[0] / 255, color.y * linear[1] / 255, color.z * linear[2] / 255};
    }
    // Ranges share no vertices, because fracture surfaces have another colour.
    void addBody(std::uint32_t track, const Pose& pose, const Surface& surface) {
        for (const SurfaceRange& range : surface.ranges) {
            const Vec3 color = colorOf(looks_[track], surface, range.slot);
            numbers_.assign(surface.positions.size(), kNone);
            for (std::uint32_t i = 0; i < range.triangleCount; ++i) {
                append(faces_, std::uint8_t(3));
                for (const std::uint32_t corner : surface.triangles[range.firstTriangle + i]) {
                    if (numbers_[corner] == kNone) {
                        numbers_[corner] = vertexCount_++;
                        addVertex(transformPoint(pose, surface.positions[corner]),
                                  rotate(pose.orientation, surface.normals[corner]),
                                  surface.colors.empty() ? color : times(color, surface.colors[corner]));
                    }
                    append(faces_, std::int32_t(numbers_[corner]));
                }
                append(faces_, std::int32_t(track));
                ++faceCount_;
            }
        }
    }
    void addVertex(const Vec3& position, const Vec3& normal, const Vec3& color) {
        for (const Vec3& v : {position, normal})
            for (const Real x : {v.x, v.y, v.z})
                append(vertices_, float(x));
        for (const Real x : {color.x, color.y, color.z})
            append(vertices_, render::toSrgb(x));
    }

    static constexpr std::uint32_t kNone = 0xffffffffu;
    Recording& recording_;
    std::vector<render::Look> looks_;
    std::vector<Surface> surfaces_;
    std::vector<std::uint32_t> numbers_;
    std::string vertices_, faces_;
    std::uint32_t vertexCount_ = 0, faceCount_ = 0;
};

}  // namespace

bool writePlySequence(Recording& recording, const std::filesystem::path& folder, const ExportProgress& progress) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw Error(folder.string() + ": the folder cannot be made (" + error.message() + ")");
    PlyWriter writer(recording);
    for (int frame = 0; frame < recording.frameCount(); ++frame) {
        recording.seek(frame);
        writer.write(folder / fmt::format("frame_{:05}.ply", recording.runFrame()));
        if (progress && !progress(frame + 1, recording.frameCount()))
            return false;
    }
    return true;
}

}  // namespace sunder
