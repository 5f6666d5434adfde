// Whether borders of two regions have edges away from any third region.
#include <algorithm>

#include "geometry/patterns/pattern.h"

namespace sunder::geometry {
namespace {

// |gradient|^2 of a cell through which an edge of 50 degrees or more passes.
constexpr double kSharpSquared = 0.8;
// Sharp cells must be at least one in this many: rounding, roughness and regions thinner than the grid resolves make a few in
// patterns without edges.
constexpr std::size_t kSharpOneIn = 64;

class CellsOfTwo {
public:
    explicit CellsOfTwo(const Pattern& pattern)
        : pattern_(pattern),
          strides_{1, std::size_t(pattern.grid.nodes.x),
                   std::size_t(pattern.grid.nodes.x) * std::size_t(pattern.grid.nodes.y)} {}

    void look(int x, int y, int z) {
        const std::size_t first = pattern_.grid.index(x, y, z);
        const std::uint16_t own = pattern_.labels[first];
        std::uint16_t other = own;
        int values[8];
        for (std::size_t i = 0; i < 8; ++i) {
            const std::size_t node = first + (i & 1) * strides_[0] + (i >> 1 & 1) * strides_[1] + (i >> 2) * strides_[2];
            const std::uint16_t label = pattern_.labels[node];
            if (label != own && other != own && label != other)
                return;
            other = label != own ? label : other;
            values[i] = label == own ? -int(pattern_.distances[node]) : int(pattern_.distances[node]);
        }
        if (other == own)
            return;
        ++count_;
        double squared = 0;
        for (int axis = 0; axis < 3; ++axis) {
            int slope = 0;
            for (int i = 0; i < 8; ++i)
                slope += (i >> axis & 1) != 0 ? values[i] : -values[i];
            squared += double(slope) * double(slope);
        }
        constexpr double kUnit = 4 * Pattern::kStepsPerCell;
        if (squared < kSharpSquared * kUnit * kUnit)
            sharp_ += areAlone(x, y, z, own, other);
    }
    bool areSharp() const { return sharp_ * kSharpOneIn > count_; }

private:
    // Whether no third region is within a cell of this one.
    bool areAlone(int x, int y, int z, std::uint16_t a, std::uint16_t b) const {
        const auto [nx, ny, nz] = pattern_.grid.nodes;
        for (int k = std::max(z - 1, 0); k <= std::min(z + 2, nz - 1); ++k)
            for (int j = std::max(y - 1, 0); j <= std::min(y + 2, ny - 1); ++j)
                for (int i = std::max(x - 1, 0); i <= std::min(x + 2, nx - 1); ++i) {
                    const std::uint16_t label = pattern_.labels[pattern_.grid.index(i, j, k)];
                    if (label != a && label != b)
                        return false;
                }
        return true;
    }

    const Pattern& pattern_;
    std::size_t strides_[3];
    std::size_t count_ = 0, sharp_ = 0;
};

}  // namespace

bool findSharpFaces(const Pattern& pattern) {
    CellsOfTwo cells(pattern);
    for (int z = 0; z + 1 < pattern.grid.nodes.z; ++z)
        for (int y = 0; y + 1 < pattern.grid.nodes.y; ++y)
            for (int x = 0; x + 1 < pattern.grid.nodes.x; ++x)
                cells.look(x, y, z);
    return cells.areSharp();
}

}  // namespace sunder::geometry
