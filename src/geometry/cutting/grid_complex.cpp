#include "geometry/cutting/grid_complex.h"

#include <algorithm>

#include "core/none.h"

namespace sunder::geometry {
namespace {

// Cells: least distance of a point from the border of its grid edge, face or cell. Too small to be seen, large enough for the
// grid of exact points.
constexpr double kLeastInset = 1.0 / 4096;
// Added to squared sines between planes: planes closer to parallel than a thousandth do not pull a point along themselves.
constexpr double kParallel = 1e-6;

double at(const Vec3d& v, int axis) { return axis == 0 ? v.x : (axis == 1 ? v.y : v.z); }
void set(Vec3d& v, int axis, double value) { (axis == 0 ? v.x : (axis == 1 ? v.y : v.z)) = value; }

// The point closest to several planes; in directions that they leave open, the mean of the points they were given at. In cells.
class PlaneMeeting {
public:
    void add(const Vec3d& point, const Vec3d& normal) {
        sum_ += point;
        planes_[count_++] = {point, normal};
    }
    int count() const { return count_; }

    // fixed: an axis along which the point stays at the mean; 3: none.
    Vec3d solve(int fixed) const {
        const Vec3d mean = sum_ * (1.0 / count_);
        double a[6] = {kParallel, kParallel, kParallel, 0, 0, 0};  // xx yy zz xy xz yz
        Vec3d b;
        for (int i = 0; i < count_; ++i) {
            Vec3d n = planes_[i].normal;
            const double distance = dot(n, planes_[i].point - mean);
            if (fixed < 3)
                set(n, fixed, 0);
            a[0] += n.x * n.x, a[1] += n.y * n.y, a[2] += n.z * n.z;
            a[3] += n.x * n.y, a[4] += n.x * n.z, a[5] += n.y * n.z;
            b += n * distance;
        }
        const double c00 = a[1] * a[2] - a[5] * a[5], c01 = a[4] * a[5] - a[3] * a[2], c02 = a[3] * a[5] - a[4] * a[1];
        const double c11 = a[0] * a[2] - a[4] * a[4], c12 = a[3] * a[4] - a[0] * a[5], c22 = a[0] * a[1] - a[3] * a[3];
        const double inverse = 1 / (a[0] * c00 + a[3] * c01 + a[4] * c02);
        const Vec3d move{(c00 * b.x + c01 * b.y + c02 * b.z) * inverse, (c01 * b.x + c11 * b.y + c12 * b.z) * inverse,
                         (c02 * b.x + c12 * b.y + c22 * b.z) * inverse};
        return mean + move;
    }

private:
    struct Plane {
        Vec3d point, normal;
    };
    Plane planes_[12];
    int count_ = 0;
    Vec3d sum_;
};

double within(double value, double low) { return std::clamp(value, low + kLeastInset, low + 1 - kLeastInset); }

// Edges of a face whose normal is along `axis`, counter-clockwise; u and v are the next two axes.
struct FaceEdge {
    int u, v;     // of the edge's first node
    bool alongV;  // else along u
};
constexpr FaceEdge kFaceEdges[4] = {{0, 0, false}, {1, 0, true}, {0, 1, false}, {0, 0, true}};
constexpr int kFaceNodes[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

class GridComplexBuilder {
public:
    GridComplexBuilder(const LabelGrid& grid, const std::function<BorderPoint(const Vec3d&, const Vec3d&)>& borderBetween)
        : grid_(grid),
          borderBetween_(borderBetween),
          edgePoint_(grid.labels.size() * 3, kNone),
          facePoint_(grid.labels.size() * 3, kNone) {}

    CellComplex run() {
        for (int z = 0; z + 1 < grid_.nodes.z; ++z)
            for (int y = 0; y + 1 < grid_.nodes.y; ++y)
                for (int x = 0; x + 1 < grid_.nodes.x; ++x)
                    if (grid_.isActive[grid_.index(x, y, z)])
                        divide({x, y, z});
        complex_.setEdges(std::move(uses_));
        return std::move(complex_);
    }

private:
    static Int3 moved(Int3 node, int axis, int by) {
        (axis == 0 ? node.x : (axis == 1 ? node.y : node.z)) += by;
        return node;
    }
    std::size_t index(const Int3& node) const { return grid_.index(node.x, node.y, node.z); }
    std::uint32_t labelAt(const Int3& node) const { return grid_.labels[index(node)]; }

    std::uint32_t addPoint(const Vec3d& cells) {
        complex_.points.push_back(grid_.origin + cells * grid_.cell);
        places_.push_back(cells);
        return std::uint32_t(complex_.points.size() - 1);
    }

    std::uint32_t pointOfEdge(const Int3& node, int axis) {
        std::uint32_t& known = edgePoint_[index(node) * 3 + std::size_t(axis)];
        if (known != kNone)
            return known;
        const Int3 other = moved(node, axis, 1);
        const BorderPoint border =
            borderBetween_(grid_.position(node.x, node.y, node.z), grid_.position(other.x, other.y, other.z));
        Vec3d place{double(node.x), double(node.y), double(node.z)};
        set(place, axis, within(at(place, axis) + border.fraction, at(place, axis)));
        known = addPoint(place);
        normals_.resize(complex_.points.size());
        normals_[known] = border.normal;
        return known;
    }

    void addCrossings(const Int3& face, int axis, PlaneMeeting& meeting) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (const FaceEdge& edge : kFaceEdges) {
            const Int3 node = moved(moved(face, u, edge.u), v, edge.v);
            const int along = edge.alongV ? v : u;
            if (labelAt(node) == labelAt(moved(node, along, 1)))
                continue;
            const std::uint32_t point = pointOfEdge(node, along);
            meeting.add(places_[point], normals_[point]);
        }
    }

    std::uint32_t pointOfFace(const Int3& node, int axis) {
        std::uint32_t& known = facePoint_[index(node) * 3 + std::size_t(axis)];
        if (known != kNone)
            return known;
        PlaneMeeting meeting;
        addCrossings(node, axis, meeting);
        if (meeting.count() == 0)
            return kNone;
        Vec3d place = meeting.solve(axis);
        const Vec3d low{double(node.x), double(node.y), double(node.z)};
        for (const int other : {(axis + 1) % 3, (axis + 2) % 3})
            set(place, other, within(at(place, other), at(low, other)));
        set(place, axis, at(low, axis));
        return known = addPoint(place);
    }

    // Uses all edges of the cell: four along each axis.
    std::uint32_t pointOfCell(const Int3& cell) {
        PlaneMeeting meeting;
        for (int axis = 0; axis < 3; ++axis)
            for (const auto& [i, j] : kFaceNodes) {
                const Int3 node = moved(moved(cell, (axis + 1) % 3, i), (axis + 2) % 3, j);
                if (labelAt(node) == labelAt(moved(node, axis, 1)))
                    continue;
                const std::uint32_t point = pointOfEdge(node, axis);
                meeting.add(places_[point], normals_[point]);
            }
        if (meeting.count() == 0)
            return kNone;
        const Vec3d place = meeting.solve(3);
        return addPoint({within(place.x, cell.x), within(place.y, cell.y), within(place.z, cell.z)});
    }

    void divide(const Int3& cell) {
        const std::uint32_t cellPoint = pointOfCell(cell);
        if (cellPoint == kNone)
            return;
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side)
                addFaces(cellPoint, moved(cell, axis, side), axis, side == 1);
    }

