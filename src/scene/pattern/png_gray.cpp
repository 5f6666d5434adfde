// Gray values of PNG files for patterns.
#include <algorithm>

#include "scene/pattern/sample_files.h"
#include "scene/png/png_reader.h"

namespace sunder::scene {

DrawnPicture readPng(const std::string& data) {
    const GrayPixels pixels = readGray(data);
    DrawnPicture picture{.width = pixels.width, .height = pixels.height};
    picture.gray.resize(pixels.values.size());
    std::transform(pixels.values.begin(), pixels.values.end(), picture.gray.begin(),
                   [](std::uint16_t value) { return std::uint8_t((value + 128) / 257); });
    return picture;
}

}  // namespace sunder::scene
