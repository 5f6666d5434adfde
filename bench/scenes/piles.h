// Many bodies that fall into a pit: boxes that spin (S2), hulls (S4), thin plates, and a mixture of all convex shapes in a
// mesh.
#pragma once

#include <algorithm>

#include "scenes/parts.h"

namespace sunder::scenes {

// Boxes on a grid above a pit. S2t as it stands; S2w is 20 x 20 x 20 over 14 m; the deep pile 80 layers without spin.
struct BoxPile {
    int side = 10, layers = 10;
    double pitWidth = 7;  // m, inside
    double spin = 3;      // rad/s, largest of each component
    std::uint64_t seed = 1;
};

inline BoxScene boxPile(const WorldDef& def, const BoxPile& pile, const Material& material = {}) {
    constexpr double kSpacing = 0.6, kHalf = 0.25, kSizeJitter = 0.05, kPlaceJitter = 0.02;
    constexpr double kLowestPit = 30, kRim = 2;
    BoxScene scene(def);
    addPit(scene, pile.pitWidth, std::max(kLowestPit, pile.layers * kSpacing + kRim), material);
    Random random(pile.seed);
    for (int y = 0; y < pile.layers; ++y)
        for (int z = 0; z < pile.side; ++z)
            for (int x = 0; x < pile.side; ++x) {
                const auto halfExtent = [&] { return kHalf * random.between(1 - kSizeJitter, 1 + kSizeJitter); };
                const auto place = [&](int i) {
                    return (i - (pile.side - 1) * 0.5) * kSpacing + random.between(-kPlaceJitter, kPlaceJitter);
                };
                const double hx = halfExtent(), hy = halfExtent(), hz = halfExtent();
                const double px = place(x), pz = place(z);
                scene.add(vec(hx, hy, hz), {.position = vec(px, 0.5 + kSpacing * y, pz),
                                            .angularVelocity = random.inBox(pile.spin),
                                            .material = material});
            }
    return scene;
}

inline BoxScene boxPile(const WorldDef& def, int side, double pitWidth, const Material& material = {}) {
    return boxPile(def, BoxPile{.side = side, .layers = side, .pitWidth = pitWidth}, material);
}

inline Hull randomHull(int points, double radius, Random& random) {
    Hull hull;
    while (int(hull.points.size()) < points) {
        const Vec3 p = random.inBox(1);
        const double n = std::sqrt(double(p.x * p.x + p.y * p.y + p.z * p.z));
        if (n < 1 && n > 0.1)
            hull.points.push_back(vec(p.x / n * radius, p.y / n * radius, p.z / n * radius));
    }
    return hull;
}

// How far a world's bodies are from rest.
struct Unrest {
    double energy = 0;   // J, kinetic, mean of a body
    double fastest = 0;  // m/s, of any body, or of its surface 15 cm from its centre
};

inline Unrest unrestOf(const World& world) {
    constexpr double kArm = 0.15;  // m
    const auto size = [](const Vec3& v) { return std::sqrt(double(v.x * v.x + v.y * v.y + v.z * v.z)); };
    Unrest unrest;
    int count = 0;
    for (const BodyId id : world.bodies())
        if (world.motion(id) == Motion::Dynamic) {
            unrest.fastest = std::max({unrest.fastest, size(world.velocity(id)), kArm * size(world.angularVelocity(id))});
            ++count;
        }
    unrest.energy = world.stats().kineticEnergy / std::max(count, 1);
    return unrest;
}

// S4: each hull is another one. The scene's records are of the pit alone.
inline BoxScene hullPile(const WorldDef& def, int side, int layers, double pitWidth, int points = 12, std::uint64_t seed = 4) {
    constexpr double kSpacing = 0.65, kRadius = 0.3;
    BoxScene scene(def);
    addPit(scene, pitWidth, 30);
    Random random(seed);
    for (int y = 0; y < layers; ++y)
        for (int z = 0; z < side; ++z)
            for (int x = 0; x < side; ++x)
                scene.world.addBody({.shape = randomHull(points, kRadius, random),
                                     .position = vec((x - (side - 1) * 0.5) * kSpacing, 0.5 + kSpacing * y,
                                                     (z - (side - 1) * 0.5) * kSpacing)});
    return scene;
}

inline BoxScene platePile(const WorldDef& def, int side, int layers, const Material& material) {
    constexpr double kSpacing = 0.8, kSpin = 10;
    const Vec3 halfExtents = vec(0.25, 0.015, 0.25);
    BoxScene scene(def);
    addPit(scene, kSpacing * side + 0.4, 30, material);
    Random random(2);
    for (int y = 0; y < layers; ++y)
        for (int z = 0; z < side; ++z)
            for (int x = 0; x < side; ++x) {
                const Vec3 position =
                    vec((x - (side - 1) * 0.5) * kSpacing, 0.5 + kSpacing * y, (z - (side - 1) * 0.5) * kSpacing);
                const Quat orientation = random.rotation();
                scene.add(halfExtents, {.position = position,
                                        .orientation = orientation,
                                        .angularVelocity = random.inBox(kSpin),
                                        .material = material});
            }
    return scene;
}

// The inner faces of a pit: a floor at y = 0 and four walls, each a grid of square cells in two triangles.
inline Mesh meshPit(double innerWidth, double height, double cell) {
    Mesh mesh;
    const auto addGrid = [&](const Vec3& corner, const Vec3& u, const Vec3& v, int nu, int nv) {  // faces u x v
        const std::uint32_t first = std::uint32_t(mesh.vertices.size());
        for (int j = 0; j <= nv; ++j)
            for (int i = 0; i <= nu; ++i) {
                const double a = double(i) / nu, b = double(j) / nv;
                mesh.vertices.push_back(
                    vec(corner.x + a * u.x + b * v.x, corner.y + a * u.y + b * v.y, corner.z + a * u.z + b * v.z));
            }
        for (int j = 0; j < nv; ++j)
            for (int i = 0; i < nu; ++i) {
                const std::uint32_t at = first + std::uint32_t(j * (nu + 1) + i), above = at + std::uint32_t(nu + 1);
                mesh.triangles.push_back({at, at + 1, above + 1});
                mesh.triangles.push_back({at, above + 1, above});
            }
    };
    const double r = innerWidth / 2;
    const int across = int(std::ceil(innerWidth / cell)), up = int(std::ceil(height / cell));
    addGrid(vec(-r, 0, -r), vec(0, 0, innerWidth), vec(innerWidth, 0, 0), across, across);
    addGrid(vec(-r, 0, -r), vec(0, height, 0), vec(0, 0, innerWidth), up, across);
    addGrid(vec(r, 0, -r), vec(0, 0, innerWidth), vec(0, height, 0), across, up);
    addGrid(vec(-r, 0, -r), vec(innerWidth, 0, 0), vec(0, height, 0), across, up);
    addGrid(vec(-r, 0, r), vec(0, height, 0), vec(innerWidth, 0, 0), up, across);
    return mesh;
}

struct MixedPile {
    World world;
    std::vector<BodyId> pieces;
    std::vector<Shape> shapes;  // of the pieces
};

constexpr double kMixedPitWidth = 7;

inline Shape mixedShape(int kind, double size, Random& random) {
    switch (kind) {
        case 0: return Sphere{Real(0.26 * size)};
        case 1: return Capsule{Real(0.15 * size), Real(0.12 * size)};
        case 2: return Cylinder{Real(0.2 * size), Real(0.18 * size)};
        case 3: return randomHull(14, 0.28 * size, random);
        default:
            return Compound{{{.shape = Box{vec(0.26 * size, 0.07 * size, 0.07 * size)}},
                             {.shape = Box{vec(0.07 * size, 0.17 * size, 0.07 * size)}, .position = vec(0, -0.1 * size, 0)}}};
    }
}

inline MixedPile mixedPile(const WorldDef& def, int side, int layers) {
    constexpr double kSpacing = 0.65, kSizeJitter = 0.1, kPlaceJitter = 0.03, kSpin = 3;
    MixedPile pile{World(def), {}, {}};
    pile.world.addBody({.name = "pit", .shape = meshPit(kMixedPitWidth, 8, 0.5), .motion = Motion::Static});
    Random random(5);
    for (int y = 0; y < layers; ++y)
        for (int z = 0; z < side; ++z)
            for (int x = 0; x < side; ++x) {
                const auto place = [&](int i) {
                    return (i - (side - 1) * 0.5) * kSpacing + random.between(-kPlaceJitter, kPlaceJitter);
                };
                const double px = place(x), pz = place(z), size = random.between(1 - kSizeJitter, 1 + kSizeJitter);
                const Quat orientation = random.rotation();
                pile.shapes.push_back(mixedShape(int(pile.pieces.size() % 5), size, random));
                pile.pieces.push_back(pile.world.addBody({.shape = pile.shapes.back(),
                                                          .position = vec(px, 0.8 + kSpacing * y, pz),
                                                          .orientation = orientation,
                                                          .angularVelocity = random.inBox(kSpin)}));
            }
    return pile;
}

}  // namespace sunder::scenes
