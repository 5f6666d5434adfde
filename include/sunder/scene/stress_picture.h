// Pictures and meshes of the stress that was found in a world.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sunder/scene/render.h"
#include "sunder/scene/runner.h"
#include "sunder/stress_map.h"

namespace sunder {

// The maps of the last step.
std::vector<StressMap> stressMaps(const World& world);
// Those of the blows of the last frame, and of deformable bodies as they are at its end.
std::vector<StressMap> stressMaps(const SceneRunner& runner);

// The world with the bodies of the maps as they were struck, in colours of their tension over their strength, and a legend.
Image drawStress(const World& world, const std::vector<StressMap>& maps, const RenderOptions& options,
                 const std::optional<Camera>& camera);
// The same of the strain of those that have one, from 0 to the largest in the picture.
Image drawStrain(const World& world, std::vector<StressMap> maps, const RenderOptions& options,
                 const std::optional<Camera>& camera);

// Those that have a strain, with it in the place of the tension, and the largest of all as the strength.
std::vector<StressMap> strainMaps(std::vector<StressMap> maps);

// A GLB with a node for each map, where its body was when it was struck: COLOR_0 has the colours of the picture, going over
// from vertex to vertex, and _TENSION the tension in Pa. Throws Error where the file cannot be written.
void writeStressGlb(const std::vector<StressMap>& maps, const std::vector<std::string>& names,
                    const std::filesystem::path& path);
// The same of the strain of those that have one: _STRAIN has it, and `most_strain` of each node is the strain of the last
// colour.
void writeStrainGlb(const std::vector<StressMap>& maps, const std::vector<std::string>& names,
                    const std::filesystem::path& path);

}  // namespace sunder
