// A tiny built-in font for captions.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sunder/scene/render.h"

namespace sunder::render {

inline constexpr int kLetterAdvance = 6, kLetterHeight = 7;  // dots

// Width in pixels of a line of ASCII text; each dot is scale x scale pixels.
int textWidth(std::string_view text, int scale);
// Clips to the image.
void drawText(Image& image, int left, int top, std::string_view text, int scale, const std::array<std::uint8_t, 3>& color);

}  // namespace sunder::render
