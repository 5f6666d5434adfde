// One cube on a flat floor or on an incline.
#pragma once

#include "scenes/parts.h"

namespace sunder::scenes {

// A 1 m cube on a plane that descends along +x; the lower face of the cube starts at the origin.
struct Incline {
    BoxScene scene;
    BodyId cube;
    double angle;

    // How far the cube has come down the slope (m).
    double travelled() const {
        const Vec3 p = scene.world.position(cube);
        return double(p.x) * std::cos(angle) - double(p.y) * std::sin(angle);
    }
};

inline Incline incline(const WorldDef& def, double degrees, double friction, double speedDownhill = 0) {
    const double angle = radians(degrees), c = std::cos(angle), s = std::sin(angle);
    const Quat tilt = turnAbout(0, 0, 1, -angle);
    const Material material{.friction = Real(friction)};
    Incline result{BoxScene(def), {}, angle};
    result.scene.add(
        vec(20, 0.5, 5),
        {.motion = Motion::Static, .position = vec(-0.5 * s, -0.5 * c, 0), .orientation = tilt, .material = material});
    result.cube = result.scene.add(vec(0.5, 0.5, 0.5), {.position = vec(0.5 * s, 0.5 * c, 0),
                                                        .orientation = tilt,
                                                        .velocity = vec(speedDownhill * c, -speedDownhill * s, 0),
                                                        .material = material});
    return result;
}

inline BoxScene cubeOnFloor(const WorldDef& def, double friction, const Vec3& velocity) {
    const Material material{.friction = Real(friction)};
    BoxScene scene(def);
    scene.addFloor(100, material);
    scene.add(vec(0.5, 0.5, 0.5), {.position = vec(0, 0.5, 0), .velocity = velocity, .material = material});
    return scene;
}

}  // namespace sunder::scenes
