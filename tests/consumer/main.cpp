// The smallest program: a ball falls onto a slab. Built against the installed package by a test.
#include <sunder/sunder.h>

#include <cmath>
#include <cstdio>

int main() {
    sunder::World world({.gravity = {0, sunder::Real(-9.81), 0}});
    world.addBody({.shape = sunder::Box{{20, sunder::Real(0.5), 20}}, .motion = sunder::Motion::Static});
    const sunder::BodyId ball = world.addBody({.shape = sunder::Sphere{sunder::Real(0.4)}, .position = {0, 5, 0}});
    for (int frame = 0; frame < 60; ++frame)
        world.step(sunder::Real(1) / 30);
    const double height = world.position(ball).y;
    std::printf("%f\n", height);

    // The ball rests on the slab's top at 0.5 m; a centimetre covers the contact's allowed overlap.
    return std::abs(height - 0.9) < 0.01 ? 0 : 1;
}
