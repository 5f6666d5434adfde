// Marks drawn over a finished picture.
#pragma once

#include <span>

#include "sunder/events.h"
#include "sunder/scene/recording.h"

namespace sunder::scene {

// A dot at each touching contact and a stroke along its normal, seen through the bodies.
void drawContacts(Image& image, const Camera& camera, std::span<const ContactEvent> contacts);
void drawContacts(Image& image, const Camera& camera, std::span<const RecordedEvent> events);

// The number of its track at each moving body's centre; where labels would overlap, the body in front has it.
void drawIds(Image& image, const Camera& camera, const Recording& recording);

// Frame, time, contacts, and bars of kinetic and potential energy as shares of their sum.
void drawEnergy(Image& image, const Recording& recording);

}  // namespace sunder::scene
