// A box that moves in a straight line past the boxes of a tree.
#pragma once

#include "collision/continuous/children.h"

namespace sunder::collision {

class BoxSweep {
public:
    BoxSweep() = default;
    // middle, half: of the box at the start; way: of its middle.
    BoxSweep(const Vec3d& middle, const Vec3d& way, const Vec3d& half) : middle_(middle), way_(way), half_(half) {
        const Vec3 start = toReal(middle), end = toReal(middle + way), extent = toReal(half);
        const Vec3 spare = (abs(start) + abs(end) + extent) * kRounding;
        whole_ = {min(start, end) - extent - spare, max(start, end) + extent + spare};
    }

    // entryFraction; boxes that all of the sweep misses are told from it by a few comparisons.
    double entry(const Bounds& bounds) const {
        return overlaps(bounds, whole_) ? entryFraction(bounds, middle_, way_, half_) : kNever;
    }

private:
    static constexpr Real kRounding = 4 * kEpsilon;  // share of the coordinates

    Vec3d middle_, way_, half_;
    Bounds whole_;  // of the box, all along its way
};

}  // namespace sunder::collision
