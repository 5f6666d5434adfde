// The scenes of Egan's thesis: a pyramid hit by a box from the eye (fig. 6.6), boxes that fly to the centre (6.7), the pyramid
// whose bottom centre box was removed (5.6), and the drawings of chapters 5 and 6. The thesis gives no sizes.
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

// Figure 5.1: boxes in a line without gravity. A is fast, D slow; the blow runs from A to E. At 60 Hz all within one step.
inline BoxScene lineOfFive(WorldDef def) {
    def.gravity = {};
    BoxScene scene(def);
    const double places[] = {0, 0.5, 1, 1.5, 1.716}, speeds[] = {60, 0, 0, 1, 0};
    for (int i = 0; i < 5; ++i)
        scene.add(vec(0.1, 0.1, 0.1), {.position = vec(places[i], 0, 0),
                                       .velocity = vec(speeds[i], 0, 0),
                                       .material = {.friction = 0, .restitution = 1}});
    return scene;
}

// Figures 5.3 to 5.5: a box that touches the one below with one corner's part of its face; with all of it; on two boxes.
inline BoxScene boxOnACorner(const WorldDef& def) {
    BoxScene scene(def);
    scene.addFloor();
    scene.addCube(1, vec(0, 0.5, 0));
    scene.addCube(1, vec(0.4, 1.5, 0.4));
    return scene;
}
inline BoxScene boxOnABox(const WorldDef& def) {
    BoxScene scene(def);
    scene.addFloor();
    scene.addCube(1, vec(0, 0.5, 0));
    scene.addCube(1, vec(0, 1.5, 0));
    return scene;
}
inline BoxScene boxOnTwo(const WorldDef& def) {
    BoxScene scene(def);
    scene.addFloor();
    scene.addCube(1, vec(-0.53, 0.5, 0));
    scene.addCube(1, vec(0.53, 0.5, 0));
    scene.addCube(1, vec(0, 1.5, 0));
    return scene;
}

// High friction, as the thesis wants it for exterior rotation: nothing slides.
inline Material gripping() { return {.friction = 5}; }

constexpr double kLeaningSide = 0.5, kLean = 0.12;  // m; rad: the lean of the stack of figure 6.1 at the start

// rad: of that stack after some seconds, as one pendulum about the edge: I a'' = sum m g r sin a, by leapfrog with steps so
// small that its error does not show.
inline double leaningAngle(int cubes, double seconds) {
    constexpr int kSteps = 20000;
    const double h = seconds / kSteps;
    double inertia = 0, torque = 0;  // both per mass of a cube
    for (int i = 0; i < cubes; ++i) {
        const double r = kLeaningSide * (i + 0.5);
        inertia += kLeaningSide * kLeaningSide / 6 + r * r;
        torque += kGravity * r;
    }
    double angle = kLean, rate = 0;
    for (int i = 0; i < kSteps; ++i) {
        rate += torque / inertia * std::sin(angle) * h / 2;
        angle += rate * h;
        rate += torque / inertia * std::sin(angle) * h / 2;
    }
    return angle;
}
// Figure 6.1: `count` small cubes on each other, on the edge of a large block; they lean over it, and turn about its edge.
inline BoxScene stackOverAnEdge(const WorldDef& def, int count) {
    BoxScene scene(def);
    scene.addFloor(50, gripping());
    scene.add(vec(1, 1, 1), {.motion = Motion::Static, .position = vec(-1, 1, 0), .material = gripping()});
    const Quat leaning = turnAbout(0, 0, 1, -kLean);
    for (int i = 0; i < count; ++i) {
        const double up = kLeaningSide * (i + 0.5);  // along the stack; the middle of its foot is on the edge
        scene.add(vec(kLeaningSide / 2, kLeaningSide / 2, kLeaningSide / 2),
                  {.position = vec(std::sin(kLean) * up, 2 + std::cos(kLean) * up, 0),
                   .orientation = leaning,
                   .material = gripping()});
    }
    return scene;
}
// Figure 6.2: one box does the same.
inline BoxScene boxOverAnEdge(const WorldDef& def) { return stackOverAnEdge(def, 1); }
// Figure 6.3: a box turns about the edge of a box that itself turns about the edge of the block.
inline BoxScene boxesOverTwoEdges(const WorldDef& def) {
    BoxScene scene(def);
    scene.addFloor(50, gripping());
    scene.add(vec(1, 1, 1), {.motion = Motion::Static, .position = vec(-1, 1, 0), .material = gripping()});
    scene.add(vec(0.6, 0.2, 0.4), {.position = vec(0.1, 2.2, 0), .material = gripping()});
    scene.add(vec(0.2, 0.5, 0.3), {.position = vec(0.75, 2.9, 0), .material = gripping()});
    return scene;
}

// Figure 6.4: a column of blocks, none of which covers the one below: together they stand like one.
inline BoxScene shiftedColumn(const WorldDef& def) {
    BoxScene scene(def);
    scene.addFloor();
    const double shifts[] = {0, 0.15, -0.1, 0.2, 0.05};
    for (int i = 0; i < 5; ++i)
        scene.addCube(1, vec(shifts[i], 0.5 + i, 0));
    return scene;
}
// Figure 6.5: two blocks that would tip off their feet are held by a heavy one on their inner ends.
inline BoxScene heavyLintel(const WorldDef& def) {
    BoxScene scene(def);
    scene.addFloor();
    for (const double side : {-1.0, 1.0}) {
        scene.addCube(1, vec(side * 1.2, 0.5, 0));
        scene.add(vec(0.5, 0.25, 0.5), {.position = vec(side * 1.75, 1.25, 0)});
    }
    scene.add(vec(1.4, 0.4, 0.5), {.position = vec(0, 1.9, 0), .material = {.density = 4000}});
    return scene;
}

}  // namespace sunder::scenes
