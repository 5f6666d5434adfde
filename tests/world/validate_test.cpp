// Every bad field of a definition is named, with its value and what is allowed.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "sunder/describe.h"

namespace sunder {
namespace {

constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
constexpr Real kInf = std::numeric_limits<Real>::infinity();

TEST(Validate, DefaultsAreGood) {
    EXPECT_TRUE(validate(Material{}).empty());
    EXPECT_TRUE(validate(BodyDef{}).empty());
    EXPECT_TRUE(validate(WorldDef{}).empty());
}

TEST(Validate, NamesFieldValueAndRange) {
    EXPECT_EQ(validate(Material{.friction = -1}), std::vector<std::string>{"friction: -1 is not allowed (0 to inf)"});
    EXPECT_EQ(validate(Material{.density = 0}),
              std::vector<std::string>{"density: 0 is not allowed (above 0, up to 1000000 kg/m^3)"});
}

TEST(Validate, TellsEveryProblemAtOnce) {
    EXPECT_EQ(validate(Material{.density = kNan, .friction = kInf, .restitution = 2}).size(), 3u);
}

struct BadBody {
    const char* start;  // of the message
    std::function<void(BodyDef&)> spoil;
};

TEST(Validate, RefusesBadBodies) {
    const BadBody table[] = {
        {"position[1]: nan", [](BodyDef& b) { b.position.y = kNan; }},
        {"position[0]: 1e+10", [](BodyDef& b) { b.position.x = Real(1e10); }},
        {"orientation: [0, 0, 0, 0]",
         [](BodyDef& b) {
             b.orientation = {0, 0, 0, 0};
         }},
        {"orientation: [nan", [](BodyDef& b) { b.orientation.x = kNan; }},
        {"velocity[2]: inf", [](BodyDef& b) { b.velocity.z = kInf; }},
        {"angular_velocity[0]: -inf", [](BodyDef& b) { b.angularVelocity.x = -kInf; }},
        {"material.restitution: -0.5", [](BodyDef& b) { b.material.restitution = Real(-0.5); }},
        {"mass: 0", [](BodyDef& b) { b.mass = Real(0); }},
        {"inertia[1]: -1",
         [](BodyDef& b) {
             b.inertia = Vec3{1, -1, 1};
         }},
        {"linear_damping: -1", [](BodyDef& b) { b.linearDamping = -1; }},
        {"angular_damping: nan", [](BodyDef& b) { b.angularDamping = kNan; }},
        {"gravity_factor: nan", [](BodyDef& b) { b.gravityFactor = kNan; }},
        {"locked_axes: 64", [](BodyDef& b) { b.lockedAxes = 64; }},
        {"surface_velocity[0]: nan", [](BodyDef& b) { b.surfaceVelocity.x = kNan; }},
        {"motion: 9", [](BodyDef& b) { b.motion = static_cast<Motion>(9); }},
        {"shape.radius: -1", [](BodyDef& b) { b.shape = Sphere{-1}; }},
        {"shape: a mesh",
         [](BodyDef& b) {
             b.shape = Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, {{0, 2, 1}}};
         }},
        {"keyframes: 1 keys",
         [](BodyDef& b) {
             b.keyframes = {{0, {}, {}}};
         }},
        {"keyframes[1].time: 1",
         [](BodyDef& b) {
             b.motion = Motion::Kinematic;
             b.keyframes = {{1, {}, {}}, {1, {}, {}}};
         }},
        {"keyframes[0].position[2]: nan",
         [](BodyDef& b) {
             b.motion = Motion::Kinematic;
             b.keyframes = {{1, {0, 0, kNan}, {}}};
         }},
    };
    for (const BadBody& bad : table) {
        BodyDef body;
        bad.spoil(body);
        const std::vector<std::string> messages = validate(body);
        ASSERT_EQ(messages.size(), 1u) << bad.start;
        EXPECT_EQ(messages[0].rfind(bad.start, 0), 0u) << messages[0];
    }
}

TEST(Validate, RefusesBadWorlds) {
    WorldDef def;
    def.gravity.y = kNan;
    def.threads = 0;
    def.restitutionThreshold = -1;
    def.frameRate.substepRate = 0;
    def.impulse.contactPasses = -1;
    def.stepper = static_cast<Stepper>(7);
    const std::vector<std::string> messages = validate(def);
    EXPECT_EQ(messages.size(), 6u);
}

TEST(Validate, OptionsThatContradictEachOtherAreRefusedWithBothNames) {
    WorldDef sticky;
    sticky.scatter.speed = Real(0.25);
    EXPECT_EQ(validate(sticky),
              std::vector<std::string>{"scatter.speed: 0.25 is not allowed with restitution_threshold 0.5 (at "
                                       "least that: slower collisions are sticky)"});
    sticky.restitutionThreshold = Real(0.25);
    EXPECT_TRUE(validate(sticky).empty());
    sticky.impulseClamp = false;
    EXPECT_EQ(validate(sticky),
              std::vector<std::string>{"scatter.speed: 0.25 is not allowed with impulse_clamp off (a scattered "
                                       "collision must not gain energy)"});
    WorldDef wide;
    wide.scatter = {.speed = 1, .degrees = 31};
    EXPECT_EQ(validate(wide), std::vector<std::string>{"scatter.degrees: 31 is not allowed (0 to 30)"});
}

TEST(Validate, MeshesMayBeStaticOrKinematic) {
    BodyDef body;
    body.shape = Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, {{0, 2, 1}}};
    body.motion = Motion::Static;
    EXPECT_TRUE(validate(body).empty());
    body.shape = buildShape(body.shape);
    EXPECT_TRUE(validate(body).empty());
    body.motion = Motion::Dynamic;
    EXPECT_EQ(validate(body).size(), 1u);
}

}  // namespace
}  // namespace sunder
