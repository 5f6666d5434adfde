// What the timewarp steppers ask of the broad phase: the neighbours of a body that a collision has turned aside.
#pragma once

#include <utility>
#include <vector>

#include "dynamics/timewarp/timewarp.h"
#include "world/state/state.h"

namespace sunder::world {

// Fits the bounds of the body to the rest of its way, and makes a pair of it and each body whose bounds they then meet. A
// host's PreSolve is not asked of such a pair in the step in which it is made.
class BroadNeighbours : public dynamics::Neighbours {
public:
    BroadNeighbours(WorldState& world, Real dt) : world_(world), dt_(dt) {}
    void turnedAside(const dynamics::WarpStep& step, std::uint32_t body) override;
    // Brings the pairs into the order that storeImpulses needs. Call after the collisions.
    void sortPairs();

private:
    void meet(std::uint32_t slot, std::uint32_t other);
    std::uint32_t pairIndex(std::uint32_t low, std::uint32_t high);
    void listKnown();

    WorldState& world_;
    Real dt_;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> known_;  // pairs of the step's start: key, index; ascending
    collision::PairSet taken_;                                    // keys of the pairs that take part in the step
    bool isListed_ = false, isMixed_ = false;
};

}  // namespace sunder::world
