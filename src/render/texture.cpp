#include "render/texture.h"

#include <algorithm>
#include <cmath>

namespace sunder::render {

namespace {

// The pixel that stands for one that may be outside the picture.
int wrapped(double index, int count, TextureWrap wrap) {
    const double whole = wrap == TextureWrap::Mirror ? 2.0 * count : double(count);
    if (wrap == TextureWrap::Clamp)
        return int(std::clamp(index, 0.0, double(count - 1)));
    const double inside = index - std::floor(index / whole) * whole;
    return std::clamp(inside >= count ? int(whole - 1 - inside) : int(inside), 0, count - 1);
}

}  // namespace

Vec3 Texture::at(Real u, Real v) const {
    const double x = double(u) * width - 0.5, y = double(v) * height - 0.5;
    const double left = std::floor(x), top = std::floor(y);
    const Real s = Real(x - left), t = Real(y - top);
    const auto pixel = [&](double column, double row) {
        return pixels[std::size_t(wrapped(row, height, wrapV)) * std::size_t(width) +
                      std::size_t(wrapped(column, width, wrapU))];
    };
    return (pixel(left, top) * (1 - s) + pixel(left + 1, top) * s) * (1 - t) +
           (pixel(left, top + 1) * (1 - s) + pixel(left + 1, top + 1) * s) * t;
}

}  // namespace sunder::render
