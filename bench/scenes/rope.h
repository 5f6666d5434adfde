// The scene parker09_rope: a rope of tetrahedra that a spool winds up, layer on layer.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <vector>

#include "math/quat.h"
#include "sunder/sunder.h"

namespace sunder::scenes {

struct RopeOptions {
    int segments = 200;
    Real turnSpeed = Real(0.6);  // rad/s
    bool touchesItself = true;
    int threads = 2;
};

class RopeOnSpool {
public:
    static constexpr Real kThickness = Real(0.05);  // m: of the rope, and the length of a segment
    static constexpr Real kRadius = Real(0.3);      // m: of the spool

    explicit RopeOnSpool(const RopeOptions& options) : world(settingsOf(options)), segments_(options.segments) {
        world.addBody({.shape = Box{{20, Real(0.5), 20}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
        const auto addTurning = [&](const char* name, Real radius, Real halfWidth, Real z) {
            BodyDef def;
            def.name = name;
            def.shape = Cylinder{radius, halfWidth};
            def.motion = Motion::Kinematic;
            def.position = {0, 1, z};
            def.orientation = {Real(0.7071068), 0, 0, Real(0.7071068)};
            def.angularVelocity = {0, 0, options.turnSpeed};
            world.addBody(def);
        };
        addTurning("spool", kRadius, Real(0.1), 0);
        addTurning("front", Real(0.6), Real(0.02), Real(0.1));
        addTurning("back", Real(0.6), Real(0.02), Real(-0.1));
        BodyDef def;
        def.name = "rope";
        const Real half = kThickness / 2, halfLength = half * Real(options.segments);
        def.shape = Box{{halfLength, half, half}};
        def.position = {halfLength - Real(0.1), 1 + kRadius + half, 0};
        def.material.density = 900;
        def.material.friction = Real(0.5);
        def.material.young = Real(5e6);
        def.material.poisson = Real(0.3);
        def.deformable = DeformableDef{.cell = kThickness};
        def.deformable->selfCollision = options.touchesItself;
        def.deformable->attached = {{"spool", {-halfLength - 1, -1, -1}, {-halfLength + Real(0.07), 1, 1}}};
        rope = world.addBody(def);
        sortNodes(halfLength);
    }

    // m: between middles of segments that are not neighbours; a rope that goes through itself has 0, one that lies on itself
    // its thickness.
    double nearest() const {
        const std::vector<Vec3> middles = middlesOf();
        double least = 1e9;
        constexpr std::size_t kApart = 5;
        for (std::size_t i = 0; i + 1 < middles.size(); ++i)
            for (std::size_t j = i + kApart; j + 1 < middles.size(); ++j)
                least = std::min(least, between(middles[i], middles[i + 1], middles[j], middles[j + 1]));
        return least;
    }

    // Tetrahedra whose volume is not above 0.
    int inverted() const {
        int count = 0;
        const auto positions = world.vertices(rope)->positions;
        // The cells of five tetrahedra that fill a box (deformable/element/box_of_tets.cpp); corners by their bits x, y, z.
        static constexpr int kEven[5][4] = {{0, 1, 2, 4}, {3, 1, 7, 2}, {5, 1, 4, 7}, {6, 2, 7, 4}, {1, 2, 4, 7}};
        for (std::size_t cell = 0; cell + 1 < sections_.size(); ++cell)
            for (const auto& corners : kEven) {
                Vec3 now[4], rest[4];
                for (int k = 0; k < 4; ++k) {
                    const int corner = corners[k] ^ int(cell % 2);
                    const std::uint32_t node = sections_[cell + std::size_t(corner & 1)][std::size_t(corner >> 1)];
                    now[k] = positions[node];
                    rest[k] = rest_[node];
                }
                count += volumeOf(now) * volumeOf(rest) <= 0;
            }
        return count;
    }

    // rad: how far around the spool's axis the rope lies, from its held end to the last section that is on the spool.
    double wound() const {
        const std::vector<Vec3> middles = middlesOf();
        double angle = 0;
        for (std::size_t i = 1; i < middles.size(); ++i) {
            const double x = double(middles[i].x), y = double(middles[i].y) - 1;
            const double px = double(middles[i - 1].x), py = double(middles[i - 1].y) - 1;
            if (std::sqrt(x * x + y * y) > 0.62)
                break;
            angle += std::fabs(std::atan2(px * y - py * x, px * x + py * y));
        }
        return angle;
    }

    World world;
    BodyId rope;

private:
    static WorldDef settingsOf(const RopeOptions& options) {
        WorldDef def;
        def.threads = options.threads;
        return def;
    }

    void sortNodes(Real halfLength) {
        const auto positions = world.vertices(rope)->positions;
        rest_.assign(positions.begin(), positions.end());
        sections_.resize(std::size_t(segments_) + 1);
        for (std::uint32_t i = 0; i < rest_.size(); ++i) {
            const auto section = std::size_t(std::lround(double((rest_[i].x + halfLength) / kThickness)));
            sections_[section][std::size_t((rest_[i].y > 0) + 2 * (rest_[i].z > 0))] = i;
        }
    }

    std::vector<Vec3> middlesOf() const {
        const auto positions = world.vertices(rope)->positions;
        std::vector<Vec3> middles;
        for (const auto& section : sections_) {
            Vec3 sum;
            for (const std::uint32_t node : section)
                sum += positions[node];
            middles.push_back(world.position(rope) + rotate(world.orientation(rope), sum / 4));
        }
        return middles;
    }

    static double volumeOf(const Vec3 (&p)[4]) { return double(dot(cross(p[1] - p[0], p[2] - p[0]), p[3] - p[0])); }

    // Between two pieces of lines.
    static double between(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
        const Vec3 u = b - a, v = d - c, w = a - c;
        const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
        const double det = uu * vv - uv * uv;
        double s = det > 1e-12 ? std::clamp((uv * vw - vv * uw) / det, 0.0, 1.0) : 0.0;
        const double t = std::clamp((uv * s + vw) / vv, 0.0, 1.0);
        s = std::clamp((uv * t - uw) / uu, 0.0, 1.0);
        return double(length(w + u * Real(s) - v * Real(t)));
    }

    int segments_;
    std::vector<std::array<std::uint32_t, 4>> sections_;  // nodes, by y and z
    std::vector<Vec3> rest_;
};

struct RopeOutcome {
    double nearest = 1e9;  // m: least in any step that was looked at
    int inverted = 0;      // most in any of them
    double turns = 0;      // of the rope around the spool, most
    double worstMs = 0, meanMs = 0;
    bool isFinite = true;
};

inline RopeOutcome windRope(const RopeOptions& options, double seconds, int rate = 60) {
    RopeOnSpool scene(options);
    RopeOutcome outcome;
    const int steps = int(seconds * rate);
    constexpr int kLook = 10;  // steps between looks
    for (int i = 1; i <= steps; ++i) {
        const auto start = std::chrono::steady_clock::now();
        scene.world.step(Real(1) / Real(rate));
        const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        outcome.worstMs = std::max(outcome.worstMs, ms);
        outcome.meanMs += ms / steps;
        outcome.isFinite = outcome.isFinite && scene.world.errorEvents().empty();
        if (i % kLook != 0 && i != steps)
            continue;
        outcome.nearest = std::min(outcome.nearest, scene.nearest());
        outcome.turns = std::max(outcome.turns, scene.wound() / 6.283185307);
        outcome.inverted = std::max(outcome.inverted, scene.inverted());
    }
    return outcome;
}

}  // namespace sunder::scenes
