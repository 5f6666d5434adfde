// USD as text: a prototype per surface and colour, an Xform per body that refers to it, poses as time samples by frame. Bodies
// that are not there are invisible. A body that deforms has a mesh of its own for each set of triangles it had, with points
// and normals as time samples.
#include <fmt/format.h>

#include <iterator>
#include <map>

#include "math/quat.h"
#include "render/view.h"
#include "scene/export/motion.h"
#include "scene/export/usda_materials.h"
#include "sunder/scene/output_file.h"

namespace sunder {

namespace {

using render::Look;
using Text = fmt::memory_buffer;

template <class... Parts>
void print(Text& out, fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Parts>(parts)...);
}

void printVector(Text& out, const Vec3& v) { print(out, "({:.7g}, {:.7g}, {:.7g})", v.x, v.y, v.z); }
void printVector(Text& out, const std::array<float, 3>& v) { print(out, "({:.7g}, {:.7g}, {:.7g})", v[0], v[1], v[2]); }

template <class Vector>
void printVectors(Text& out, const std::vector<Vector>& list) {
    bool first = true;
    for (const Vector& v : list) {
        print(out, "{}", first ? "" : ", ");
        printVector(out, v);
        first = false;
    }
}

class UsdaWriter {
public:
    UsdaWriter(Recording& recording, const scene::Motions& motions, OutputFile& file, const std::filesystem::path& path)
        : recording_(recording), motions_(motions), file_(file), materials_(recording, path) {}
    void write();

private:
    void flush() {
        file_.write({out_.data(), out_.size()});
        out_.clear();
    }
    std::string prototypeOf(std::uint32_t surface, const Look& look);
    void writePrototype(std::uint32_t number, const Look& look, const std::string& name);
    void writeTriangles(const Surface& surface);
    void writeCoordinates(const Surface& surface, const Look& look);
    void writeVisibility(int firstFrame, int endFrame);
    void writeBody(std::uint32_t track, const std::string& prototype);
    void writeStretch(const scene::ShapeStretch& stretch, const Look& look, std::size_t number);
    void writeBodies();
    void writeCamera();
    // Frames keep the numbers that they have in the run.
    int timeCode(int frame) const { return frame + recording_.info().firstFrame; }

