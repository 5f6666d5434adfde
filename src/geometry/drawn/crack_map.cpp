#include "geometry/drawn/crack_map.h"

#include <algorithm>
#include <cmath>

namespace sunder::geometry {
namespace {

constexpr int kNoRow = -1;
constexpr std::int64_t kFarLeft = std::int64_t(-1) * (std::int64_t(1) << 40);  // left of any pixel

// Row of the nearest set pixel in the same column, or kNoRow.
std::vector<int> nearestInColumns(int width, int height, const std::vector<std::uint8_t>& isSet) {
    std::vector<int> rows(isSet.size(), kNoRow);
    const auto index = [&](int x, int y) { return std::size_t(x) + std::size_t(width) * std::size_t(y); };
    for (int x = 0; x < width; ++x) {
        for (int y = 0, last = kNoRow; y < height; ++y) {
            last = isSet[index(x, y)] ? y : last;
            rows[index(x, y)] = last;
        }
        for (int y = height - 1, last = kNoRow; y >= 0; --y) {
            last = isSet[index(x, y)] ? y : last;
            int& row = rows[index(x, y)];
            if (last != kNoRow && (row == kNoRow || last - y < y - row))
                row = last;
        }
    }
    return rows;
}

// The lower envelope of the parabolas (x - column)^2 + height along one row.
class Envelope {
public:
    explicit Envelope(int width) : columns_(std::size_t(width)), from_(std::size_t(width)) {}
    void clear() { count_ = 0; }
    void add(int column, std::int64_t height) {
        std::int64_t from = 0;
        while (count_ > 0) {
            // The first x at which the new parabola is lower than the last one.
            const auto& [last, lastHeight] = columns_[count_ - 1];
            const std::int64_t above = height + std::int64_t(column) * column - lastHeight - std::int64_t(last) * last;
            const std::int64_t twice = 2 * (std::int64_t(column) - last);
            from = (above >= 0 ? above / twice : -((-above + twice - 1) / twice)) + 1;
            if (from > from_[count_ - 1])
                break;
            --count_;
            from = 0;
        }
        columns_[count_] = {column, height};
        from_[count_] = count_ == 0 ? kFarLeft : from;
        ++count_;
    }
    bool isEmpty() const { return count_ == 0; }
    // Calls visit(x, column) for each x of the row.
    template <class Visit>
    void walk(int width, Visit&& visit) const {
        for (std::size_t x = 0, i = 0; x < std::size_t(width); ++x) {
            while (i + 1 < count_ && from_[i + 1] <= std::int64_t(x))
                ++i;
            visit(int(x), columns_[i].column);
        }
    }

private:
    struct Parabola {
        int column = 0;
        std::int64_t height = 0;
    };
    std::vector<Parabola> columns_;
    std::vector<std::int64_t> from_;
    std::size_t count_ = 0;
};

// Light regions, 1 and up in the order of their first pixel; 0 where dark.
std::vector<std::uint32_t> floodLight(const Raster& raster, std::vector<std::size_t>& sizes) {
    std::vector<std::uint32_t> regions(raster.isDark.size());
    std::vector<std::size_t> open;
    sizes.assign(1, 0);
    const auto take = [&](std::size_t at) {
        if (raster.isDark[at] || regions[at] != 0)
            return;
        regions[at] = std::uint32_t(sizes.size() - 1);
        ++sizes.back();
        open.push_back(at);
    };
    const std::size_t width = std::size_t(raster.width);
    for (std::size_t seed = 0; seed < regions.size(); ++seed) {
        if (raster.isDark[seed] || regions[seed] != 0)
            continue;
        sizes.push_back(0);
        take(seed);
        while (!open.empty()) {
            const std::size_t at = open.back();
            open.pop_back();
            if (at % width > 0)
                take(at - 1);
            if (at % width + 1 < width)
                take(at + 1);
            if (at >= width)
                take(at - width);
            if (at + width < regions.size())
                take(at + width);
        }
    }
    return regions;
}

// Leaves out small regions and numbers the others anew; returns how many there are.
std::uint32_t dropSpecks(std::vector<std::uint32_t>& regions, const std::vector<std::size_t>& sizes, std::size_t smallest) {
    std::vector<std::uint32_t> numbers(sizes.size());
    std::uint32_t count = 0;
    for (std::size_t i = 1; i < sizes.size(); ++i)
        numbers[i] = sizes[i] < smallest ? 0 : ++count;
    for (std::uint32_t& region : regions)
        region = numbers[region];
    return count;
}

double apart(std::size_t a, std::size_t b, std::size_t width) {
    const std::size_t rowA = a / width, rowB = b / width;
    const double x = double(a % width) - double(b % width), y = double(rowA) - double(rowB);
    return std::sqrt(x * x + y * y);
}

// From the middles of pixels to the edges between pixels of two regions.
std::vector<float> toBorders(const Raster& raster, const std::vector<std::uint32_t>& regions) {
    const std::size_t width = std::size_t(raster.width);
    std::vector<std::uint8_t> isBorder(regions.size());
    bool any = false;
    const auto look = [&](std::size_t a, std::size_t b) {
        if (regions[a] != regions[b])
            isBorder[a] = isBorder[b] = 1, any = true;
    };
    for (std::size_t at = 0; at < regions.size(); ++at) {
        if (at % width + 1 < width)
            look(at, at + 1);
        if (at + width < regions.size())
            look(at, at + width);
    }
    if (!any)
        return std::vector<float>(regions.size(), float(raster.width + raster.height));
    const std::vector<std::uint32_t> nearest = nearestSet(raster.width, raster.height, isBorder);
    std::vector<float> distances(regions.size());
    // The nearest border pixel is on either side of the edge, which is half a pixel beyond or before it.
    for (std::size_t at = 0; at < regions.size(); ++at)
        distances[at] =
            float(std::max(apart(at, nearest[at], width) + (regions[at] == regions[nearest[at]] ? 0.5 : -0.5), 0.25));
    return distances;
}

}  // namespace

std::vector<std::uint32_t> nearestSet(int width, int height, const std::vector<std::uint8_t>& isSet) {
    const std::vector<int> rows = nearestInColumns(width, height, isSet);
    std::vector<std::uint32_t> nearest(isSet.size());
    Envelope envelope(width);
    for (int y = 0; y < height; ++y) {
        envelope.clear();
        const std::size_t first = std::size_t(width) * std::size_t(y);
        for (int x = 0; x < width; ++x)
            if (const int row = rows[first + std::size_t(x)]; row != kNoRow)
                envelope.add(x, std::int64_t(row - y) * (row - y));
        if (!envelope.isEmpty())
            envelope.walk(width, [&](int x, int column) {
                const int row = rows[first + std::size_t(column)];
                nearest[first + std::size_t(x)] = std::uint32_t(column) + std::uint32_t(width) * std::uint32_t(row);
            });
    }
    return nearest;
}

RegionMap regionsBetween(const Raster& raster, std::size_t smallest) {
    RegionMap map;
    std::vector<std::size_t> sizes;
    map.regions = floodLight(raster, sizes);
    map.count = dropSpecks(map.regions, sizes, smallest);
    if (map.count == 0)
        return map;
    std::vector<std::uint8_t> isLight(map.regions.size());
    for (std::size_t at = 0; at < isLight.size(); ++at)
        isLight[at] = map.regions[at] != 0;
    const std::vector<std::uint32_t> nearest = nearestSet(raster.width, raster.height, isLight);
    for (std::size_t at = 0; at < isLight.size(); ++at)
        if (!isLight[at])
            map.regions[at] = map.regions[nearest[at]];
    map.distances = toBorders(raster, map.regions);
    return map;
}

}  // namespace sunder::geometry
