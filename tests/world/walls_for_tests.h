// A slab that breaks, and a ball on its way.
#pragma once

#include "sunder/sunder.h"

namespace sunder {

inline SharedPattern voronoi(int pieces = 30, std::uint64_t seed = 1) {
    PatternDef def;
    def.kind = VoronoiPattern{.pieces = pieces, .density = {}};
    def.seed = seed;
    def.nodes = 49;
    return buildPattern(def);
}

inline FractureDef fractureBy(const SharedPattern& pattern, Real threshold) {
    FractureDef def;
    def.method = Prescored{.pattern = pattern};
    def.threshold = threshold;
    def.cell = Real(0.05);
    def.smallest = Real(5e-4);
    def.generations = 1;
    return def;
}

// The slab stands on the ground.
struct Wall {
    BodyId ground, wall, ball;
};
inline Wall addWall(World& world, const FractureDef& fracture, Real speed = 12) {
    Wall ids;
    ids.ground = world.addBody(
        {.name = "ground", .shape = Box{{10, Real(0.5), 10}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
    ids.wall = world.addBody(
        {.name = "wall", .shape = Box{{1, Real(0.75), Real(0.15)}}, .position = {0, Real(0.75), 0}, .fracture = fracture});
    ids.ball = world.addBody({.name = "ball",
                              .shape = Sphere{Real(0.2)},
                              .position = {Real(0.1), Real(0.8), 1},
                              .velocity = {0, 0, -speed},
                              .material = {.density = 4000}});
    return ids;
}

}  // namespace sunder
