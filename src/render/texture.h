// A picture that lies on a surface.
#pragma once

#include <vector>

#include "math/vec3.h"
#include "sunder/mesh_look.h"

namespace sunder::render {

struct Texture {
    int width = 0, height = 0;
    std::vector<Vec3> pixels;  // linear, 0 to 1, rows from the top
    TextureWrap wrapU = TextureWrap::Repeat, wrapV = TextureWrap::Repeat;

    // u to the right, v down, 1 is the whole picture; between the middles of pixels it changes evenly.
    Vec3 at(Real u, Real v) const;
};

}  // namespace sunder::render
