#include "geometry/cutting/cut_polygons.h"

#include <algorithm>
#include <cmath>

#include "geometry/polygon.h"

namespace sunder::geometry {
namespace {

// Projects along the axis that shows most of the triangle, seen from its front.
class Flattener {
public:
    explicit Flattener(const std::array<Vec3d, 3>& triangle) {
        const Vec3d n = cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
        const double x = std::fabs(n.x), y = std::fabs(n.y), z = std::fabs(n.z);
        axis_ = z >= x && z >= y ? 2 : (y >= x ? 1 : 0);
        isFlipped_ = (axis_ == 2 ? n.z : (axis_ == 1 ? n.y : n.x)) < 0;
    }
    PlanePoint operator()(const Vec3d& p) const {
        const double u = axis_ == 2 ? p.x : (axis_ == 1 ? p.z : p.y), v = axis_ == 2 ? p.y : (axis_ == 1 ? p.x : p.z);
        return isFlipped_ ? PlanePoint{v, u} : PlanePoint{u, v};
    }

private:
    int axis_ = 0;
    bool isFlipped_ = false;
};

struct FlatPolygon {
    CutPolygon polygon;
    std::vector<PlanePoint> points;
    double area = 0;  // m^2, twice the signed one: areas are only compared
};

FlatPolygon flatten(const FaceLoop& loop, std::uint32_t label, const NodeNumbers& nodes, const Flattener& flat) {
    FlatPolygon result;
    result.polygon.label = label;
    for (const LoopEdge& edge : loop.edges) {
        result.polygon.corners.push_back({edge, false});
        result.points.push_back(flat(nodes.position(edge.from)));
    }
    result.area = twiceArea(result.points);
    return result;
}

// Joins a hole to the polygon along the shortest slit that crosses neither.
void joinHole(FlatPolygon& around, const FlatPolygon& hole) {
    const std::size_t count = around.points.size(), holeCount = hole.points.size();
    const auto crossesAny = [](const std::vector<PlanePoint>& points, const PlanePoint& a, const PlanePoint& b) {
        const auto isEnd = [&](const PlanePoint& p) { return (p.x == a.x && p.y == a.y) || (p.x == b.x && p.y == b.y); };
        for (std::size_t i = 0; i < points.size(); ++i) {
            const PlanePoint &c = points[i], &d = points[(i + 1) % points.size()];
            if (!isEnd(c) && !isEnd(d) && doCross(a, b, c, d))
                return true;
        }
        return false;
    };
    std::size_t bestCorner = 0, bestHole = 0;
    double bestLength = INFINITY;
    for (const bool checks : {true, false}) {
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = 0; j < holeCount; ++j) {
                const PlanePoint &a = around.points[i], &b = hole.points[j];
                const double squared = (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
                if (squared >= bestLength || (checks && (crossesAny(around.points, a, b) || crossesAny(hole.points, a, b))))
                    continue;
                bestLength = squared;
                bestCorner = i;
                bestHole = j;
            }
        if (bestLength < INFINITY)
            break;
    }
    std::vector<CutPolygon::Corner> corners;
    std::vector<PlanePoint> points;
    const auto add = [&](const FlatPolygon& from, std::size_t at) {
        corners.push_back(from.polygon.corners[at]);
        points.push_back(from.points[at]);
    };
    for (std::size_t i = 0; i <= bestCorner; ++i)
        add(around, i);
    corners.back().isSlit = true;
    for (std::size_t j = 0; j <= holeCount; ++j)
        add(hole, (bestHole + j) % holeCount);
    corners.back().isSlit = true;
    for (std::size_t i = bestCorner; i < count; ++i)
        add(around, i);
    around.polygon.corners = std::move(corners);
    around.points = std::move(points);
}

}  // namespace

std::uint32_t outlineLabel(std::span<const FaceLoop> loops, std::span<const std::uint32_t> labels, const NodeNumbers& nodes,
                           const std::array<Vec3d, 3>& triangle) {
    const Flattener flat(triangle);
    // No loop surrounds the largest one.
    double largest = -1;
    std::uint32_t label = 0;
    for (std::size_t i = 0; i < loops.size(); ++i)
        if (loops[i].isFloating)
            if (const double area = -flatten(loops[i], labels[i], nodes, flat).area; area > largest) {
                largest = area;
                label = labels[i];
            }
    return label;
}

void makePolygons(std::span<const FaceLoop> loops, std::span<const std::uint32_t> labels, const NodeNumbers& nodes,
                  const std::array<Vec3d, 3>& triangle, std::vector<CutPolygon>& polygons) {
    const Flattener flat(triangle);
    std::vector<FlatPolygon> outer, holes;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        FlatPolygon polygon = flatten(loops[i], labels[i], nodes, flat);
        (loops[i].isFloating && polygon.area < 0 ? holes : outer).push_back(std::move(polygon));
    }
    for (const FlatPolygon& hole : holes) {
        FlatPolygon* around = nullptr;
        for (FlatPolygon& candidate : outer)
            if (candidate.polygon.label == hole.polygon.label && contains(candidate.points, hole.points[0]) &&
                (!around || candidate.area < around->area))
                around = &candidate;
        if (around)
            joinHole(*around, hole);
        else
            outer.push_back(hole);  // so thin that rounding turned it over: it becomes a polygon of its own
    }
    polygons.clear();
    for (FlatPolygon& polygon : outer)
        polygons.push_back(std::move(polygon.polygon));
}

}  // namespace sunder::geometry
