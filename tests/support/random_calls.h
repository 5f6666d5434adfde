// A world under random but reproducible calls: every shape, every kind of body, every method that changes something.
#pragma once

#include <vector>

#include "core/random.h"
#include "math/vec3.h"
#include "sunder/sunder.h"

namespace sunder::support {

class RandomCalls {
public:
    RandomCalls(World& world, std::uint64_t seed) : world_(&world), random_(seed) {
        for (int i = 0; i < 3; ++i)
            shared_.push_back(buildShape(solid(i == 0 ? 4 : 5)));
    }
    void follow(World& world) { world_ = &world; }

    Real number(double low, double high) { return Real(random_.between(low, high)); }
    Vec3 vector(double half) {
        const Real x = number(-half, half), y = number(-half, half), z = number(-half, half);
        return {x, y, z};
    }
    Quat rotation() {
        const Vec3 v = vector(1);
        return {v.x, v.y, v.z, number(0.2, 1)};
    }
    std::uint32_t below(std::uint32_t count) { return random_.below(count); }

    Shape solid(std::uint32_t kind) {
        switch (kind) {
            case 0: return Sphere{number(0.15, 0.35)};
            case 1: return Box{{number(0.15, 0.35), number(0.15, 0.35), number(0.15, 0.35)}};
            case 2: return Capsule{number(0.1, 0.2), number(0.1, 0.2)};
            case 3: return Cylinder{number(0.15, 0.25), number(0.15, 0.25)};
            case 4: {
                Hull hull{{{Real(0.2), 0, 0}, {0, Real(0.2), 0}, {0, 0, Real(0.2)}, {Real(-0.2), Real(-0.2), Real(-0.2)}}};
                for (int i = 0; i < 8; ++i)
                    hull.points.push_back(vector(0.3));
                return hull;
            }
            default: {
                Compound compound;
                const Shape arm = shared_.empty() ? Shape(Box{{Real(0.3), Real(0.08), Real(0.08)}}) : Shape(shared_.front());
                compound.children.push_back({.shape = arm, .position = vector(0.1), .orientation = rotation()});
                compound.children.push_back({.shape = Sphere{number(0.1, 0.2)}, .position = vector(0.2)});
                return compound;
            }
        }
    }
    Shape shape() { return below(4) == 0 ? Shape(shared_[below(3)]) : solid(below(6)); }

    // A bumpy square of triangles, `half` metres from its middle to each side.
    Mesh ground(double half, int cells) {
        Mesh mesh;
        for (int z = 0; z <= cells; ++z)
            for (int x = 0; x <= cells; ++x)
                mesh.vertices.push_back(
                    {Real(half * (2.0 * x / cells - 1)), number(-0.1, 0), Real(half * (2.0 * z / cells - 1))});
        const auto at = [&](int x, int z) { return std::uint32_t(z * (cells + 1) + x); };
        for (int z = 0; z < cells; ++z)
            for (int x = 0; x < cells; ++x) {
                mesh.triangles.push_back({at(x, z), at(x, z + 1), at(x + 1, z + 1)});
                mesh.triangles.push_back({at(x, z), at(x + 1, z + 1), at(x + 1, z)});
            }
        return mesh;
    }

    Material material() {
        return {.density = number(200, 4000),
                .friction = number(0, 1),
                .restitution = number(0, 0.5),
                .rollingFriction = below(3) ? std::nullopt : std::optional(number(0, 0.01)),
                .spinningFriction = below(3) ? std::nullopt : std::optional(number(0, 0.01))};
    }

    BodyDef body() {
        BodyDef def{.name = below(2) ? "" : "a body with a name of some length, number " + std::to_string(below(100)),
                    .shape = shape(),
                    .position = {number(-1.5, 1.5), number(0.5, 4), number(-1.5, 1.5)},
                    .orientation = rotation(),
                    .velocity = vector(2),
                    .angularVelocity = vector(4),
                    .material = material(),
                    .lockedAxes = std::uint8_t(below(8) ? 0 : below(64)),
                    .sensor = below(12) == 0,
                    .userData = random_.bits()};
        if (below(8) == 0)
            def.mass = number(1, 50);
        if (below(8) == 0)
            def.inertia = Vec3{number(0.5, 1), number(0.5, 1), number(0.5, 1)};
        if (below(8) == 0) {
            def.motion = Motion::Kinematic;
            def.position.y = number(-0.5, 0.5);
            if (below(2))
                def.keyframes = {{.time = 0, .position = def.position},
                                 {.time = 1, .position = vector(1), .orientation = rotation()},
                                 {.time = 2, .position = def.position}};
        }
        return def;
    }

