// Marks drawn over a finished picture.
#pragma once

#include <span>

#include "sunder/events.h"
#include "sunder/scene/render.h"

namespace sunder::scene {

// A dot at each touching contact and a stroke along its normal, seen through the bodies.
void drawContacts(Image& image, const Camera& camera, std::span<const ContactEvent> contacts);

}  // namespace sunder::scene
