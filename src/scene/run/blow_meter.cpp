// See blows.h. The rule is that of src/world/breaking/breaking.cpp, seen from outside.
#include <algorithm>

#include "math/vec3.h"
#include "sunder/scene/blows.h"

namespace sunder {

namespace {

// A contact settles within this time (s), while its bodies are slower than this (m/s) against each other.
constexpr double kSettlingTime = 1.0 / 30;
constexpr Real kSettlingSpeed = Real(0.1);

std::uint64_t keyOf(BodyId body) { return std::uint64_t(body.generation) << 32 | body.index; }

}  // namespace

void BlowMeter::beforeStep(const World& world) {
    const std::vector<BodyId> bodies = world.bodies();
    onlyBreakable_ = bodies.size() > kMostWatched;
    for (const BodyId body : bodies) {
        before_.resize(std::max(before_.size(), std::size_t(body.index) + 1));
        before_[body.index] = {body.generation, world.velocity(body), world.angularVelocity(body)};
    }
}

// m/s, the larger of before and after the step, without spin.
Real BlowMeter::relativeSpeed(const World& world, const ContactEvent& contact) const {
    const auto at = [&](BodyId body) {
        const bool isKnown = body.index < before_.size() && before_[body.index].generation == body.generation;
        return isKnown ? before_[body.index].velocity : world.velocity(body);
    };
    return max(length(at(contact.a) - at(contact.b)), length(world.velocity(contact.a) - world.velocity(contact.b)));
}

void BlowMeter::afterStep(const World& world, Real dt) {
    for (const ContactEvent& contact : world.contactEvents()) {
        const std::pair key(keyOf(contact.a), keyOf(contact.b));
        if (contact.sensor || contact.phase == ContactPhase::End || !world.isValid(contact.a) || !world.isValid(contact.b)) {
            touches_.erase(key);
            continue;
        }
        if (onlyBreakable_ && !world.fracture(contact.a) && !world.fracture(contact.b))
            continue;
        Touch& touch = contact.phase == ContactPhase::Begin ? touches_[key] = {} : touches_[key];
        const Real beyond = contact.impulse - touch.load * dt;
        const bool isSettling = touch.time < kSettlingTime && relativeSpeed(world, contact) < kSettlingSpeed;
        touch.load = contact.impulse / dt;
        touch.time += double(dt);
        if (isSettling || !(beyond > 0))
            continue;
        blows_.push_back({contact.a, beyond});
        blows_.push_back({contact.b, beyond});
    }
}

}  // namespace sunder