    Recording& recording_;
    const scene::Motions& motions_;
    OutputFile& file_;
    Text out_;
    scene::UsdaMaterials materials_;
    std::map<std::tuple<std::uint32_t, Real, Real, Real, Real, std::uint32_t>, std::string> prototypes_;
};

void UsdaWriter::writeTriangles(const Surface& surface) {
    print(out_, "        uniform token subdivisionScheme = \"none\"\n        int[] faceVertexCounts = [");
    for (std::size_t i = 0; i < surface.triangles.size(); ++i)
        print(out_, "{}3", i == 0 ? "" : ", ");
    print(out_, "]\n        int[] faceVertexIndices = [");
    for (std::size_t i = 0; i < surface.triangles.size(); ++i)
        print(out_, "{}{}, {}, {}", i == 0 ? "" : ", ", surface.triangles[i][0], surface.triangles[i][1],
              surface.triangles[i][2]);
    print(out_, "]\n");
}

// Writes texture coordinates and materials, which follow the vertices.
void UsdaWriter::writeCoordinates(const Surface& surface, const Look& look) {
    if (!surface.textureCoordinates.empty()) {
        print(out_, "        texCoord2f[] primvars:st = [");
        for (std::size_t i = 0; i < surface.textureCoordinates.size(); ++i)
            print(out_, "{}({:.7g}, {:.7g})", i == 0 ? "" : ", ", surface.textureCoordinates[i][0],
                  1 - surface.textureCoordinates[i][1]);  // USD counts from the lower edge of the picture
        print(out_, "] (interpolation = \"vertex\")\n");
    }
    if (!surface.colors.empty()) {
        print(out_, "        color3f[] primvars:displayColor = [");
        for (std::size_t i = 0; i < surface.colors.size(); ++i)
            print(out_, "{}({:.4g}, {:.4g}, {:.4g})", i == 0 ? "" : ", ", surface.colors[i][0] / 255.0,
                  surface.colors[i][1] / 255.0, surface.colors[i][2] / 255.0);
        print(out_, "] (interpolation = \"vertex\")\n");
    }
    const auto materialOf = [&](std::uint16_t slot) { return materials_.of(look, slot, surface.materials.get()); };
    print(out_, "        rel material:binding = </World/Materials/{}>\n", materialOf(DrawnSurface::kOldSurface));
    // Fracture surfaces and further materials are subsets.
    for (const SurfaceRange& range : surface.ranges) {
        if (range.slot == DrawnSurface::kOldSurface)
            continue;
        print(out_,
              "        def GeomSubset \"slot_{}\" (prepend apiSchemas = [\"MaterialBindingAPI\"])\n        {{\n"
              "            uniform token elementType = \"face\"\n            uniform token familyName = \"materialBind\"\n"
              "            int[] indices = [",
              range.slot);
        for (std::uint32_t i = 0; i < range.triangleCount; ++i)
            print(out_, "{}{}", i == 0 ? "" : ", ", range.firstTriangle + i);
        print(out_, "]\n            rel material:binding = </World/Materials/{}>\n        }}\n", materialOf(range.slot));
    }
}

void UsdaWriter::writePrototype(std::uint32_t number, const Look& look, const std::string& name) {
    const Surface surface = tessellate(recording_.surface(number));
    print(out_, "    class Mesh \"{}\" (prepend apiSchemas = [\"MaterialBindingAPI\"])\n    {{\n", name);
    writeTriangles(surface);
    print(out_, "        point3f[] points = [");
    printVectors(out_, surface.positions);
    print(out_, "]\n        normal3f[] normals = [");
    printVectors(out_, surface.normals);
    print(out_, "] (interpolation = \"vertex\")\n");
    writeCoordinates(surface, look);
    print(out_, "    }}\n");
    flush();
}

void UsdaWriter::writeStretch(const scene::ShapeStretch& stretch, const Look& look, std::size_t number) {
    const Surface surface = surfaceAt(recording_, stretch, stretch.keys[0]);
    print(out_, "    def Mesh \"shape_{}\" (prepend apiSchemas = [\"MaterialBindingAPI\"])\n    {{\n", number);
    writeTriangles(surface);
    print(out_, "        point3f[] points.timeSamples = {{");
    for (const scene::ShapeKey& key : stretch.keys) {
        print(out_, "\n            {}: [", timeCode(key.frame));
        printVectors(out_, key.positions);
        print(out_, "],");
        flush();
    }
    print(out_,
          "\n        }}\n        normal3f[] normals (interpolation = \"vertex\")\n"
          "        normal3f[] normals.timeSamples = {{");
    for (const scene::ShapeKey& key : stretch.keys) {
        print(out_, "\n            {}: [", timeCode(key.frame));
        printVectors(out_, key.normals);
        print(out_, "],");
        flush();
    }
    print(out_, "\n        }}\n");
    writeVisibility(stretch.firstFrame, stretch.endFrame);
    writeCoordinates(surface, look);
    print(out_, "    }}\n");
    flush();
}

void UsdaWriter::writeVisibility(int firstFrame, int endFrame) {
    const bool appears = firstFrame > 0, vanishes = endFrame < recording_.frameCount();
    if (!appears && !vanishes)
        return;
    print(out_, "        token visibility.timeSamples = {{ {}: \"{}\",", timeCode(0), appears ? "invisible" : "inherited");
    if (appears)
        print(out_, " {}: \"inherited\",", timeCode(firstFrame));
    if (vanishes)
        print(out_, " {}: \"invisible\",", timeCode(endFrame));
    print(out_, " }}\n");
}

std::string UsdaWriter::prototypeOf(std::uint32_t surface, const Look& look) {
    const auto [entry, isNew] =
        prototypes_.try_emplace({surface, look.albedo.x, look.albedo.y, look.albedo.z, look.gloss, look.material}, "");
    if (isNew) {
        entry->second = fmt::format("_surface_{}_{}", surface, prototypes_.size());
        writePrototype(surface, look, entry->second);
    }
    return entry->second;
}

void UsdaWriter::writeBody(std::uint32_t track, const std::string& prototype) {
    const RecordedTrack& recorded = recording_.tracks()[track];
    const scene::TrackMotion& motion = motions_.tracks[track];
    print(out_, "    def Xform \"{}_{}\"\n    {{\n", scene::plainName(recorded.def.name), track);
    if (recorded.def.parent != kNoTrack)
        print(out_, "        custom int sunder:parentTrack = {}\n", recorded.def.parent);
    const auto place = [&](const Pose& p) {
        return fmt::format("({:.9g}, {:.9g}, {:.9g})", p.position.x, p.position.y, p.position.z);
    };
    // USD writes the scalar of a quaternion first.
    const auto turn = [&](const Pose& p) {
        const Quat& q = p.orientation;
        return fmt::format("({:.8g}, {:.8g}, {:.8g}, {:.8g})", q.w, q.x, q.y, q.z);
    };
    if (motion.moves()) {
        print(out_, "        double3 xformOp:translate.timeSamples = {{");
        for (std::size_t i = 0; i < motion.poses.size(); ++i)
            print(out_, " {}: {},", timeCode(motion.firstFrame + int(i)), place(motion.poses[i]));
        print(out_, " }}\n        quatf xformOp:orient.timeSamples = {{");
        for (std::size_t i = 0; i < motion.poses.size(); ++i)
            print(out_, " {}: {},", timeCode(motion.firstFrame + int(i)), turn(motion.poses[i]));
        print(out_, " }}\n");
    } else {
        print(out_, "        double3 xformOp:translate = {}\n        quatf xformOp:orient = {}\n", place(motion.poses[0]),
              turn(motion.poses[0]));
    }
    print(out_, "        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n");
    writeVisibility(recorded.firstFrame, recorded.endFrame);
    const std::vector<scene::ShapeStretch>& shapes = motions_.shapes[track];
    for (std::size_t i = 0; i < shapes.size(); ++i)
        writeStretch(shapes[i], motions_.looks[track], i);
    if (shapes.empty())
        print(out_, "        def \"surface\" (prepend references = </World/{}>)\n        {{\n        }}\n", prototype);
    print(out_, "    }}\n");
    flush();
}

// Bodies that broke are in a group with their pieces. Prototypes come first, as they stand beside the groups.
void UsdaWriter::writeBodies() {
    const std::span<const RecordedTrack> tracks = recording_.tracks();
    std::vector<std::string> prototypes(tracks.size());
    const auto isThere = [&](std::uint32_t track) { return !motions_.tracks[track].poses.empty(); };
    for (std::uint32_t track = 0; track < tracks.size(); ++track)
        if (isThere(track) && motions_.shapes[track].empty())
            prototypes[track] = prototypeOf(tracks[track].def.surface, motions_.looks[track]);
    std::vector<bool> isGrouped(tracks.size());
    for (const auto& [source, members] : scene::piecesBySource(recording_)) {
        print(out_, "    def Xform \"{}_{}_and_pieces\"\n    {{\n", scene::plainName(tracks[source].def.name), source);
        for (const std::uint32_t track : members) {
            isGrouped[track] = true;
            if (isThere(track))
                writeBody(track, prototypes[track]);
        }
        print(out_, "    }}\n");
    }
    for (std::uint32_t track = 0; track < tracks.size(); ++track)
        if (!isGrouped[track] && isThere(track))
            writeBody(track, prototypes[track]);
}

// USD's cameras look along -z; only the ratio of focal length and aperture counts.
void UsdaWriter::writeCamera() {
    constexpr double kFocalLength = 50, kAspect = 16.0 / 9;
    const Camera camera = recording_.info().camera ? *recording_.info().camera : frameBodies(recording_);
    const render::View view = render::makeView(camera, Real(kAspect));
    const Vec3 back = -view.forward;
    const Quat q =
        toQuat({{view.right.x, view.up.x, back.x}, {view.right.y, view.up.y, back.y}, {view.right.z, view.up.z, back.z}});
    const double height = 2 * kFocalLength * double(view.tanHalfHeight);
    const double distance = double(length(camera.target - camera.position));
    print(out_,
          "    def Camera \"Camera\"\n    {{\n        float focalLength = {}\n        float verticalAperture = {:.7g}\n"
          "        float horizontalAperture = {:.7g}\n        float2 clippingRange = ({:.7g}, {:.7g})\n"
          "        double3 xformOp:translate = ({:.9g}, {:.9g}, {:.9g})\n"
          "        quatf xformOp:orient = ({:.8g}, {:.8g}, {:.8g}, {:.8g})\n"
          "        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n    }}\n",
          kFocalLength, height, kAspect * height, 0.01 * distance, 100 * distance, view.position.x, view.position.y,
          view.position.z, q.w, q.x, q.y, q.z);
}

void UsdaWriter::write() {
    const RecordingInfo& info = recording_.info();
    print(out_,
          "#usda 1.0\n(\n    defaultPrim = \"World\"\n    doc = \"Made by Sunder {}\"\n    metersPerUnit = 1\n    upAxis = "
          "\"Y\"\n"
          "    startTimeCode = {}\n    endTimeCode = {}\n    timeCodesPerSecond = {:g}\n    framesPerSecond = {:g}\n"
          "    customLayerData = {{ dictionary cameraSettings = {{ string boundCamera = \"/World/Camera\" }} }}\n)\n\n"
          "def Xform \"World\"\n{{\n",
          SUNDER_VERSION, timeCode(0), timeCode(recording_.frameCount() - 1), info.frameRate, info.frameRate);
    writeBodies();
    writeCamera();
    materials_.write(out_);
    print(out_, "}}\n");
    flush();
}

}  // namespace

bool writeUsda(Recording& recording, const std::filesystem::path& path, const ExportProgress& progress) {
    OutputFile file(path);
    const scene::Motions motions = scene::gatherMotions(recording, progress);
    if (!motions.finished)
        return false;
    UsdaWriter(recording, motions, file, path).write();
    file.commit();
    return true;
}

}  // namespace sunder
