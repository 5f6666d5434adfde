// A pane, a wall and a barrel of which nothing is set but pattern and material, and a ball that strikes them: what somebody
// gets who has read one page of the documentation.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sunder/world.h"

namespace sunder::scenes {

struct Breakable {
    std::string name;
    Shape shape;
    Vec3 half;  // m: half of its extents
    Material material;
    struct Blow {
        double mass, speed;  // kg, m/s: of the ball
    };
    std::vector<Blow> blows;
};

inline Material breakableMaterial(double density, double fractureImpulse) {
    Material material;
    material.density = Real(density);
    material.fractureImpulse = Real(fractureImpulse);
    return material;
}

inline std::vector<Breakable> breakables() {
    const Material glass = breakableMaterial(2500, 50), concrete = breakableMaterial(2400, 2000),
                   wood = breakableMaterial(700, 250);
    std::vector<Breakable> all;
    const auto addBox = [&](const char* name, Vec3 half, const Material& material, std::vector<Breakable::Blow> blows) {
        all.push_back({name, Box{half}, half, material, std::move(blows)});
    };
    const auto addBarrel = [&](const char* name, double radius, double half) {
        all.push_back(
            {name, Cylinder{Real(radius), Real(half)}, {Real(radius), Real(half), Real(radius)}, wood, {{50, 15}, {500, 20}}});
    };
    const std::vector<Breakable::Blow> onGlass{{2, 10}, {10, 20}, {50, 30}}, onWall{{500, 15}, {2000, 10}, {2000, 40}};
    addBox("pane of 1 m", {Real(0.5), Real(0.375), Real(0.005)}, glass, onGlass);
    addBox("wall of 3 m", {Real(1.5), 1, Real(0.1)}, concrete, onWall);
    addBarrel("barrel of 0.9 m", 0.3, 0.45);
    addBox("pane of 2 m", {1, Real(0.75), Real(0.01)}, glass, onGlass);
    addBox("pane of 0.4 m", {Real(0.2), Real(0.15), Real(0.002)}, glass, onGlass);
    addBox("wall of 6 m", {3, Real(1.5), Real(0.15)}, concrete, onWall);
    addBox("wall of 1 m", {Real(0.5), Real(0.5), Real(0.075)}, concrete, onWall);
    addBarrel("barrel of 1.5 m", 0.5, 0.75);
    return all;
}

struct NamedPattern {
    const char* name;
    PatternKind kind;
};

inline std::vector<NamedPattern> allPatterns() {
    return {{"radial", RadialPattern{}}, {"voronoi", VoronoiPattern{}}, {"wood", WoodPattern{}},
            {"slabs", SlabPattern{}},    {"brick", BrickPattern{}},     {"shells", ShellPattern{}}};
}

// The thing stands on the ground; the ball flies at it.
inline void addBreakable(World& world, const Breakable& thing, const SharedPattern& pattern, const Breakable::Blow& blow) {
    world.addBody({.shape = Box{{20, Real(0.5), 20}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
    FractureDef fracture;
    fracture.method = Prescored{.pattern = pattern};
    world.addBody({.shape = thing.shape, .position = {0, thing.half.y, 0}, .material = thing.material, .fracture = fracture});
    const double radius = std::min(0.4, std::cbrt(blow.mass / (7800 * 4.19)));  // of iron, or hollow
    BodyDef ball;
    ball.shape = Sphere{Real(radius)};
    ball.mass = Real(blow.mass);
    ball.position = {Real(0.1) * thing.half.x, Real(1.2) * thing.half.y,
                     thing.half.z + Real(radius + 0.02 + 0.05 * blow.speed)};
    ball.velocity = {0, Real(0.3), Real(-blow.speed)};
    world.addBody(ball);
}

}  // namespace sunder::scenes
