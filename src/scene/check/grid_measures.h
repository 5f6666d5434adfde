// The grid with which a body collides or breaks, and how thick its walls are.
#pragma once

#include <map>
#include <tuple>

#include "sunder/definitions.h"

namespace sunder::scene {

struct GridMeasures {
    double cell = 0, wall = 0;  // m: 95 % of the surface has more material than `wall` behind it. 0 where there is no grid
    double volume = 0;          // m^3, of the grid
};

// Bodies with one shape and one grid are measured once.
class GridMeasurer {
public:
    GridMeasures measure(const SharedShape& shape, const FractureDef* fracture);

private:
    using Key = std::tuple<SharedShape, Real, std::array<std::uint32_t, 3>>;
    std::map<Key, GridMeasures> known_;
};

}  // namespace sunder::scene
