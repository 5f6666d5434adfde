// --set KEY=VALUE: changes the JSON of a scene before it is checked. Keys are the paths that problems are reported with;
// an element of a list may also be called by its name: bodies.ball.velocity, materials.glass.friction, bodies[2].mass,
// and * stands for all of them: joints.*.alpha.
#pragma once

#include <string>

#include "scene/text/problems.h"

namespace sunder::scene {

void applySetting(Json& scene, const std::string& setting, Problems& problems);

}  // namespace sunder::scene
