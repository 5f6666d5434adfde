// Finds a camera for a scene that names none.
#pragma once

#include <span>

#include "math/bounds.h"
#include "render/scene.h"
#include "sunder/scene/render.h"

namespace sunder::render {

// Bounds of all boxes but those that are far away from the bulk.
Bounds boundsOfBulk(std::span<const Bounds> boxes);

// A camera that sees the bulk of the subject, from a height from which walls hide little of it.
Camera frame(const RenderScene& subject, const RenderScene& walls, Real aspect);

}  // namespace sunder::render
