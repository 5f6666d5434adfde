// Bodies that are broken by `cut`, as artists bring them: a wall, a pane, a vase, a hollow globe, a creature of 50,000
// triangles.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "scenes/surface_check.h"
#include "sunder/world.h"

namespace sunder::scenes {

struct CutBody {
    std::string name;
    Shape shape;
    double longest;  // m: longest side
    Vec3 hit, normal;
};

// A solid of revolution about y with `sectors` sides; profile: (radius, y) from the lowest point on the axis, around, to the
// axis again.
inline Mesh revolved(const std::vector<std::array<double, 2>>& profile, int sectors) {
    Mesh mesh;
    std::vector<std::uint32_t> first;
    for (const auto& [radius, y] : profile) {
        first.push_back(std::uint32_t(mesh.vertices.size()));
        for (int i = 0; i < (radius > 0 ? sectors : 1); ++i) {
            const double angle = 2 * M_PI * i / sectors;
            mesh.vertices.push_back({Real(radius * std::cos(angle)), Real(y), Real(radius * std::sin(angle))});
        }
    }
    const auto at = [&](std::size_t ring, int i) {
        return first[ring] + (profile[ring][0] > 0 ? std::uint32_t(i % sectors) : 0);
    };
    for (std::size_t ring = 0; ring + 1 < profile.size(); ++ring)
        for (int i = 0; i < sectors; ++i) {
            const std::uint32_t a = at(ring, i), b = at(ring, i + 1), c = at(ring + 1, i + 1), d = at(ring + 1, i);
            if (a != b)
                mesh.triangles.push_back({a, c, b});
            if (c != d)
                mesh.triangles.push_back({a, d, c});
        }
    return mesh;
}

inline Mesh vase() {
    std::vector<std::array<double, 2>> profile{{0, 0}};
    const double outer[][2] = {{0.12, 0}, {0.2, 0.1}, {0.25, 0.25}, {0.24, 0.4}, {0.16, 0.55}, {0.11, 0.65}, {0.14, 0.75}};
    const double inner[][2] = {{0.11, 0.75}, {0.08, 0.65}, {0.13, 0.55}, {0.21, 0.4}, {0.22, 0.25}, {0.17, 0.12}, {0.09, 0.04}};
    for (const auto& [r, y] : outer)
        profile.push_back({r, y});
    for (const auto& [r, y] : inner)
        profile.push_back({r, y});
    profile.push_back({0, 0.04});
    return revolved(profile, 40);
}

inline Mesh globe() {
    Mesh mesh;
    for (const double radius : {0.5, 0.42}) {
        std::vector<std::array<double, 2>> profile;
        const int arcs = 24;
        for (int i = 0; i <= arcs; ++i) {
            const double angle = M_PI * (double(i) / arcs - 0.5);
            profile.push_back({i == 0 || i == arcs ? 0 : radius * std::cos(angle), radius * std::sin(angle)});
        }
        Mesh part = revolved(profile, 48);
        const std::uint32_t first = std::uint32_t(mesh.vertices.size());
        mesh.vertices.insert(mesh.vertices.end(), part.vertices.begin(), part.vertices.end());
        for (auto [a, b, c] : part.triangles)
            mesh.triangles.push_back(radius < 0.5 ? std::array{first + a, first + c, first + b}
                                                  : std::array{first + a, first + b, first + c});
    }
    return mesh;
}

// A ball with limbs and scales, in n^2 quads on each side of a cube.
inline Mesh creature(int n) {
    Mesh mesh;
    std::map<std::array<int, 3>, std::uint32_t> known;
    const double limbs[][3] = {{0.8, 0.5, 0.2},   {-0.8, 0.5, 0.2}, {0.5, -0.8, 0.1},
                               {-0.5, -0.8, 0.1}, {0, 0.9, 0.4},    {0, -0.3, -0.95}};
    const auto vertex = [&](std::array<int, 3> key) {
        const auto [it, isNew] = known.try_emplace(key, std::uint32_t(mesh.vertices.size()));
        if (!isNew)
            return it->second;
        const auto bend = [&](int v) { return std::tan((2.0 * v / n - 1) * M_PI / 4); };
        double x = bend(key[0]), y = bend(key[1]), z = bend(key[2]);
        const double size = std::sqrt(x * x + y * y + z * z);
        x /= size, y /= size, z /= size;
        double radius = 0.25;
        for (const auto& limb : limbs) {
            const double s = std::sqrt(limb[0] * limb[0] + limb[1] * limb[1] + limb[2] * limb[2]);
            const double along = (x * limb[0] + y * limb[1] + z * limb[2]) / s;
            radius += 0.35 * std::exp(-14 * (1 - along));
        }
        radius += 0.006 * std::sin(40 * x) * std::sin(40 * y + 1) * std::sin(40 * z + 2);
        mesh.vertices.push_back({Real(radius * x), Real(radius * y), Real(radius * z)});
        return it->second;
    };
    for (int axis = 0; axis < 3; ++axis)
        for (const bool high : {false, true})
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    const auto at = [&](int u, int v) {
                        std::array<int, 3> key{};
                        key[std::size_t(axis)] = high ? n : 0;
                        key[std::size_t((axis + 1) % 3)] = u;
                        key[std::size_t((axis + 2) % 3)] = v;
                        return vertex(key);
                    };
                    const std::uint32_t a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
                    mesh.triangles.push_back(high ? std::array{a, b, c} : std::array{a, c, b});
                    mesh.triangles.push_back(high ? std::array{a, c, d} : std::array{a, d, c});
                }
    return mesh;
}

