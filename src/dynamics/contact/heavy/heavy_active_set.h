// Solves a block of heavy loads (heavy_system.h) as a whole, by an active set: solve for all points, open those that would
// pull, let those slide whose friction is outside its cone, and solve again, for a few rounds. The linear systems are solved by
// math/linear; the method is here because its states (open, sliding, sticking) are those of contact points.
#pragma once

#include "dynamics/contact/heavy/heavy_system.h"

namespace sunder::dynamics {

class HeavyActiveSet {
public:
    // False where the states do not settle. With sliding friction the system may have no solution, or one that gains energy.
    bool solve(HeavySystem& system);

private:
    enum class State : std::uint8_t { Open, Sticking, Sliding };
    struct Point {
        State state;
        double slide1, slide2;  // sliding: the direction of friction along the tangents
    };

    void fixRows(HeavySystem& system);
    bool solveFreeRows(HeavySystem& system);
    void layOutSliding(const HeavySystem& system);
    void findSlip(HeavySystem& system) const;
    bool updateStates(const HeavySystem& system);

    std::vector<Point> points_;
    std::vector<std::uint32_t> free_;
    std::vector<double> values_, matrix_;
    bool anySlides_ = false;
};

}  // namespace sunder::dynamics