    // A ground of triangles, a conveyor, and bodies of every kind above them.
    void populate(int bodies) {
        world_->addBody({.name = "ground", .shape = ground(4, 6), .motion = Motion::Static});
        world_->addBody({.name = "conveyor",
                         .shape = Box{{1, Real(0.2), 1}},
                         .motion = Motion::Static,
                         .position = {Real(0.5), 0, 0},
                         .surfaceVelocity = {1, 0, 0}});
        for (int i = 0; i < bodies; ++i)
            world_->addBody(body());
        for (int i = 0; i < bodies / 4; ++i)
            addJoint();
    }

    // A joint of any type between two bodies, one of them dynamic, or a body and the world, with a random choice of what its
    // type knows. Nothing where the world cannot have one.
    void addJoint() {
        const BodyId a = anyBody(), b = below(4) ? anyBody() : BodyId{};
        const auto moves = [&](BodyId id) { return !id.isNull() && world_->motion(id) == Motion::Dynamic; };
        if (world_->settings().stepper != Stepper::FrameRate || a == b || (!moves(a) && !moves(b)))
            return;
        JointDef def = joint(JointType(below(8)));
        def.a = a;
        def.b = b;
        def.anchor = world_->position(a);
        if (def.type == JointType::Distance || below(4) == 0)
            def.anchorB = b.isNull() ? def.anchor + vector(1) : world_->position(b);
        if (validate(def).empty())
            world_->addJoint(def);
    }
    JointDef joint(JointType type) {
        using enum JointType;
        JointDef def{.type = type, .axis = vector(1), .axle = vector(1)};
        const bool hasFree = type == Hinge || type == Slider || type == Distance || type == Wheel;
        if ((hasFree || type == ConeTwist) && below(2))
            def.limits = Interval{number(type == Distance ? 0 : -1, 0.2), number(0.3, 1)};
        if (type == ConeTwist && below(2))
            def.cone = number(0.1, 1);
        if (type == ConeTwist && def.cone && below(2))
            def.coneZ = number(0.1, 1);
        if (type == SixDof) {
            def.freeAxes = std::uint8_t(below(64));
            def.linearHigh = {number(0, 0.5), 0, number(0, 0.5)};
            def.angularLow = {number(-1, 0), 0, number(-1, 0)};
            if (below(2))
                def.drives.push_back(drive());
        }
        if (type == Wheel && below(2))
            steer(def);
        if ((type == Ball || type == ConeTwist) && below(3) == 0) {
            (below(2) ? def.springStiffness : def.springFrequency) = number(0.5, 20);
            def.springRotation = rotation();
        }
        if ((type == Ball || type == ConeTwist) && below(3) == 0) {
            def.motorVelocity = vector(3);
            def.motorStrength = number(0, 20);
        }
        if (below(4) == 0)
            def.axisB = vector(1);
        if (below(4) == 0)
            (below(2) ? def.stiffness : def.frequency) = number(0.5, 20);
        if (hasFree && below(3) == 0) {
            (below(2) ? def.springStiffness : def.springFrequency) = number(0.5, 20);
            def.springDampingRatio = number(0, 1);
        }
        if (hasFree && below(3) == 0) {
            def.motorSpeed = number(-5, 5);
            def.motorStrength = number(0, 100);
        }
        if ((hasFree || type == Ball || type == ConeTwist) && below(3) == 0)
            def.friction = number(0, 5);
        if (below(4) == 0)
            def.breakForce = number(50, 5000);
        if (below(8) == 0)
            def.breakTorque = number(5, 500);
        def.collideConnected = below(3) == 0;
        def.userData = random_.bits();
        return def;
    }
    JointDrive drive() {
        JointDrive drive;
        drive.axes = std::uint8_t(1 + below(63));
        (below(2) ? drive.stiffness : drive.frequency) = number(0.5, 20);
        drive.rest = number(-0.3, 0.3);
        drive.speed = number(-1, 1);
        if (below(2))
            drive.strength = number(0, 50);
        return drive;
    }
    void steer(JointDef& def) {
        def.steering = number(-0.5, 0.5);
        if (below(2))
            def.steeringLimits = Interval{number(-0.6, 0), number(0, 0.6)};
        if (below(2))
            def.steeringFrequency = number(1, 10);
    }
    void changeJoint() {
        const std::vector<JointId> joints = world_->joints();
        if (joints.empty())
            return addJoint();
        const JointId id = joints[below(std::uint32_t(joints.size()))];
        JointDef def = joint(world_->joint(id).type);
        def.anchor = world_->joint(id).anchor;
        def.anchorB = world_->joint(id).anchorB;
        if (validate(def).empty())
            world_->changeJoint(id, def);
    }
    void removeJoint() {
        const std::vector<JointId> joints = world_->joints();
        if (!joints.empty())
            world_->removeJoint(joints[below(std::uint32_t(joints.size()))]);
    }

