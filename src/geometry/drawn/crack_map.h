// The regions between dark lines of a raster.
#pragma once

#include <cstdint>
#include <vector>

namespace sunder::geometry {

struct Raster {
    int width = 0, height = 0;
    std::vector<std::uint8_t> isDark;  // rows from the top

    std::size_t index(int x, int y) const { return std::size_t(x) + std::size_t(width) * std::size_t(y); }
};

struct RegionMap {
    std::uint32_t count = 0;
    std::vector<std::uint32_t> regions;  // per pixel, 1 .. count; dark pixels belong to the nearest region
    std::vector<float> distances;        // in pixels, from the pixel's middle to the border of its region
};

// Light pixels that touch along an edge are one region; regions of fewer pixels than `smallest` are specks of the lines.
RegionMap regionsBetween(const Raster& raster, std::size_t smallest);

// For each pixel the index of the nearest one that is set, exactly; among equals the one farther to the upper left. At least
// one must be set.
std::vector<std::uint32_t> nearestSet(int width, int height, const std::vector<std::uint8_t>& isSet);

}  // namespace sunder::geometry
