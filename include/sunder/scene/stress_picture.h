// Pictures of the stress that the last step of a world found.
#pragma once

#include <optional>
#include <vector>

#include "sunder/scene/render.h"
#include "sunder/stress_map.h"

namespace sunder {

// The maps of the last step.
std::vector<StressMap> stressMaps(const World& world);

// The world with the bodies of the maps as they were struck, in colours of their tension over their strength, and a legend.
Image drawStress(const World& world, const std::vector<StressMap>& maps, const RenderOptions& options,
                 const std::optional<Camera>& camera);
// The same of the strain of those that have one, from 0 to the largest in the picture.
Image drawStrain(const World& world, std::vector<StressMap> maps, const RenderOptions& options,
                 const std::optional<Camera>& camera);

}  // namespace sunder
