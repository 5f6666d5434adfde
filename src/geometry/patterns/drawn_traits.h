// What is known of a pattern that somebody drew, besides its samples.
#pragma once

#include <cstdint>

#include "geometry/cutting/cell_complex.h"
#include "math/vec3d.h"
#include "sunder/types.h"

namespace sunder::geometry {

// The samples of a drawn pattern have its centre in the origin, its normal along +y and its up along -z.
struct DrawnTraits {
    Real unit = 0;           // m per unit of the pattern; 0: it is scaled until it covers the body
    bool isFixed = false;    // it lies in the body's frame as it was drawn, wherever the body is hit
    bool isPrism = false;    // nothing changes along y, and the grid is thin
    std::uint16_t rest = 0;  // the label of space that no piece claims; 0: there is none
    Vec3 center;             // of the pattern in the frame of the drawing, in its units
    Vec3 normal{0, 1, 0};    // unit, in the frame of the drawing
};

// The division of space that drawn pieces make, in the pattern's frame: labels are those of the samples.
struct DrawnComplex {
    CellComplex complex;
    Vec3d low, high;  // it can cut bodies within this box
};

}  // namespace sunder::geometry
