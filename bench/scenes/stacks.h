// Cubes on cubes: the stack S3, the pyramid S1, a heavy cube on a light one (S8), and a tower that leans.
#pragma once

#include <cmath>

#include "scenes/parts.h"

namespace sunder::scenes {

inline BoxScene stackOfCubes(const WorldDef& def, int count) {
    BoxScene scene(def);
    scene.addFloor();
    for (int i = 0; i < count; ++i)
        scene.addCube(1, vec(0, 0.5 + i, 0));
    return scene;
}

inline BoxScene pyramid(const WorldDef& def, int base) {
    constexpr double kSpacing = 1.05;
    BoxScene scene(def);
    scene.addFloor();
    for (int row = 0; row < base; ++row)
        for (int i = 0; i < base - row; ++i)
            scene.addCube(1, vec((i - (base - 1 - row) * 0.5) * kSpacing, 0.5 + row, 0));
    return scene;
}

// A 1 m cube whose centre is `offset` from that of the 0.5 m cube below it: past 0.25 m it must fall.
inline BoxScene heavyOnLight(const WorldDef& def, double massRatio, double offset) {
    constexpr double kLightDensity = 1000, kVolumeRatio = 8;
    BoxScene scene(def);
    scene.addFloor();
    scene.addCube(0.5, vec(0, 0.25, 0), {.density = Real(kLightDensity)});
    scene.addCube(1, vec(offset, 1, 0), {.density = Real(kLightDensity * massRatio / kVolumeRatio)});
    return scene;
}

// shift: of each cube relative to the one below, in sizes of a cube.
inline BoxScene leaningTower(const WorldDef& def, int count, double shift, double size = 1) {
    BoxScene scene(def);
    scene.addFloor();
    for (int i = 0; i < count; ++i)
        scene.addCube(size, vec(size * shift * i, size * (0.5 + i), 0));
    return scene;
}

// s: when the top of such a tower of cubes of a metre has come down by half a metre, if all above the lowest cube turn about
// its edge as one rigid body.
inline double rigidFallTime(int count, double shift) {
    constexpr double kTime = 1e-4, kFall = 9.81;  // s, m/s^2
    double inertia = 0, x = 0, y = 0;  // about the edge, for a mass of 1 per cube; of the centre of mass, times the mass
    for (int i = 1; i < count; ++i) {
        const double along = shift * i - 0.5, up = i - 0.5;
        inertia += 1.0 / 6 + along * along + up * up;
        x += along;
        y += up;
    }
    const double topX = shift * (count - 1) - 0.5, topY = count - 1.5;
    double angle = 0, rate = 0, time = 0;
    for (; topY * std::cos(angle) - topX * std::sin(angle) > topY - 0.5; time += kTime) {
        rate += kTime * kFall * (x * std::cos(angle) + y * std::sin(angle)) / inertia;
        angle += kTime * rate;
    }
    return time;
}

}  // namespace sunder::scenes
