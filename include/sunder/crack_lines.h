// Cracks that have parted nothing, as lines on the surface of their bodies, for pictures.
#pragma once

#include <array>
#include <vector>

#include "sunder/debug_draw.h"
#include "sunder/types.h"

namespace sunder {

// The hairline cracks of a body that cracks by stress: where they come to its surface.
struct CrackLines {
    BodyId body;
    Pose worldFromBody;
    std::vector<std::array<Vec3, 2>> lines;  // m, in the body's frame
};

// A visitor for World::debugDraw that is also shown the hairline cracks of every body that has some.
class CrackDraw : public DebugDraw {
public:
    virtual void cracks(const CrackLines& cracks) = 0;
};

}  // namespace sunder
