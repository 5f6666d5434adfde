// Bodies that hang together by joints: the grid J1 of Box3D's benchmark, chains with a weight, bridges with a cart.
#pragma once

#include "scenes/parts.h"

namespace sunder::scenes {

struct JointScene {
    World world;
    std::vector<BodyId> bodies;
    std::vector<JointId> joints;

    explicit JointScene(const WorldDef& def) : world(def) {}
    JointId join(BodyId a, BodyId b, const Vec3& anchor) {
        joints.push_back(world.addJoint({.type = JointType::Ball, .a = a, .b = b, .anchor = anchor}));
        return joints.back();
    }
    double worstError() const {
        double worst = 0;
        for (const JointId joint : joints)
            worst = std::fmax(worst, double(world.jointState(joint).error));
        return worst;
    }
};

// How far bodies are from where they are in the mean: the standard deviation of their positions over the frames that were
// added.
class Jitter {
public:
    void add(const JointScene& scene) {
        sums_.resize(scene.bodies.size());
        for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
            const Vec3 at = scene.world.position(scene.bodies[i]);
            const double x = at.x, y = at.y, z = at.z;
            Sums& sums = sums_[i];
            sums = {sums.x + x, sums.y + y, sums.z + z, sums.squares + (x * x + y * y + z * z)};
        }
        ++frames_;
    }
    double worst() const {
        double worst = 0;
        for (const Sums& sums : sums_) {
            const double ofMean = (sums.x * sums.x + sums.y * sums.y + sums.z * sums.z) / (double(frames_) * frames_);
            worst = std::fmax(worst, std::sqrt(std::fmax(0.0, sums.squares / frames_ - ofMean)));
        }
        return worst;
    }

private:
    struct Sums {
        double x = 0, y = 0, z = 0, squares = 0;
    };
    std::vector<Sums> sums_;
    int frames_ = 0;
};

// side x side balls, each joined to its neighbours by ball joints half way, which do not collide. It begins level and swings
// down: every tenth ball of one edge is fixed.
inline JointScene jointGrid(const WorldDef& def, int side) {
    constexpr double kSpacing = 1, kRadius = 0.4;
    constexpr std::uint32_t kLayer = 2;
    JointScene scene(def);
    for (int i = 0; i < side; ++i)
        for (int k = 0; k < side; ++k) {
            BodyDef ball{.shape = Sphere{Real(kRadius)}, .position = vec(k * kSpacing, 0, i * kSpacing)};
            ball.layer = kLayer;
            ball.mask = ~kLayer;
            ball.motion = i == 0 && k % 10 == 5 ? Motion::Static : Motion::Dynamic;
            if (ball.motion == Motion::Dynamic)
                ball.mass = 1;
            scene.bodies.push_back(scene.world.addBody(ball));
            const BodyId self = scene.bodies.back();
            if (k > 0)
                scene.join(scene.bodies[scene.bodies.size() - 2], self, vec((k - 0.5) * kSpacing, 0, i * kSpacing));
            if (i > 0)
                scene.join(scene.bodies[scene.bodies.size() - 1 - std::size_t(side)], self,
                           vec(k * kSpacing, 0, (i - 0.5) * kSpacing));
        }
    return scene;
}

// A net of side x side knots (balls of 0.06 m, 0.2 kg, 0.25 m apart, times a size), its rim fixed, and three balls of
// `ratio` knots that fall into it.
inline JointScene netWithBalls(const WorldDef& def, int side, double size, double ratio) {
    const double spacing = 0.25 * size, knot = 0.2 * size * size * size, middle = (side - 1) / 2.0;
    JointScene scene(def);
    const auto isRim = [&](int i, int k) { return i == 0 || k == 0 || i == side - 1 || k == side - 1; };
    std::vector<BodyId> knots;
    for (int i = 0; i < side; ++i)
        for (int k = 0; k < side; ++k) {
            const Vec3 at = vec((k - middle) * spacing, 0, (i - middle) * spacing);
            BodyDef ball{.shape = Sphere{Real(0.06 * size)}, .position = at, .mass = Real(knot)};
            if (isRim(i, k)) {
                ball.motion = Motion::Static;
                ball.mass.reset();
            }
            knots.push_back(scene.world.addBody(ball));
            if (!isRim(i, k))
                scene.bodies.push_back(knots.back());
            if (k > 0 && !(isRim(i, k) && isRim(i, k - 1)))
                scene.join(knots[knots.size() - 2], knots.back(), vec((k - 0.5 - middle) * spacing, 0, (i - middle) * spacing));
            if (i > 0 && !(isRim(i, k) && isRim(i - 1, k)))
                scene.join(knots[knots.size() - 1 - std::size_t(side)], knots.back(),
                           vec((k - middle) * spacing, 0, (i - 0.5 - middle) * spacing));
        }
    for (int i = 0; i < 3; ++i)
        scene.bodies.push_back(
            scene.world.addBody({.shape = Sphere{Real(0.3 * size)},
                                 .position = vec(0.2 * (i - 1) * size, (1 + i) * size, 0.15 * (1 - i) * size),
                                 .velocity = vec(0, -5 * std::sqrt(size), 0),
                                 .mass = Real(knot * ratio)}));
    return scene;
}

