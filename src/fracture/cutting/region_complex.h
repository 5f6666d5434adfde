// The division of space by regions, to cut a surface with: from the faces that were drawn or from the regions' own planes where
// they have them, from a grid otherwise.
#pragma once

#include <span>
#include <vector>

#include "geometry/cutting/cell_complex.h"
#include "geometry/patterns/build_pattern.h"

namespace sunder::fracture {

// In the frame of the regions, like the surface that it is to cut. cell: of the grid on which the body breaks (m).
struct RegionComplex {
    geometry::CellComplex complex;
    std::vector<std::uint64_t> regions;  // by label, ascending
    bool isDrawn = false;                // from drawn faces: regions cannot be divided further

    std::uint32_t labelOf(std::uint64_t region) const;  // 0 for one that has no cell
};
// surface: points of it.
RegionComplex complexOfRegions(std::span<const Vec3d> surface, double cell, geometry::RegionSource& regions);

// Keeps the focus of regions near the place that is asked about.
class FocusedRegions {
public:
    FocusedRegions(geometry::RegionSource& regions, double cell) : regions_(regions), cell_(cell) {}
    geometry::RegionAt at(const Vec3d& p) {
        if (!hasFocus_ || length(p - focus_) > kFocus * cell_) {
            regions_.focus(p, (kFocus + 3) * cell_, 4 * cell_);
            focus_ = p;
            hasFocus_ = true;
        }
        return regions_.at(p);
    }

private:
    static constexpr double kFocus = 4;  // cells about the place that is asked about
    geometry::RegionSource& regions_;
    double cell_;
    bool hasFocus_ = false;
    Vec3d focus_;
};

}  // namespace sunder::fracture
