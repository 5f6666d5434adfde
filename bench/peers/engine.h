// What a scene asks of an engine, ours or a peer: bodies that are boxes, balls and hulls, a step, and poses to measure from.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sunder/sunder.h"

namespace sunder::peers {

// A scene as plain definitions, so that every engine is given the same numbers.
struct SceneSetup {
    Vec3 gravity{};
    bool sleeping = false;            // ours only
    std::vector<BodyDef> bodies{};    // mass is set for all that move
    std::vector<Vec3> massCenters{};  // in the body's frame
    std::vector<JointDef> joints{};   // balls, hinges, cones; the handles' indices are places in `bodies`, or null
};

// Scenes are written once, with our own world; this reads them back from it, before its first step.
SceneSetup describe(const World& world);

struct BodyState {
    Vec3 position;  // of the body's frame
    Quat orientation;
    Vec3 velocity;  // of the centre of mass
    Vec3 angularVelocity;
};

// Named times of the last step in ms, in the order in which the stages run.
using Stages = std::vector<std::pair<std::string, double>>;

// Sleeping is off unless the scene asks for it, damping is off; friction of a contact is sqrt(a b), restitution 0; all else is
// the engine's default.
class Engine {
public:
    virtual ~Engine() = default;
    virtual void step(Real seconds) = 0;
    virtual BodyState state(std::size_t body) const = 0;  // by its place in SceneSetup::bodies
    virtual int contacts() const = 0;                     // points that the solver was given in the last step
    virtual Stages stages() const { return {}; }
};

std::unique_ptr<Engine> makeSunder(const SceneSetup& setup, int threads);
// Nothing where the engine was not built in, or does not have a shape of the scene.
std::unique_ptr<Engine> makeBullet(const SceneSetup& setup);
std::unique_ptr<Engine> makeOde(const SceneSetup& setup);

}  // namespace sunder::peers