// Links of 1 kg and 0.3 m, and a weight at the end.
inline JointScene chainWithWeight(const WorldDef& def, int links, double weight) {
    constexpr double kLength = 0.3;
    JointScene scene(def);
    BodyId last{};
    for (int i = 0; i < links; ++i) {
        const BodyId link = scene.world.addBody(
            {.shape = Capsule{Real(0.05), Real(0.1)}, .position = vec(0, -kLength * (i + 0.5), 0), .mass = Real(1)});
        scene.join(last, link, vec(0, -kLength * i, 0));
        scene.bodies.push_back(link);
        last = link;
    }
    const BodyId ball =
        scene.world.addBody({.shape = Sphere{Real(0.5)}, .position = vec(0, -kLength * links - 0.5, 0), .mass = Real(weight)});
    scene.join(last, ball, vec(0, -kLength * links, 0));
    scene.bodies.push_back(ball);
    return scene;
}

// Sets a chain in motion about its upper end, rad/s, as if it were one stiff rod.
inline void swing(JointScene& chain, double speed) {
    for (const BodyId body : chain.bodies) {
        chain.world.setVelocity(body, vec(-speed * chain.world.position(body).y, 0, 0));
        chain.world.setAngularVelocity(body, vec(0, 0, speed));
    }
}

// Planks of 10 kg and 0.5 m between two banks, hinged by two balls each, and a cart (a box on four wheels, motor on all) that
// rolls over them.
inline JointScene bridgeWithCart(const WorldDef& def, int planks, double cartOverPlank) {
    constexpr double kLength = 0.5, kHalfWidth = 1, kHalfThickness = 0.05, kPlank = 10, kSlack = 1.02;
    JointScene scene(def);
    const double span = planks * kLength;
    Material rough;
    rough.friction = Real(0.9);
    for (const double side : {-1.0, 1.0})
        scene.world.addBody({.shape = Box{vec(3, 0.5, 2)},
                             .motion = Motion::Static,
                             .position = vec(side * (span / 2 + 3), kHalfThickness - 0.5, 0),
                             .material = rough});
    BodyId last{};
    const auto joinAt = [&](BodyId a, BodyId b, double x) {
        for (const double z : {-kHalfWidth, kHalfWidth})
            scene.join(a, b, vec(x, 0, z));
    };
    for (int i = 0; i < planks; ++i) {
        const double x = -span / 2 + (i + 0.5) * kLength;
        const BodyId plank = scene.world.addBody({.shape = Box{vec(kLength / 2 / kSlack, kHalfThickness, kHalfWidth)},
                                                  .position = vec(x, 0, 0),
                                                  .material = rough,
                                                  .mass = Real(kPlank)});
        joinAt(last, plank, x - kLength / 2);
        scene.bodies.push_back(plank);
        last = plank;
    }
    joinAt(last, {}, span / 2);
    const double cartMass = kPlank * cartOverPlank, wheel = cartMass / 20, start = -span / 2 - 3, radius = 0.35;
    const BodyId chassis = scene.world.addBody({.shape = Box{vec(1, 0.2, 0.5)},
                                                .position = vec(start, kHalfThickness + radius + 0.25, 0),
                                                .mass = Real(cartMass - 4 * wheel)});
    scene.bodies.push_back(chassis);
    for (const double x : {-0.8, 0.8})
        for (const double z : {-0.7, 0.7}) {
            const Vec3 hub = vec(start + x, kHalfThickness + radius, z);
            const BodyId body = scene.world.addBody({.shape = Cylinder{Real(radius), Real(0.1)},
                                                     .position = hub,
                                                     .orientation = turnAbout(1, 0, 0, kPi / 2),
                                                     .material = rough,
                                                     .mass = Real(wheel)});
            scene.joints.push_back(scene.world.addJoint({.type = JointType::Hinge,
                                                         .a = chassis,
                                                         .b = body,
                                                         .anchor = hub,
                                                         .axis = vec(0, 0, 1),
                                                         .motorSpeed = Real(-6),
                                                         .motorStrength = Real(cartMass)}));
            scene.bodies.push_back(body);
        }
    return scene;
}

}  // namespace sunder::scenes
