// Triangles of thin shells that cross, counted in exact arithmetic.
#pragma once

#include "sunder/world.h"

namespace sunder::measure {

// Pairs of triangles of different shells that cross. Corners are rounded to whole multiples of 2^-25 of the size of the two
// shells; from there on nothing is rounded.
int shellCrossings(const World& world);

}  // namespace sunder::measure
