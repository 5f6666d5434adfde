// Solves a block of heavy loads (heavy_system.h) in two stages: first the normal impulses exactly, with friction as it is; then
// friction point by point, within the cones of these normal impulses.
#pragma once

#include "dynamics/contact/heavy/heavy_system.h"

namespace sunder::dynamics {

class HeavyStages {
public:
    // Finds impulses >= 0 with which no point approaches, by an active set. False where it does not settle.
    bool solveNormals(HeavySystem& system);
    // After solveNormals.
    void solveFriction(HeavySystem& system) const;

private:
    bool solvePushing(HeavySystem& system);
    bool updatePushing(const HeavySystem& system, bool all);
    bool approaches(const HeavySystem& system, std::size_t point) const;

    std::vector<std::uint8_t> pushes_;     // by point
    std::vector<std::uint32_t> free_;      // the points that push
    std::vector<double> change_, values_;  // of the normals, by point; of those that push
};

}  // namespace sunder::dynamics
