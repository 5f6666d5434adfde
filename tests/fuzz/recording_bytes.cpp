// Any bytes as a recording, and good recordings whose contents lie under checksums that match: refused with an Error, or read
// through.
#include <filesystem>
#include <fstream>

#include "byte_source.h"
#include "scene/recording/format.h"
#include "sunder/scene/recording.h"

namespace {

using namespace sunder;

std::vector<std::byte> makeTemplate() {
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "sunder_fuzz_template.sunder";
    {
        RecordingInfo info;
        info.keyframeInterval = 3;
        info.statNames = {"frame"};
        RecordingWriter writer(path, info);
        writer.addTrack({"box", kNoTrack, writer.addSurface(drawnShape(Box{})), Motion::Dynamic, 0});
        Mesh mesh;
        mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
        writer.addTrack({"mesh", kNoTrack, writer.addSurface(drawnShape(mesh)), Motion::Static, 1});
        const Surface soft{mesh.vertices, {}, {}, mesh.triangles, {}};
        writer.addTrack({"soft", kNoTrack, writer.addMovingSurface(soft), Motion::Dynamic, 2, true});
        for (int frame = 0; frame < 7; ++frame) {
            const Pose poses[3] = {{{Real(frame), 0, 0}, {}}, {}, {}};
            if (frame == 5)
                writer.changeSurface(2, writer.addMovingSurface(soft));
            std::vector<Vec3> vertices = mesh.vertices;
            vertices[1].y += Real(0.1) * Real(frame * frame);
            const MovingVertices moving{2, vertices};
            const RecordedEvent event{RecordedEventType::Hit, 0, 1, {1, 2, 3}, {0, 1, 0}, 4, "text"};
            const double stats[1] = {double(frame)};
            writer.writeFrame(poses, {&event, 1}, stats, 5, {&moving, 1});
        }
        writer.finish();
    }
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    std::filesystem::remove(path);
    return bytes;
}

// Writes the checksums that the contents ask for.
void seal(std::vector<std::byte>& bytes) {
    for (std::size_t at = scene::kHeadBytes; at + scene::kChunkHeadBytes <= bytes.size();) {
        std::uint32_t type = 0, size = 0;
        std::memcpy(&type, bytes.data() + at, 4);
        std::memcpy(&size, bytes.data() + at + 4, 4);
        const std::size_t begin = at + scene::kChunkHeadBytes;
        if (size > bytes.size() - begin)
            return;
        const std::uint64_t sum = scene::chunkChecksum(type, std::span<const std::byte>(bytes).subspan(begin, size));
        std::memcpy(bytes.data() + at + 8, &sum, sizeof sum);
        at = begin + size;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::vector<std::byte> good = makeTemplate();
    fuzz::ByteSource source(data, size);
    std::vector<std::byte> bytes(reinterpret_cast<const std::byte*>(data), reinterpret_cast<const std::byte*>(data) + size);
    if (source.below(4) != 0) {
        bytes = good;
        source.damage(bytes);
        seal(bytes);
    }
    try {
        Recording recording = Recording::fromBytes(std::move(bytes));
        for (int frame = 0; frame < recording.frameCount(); ++frame) {
            recording.seek(frame);
            fuzz::require(recording.poses().size() == recording.living().size());
            for (const MovedSurface& moved : recording.moved())
                fuzz::require(moved.positions.size() == recording.surfaceOf(moved).normals.size());
        }
        for (int i = 0; i < recording.surfaceCount(); ++i)
            recording.surface(std::uint32_t(i));
        recording.thumbnails();
    } catch (const Error&) {
    }
    return 0;
}
