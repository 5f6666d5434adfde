// A striker against a bonded wall: how much of its speed is left once it has gone through.
#pragma once

#include <cmath>

#include "math/vec3.h"
#include "sunder/world.h"

namespace sunder::scenes {

enum class Striker { Ball, Cube, Bar };

// The wall stands across the z axis; the striker flies along it.
struct Wrecking {
    double mass = 2000, speed = 10;  // kg, m/s: of each striker
    Striker shape = Striker::Ball;
    int strikers = 1;                                       // side by side along x
    double size = 0.4;                                      // m: radius of the ball, half the side of the cube
    int across = 8, up = 10, deep = 1;                      // bricks
    double brickX = 0.4, brickY = 0.2, brickZ = 0.3;        // m
    double density = 1800;                                  // kg/m^3 of the bricks: 43 kg each
    double tension = 5e5, shear = 8e5, compression = 1e7;   // Pa; bending as shear
    bool isAnchored = true;                                 // static on its lowest bricks; else it floats freely
    double alpha = 0;
    bool isHeavy = false;                                   // with gravity
};

struct WreckingOutcome {
    double speed = 0;  // m/s along the striker's way, the mean of all strikers
    int pieces = 0, bonds = 0, rewinds = 0;
    double worstMs = 0, energyGain = 0;  // J: most that the kinetic energy rose in a step
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
        striker.position = {Real(3 * scene.size * (i - 0.5 * (scene.strikers - 1)) + 0.03),
                            Real(0.55 * scene.brickY * scene.up), Real(front + 0.05 + 0.08 * scene.speed)};
        striker.velocity = {0, 0, Real(-scene.speed)};
        strikers.push_back(world.addBody(striker));
    }
    return strikers;
}

// Until the striker would have gone through by twice its size, or for the time that it would take at a tenth of its speed.
inline double wreckingTime(const Wrecking& scene) {
    const double way = 4 * scene.size + scene.deep * scene.brickZ;
    return 0.09 + 3 * way / scene.speed;
}

}  // namespace sunder::scenes
