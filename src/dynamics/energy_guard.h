// The last line against energy that appears from nowhere: no group of touching bodies may end a step with more energy than it
// began with, less losses, plus the work that was really done on it.
//
// This answers the open question of [Su09] 3.2 and 6, energy from the position update: pushing overlapping bodies apart
// lifts them, and nothing in a velocity clamp sees that. Here the whole step is balanced, positions included, for each
// island apart, and what is too much is taken out of the motion of its bodies against each other; the island's momenta stay.
// Where bodies that hardly move are lifted all the same, out of overlaps that a hard landing left, the way is shortened.
#pragma once

#include <span>
#include <vector>

#include "dynamics/islands.h"

namespace sunder::dynamics {

class EnergyGuard {
public:
    // Before the step moves anything.
    void begin(std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants);
    // After the step. Scales velocities of islands that gained energy.
    void finish(std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                std::span<const ContactConstraint> constraints, std::span<const Strike> strikes, const Islands& islands,
                Real dt);

    int guardedIslands() const { return guardedIslands_; }
    double removedEnergy() const { return removedEnergy_; }

private:
    struct IslandBalance {
        double gain = 0;        // J: energy at the end less that at the start less the work done on it
        double kinetic = 0;     // J at the end
        double lift = 0;        // J: work against gravity and forces
        double weight = 0;      // N
        bool grounded = false;  // touches something that takes up momentum
    };
    void sumBalances(std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                     std::span<const ContactConstraint> constraints, std::span<const Strike> strikes, const Islands& islands,
                     Real dt);
    void slowGrounded(std::span<SolverBody> bodies, const Islands& islands, int island);
    void slowFree(std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants, const Islands& islands,
                  int island);

    std::vector<double> startKinetic_;
    std::vector<IslandBalance> balances_;
    int guardedIslands_ = 0;
    double removedEnergy_ = 0;
};

}  // namespace sunder::dynamics
