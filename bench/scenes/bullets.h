// Balls that are faster than a wall is thick (S7).
#pragma once

#include "scenes/parts.h"

namespace sunder::scenes {

constexpr int kBullets = 16;

// Fly along -z at a wall in the plane z = 0, side by side, from distances that are spread over what a ball covers in a step:
// at least one is past the wall, or in it, wherever steps begin. The balls are the bodies after the wall.
inline BoxScene bullets(WorldDef def, double rate) {
    constexpr double kSpeed = 200, kRadius = 0.05, kHalfWall = 0.025, kLane = 0.5, kStart = 5;
    def.gravity = {};
    BoxScene scene(def);
    scene.add(vec(kBullets * kLane, 2, kHalfWall), {.motion = Motion::Static});
    for (int i = 0; i < kBullets; ++i)
        scene.world.addBody({.shape = Sphere{Real(kRadius)},
                             .position = vec((i - (kBullets - 1) * 0.5) * kLane, 0, kStart + kSpeed / rate * i / kBullets),
                             .velocity = vec(0, 0, -kSpeed)});
    return scene;
}

}  // namespace sunder::scenes
