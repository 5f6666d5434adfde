// An open box to drop things into: five boxes, or one closed mesh. The floor's top is at the origin.
#pragma once

#include <vector>

#include "scene/read/generator_definitions.h"

namespace sunder::scene {

struct PlacedBox {
    Box box;
    Vec3 position;
};

// Floor, then the walls at -x, +x, -z, +z; they touch but do not overlap.
std::vector<PlacedBox> pitBoxes(const PitDef& def);
Mesh pitMesh(const PitDef& def);

}  // namespace sunder::scene
