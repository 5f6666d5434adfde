// Recordings of bodies that follow formulas, so that what comes out can be compared with what went in.
#pragma once

#include <cmath>
#include <cstring>
#include <vector>

#include "math/quat.h"
#include "scene/temporary_folder.h"
#include "sunder/scene/recording.h"

namespace sunder {

// A closed surface with two slots: an octahedron whose lower half was laid open by a fracture.
inline Surface brokenOctahedron() {
    Surface surface;
    const Vec3 corners[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const int triangles[8][3] = {{0, 2, 4}, {2, 1, 4}, {2, 0, 5}, {1, 2, 5}, {1, 3, 4}, {3, 0, 4}, {3, 1, 5}, {0, 3, 5}};
    for (const auto& triangle : triangles) {
        const Vec3 a = corners[triangle[0]], b = corners[triangle[1]], c = corners[triangle[2]];
        const auto first = std::uint32_t(surface.positions.size());
        for (const Vec3& p : {a, b, c}) {
            surface.positions.push_back(p * Real(0.3));
            surface.normals.push_back(normalizeOr(cross(b - a, c - a), {0, 1, 0}));
            surface.textureCoordinates.push_back({float(p.x), float(p.z)});
        }
        surface.triangles.push_back({first, first + 1, first + 2});
    }
    surface.ranges = {{0, 4, 0}, {4, 4, 1}};
    return surface;
}

// A static floor (track 0), a falling, turning box (1), and a ball (2) that breaks at frame kBreakFrame into two pieces (3, 4);
// of these the second vanishes at frame kVanishFrame.
struct FormulaRun {
    static constexpr int kBreakFrame = 13, kVanishFrame = 27;
    int frames = 40;

    static Pose pose(std::uint32_t track, int frame) {
        const Real t = Real(frame) / 30;
        switch (track) {
            case 0: return {{0, Real(-0.5), 0}, {}};
            case 1:
                return {{Real(0.3) + 2 * t, 3 - Real(4.905) * t * t, t},
                        normalize(Quat{std::sin(2 * t), Real(0.2), std::sin(t), std::cos(2 * t)})};
            case 2: return {{-1, 1, 0}, {}};  // does not move
            default:
                return {{-1 + Real(track) * t, 1 + t, -t},
                        normalize(Quat{0, std::sin(Real(track) * 3 * t), 0, std::cos(Real(track) * 3 * t)})};
        }
    }
    static bool isThere(std::uint32_t track, int frame) {
        switch (track) {
            case 2: return frame < kBreakFrame;
            case 3: return frame >= kBreakFrame;
            case 4: return frame >= kBreakFrame && frame < kVanishFrame;
            default: return true;
        }
    }

    void write(const std::filesystem::path& path, bool finish = true) const {
        RecordingInfo info;
        info.name = "formula";
        info.keyframeInterval = 10;
        info.statNames = {"frame", "kinetic_energy", "contacts"};
        info.camera = Camera{{2, 3, 8}, {0, 1, 0}, 40};
        info.command = "sunder run formula";
        info.settings = "{\"sunder\": 1}";
        RecordingWriter writer(path, info);
        const std::uint32_t floor = writer.addSurface(drawnShape(Box{{10, Real(0.5), 10}}));
        const std::uint32_t box = writer.addSurface(drawnShape(Box{{Real(0.2), Real(0.3), Real(0.4)}}));
        const std::uint32_t ball = writer.addSurface(drawnShape(Sphere{Real(0.5)}));
        writer.addTrack({"ground", kNoTrack, floor, Motion::Static, 0});
        writer.addTrack({"box", kNoTrack, box, Motion::Dynamic, 1});
        writer.addTrack({"ball", kNoTrack, ball, Motion::Dynamic, 2});
        for (int frame = 0; frame < frames; ++frame) {
            std::vector<RecordedEvent> events;
            if (frame == kBreakFrame) {
                const std::uint32_t piece = writer.addSurface({{{{}, brokenOctahedron()}}});
                writer.endTrack(2);
                writer.addTrack({"ball piece", 2, piece, Motion::Dynamic, 3});
                writer.addTrack({"ball piece", 2, piece, Motion::Dynamic, 4});
                events.push_back({RecordedEventType::Break, 2, kNoTrack, {-1, 1, 0}, {0, 1, 0}, 7, "broke"});
            }
            if (frame == kVanishFrame)
                writer.endTrack(4);
            std::vector<Pose> poses;
            for (std::uint32_t track = 0; track < 5; ++track)
                if (isThere(track, frame))
                    poses.push_back(pose(track, frame));
            const double stats[3] = {double(frame), 100.0 / (frame + 1), std::floor(frame / 3.0)};
            writer.writeFrame(poses, events, stats, std::uint64_t(frame) * 77);
        }
        writer.addThumbnail(20, "not really a picture");
        if (finish)
            writer.finish();
    }
};

inline std::vector<std::byte> bytesOf(const std::filesystem::path& file) {
    const std::string text = contentsOf(file);
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

inline double angleBetween(const Quat& a, const Quat& b) { return double(length(rotationVectorBetween(a, b))); }

}  // namespace sunder
