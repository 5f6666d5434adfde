// A car: four wheels on springs, motors at the back, steering at the front. It drives straight, then turns left.
#include <sunder/sunder.h>

#include <cmath>
#include <cstdio>

using namespace sunder;

namespace {

struct Car {
    World& world;
    BodyId body;
    JointId front[2], rear[2];

    explicit Car(World& w) : world(w) {
        body = world.addBody({.shape = Box{{0.8f, 0.25f, 1.8f}}, .position = {0, 0.8f, 0}, .mass = Real(1000)});
        world.setCenterOfMass(body, {0, -0.2f, 0});  // low, as engines are
        for (int i = 0; i < 2; ++i) {
            front[i] = addWheel(i == 0 ? -0.9f : 0.9f, 1.3f, true);
            rear[i] = addWheel(i == 0 ? -0.9f : 0.9f, -1.3f, false);
        }
    }
    JointId addWheel(Real x, Real z, bool isSteered) {
        const Vec3 at{x, 0.4f, z};
        const BodyId wheel = world.addBody({.shape = Cylinder{0.4f, 0.12f},
                                            .position = at,
                                            .orientation = {0, 0, 0.70710678f, 0.70710678f},  // its axis along x
                                            .material = {.friction = 1},
                                            .mass = Real(20)});
        JointDef def{.type = JointType::Wheel,
                     .a = body,
                     .b = wheel,
                     .anchor = at,
                     .axis = {0, 1, 0},  // of the suspension
                     .axle = {1, 0, 0},
                     .limits = Interval{-0.15f, 0.15f},
                     .springFrequency = 6,
                     .springDampingRatio = 0.8f};
        if (isSteered) {  // stiff: the edges of a loaded wheel bear 300 N m of friction before they turn on the spot
            def.steeringFrequency = 8;
            def.steeringDampingRatio = 1;
        }
        return world.addJoint(def);
    }
    void drive(Real speed, Real torque) {
        for (const JointId id : rear) {
            JointDef def = world.joint(id);
            def.motorSpeed = speed / 0.4f;
            def.motorStrength = torque;
            world.changeJoint(id, def);
        }
    }
    void steer(Real angle) {
        for (const JointId id : front)
            world.setSteering(id, angle);
    }
};

}  // namespace

int main() {
    World world;
    world.addBody({.shape = Box{{100, 0.5f, 100}}, .motion = Motion::Static, .position = {0, -0.5f, 0}, .material = {.friction = 1}});
    Car car(world);
    const auto run = [&](Real seconds) {
        for (int i = 0; i < int(seconds * 60 + 0.5f); ++i)
            world.step(1.f / 60);
    };
    run(1);
    car.drive(8, 600);  // about +x the wheels roll to +z
    run(4);
    const Vec3 straight = world.position(car.body), speed = world.velocity(car.body);
    car.steer(0.35f);  // to the left: +x, seen along +z with y up
    run(2);
    const Vec3 after = world.position(car.body), velocity = world.velocity(car.body);
    std::printf("car: %.1f m straight at %.1f m/s, then %.1f m to the left\n", double(straight.z), double(speed.z), double(after.x));
    const bool drove = straight.z > 15 && std::fabs(straight.x) < 0.5f && std::fabs(speed.z - 8) < 0.5f;
    return drove && after.x > 2 && velocity.x > 3 && std::fabs(world.position(car.body).y - 0.8f) < 0.15f ? 0 : 1;
}
