// Stacks that stand apart, and a ball that rolls past them: all but the ball fall asleep.
#pragma once

#include "scenes/parts.h"

namespace sunder::scenes {

// side x side stacks of `height` cubes of 1 m.
inline BoxScene sleepingStacks(const WorldDef& def, int side, int height) {
    constexpr double kSpacing = 2, kRadius = 0.3, kSpeed = 1;
    BoxScene scene(def);
    scene.addFloor(side * kSpacing);
    const auto place = [&](int i) { return (i - (side - 1) * 0.5) * kSpacing; };
    for (int i = 0; i < side * side; ++i)
        for (int y = 0; y < height; ++y)
            scene.addCube(1, vec(place(i % side), 0.5 + y, place(i / side)));
    scene.world.addBody({.name = "ball",
                         .shape = Sphere{Real(kRadius)},
                         .position = vec(place(side) + kSpacing, kRadius, 0),
                         .velocity = vec(0, 0, kSpeed),
                         .angularVelocity = vec(kSpeed / kRadius, 0, 0)});
    return scene;
}

}  // namespace sunder::scenes
