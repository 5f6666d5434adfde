// From convex cells to the division of space between them: on each wall the faces of the cells behind it are cut by the cells
// in front. What is left of them meets in whole edges once it is joined (join_polygons.h).
#include <algorithm>
#include <cmath>
#include <tuple>

#include "geometry/cells/convex_cell.h"
#include "geometry/cells/join_polygons.h"

namespace sunder::geometry {
namespace {

// Share of the size of all cells: corners closer than this are one corner. More than clipping in different orders rounds away,
// less than is drawn.
constexpr double kSame = 1e-9;

class Builder {
public:
    Builder(std::span<const ConvexCell> cells, double size) : cells_(cells), size_(size) {}

    CellsComplex run() {
        for (const ConvexCell& cell : cells_)
            if (!cell.isEmpty())
                result_.regions.push_back(cell.region);
        std::sort(result_.regions.begin(), result_.regions.end());
        result_.regions.erase(std::unique(result_.regions.begin(), result_.regions.end()), result_.regions.end());
        findPolygons();
        result_.complex = joinPolygons(polygons_, kSame * size_);
        return std::move(result_);
    }

private:
    struct Side {
        std::uint64_t wall, part;
        bool isFront;
        std::uint32_t cell, face;
    };

    std::uint32_t labelOf(std::uint32_t cell) const {
        const auto at = std::lower_bound(result_.regions.begin(), result_.regions.end(), cells_[cell].region);
        return std::uint32_t(at - result_.regions.begin());
    }

    void findPolygons() {
        std::vector<Side> sides;
        for (std::uint32_t cell = 0; cell < cells_.size(); ++cell)
            for (std::uint32_t face = 0; face < cells_[cell].faces().size(); ++face)
                if (const CellPlane& plane = cells_[cell].faces()[face].plane; plane.wall != kNoWall)
                    sides.push_back({plane.wall, plane.part, plane.isFront, cell, face});
        std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
            return std::tie(a.wall, a.part, a.isFront, a.cell, a.face) < std::tie(b.wall, b.part, b.isFront, b.cell, b.face);
        });
        for (std::size_t i = 0, end = 0; i < sides.size(); i = end) {
            std::size_t firstFront = i;
            for (end = i; end < sides.size() && sides[end].wall == sides[i].wall && sides[end].part == sides[i].part; ++end)
                firstFront += !sides[end].isFront;
            if (i == 0 || sides[i].wall != sides[i - 1].wall)
                ++groups_;
            for (std::size_t back = i; back < firstFront; ++back)
                for (std::size_t front = firstFront; front < end; ++front)
                    if (cells_[sides[back].cell].region != cells_[sides[front].cell].region)
                        addMeeting(sides[back], sides[front]);
        }
    }

    void addMeeting(const Side& back, const Side& front) {
        const ConvexCell::Face& own = cells_[back.cell].faces()[back.face];
        LabelledPolygon polygon;
        polygon.points = own.points;
        for (const ConvexCell::Face& face : cells_[front.cell].faces()) {
            if (face.plane.wall == front.wall)
                continue;
            clipPolygon(polygon.points, face.plane.normal, face.plane.offset, 0.01 * kSame * size_);
            if (polygon.points.size() < 3)
                return;
        }
        if (isSliver(polygon.points, kSame * size_))
            return;
        polygon.normal = own.plane.normal;
        polygon.back = labelOf(back.cell);
        polygon.front = labelOf(front.cell);
        polygon.group = groups_;
        polygons_.push_back(std::move(polygon));
    }

    std::span<const ConvexCell> cells_;
    double size_;
    std::vector<LabelledPolygon> polygons_;
    std::uint32_t groups_ = 0;
    CellsComplex result_;
};

}  // namespace

CellsComplex complexOfCells(std::span<const ConvexCell> cells, double size) { return Builder(cells, size).run(); }

}  // namespace sunder::geometry
