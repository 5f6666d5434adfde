// What goes in and comes out as text: lines of settings, and a failed reading of a scene.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sunder/scene/scene.h"

namespace sunder::web {

// {"ok": false, "problems": [...]}
std::string failure(const std::vector<SceneProblem>& problems);

// Settings are lines of KEY=VALUE; files that the scene names are looked up in folder.
SceneOptions optionsFor(std::string_view settings, const std::string& folder);

}  // namespace sunder::web
