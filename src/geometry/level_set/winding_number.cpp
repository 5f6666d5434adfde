#include "geometry/level_set/winding_number.h"

#include <algorithm>

#include "geometry/surface_area_split.h"
#include "math/trigonometry.h"

namespace sunder::geometry {
namespace {

constexpr std::size_t kTrianglesPerLeaf = 8;
// A group counts as a dipole from this many radii on; the error there is about 1 / (4 pi 3^3) per group.
constexpr double kFarRadii = 3;
constexpr double kFourPi = 12.566370614359172;

// By the tangent of half the solid angle (van Oosterom and Strackee).
double solidAngle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double la = length(a), lb = length(b), lc = length(c);
    const double top = dot(a, cross(b, c));
    const double bottom = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    // Scaled so that float can hold both.
    const double size = std::max(std::fabs(top), std::fabs(bottom));
    if (!(size > 0))
        return 0;
    return 2 * double(arcTangent2(Real(top / size), Real(bottom / size)));
}

}  // namespace

WindingNumber::WindingNumber(std::span<const Vec3d> vertices, std::span<const std::array<std::uint32_t, 3>> triangles) {
    if (triangles.empty())
        return;
    std::vector<Bounds> bounds;
    for (const auto& triangle : triangles) {
        Bounds box;
        for (const std::uint32_t vertex : triangle) {
            corners_.push_back(vertices[vertex]);
            box = unite(box, toReal(vertices[vertex]));
        }
        bounds.push_back(box);
        order_.push_back(std::uint32_t(order_.size()));
    }
    build(order_, bounds);
    std::vector<Vec3d> sorted;
    for (const std::uint32_t triangle : order_)
        sorted.insert(sorted.end(), &corners_[3 * triangle], &corners_[3 * triangle] + 3);
    corners_ = std::move(sorted);
}

void WindingNumber::build(std::span<std::uint32_t> items, std::span<const Bounds> bounds) {
    const std::size_t self = nodes_.size();
    nodes_.emplace_back();
    fill(nodes_[self], items);
    if (items.size() <= kTrianglesPerLeaf) {
        nodes_[self].first = std::uint32_t(items.data() - order_.data());
        nodes_[self].count = std::uint32_t(items.size());
        return;
    }
    const std::size_t left = splitBySurfaceArea(items, bounds);
    build(items.first(left), bounds);
    nodes_[self].first = std::uint32_t(nodes_.size());
    build(items.subspan(left), bounds);
}

void WindingNumber::fill(Node& node, std::span<const std::uint32_t> items) const {
    double total = 0;
    for (const std::uint32_t item : items) {
        const Vec3d* p = &corners_[3 * item];
        const Vec3d areaVector = cross(p[1] - p[0], p[2] - p[0]) * 0.5;
        const double area = length(areaVector);
        node.areaVector = node.areaVector + areaVector;
        node.center = node.center + (p[0] + p[1] + p[2]) * (area / 3);
        total += area;
    }
    node.center = total > 0 ? node.center * (1 / total) : corners_[3 * items[0]];
    double squaredRadius = 0;
    for (const std::uint32_t item : items)
        for (int i = 0; i < 3; ++i) {
            const Vec3d d = corners_[3 * item + i] - node.center;
            squaredRadius = std::max(squaredRadius, dot(d, d));
        }
    node.squaredReach = kFarRadii * kFarRadii * squaredRadius;
}

double WindingNumber::at(const Vec3d& point) const {
    if (nodes_.empty())
        return 0;
    double sum = 0;
    std::array<std::uint32_t, 128> stack;
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const std::uint32_t index = stack[--depth];
        const Node& node = nodes_[index];
        const Vec3d to = node.center - point;
        const double squared = dot(to, to);
        // A full stack (a tree with a hundred levels, which the split does not make of finite input) falls back on the dipole.
        if (squared > node.squaredReach || depth + 2 > int(stack.size())) {
            sum += squared > 0 ? dot(node.areaVector, to) / (squared * std::sqrt(squared)) : 0;
        } else if (node.count > 0) {
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
                sum += solidAngle(corners_[3 * i] - point, corners_[3 * i + 1] - point, corners_[3 * i + 2] - point);
        } else {
            stack[depth++] = node.first;
            stack[depth++] = index + 1;
        }
    }
    return sum / kFourPi;
}

}  // namespace sunder::geometry
