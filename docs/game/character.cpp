// A character that walks, jumps onto a ledge and rides a one-way platform: a capsule that does not turn, steered by impulses.
#include <sunder/sunder.h>

#include <cmath>
#include <cstdio>

using namespace sunder;

namespace {

struct Character {
    World& world;
    BodyId body;

    // Ground is what a short cast of a slightly thinner capsule meets below the feet.
    bool isOnGround() const {
        const Vec3 at = world.position(body);
        QueryFilter others;
        others.accept = [this](BodyId id) { return id != body; };
        const auto hit = world.castShape({{Capsule{0.28f, 0.6f}, WorldPoint(at), {}}, {0, -0.08f, 0}}, others);
        return hit && hit->normal.y > 0.6f;
    }
    // Towards the wished speed, as hard as the legs can: less in the air.
    void walk(Real speed, Real dt) {
        const Real most = world.mass(body) * (isOnGround() ? 30.f : 6.f) * dt;
        const Real wanted = world.mass(body) * (speed - world.velocity(body).x);
        world.addImpulse(body, {std::fmin(std::fmax(wanted, -most), most), 0, 0});
    }
    void jump(Real height) {
        if (isOnGround())
            world.addImpulse(body, {0, world.mass(body) * std::sqrt(2 * 9.81f * height), 0});
    }
};

}  // namespace

int main() {
    World world;
    world.addBody({.shape = Box{{20, 0.5f, 5}}, .motion = Motion::Static, .position = {0, -0.5f, 0}});
    world.addBody({.shape = Box{{2, 0.5f, 5}}, .motion = Motion::Static, .position = {8, 0.5f, 0}});  // a ledge, 1 m high
    const BodyId platform = world.addBody({.shape = Box{{2, 0.1f, 2}}, .motion = Motion::Static, .position = {8, 2.9f, 0}});
    Character hero{world, world.addBody({.shape = Capsule{0.3f, 0.6f},
                                         .position = {0, 0.9f, 0},
                                         .material = {.friction = 0},  // legs do the braking, walls do not hold it
                                         .mass = Real(75),
                                         .lockedAxes = kLockRx | kLockRy | kLockRz,
                                         .allowSleep = false})};
    // Whoever rises passes through the platform from below.
    world.setPreSolve([&](ContactManifoldView& manifold) {
        if (manifold.a != platform && manifold.b != platform)
            return;
        const Real up = manifold.a == platform ? 1.f : -1.f;
        for (const ManifoldPoint& point : manifold.points)
            if (up * manifold.normal.y < 0.5f || point.depth > 0.05f || up * point.velocity.y > 0.01f)
                manifold.isEnabled = false;
    });
    const Real dt = 1.f / 60;
    bool onLedge = false;
    for (int frame = 0; frame < 360; ++frame) {
        const Real x = world.position(hero.body).x;
        hero.walk(x < 8 ? 4.f : 0.f, dt);
        if (x > 4.4f && x < 5)
            hero.jump(1.5f);  // onto the ledge
        if (frame == 200)
            hero.jump(2.4f);  // and through the platform
        world.step(dt);
        onLedge = onLedge || std::fabs(world.position(hero.body).y - 1.9f) < 0.02f;
    }
    const Vec3 at = world.position(hero.body);
    std::printf("character: at x = %.2f, y = %.2f (the platform's top is at 3)\n", double(at.x), double(at.y));
    return onLedge && hero.isOnGround() && std::fabs(at.y - 3.9f) < 0.02f && std::fabs(at.x - 8) < 0.5f ? 0 : 1;
}
