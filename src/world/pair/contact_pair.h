// A pair of colliders that may touch, and what is known of it.
#pragma once

#include <cmath>

#include "collision/broad_phase/pair_set.h"
#include "world/pair/recycle.h"

namespace sunder::world {

// Two colliders of two bodies whose bounds overlap. Lives as long as they do.
struct ContactPair {
    std::uint32_t bodyA = 0, bodyB = 0;  // slots, A < B
    SeenPair seen;                       // how the bodies lay when its manifolds were found
    std::uint32_t firstManifold = 0;     // into WorldState::constraints
    std::uint32_t manifoldCount = 0;
    Real restDepth = 0;                    // m: overlap that counts as none, see tolerateOverlap
    Real load = 0;                         // N along the normals in the last step, where one of the two can break
    Real slowLoad = 0;                     // N: its mean over about kLoadTime, since they began to touch
    std::uint16_t childA = 0, childB = 0;  // collider of either body; other than 0 in deforming bodies only
    std::uint16_t loadedFor = 0;  // in kLoadTick, at most 0.6 s: has carried load for so long; where one of the two can break
    bool touching = false;        // as last reported by an event
    bool sensorTouches = false;   // one of the two is a sensor, and they touched in the step (contact/sensors.h)
};

inline constexpr double kLoadTick = 1e-5;  // s: a time of up to 0.6 s then fits two bytes, and piles have many pairs
// The value of loadedFor after one more step.
inline std::uint16_t loadedLonger(const ContactPair& pair, Real dt) {
    return static_cast<std::uint16_t>(std::fmin(pair.loadedFor + std::floor(double(dt) / kLoadTick + 0.5), 0xffff));
}
inline double secondsLoaded(const ContactPair& pair) { return pair.loadedFor * kLoadTick; }

// s: over which loads are averaged. The longest usual step: so that they are the same at every rate.
inline constexpr double kLoadTime = 1.0 / 30;
// N: the mean after a step in which the contact did this impulse (N s).
inline Real slowLoadAfter(Real before, Real impulse, Real dt) {
    return before + (impulse / dt - before) * std::fmin(Real(1), dt / Real(kLoadTime));
}

inline std::uint64_t keyOf(const ContactPair& pair) {
    return collision::pairKey(colliderOf(pair.bodyA, pair.childA), colliderOf(pair.bodyB, pair.childB));
}

}  // namespace sunder::world
