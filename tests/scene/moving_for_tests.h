// A body that deforms, by formulas: a cube that waves like a cloth, tears in two and comes to rest. It stands for the
// deformable solids to come wherever recordings, exports and viewers must carry moving vertices.
#pragma once

#include <algorithm>

#include "scene/recording_for_tests.h"

namespace sunder {

// A box as a grid of n x n squares per face, each face with vertices of its own. Faces at x = `opened` were laid open.
inline void addBox(Surface& surface, std::vector<std::array<std::uint32_t, 3>>& inner, const Vec3& low, const Vec3& high, int n,
                   Real opened) {
    for (int face = 0; face < 6; ++face) {
        const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        const bool isHigh = face % 2 == 1;
        const auto first = std::uint32_t(surface.positions.size());
        for (int i = 0; i <= n; ++i)
            for (int k = 0; k <= n; ++k) {
                Vec3 p, normal;
                setComponent(p, axis, component(isHigh ? high : low, axis));
                setComponent(p, u, component(low, u) + (component(high, u) - component(low, u)) * Real(i) / Real(n));
                setComponent(p, v, component(low, v) + (component(high, v) - component(low, v)) * Real(k) / Real(n));
                setComponent(normal, axis, isHigh ? Real(1) : Real(-1));
                surface.positions.push_back(p);
                surface.normals.push_back(normal);
                surface.textureCoordinates.push_back({float(i) / float(n), float(k) / float(n)});
            }
        auto& triangles = axis == 0 && component(isHigh ? high : low, 0) == opened ? inner : surface.triangles;
        const auto at = [&](int i, int k) { return first + std::uint32_t(i * (n + 1) + k); };
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < n; ++k) {
                triangles.push_back({at(i, k), at(i + 1, k), at(i + 1, k + 1)});
                triangles.push_back({at(i, k), at(i + 1, k + 1), at(i, k + 1)});
            }
        if (!isHigh)
            for (auto t = triangles.end() - 2 * n * n; t != triangles.end(); ++t)
                std::swap((*t)[1], (*t)[2]);
    }
}

// 1 m wide; torn: two halves along x = 0, with their inner faces in slot 1.
inline Surface cubeOfSquares(int n, bool torn) {
    constexpr Real kHalf = Real(0.5);
    Surface surface;
    std::vector<std::array<std::uint32_t, 3>> inner;
    if (torn) {
        addBox(surface, inner, {-kHalf, -kHalf, -kHalf}, {0, kHalf, kHalf}, n, 0);
        addBox(surface, inner, {0, -kHalf, -kHalf}, {kHalf, kHalf, kHalf}, n, 0);
    } else {
        addBox(surface, inner, {-kHalf, -kHalf, -kHalf}, {kHalf, kHalf, kHalf}, n, 100);
    }
    const auto outside = std::uint32_t(surface.triangles.size());
    surface.triangles.insert(surface.triangles.end(), inner.begin(), inner.end());
    surface.ranges = {{0, outside, 0}};
    if (!inner.empty())
        surface.ranges.push_back({outside, std::uint32_t(inner.size()), 1});
    return surface;
}

struct WavingCube {
    static constexpr int kTearFrame = 17, kStillFrame = 30;
    Surface whole, torn;

    explicit WavingCube(int n = 6) : whole(cubeOfSquares(n, false)), torn(cubeOfSquares(n, true)) {}

    const Surface& surface(int frame) const { return frame < kTearFrame ? whole : torn; }
    // Its vertices in the body's frame.
    std::vector<Vec3> positions(int frame) const {
        const int moving = std::min(frame, kStillFrame);
        const Real t = Real(moving) / 30, gap = Real(0.01) * Real(std::max(moving - kTearFrame, 0));
        std::vector<Vec3> list = surface(frame).positions;
        const std::size_t half = list.size() / 2;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const Vec3 p = list[i];
            list[i] += Vec3{std::sin(5 * p.y + 6 * t), std::cos(4 * p.z + 5 * t), std::sin(6 * p.x - 4 * t)} * Real(0.08);
            if (frame >= kTearFrame)
                list[i].x += i < half ? -gap : gap;
        }
        return list;
    }
};

// A static floor (track 0), the cube, which also turns and moves along (1), and a rigid box (2).
struct WavingRun {
    int frames = 40;
    WavingCube cube{};

    static Pose pose(std::uint32_t track, int frame) {
        const Real t = Real(frame) / 30;
        switch (track) {
            case 0: return {{0, Real(-1.5), 0}, {}};
            case 1: return {{t, 1, Real(0.2) * t}, normalize(Quat{0, std::sin(t), 0, std::cos(t)})};
            default: return {{2, 1 - t, 0}, {}};
        }
    }

    void write(const std::filesystem::path& path, bool finish = true) const {
        RecordingInfo info;
        info.name = "waving";
        info.keyframeInterval = 10;
        info.camera = Camera{{2, 3, 5}, {0, 1, 0}, 40};
        RecordingWriter writer(path, info);
        writer.addTrack({"ground", kNoTrack, writer.addSurface(drawnShape(Box{{5, Real(0.5), 5}})), Motion::Static, 0});
        writer.addTrack({"cube", kNoTrack, writer.addMovingSurface(cube.whole), Motion::Dynamic, 1, true});
        writer.addTrack({"box", kNoTrack, writer.addSurface(drawnShape(Box{{Real(0.2), Real(0.3), Real(0.4)}}))});
        for (int frame = 0; frame < frames; ++frame) {
            if (frame == WavingCube::kTearFrame)
                writer.changeSurface(1, writer.addMovingSurface(cube.torn));
            const Pose poses[3] = {pose(0, frame), pose(1, frame), pose(2, frame)};
            const std::vector<Vec3> positions = cube.positions(frame);
            const MovingVertices moving{1, positions};
            writer.writeFrame(poses, {}, {}, std::uint64_t(frame), {&moving, 1});
        }
        if (finish)
            writer.finish();
    }
};

}  // namespace sunder
