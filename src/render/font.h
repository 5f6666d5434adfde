// A tiny built-in font for captions.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sunder/scene/render.h"

namespace sunder::render {

inline constexpr int kLetterAdvance = 6, kLetterHeight = 7;  // dots

// Pixels that a line of ASCII text takes; each dot is scale x scale pixels.
int textWidth(std::string_view text, int scale);
// Draws what falls inside the image.
void drawText(Image& image, int left, int top, std::string_view text, int scale, const std::array<std::uint8_t, 3>& color);

}  // namespace sunder::render
