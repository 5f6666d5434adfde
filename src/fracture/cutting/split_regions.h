// Regions some of which are divided further by planes.
#pragma once

#include <optional>
#include <vector>

#include "geometry/patterns/build_pattern.h"

namespace sunder::fracture {

struct RegionSplit {
    std::uint64_t region = 0, above = 0;  // what is in front of the plane gets the second number
    Vec3d normal;                         // unit
    double offset = 0;
};

class SplitRegions final : public geometry::RegionSource {
public:
    explicit SplitRegions(geometry::RegionSource& regions) : regions_(regions) {}
    // Divides a region, or a part of one that an earlier call made, by a plane.
    void split(std::uint64_t region, const Vec3d& normal, double offset) {
        splits_.push_back({region, kFirst + splits_.size(), normal, offset});
    }

    void focus(const Vec3d& center, double radius, double reach) override { regions_.focus(center, radius, reach); }
    geometry::RegionAt at(const Vec3d& point) const override;
    bool addCells(const geometry::CellRange& range, std::vector<geometry::ConvexCell>& cells) const override;
    // Parts of regions are not in it.
    std::optional<geometry::CellComplex> complex(const Vec3d& low, const Vec3d& high) const override {
        return splits_.empty() ? regions_.complex(low, high) : std::nullopt;
    }
    Vec3d roughen(const Vec3d& point) const override { return regions_.roughen(point); }
    double roughSize() const override { return regions_.roughSize(); }

private:
    static constexpr std::uint64_t kFirst = std::uint64_t(1) << 62;  // number of the first part, and of its wall

    geometry::RegionSource& regions_;
    std::vector<RegionSplit> splits_;
};

}  // namespace sunder::fracture
