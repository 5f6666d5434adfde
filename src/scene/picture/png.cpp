// PNG files by libpng, written beside their place and then moved there: a reader never sees half a picture.
#include <png.h>

#include <filesystem>
#include <system_error>

#include "sunder/definitions.h"
#include "sunder/scene/render.h"

namespace sunder {

std::string pngBytes(const Image& image) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.width = static_cast<png_uint_32>(image.width);
    header.height = static_cast<png_uint_32>(image.height);
    header.format = PNG_FORMAT_RGB;
    std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(header), '\0');
    png_alloc_size_t size = bytes.size();
    if (image.rgb.size() != std::size_t(image.width) * image.height * 3 ||
        !png_image_write_to_memory(&header, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr))
        throw Error(std::string("a picture cannot be made into a PNG: ") + header.message);
    bytes.resize(size);
    return bytes;
}

void writePng(const Image& image, const std::string& path) {
    if (image.width <= 0 || image.height <= 0 || image.rgb.size() != std::size_t(image.width) * image.height * 3)
        throw Error("cannot write " + path + ": the image is " + std::to_string(image.width) + " x " +
                    std::to_string(image.height) + " with " + std::to_string(image.rgb.size()) + " bytes");
    const std::string temporary = path + ".part";
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.width = static_cast<png_uint_32>(image.width);
    header.height = static_cast<png_uint_32>(image.height);
    header.format = PNG_FORMAT_RGB;
    std::error_code ignored;
    if (!png_image_write_to_file(&header, temporary.c_str(), 0, image.rgb.data(), 0, nullptr)) {
        std::filesystem::remove(temporary, ignored);
        throw Error("cannot write " + path + ": " + header.message);
    }
    std::error_code failure;
    std::filesystem::rename(temporary, path, failure);
    if (failure) {
        std::filesystem::remove(temporary, ignored);
        throw Error("cannot write " + path + ": " + failure.message());
    }
}

}  // namespace sunder
