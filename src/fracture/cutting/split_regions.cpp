#include "fracture/cutting/split_regions.h"

#include <algorithm>
#include <cmath>

namespace sunder::fracture {

using geometry::ConvexCell;

geometry::RegionAt SplitRegions::at(const Vec3d& point) const {
    geometry::RegionAt found = regions_.at(point);
    for (const RegionSplit& split : splits_) {
        if (found.region != split.region)
            continue;
        const double height = dot(split.normal, point) - split.offset;
        found.distance = std::min(found.distance, std::fabs(height));
        if (height > 0)
            found.region = split.above;
    }
    return found;
}

bool SplitRegions::addCells(const geometry::CellRange& range, std::vector<ConvexCell>& cells) const {
    if (!regions_.addCells(range, cells))
        return false;
    for (const RegionSplit& split : splits_) {
        std::vector<ConvexCell> parts;
        for (ConvexCell& cell : cells) {
            if (cell.region != split.region) {
                parts.push_back(std::move(cell));
                continue;
            }
            ConvexCell above = cell;
            above.region = split.above;
            if (cell.clip({split.normal, split.offset, split.above, false}))
                parts.push_back(std::move(cell));
            if (above.clip({split.normal * -1, -split.offset, split.above, true}))
                parts.push_back(std::move(above));
        }
        cells.swap(parts);
    }
    return true;
}

}  // namespace sunder::fracture
