// Draws a prepared scene.
#pragma once

#include "scene/render_scene.h"
#include "sunder/scene/render.h"
#include "sunder/tasks.h"

namespace sunder::scene {

Image drawImage(const RenderScene& scene, const Camera& camera, const RenderOptions& options, TaskRunner& runner);

}  // namespace sunder::scene