    // Adds the triangles between the point of the cell, that of one of its faces, and those of the face's edges.
    void addFaces(std::uint32_t cellPoint, const Int3& face, int axis, bool isHigh) {
        const std::uint32_t facePoint = pointOfFace(face, axis);
        if (facePoint == kNone)
            return;
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        std::uint32_t labels[4];
        for (int i = 0; i < 4; ++i)
            labels[i] = labelAt(moved(moved(face, u, kFaceNodes[i][0]), v, kFaceNodes[i][1]));
        for (std::uint32_t k = 0; k < 4; ++k) {
            if (labels[k] == labels[(k + 1) % 4])
                continue;
            const FaceEdge& edge = kFaceEdges[k];
            const std::uint32_t edgePoint = pointOfEdge(moved(moved(face, u, edge.u), v, edge.v), edge.alongV ? v : u);
            const std::uint32_t number = std::uint32_t(complex_.faces.size());
            // From the cell's point a high face is seen along +axis: its edges go counter-clockwise about that direction, and
            // in front of a triangle is the node after its edge.
            const std::vector<Vec3d>& points = complex_.points;
            const Vec3d normal = cross(points[facePoint] - points[cellPoint], points[edgePoint] - points[cellPoint]);
            complex_.faces.push_back({{cellPoint, facePoint, edgePoint},
                                      isHigh ? labels[(k + 1) % 4] : labels[k],
                                      isHigh ? labels[k] : labels[(k + 1) % 4],
                                      number,
                                      normalizeOr(normal, {0, 1, 0})});
            uses_.push_back({cellPoint, facePoint, isHigh ? k : 3 - k, number, 0});
            uses_.push_back({facePoint, edgePoint, 0, number, 1});
            uses_.push_back({cellPoint, edgePoint, 0, number, 2});
        }
    }

    const LabelGrid& grid_;
    const std::function<BorderPoint(const Vec3d&, const Vec3d&)>& borderBetween_;
    CellComplex complex_;
    std::vector<CellComplex::EdgeUse> uses_;
    std::vector<std::uint32_t> edgePoint_, facePoint_;  // by first node and axis
    std::vector<Vec3d> places_;                         // by point, in cells
    std::vector<Vec3d> normals_;                        // by point of an edge
};

}  // namespace

CellComplex complexOfGrid(const LabelGrid& grid, const std::function<BorderPoint(const Vec3d&, const Vec3d&)>& borderBetween) {
    return GridComplexBuilder(grid, borderBetween).run();
}

}  // namespace sunder::geometry
