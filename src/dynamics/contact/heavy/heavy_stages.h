// A block of heavy loads (heavy_system.h) in two stages: normal impulses as friction is, exactly, then friction as the normal
// impulses are, point by point within the cone.
#pragma once

#include "dynamics/contact/heavy/heavy_system.h"

namespace sunder::dynamics {

class HeavyStages {
public:
    // Impulses >= 0 that leave no point to approach: an active set. False where it does not settle.
    bool solveNormals(HeavySystem& system);
    // On top of what was found for the normals.
    void solveFriction(HeavySystem& system) const;

private:
    bool solvePushing(HeavySystem& system);
    bool updatePushing(const HeavySystem& system, bool all);
    bool approaches(const HeavySystem& system, std::size_t point) const;

    std::vector<std::uint8_t> pushes_;     // by point
    std::vector<std::uint32_t> free_;      // those that push
    std::vector<double> change_, values_;  // of the normals, by point; of those that push
};

}  // namespace sunder::dynamics
