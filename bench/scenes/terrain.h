// Bodies on a hilly triangle mesh: what falls and rolls on it, long compounds (trees), and what slides over it fast.
#pragma once

#include <algorithm>
#include <array>

#include "scenes/piles.h"

namespace sunder::scenes {

// Hills of a few waves in a shallow bowl, the same for every size of triangle.
struct Terrain {
    double cell = 1;       // m: the side of its right triangles
    int side = 316;        // cells along each edge: 2 side^2 triangles
    double amplitude = 1;  // m, of each wave
    double length = 25;    // m, of the longest wave
    std::uint64_t seed = 1;

    double half() const { return cell * side / 2; }
    double height(double x, double z) const {
        Random random(seed);
        double y = 0, scale = 1;
        for (int wave = 0; wave < 4; ++wave, scale *= 0.6) {
            const double angle = random.between(0, 2 * kPi), phase = random.between(0, 2 * kPi), k = 2 * kPi / (length * scale);
            y += amplitude * scale * std::sin(k * (x * std::cos(angle) + z * std::sin(angle)) + phase);
        }
        return y;
    }
    // Of the triangle at this place, which cuts off the tops of waves.
    double surface(double x, double z) const {
        const double column = std::floor((x + half()) / cell), line = std::floor((z + half()) / cell);
        const double x0 = column * cell - half(), z0 = line * cell - half(), u = (x - x0) / cell, v = (z - z0) / cell;
        const double b = height(x0 + cell, z0), c = height(x0, z0 + cell);
        if (u + v <= 1) {
            const double a = height(x0, z0);
            return a + (b - a) * u + (c - a) * v;
        }
        const double d = height(x0 + cell, z0 + cell);
        return d + (c - d) * (1 - u) + (b - d) * (1 - v);
    }
    Mesh mesh() const {
        Mesh result;
        const std::uint32_t row = std::uint32_t(side) + 1;
        for (int j = 0; j <= side; ++j)
            for (int i = 0; i <= side; ++i) {
                const double x = i * cell - half(), z = j * cell - half();
                result.vertices.push_back(vec(x, height(x, z), z));
            }
        for (std::uint32_t j = 0; j + 1 < row; ++j)
            for (std::uint32_t i = 0; i + 1 < row; ++i) {
                const std::uint32_t a = j * row + i, b = a + 1, c = a + row, d = c + 1;
                result.triangles.push_back({a, c, b});
                result.triangles.push_back({b, c, d});
            }
        return result;
    }
};

enum class Faller { Sphere, Box, Capsule, Hull, Tree, Any };

// A trunk of capsules, thinner towards its top, and boxes for branches.
inline Compound tree(double height) {
    Compound result;
    constexpr int kSections = 6, kBranches = 8;
    for (int i = 0; i < kSections; ++i) {
        const double part = height / kSections, radius = height / 60 * (1 - 0.1 * i);
        result.children.push_back({Capsule{Real(radius), Real(part / 2)}, vec(0, (i + 0.5) * part - height / 2, 0), {}});
    }
    for (int i = 0; i < kBranches; ++i) {
        const double reach = height / 10, angle = 2.4 * i;
        const Quat turn = turnAbout(0, 1, 0, angle);
        result.children.push_back({Box{vec(reach, height / 150, height / 150)},
                                   vec(reach * std::cos(angle), height * (0.1 + 0.045 * i), -reach * std::sin(angle)), turn});
    }
    return result;
}

// size: the radius of a ball about it, of a tree half its height (m).
inline Shape fallerShape(Faller kind, double size, Random& random) {
    constexpr Faller kAny[] = {Faller::Sphere, Faller::Box, Faller::Capsule, Faller::Hull};
    constexpr double kEdge = 0.57735;  // of a cube's half side, of the ball about it
    switch (kind == Faller::Any ? kAny[random.bits() % 4] : kind) {
        case Faller::Sphere: return Sphere{Real(size)};
        case Faller::Capsule: return Capsule{Real(size * 0.5), Real(size * 0.5)};
        case Faller::Hull: return randomHull(12, size, random);
        case Faller::Tree: return tree(2 * size);
        default: return Box{vec(size * kEdge, size * kEdge, size * kEdge)};
    }
}

struct TerrainScene {
    World world;
    Terrain terrain;
    BodyId ground;
    std::vector<BodyId> moving;

    // Of the body's centre above the ground; far below it where the body has gone under.
    double heightAbove(BodyId body) const {
        const Vec3 p = world.centerOfMass(body);
        return double(p.y) - terrain.surface(double(p.x), double(p.z));
    }
    bool isOver(BodyId body) const {
        const Vec3 p = world.centerOfMass(body);
        return std::max(std::fabs(double(p.x)), std::fabs(double(p.z))) < terrain.half();
    }
};

struct Fallers {
    Faller kind = Faller::Any;
    int count = 50;
    double size = 0.5;                 // m
    double lowest = 0.5, highest = 5;  // m: of the lowest point above the ground
    double slowest = 0, fastest = 60;  // m/s, along the ground
    double within = 30;                // m from the middle
    std::uint64_t seed = 1;
    Material material{};
};

inline TerrainScene terrainScene(const WorldDef& def, const Terrain& terrain, const Fallers& fallers) {
    TerrainScene scene{World(def), terrain, {}, {}};
    scene.ground = scene.world.addBody({.shape = terrain.mesh(), .motion = Motion::Static, .material = fallers.material});
    Random random(fallers.seed);
    for (int i = 0; i < fallers.count; ++i) {
        const double x = random.between(-fallers.within, fallers.within), z = random.between(-fallers.within, fallers.within);
        const double y = terrain.height(x, z) + fallers.size + random.between(fallers.lowest, fallers.highest);
        const double angle = random.between(0, 2 * kPi), speed = random.between(fallers.slowest, fallers.fastest);
        scene.moving.push_back(scene.world.addBody({.shape = fallerShape(fallers.kind, fallers.size, random),
                                                    .position = vec(x, y, z),
                                                    .orientation = random.rotation(),
                                                    .velocity = vec(speed * std::cos(angle), 0, speed * std::sin(angle)),
                                                    .material = fallers.material}));
    }
    return scene;
}

}  // namespace sunder::scenes
