// Marks drawn over a finished picture.
#pragma once

#include <cstdint>
#include <span>

#include "sunder/scene/render.h"

namespace sunder::render {

struct ContactMark {
    Vec3 point, normal;
};
// A dot at each contact and a stroke along its normal, seen through the bodies.
void drawContacts(Image& image, const Camera& camera, std::span<const ContactMark> contacts);

struct IdMark {
    Vec3 point;
    std::uint32_t id = 0;
};
// Numbers at their points; of overlapping ones the front one is drawn, of equally near ones the lowest.
void drawIds(Image& image, const Camera& camera, std::span<const IdMark> ids);

struct FrameNumbers {
    int frame = 0;
    double time = 0;  // s
    double contacts = 0;
    double kineticEnergy = 0, potentialEnergy = 0;  // J
};
// Frame, time, contacts, and bars of kinetic and potential energy as shares of their sum.
void drawEnergy(Image& image, const FrameNumbers& numbers);

}  // namespace sunder::render
