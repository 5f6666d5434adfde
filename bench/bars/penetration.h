// How deep bodies stand in one another, measured outside the engine: from poses, in double precision.
#pragma once

#include <vector>

#include "scenes/mechanics.h"
#include "scenes/parts.h"

namespace sunder::bars {

using scenes::Axes;
using scenes::Vector;

struct OrientedBox {
    Vector center, halfExtents;
    Axes axes;
};

// The least overlap over all 15 separating axes; 0 for boxes that are apart.
double penetration(const OrientedBox& a, const OrientedBox& b);

struct Penetration {
    double largest = 0;  // m
    double mean = 0;     // m, over the pairs that overlap
    int pairs = 0;       // that overlap
};

// Over every pair of boxes that is not two fixed ones.
Penetration measurePenetration(const scenes::BoxScene& scene);

}  // namespace sunder::bars
