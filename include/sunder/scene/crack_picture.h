// A picture of a world with the cracks that have parted nothing.
#pragma once

#include <optional>
#include <vector>

#include "sunder/crack_lines.h"
#include "sunder/scene/render.h"

namespace sunder {

// The hairline cracks of all bodies, as they are now.
std::vector<CrackLines> crackLines(const World& world);

// The world as it is, with those cracks as dark lines.
Image drawCracks(const World& world, const std::vector<CrackLines>& cracks, const RenderOptions& options,
                 const std::optional<Camera>& camera);

}  // namespace sunder
