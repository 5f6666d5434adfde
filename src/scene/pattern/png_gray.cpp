// Gray values of PNG files by libpng.
#include "scene/pattern/sample_files.h"
#include "sunder/definitions.h"

#if __has_include(<png.h>)
#include <png.h>

namespace sunder::scene {

DrawnPicture readPng(const std::string& data) {
    constexpr png_uint_32 kMostPixels = 8192;
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&header, data.data(), data.size()))
        throw Error(std::string("is not a PNG: ") + header.message);
    DrawnPicture picture;
    if (header.width > kMostPixels || header.height > kMostPixels) {
        png_image_free(&header);
        throw Error("has " + std::to_string(header.width) + " x " + std::to_string(header.height) +
                    " pixels (2 to 8192 along each side are allowed)");
    }
    header.format = PNG_FORMAT_GRAY;
    picture.width = int(header.width);
    picture.height = int(header.height);
    picture.gray.resize(PNG_IMAGE_SIZE(header));
    const png_color white{255, 255, 255};
    if (!png_image_finish_read(&header, &white, picture.gray.data(), 0, nullptr)) {
        png_image_free(&header);
        throw Error(std::string("is a damaged PNG: ") + header.message);
    }
    return picture;
}

}  // namespace sunder::scene

#else  // the playground has no libpng

namespace sunder::scene {

DrawnPicture readPng(const std::string&) { throw Error("pictures cannot be read here (.svg, .npy and meshes can)"); }

}  // namespace sunder::scene

#endif
