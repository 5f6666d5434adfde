// A striker against a bonded wall: how much of its speed is left once it has gone through.
#pragma once

#include <cmath>
#include <vector>

#include "math/vec3.h"
#include "sunder/world.h"

namespace sunder::scenes {

enum class Striker { Ball, Cube, Bar };

// The wall stands across the z axis; the striker flies along it.
struct Wrecking {
    double mass = 2000, speed = 10;  // kg, m/s: of each striker
    Striker shape = Striker::Ball;
    int strikers = 1;                                      // side by side along x
    double size = 0.4;                                     // m: radius of the ball, half the side of the cube
    int across = 8, up = 10, deep = 1;                     // bricks
    double brickX = 0.4, brickY = 0.2, brickZ = 0.3;       // m
    double density = 1800;                                 // kg/m^3 of the bricks: 43 kg each
    double tension = 5e5, shear = 8e5, compression = 1e7;  // Pa; bending as shear
    bool isAnchored = true;                                // static on its lowest bricks; else it floats freely
    double alpha = 0;
    double shift = 0.03;  // m along x: where the striker meets the wall
};

inline BodyDef wreckingWall(const Wrecking& scene) {
    Compound compound;
    std::vector<std::uint32_t> lowest;
    const Vec3 half{Real(scene.brickX / 2), Real(scene.brickY / 2), Real(scene.brickZ / 2)};
    for (int z = 0; z < scene.deep; ++z)
        for (int y = 0; y < scene.up; ++y)
            for (int x = 0; x < scene.across; ++x) {
                if (y == 0)
                    lowest.push_back(std::uint32_t(compound.children.size()));
                const double shift = y % 2 == 0 ? -0.25 : 0.25;
                compound.children.push_back({Box{half},
                                             {Real(scene.brickX * (x + shift - 0.5 * (scene.across - 1))),
                                              Real(scene.brickY * (y + 0.5)), Real(-scene.brickZ * (z + 0.5))},
                                             {}});
            }
    BodyDef wall;
    wall.name = "wall";
    wall.shape = compound;
    wall.material.density = Real(scene.density);
    BondsDef bonds;
    bonds.strength.tension = Real(scene.tension);
    bonds.strength.shear = bonds.strength.bending = Real(scene.shear);
    bonds.strength.compression = Real(scene.compression);
    bonds.alpha = Real(scene.alpha);
    if (scene.isAnchored) {
        bonds.anchored = lowest;
        wall.motion = Motion::Static;
    }
    wall.bonds = bonds;
    return wall;
}

inline std::vector<BodyId> addWrecking(World& world, const Wrecking& scene) {
    world.addBody(wreckingWall(scene));
    std::vector<BodyId> strikers;
    for (int i = 0; i < scene.strikers; ++i) {
        BodyDef striker;
        striker.name = "striker";
        const Real size = Real(scene.size);
        if (scene.shape == Striker::Ball)
            striker.shape = Sphere{size};
        else if (scene.shape == Striker::Cube)
            striker.shape = Box{{size, size, size}};
        else
            striker.shape = Box{{size / 4, size / 4, size * 2}};
        const double front = scene.shape == Striker::Bar ? 2 * scene.size : scene.size;
        striker.mass = Real(scene.mass);
        striker.position = {Real(3 * scene.size * (i - 0.5 * (scene.strikers - 1)) + scene.shift),
                            Real(0.55 * scene.brickY * scene.up), Real(front + 0.05 + 0.08 * scene.speed)};
        striker.velocity = {0, 0, Real(-scene.speed)};
        strikers.push_back(world.addBody(striker));
    }
    return strikers;
}

// Until the striker has gone through by twice its size at a third of its speed.
inline double wreckingTime(const Wrecking& scene) {
    const double way = 4 * scene.size + scene.deep * scene.brickZ;
    return 0.09 + 3 * way / scene.speed;
}

struct WreckingOutcome {
    double speed = 0;   // m/s along the striker's way at the end, the mean of all strikers
    double before = 0;  // J: kinetic energy at the start
    double gain = 0;    // J: most that the kinetic energy rose in a step beyond what bonds gave back in it
    double most = 0;    // J: the largest kinetic energy after a step
    double after = 0;   // J: at the end
    int bonds = 0;      // that broke
};

// Without gravity.
inline WreckingOutcome runWrecking(const Wrecking& scene, double rate, WorldDef def = {}) {
    def.gravity = {};
    World world(def);
    const std::vector<BodyId> strikers = addWrecking(world, scene);
    WreckingOutcome outcome;
    double last = outcome.before = world.stats().kineticEnergy;
    const int steps = int(std::lround(wreckingTime(scene) * rate));
    for (int i = 0; i < steps; ++i) {
        world.step(Real(1 / rate));
        const double energy = world.stats().kineticEnergy;
        outcome.gain = std::fmax(outcome.gain, energy - last - world.stats().releasedEnergy);
        outcome.most = std::fmax(outcome.most, energy);
        outcome.after = last = energy;
        outcome.bonds += int(world.bondEvents().size());
    }
    for (const BodyId striker : strikers)
        outcome.speed -= double(world.velocity(striker).z) / scene.strikers;
    return outcome;
}

struct NamedWrecking {
    const char* name;
    Wrecking scene;
};

// Other strikers, walls and strengths. Each striker brings several times the impulse that its wall can bear: near that limit a
// shift of a millimetre decides whether a brick holds, at any rate.
inline std::vector<NamedWrecking> wreckingFamily() {
    std::vector<NamedWrecking> family;
    const auto add = [&](const char* name, auto&& change) {
        Wrecking scene;
        scene.speed = 20;
        change(scene);
        family.push_back({name, scene});
    };
    add("8 t", [](Wrecking& s) { s.mass = 8000; });
    add("500 kg at 40 m/s", [](Wrecking& s) { s.mass = 500, s.speed = 40; });
    add("quarter of the strength", [](Wrecking& s) { s.tension /= 4, s.shear /= 4, s.compression /= 4; });
    add("four times the strength, 40 m/s", [](Wrecking& s) { s.tension *= 4, s.shear *= 4, s.compression *= 4, s.speed = 40; });
    add("wall 0.1 m thick", [](Wrecking& s) { s.brickZ = 0.1; });
    add("two bricks deep, 40 m/s", [](Wrecking& s) { s.deep = 2, s.speed = 40; });
    add("free wall", [](Wrecking& s) { s.isAnchored = false; });
    add("free wall of 130 kg bricks, 40 m/s", [](Wrecking& s) { s.isAnchored = false, s.density *= 3, s.speed = 40; });
    add("small bricks", [](Wrecking& s) { s.brickX = 0.2, s.brickY = 0.1, s.brickZ = 0.15, s.across = 16, s.up = 20; });
    add("large bricks, 40 m/s", [](Wrecking& s) { s.brickX = 0.6, s.brickY = 0.3, s.brickZ = 0.45, s.speed = 40; });
    add("cube", [](Wrecking& s) { s.shape = Striker::Cube; });
    add("bar", [](Wrecking& s) { s.shape = Striker::Bar; });
    add("two balls", [](Wrecking& s) { s.strikers = 2; });
    add("alpha 1", [](Wrecking& s) { s.alpha = 1; });
    return family;
}

}  // namespace sunder::scenes
