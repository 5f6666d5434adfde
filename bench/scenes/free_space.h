// No gravity: one thin box that tumbles (S5), and two clusters of boxes that meet.
#pragma once

#include "scenes/parts.h"

namespace sunder::scenes {

inline BoxScene spinner(WorldDef def) {
    def.gravity = {};
    BoxScene scene(def);
    scene.add(vec(1, 0.1, 0.01), {.angularVelocity = vec(0.5, 20, 0.3)});
    return scene;
}

// Two cubes of side^3 boxes fly at each other, slightly off centre.
inline BoxScene collidingClusters(WorldDef def, int side, const Material& material = {}) {
    constexpr double kSpacing = 0.7, kSpeed = 2, kSpin = 2, kSizeJitter = 0.2;
    def.gravity = {};
    BoxScene scene(def);
    Random random(11);
    const double reach = side * kSpacing * 0.5 + 0.5;
    for (const double cluster : {-1.0, 1.0})
        for (int z = 0; z < side; ++z)
            for (int y = 0; y < side; ++y)
                for (int x = 0; x < side; ++x) {
                    const auto place = [&](int i) { return (i - (side - 1) * 0.5) * kSpacing; };
                    const double size = random.between(1 - kSizeJitter, 1 + kSizeJitter);
                    const Quat orientation = random.rotation();
                    scene.add(vec(0.2 * size, 0.15 * size, 0.25 * size),
                              {.position = vec(place(x) + cluster * reach, place(y) + 0.15 * cluster, place(z) - 0.2 * cluster),
                               .orientation = orientation,
                               .velocity = vec(-cluster * kSpeed, 0.05 * cluster, 0),
                               .angularVelocity = random.inBox(kSpin),
                               .material = material});
                }
    return scene;
}

}  // namespace sunder::scenes