    BodyId anyBody() {
        const std::vector<BodyId> bodies = world_->bodies();
        return bodies.empty() ? BodyId{} : bodies[below(std::uint32_t(bodies.size()))];
    }

    static constexpr std::uint32_t kKinds = 31;
    // One call that changes the world but does not step it.
    void call() { call(below(kKinds)); }
    void call(std::uint32_t kind) {
        const BodyId body = anyBody();
        if (kind == 0 || body.isNull()) {
            world_->addBody(this->body());
            return;
        }
        const bool dynamic = world_->motion(body) == Motion::Dynamic;
        switch (kind) {
            case 1: world_->removeBody(body); break;
            case 2: setPose(body); break;
            case 3: world_->setVelocity(body, vector(2)); break;
            case 4: world_->setAngularVelocity(body, vector(4)); break;
            case 5: world_->setMaterial(body, material()); break;
            case 6: changeMotion(body); break;
            case 7: world_->setShape(body, shape()); break;
            case 8: world_->setCenterOfMass(body, vector(0.05)); break;
            case 9: world_->setLockedAxes(body, std::uint8_t(below(64))); break;
            case 10: setDamping(body); break;
            case 11: world_->setGravityFactor(body, number(0, 1.5)); break;
            case 12: world_->setSurfaceVelocity(body, vector(1)); break;
            case 13: setFilter(body); break;
            case 14: world_->setUserData(body, random_.bits()); break;
            case 15: world_->addForce(body, vector(100)); break;
            case 16: world_->addForceAt(body, vector(100), world_->centerOfMass(body)); break;
            case 17: world_->addTorque(body, vector(10)); break;
            case 18: world_->addImpulse(body, vector(10)); break;
            case 19: world_->addImpulseAt(body, vector(10), world_->position(body)); break;
            case 20: world_->addAngularImpulse(body, vector(1)); break;
            case 21:
                if (world_->motion(body) == Motion::Kinematic)
                    moveTo(body);
                break;
            case 22: world_->setGravity({0, number(-12, 0), 0}); break;
            case 23: world_->wake(body); break;
            case 24: world_->setAllowSleep(body, below(2) != 0); break;
            case 25:
            case 26: addJoint(); break;
            case 27: changeJoint(); break;
            case 28: removeJoint(); break;
            case 29: changeSettings(); break;
            default:
                if (dynamic)
                    world_->setFilter(body, 1, 0xffffffffu);
                break;
        }
    }

private:
    // Compilers differ in the order in which they draw the arguments of a call: these draw them one after the other.
    void setPose(BodyId body) {
        const Vec3 position{number(-1, 1), number(0.5, 3), number(-1, 1)};
        world_->setPose(body, position, rotation());
    }
    void setDamping(BodyId body) {
        const Real linear = number(0, 1);
        world_->setDamping(body, linear, number(0, 1));
    }
    void setFilter(BodyId body) {
        const std::uint32_t layer = below(2) ? 1 : 3;
        world_->setFilter(body, layer, below(4) ? 0xffffffffu : 1);
    }
    void moveTo(BodyId body) {
        const Vec3 position = vector(0.5);
        world_->moveTo(body, position, rotation());
    }
    void changeMotion(BodyId body) {
        if (world_->name(body) != "ground")
            world_->setMotion(body, Motion(below(3)));
    }

    void changeSettings() {
        WorldDef settings = world_->settings();
        settings.frameRate.substepRate = number(300, 900);
        settings.restitutionThreshold = number(0.2, 1);
        settings.sleeping = below(4) != 0;
        world_->setSettings(settings);
    }

    World* world_;
    core::Random random_;
    std::vector<SharedShape> shared_;
};

}  // namespace sunder::support
