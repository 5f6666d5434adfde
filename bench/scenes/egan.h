// The scenes of Egan's thesis: a pyramid hit by a box from the eye (fig. 6.6), boxes that fly to the centre (6.7), and the
// pyramid whose bottom centre box was removed (5.6).
#pragma once

#include "scenes/parts.h"

namespace sunder::scenes {

// Cubes of 1 m on a shell about a point above the floor, each flying towards that point.
inline BoxScene clump(const WorldDef& def, int count, std::uint64_t seed) {
    constexpr double kCenter = 6, kInner = 4, kOuter = 9, kSpeed = 4,
                     kApart = 1.75;  // m, m/s; apart: no two touch at the start
    BoxScene scene(def);
    scene.addFloor();
    Random random(seed);
    std::vector<Vec3> places;
    while (int(places.size()) < count) {
        const Vec3 p = random.inBox(kOuter);
        const double r = std::sqrt(double(p.x * p.x + p.y * p.y + p.z * p.z));
        bool isFree = r > kInner && r < kOuter && p.y + kCenter > 1;
        for (const Vec3& q : places)
            isFree = isFree && std::hypot(double(p.x - q.x), double(p.y - q.y), double(p.z - q.z)) > kApart;
        if (!isFree)
            continue;
        places.push_back(p);
        const double s = -kSpeed / r;
        scene.add(vec(0.5, 0.5, 0.5), {.position = vec(p.x, p.y + kCenter, p.z),
                                       .orientation = random.rotation(),
                                       .velocity = vec(p.x * s, p.y * s, p.z * s)});
    }
    return scene;
}

// A pyramid of `base` layers of 1 m cubes. They do not touch sideways: that would be no vertical contact, and none were stable.
inline BoxScene thesisPyramid(const WorldDef& def, int base, bool withoutBottomCenter) {
    constexpr double kSpacing = 1.05;
    BoxScene scene(def);
    scene.addFloor();
    for (int row = 0; row < base; ++row)
        for (int i = 0; i < base - row; ++i)
            if (!(withoutBottomCenter && row == 0 && i == base / 2))
                scene.addCube(1, vec((i - (base - 1 - row) * 0.5) * kSpacing, 0.5 + row, 0));
    return scene;
}

// A box of 1 m from the eye, aimed at the middle of the pyramid.
inline void shoot(BoxScene& scene, int base, double speed) {
    const double height = 0.4 * base;
    scene.add(vec(0.5, 0.5, 0.5), {.position = vec(0, height, 12), .velocity = vec(0, 0.5 * kGravity * 12 / speed, -speed)});
}

}  // namespace sunder::scenes
