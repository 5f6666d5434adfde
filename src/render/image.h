// Draws a prepared scene.
#pragma once

#include "render/scene.h"
#include "sunder/scene/render.h"
#include "sunder/tasks.h"

namespace sunder::render {

Image drawImage(const RenderScene& scene, const Camera& camera, const RenderOptions& options, TaskRunner& runner);

}  // namespace sunder::render
