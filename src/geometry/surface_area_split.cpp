// Binned surface-area split of a set of boxes.
#include "geometry/surface_area_split.h"

#include <array>
#include <utility>

namespace sunder::geometry {
namespace {

constexpr int kBinCount = 16;

struct Bin {
    Bounds bounds;
    std::size_t count = 0;
};

// Maps a centre to its bin along one axis. Uses comparisons, so that a non-finite centre lands in a bin too.
struct Binning {
    int axis = 0;
    Real low = 0;
    Real scale = 0;

    int binOf(const Bounds& box) const {
        const Real t = (component(center(box), axis) - low) * scale;
        return !(t > 0) ? 0 : (t >= kBinCount ? kBinCount - 1 : int(t));
    }
};

int widestAxis(const Vec3& extent) {
    if (extent.x >= extent.y && extent.x >= extent.z)
        return 0;
    return extent.y >= extent.z ? 1 : 2;
}

Real cost(const Bin& part) { return part.count == 0 ? 0 : Real(part.count) * surfaceArea(part.bounds); }

void add(Bin& part, const Bin& more) {
    part.bounds = unite(part.bounds, more.bounds);
    part.count += more.count;
}

// The first bin of the right side, or 0 where no plane separates the items.
int cheapestPlane(const std::array<Bin, kBinCount>& bins) {
    std::array<Bin, kBinCount> right;  // right[i]: bins i and above
    right[kBinCount - 1] = bins[kBinCount - 1];
    for (int i = kBinCount - 2; i > 0; --i) {
        right[i] = bins[i];
        add(right[i], right[i + 1]);
    }
    int best = 0;
    Real bestCost = kInfinity;
    Bin left;
    for (int i = 1; i < kBinCount; ++i) {
        add(left, bins[i - 1]);
        if (left.count == 0 || right[i].count == 0)
            continue;
        const Real total = cost(left) + cost(right[i]);
        if (total < bestCost || best == 0) {
            best = i;
            bestCost = total;
        }
    }
    return best;
}

}  // namespace

std::size_t splitBySurfaceArea(std::span<std::uint32_t> items, std::span<const Bounds> bounds) {
    const std::size_t middle = items.size() / 2;
    Bounds centers;
    for (const std::uint32_t item : items)
        centers = unite(centers, center(bounds[item]));
    const Vec3 extent = centers.high - centers.low;
    Binning binning;
    binning.axis = widestAxis(extent);
    binning.low = component(centers.low, binning.axis);
    binning.scale = kBinCount / component(extent, binning.axis);
    if (!(binning.scale > 0) || !(binning.scale < kInfinity))
        return middle;

    std::array<Bin, kBinCount> bins;
    for (const std::uint32_t item : items) {
        Bin& bin = bins[binning.binOf(bounds[item])];
        bin.bounds = unite(bin.bounds, bounds[item]);
        ++bin.count;
    }
    const int plane = cheapestPlane(bins);
    if (plane == 0)
        return middle;
    std::size_t left = 0;
    std::size_t right = items.size();
    while (left < right) {
        if (binning.binOf(bounds[items[left]]) < plane)
            ++left;
        else
            std::swap(items[left], items[--right]);
    }
    return left;
}

}  // namespace sunder::geometry
