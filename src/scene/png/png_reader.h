// Pixels of PNG files of every kind: gray, coloured or with a palette, 1 to 16 bits, transparent, interlaced. Written here
// rather than left to libpng, so that the browser reads the same values.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sunder::scene {

struct GrayPixels {
    int width = 0, height = 0;
    std::vector<std::uint16_t> values;  // 0 black to 65535 white, row by row from the top; what is transparent shows white
};
// Coloured pixels become as light as they look (0.2126 R + 0.7152 G + 0.0722 B of the values in the file). Throws Error with
// what is wrong and what is allowed.
GrayPixels readGray(std::string_view png);
struct ColorPixels {
    int width = 0, height = 0;
    std::vector<std::array<std::uint8_t, 3>> values;  // red, green, blue as in the file; what is transparent keeps its colour
};
ColorPixels readColors(std::string_view png);
// Whether a file begins as PNG files do.
bool hasPngMark(std::string_view bytes);

}  // namespace sunder::scene