inline std::vector<CutBody> cutFamily() {
    std::vector<CutBody> all;
    all.push_back({"wall", Box{{Real(2.25), Real(1.5), Real(0.13)}}, 4.5, {Real(0.3), Real(0.2), Real(0.13)}, {0, 0, 1}});
    all.push_back({"pane", Box{{Real(0.6), Real(0.5), Real(0.02)}}, 1.2, {Real(-0.1), Real(0.05), Real(0.02)}, {0, 0, 1}});
    all.push_back({"vase", vase(), 0.75, {0, Real(0.3), Real(0.25)}, {0, 0, 1}});
    all.push_back({"globe", globe(), 1, {Real(0.5), 0, 0}, {1, 0, 0}});
    all.push_back({"creature", creature(65), 1.2, {0, Real(0.1), Real(0.4)}, {0, 0, 1}});
    return all;
}

struct CutOutcome {
    int pieces = 0, drawnByGrid = 0;  // drawnByGrid: pieces with no part of the body's own surface, or no crack
    double volumeError = 0, areaError = 0;
    double milliseconds = 0;
    SurfaceFaults faults;
};

// Breaks the body in the air and looks at the drawn surfaces of its pieces. nodes: along the longest side.
inline CutOutcome cutBody(const CutBody& body, const SharedPattern& pattern, int nodes) {
    WorldDef def;
    def.gravity = {};
    def.threads = 1;
    World world(def);
    FractureDef fracture;
    fracture.method = Prescored{.pattern = pattern};
    fracture.threshold = Real(1e6);
    fracture.surface = FractureSurface::Cut;
    const double cell = body.longest / (nodes - 3);
    LevelSet solid;
    solid.parts.push_back({body.shape, {}, {}});
    solid.cell = Real(cell);
    solid.keepSurface = true;
    const BodyId whole = world.addBody({.shape = solid, .fracture = fracture});
    const DrawnSurface surface = world.surface(whole);
    world.breakBody(whole, body.hit, body.normal, 0);
    world.step(Real(1) / 60);
    SurfaceChecker checker(surface, cell);
    CutOutcome outcome;
    outcome.milliseconds = world.stats().stepMs;
    for (const BodyId piece : world.bodies()) {
        const DrawnSurface drawn = world.surface(piece);
        ++outcome.pieces;
        const auto at = world.position(piece);
        checker.add(drawn, {Real(at.x), Real(at.y), Real(at.z)});
    }
    outcome.faults = checker.faults();
    outcome.volumeError = std::fabs(outcome.faults.volume / volumeOf(surface) - 1);
    outcome.areaError = std::fabs(outcome.faults.oldArea / areaOf(surface) - 1);
    return outcome;
}

}  // namespace sunder::scenes
