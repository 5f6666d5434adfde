// Cubes on cubes: the stack S3, the pyramid S1, a heavy cube on a light one (S8), and a tower that leans.
#pragma once

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

inline BoxScene leaningTower(const WorldDef& def, int count, double shift) {
    BoxScene scene(def);
    scene.addFloor();
    for (int i = 0; i < count; ++i)
        scene.addCube(1, vec(shift * i, 0.5 + i, 0));
    return scene;
}

}  // namespace sunder::scenes
