// Generalized winding number of a triangle soup: 1 inside, 0 outside, smooth across holes.
//   [JKS13] Jacobson, Kavan, Sorkine-Hornung: Robust inside-outside segmentation using generalized winding numbers
//   [BDSL18] Barill, Dickson, Schmidt, Levin, Jacobson: Fast winding numbers for soups and clouds (far groups as dipoles)
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/bounds.h"
#include "math/vec3d.h"

namespace sunder::geometry {

class WindingNumber {
public:
    WindingNumber(std::span<const Vec3d> vertices, std::span<const std::array<std::uint32_t, 3>> triangles);

    // Near triangles exactly, far ones to about a percent.
    double at(const Vec3d& point) const;
    bool isInside(const Vec3d& point) const { return at(point) > 0.5; }

private:
    struct Node {
        Vec3d center;             // of area
        Vec3d areaVector;         // sum of area times normal
        double squaredReach = 0;  // beyond the sphere of this squared radius the dipole serves
        std::uint32_t first = 0;  // leaf: first triangle in order_; inner: index of the right child (the left one follows)
        std::uint32_t count = 0;  // 0 for inner nodes
    };
    void build(std::span<std::uint32_t> items, std::span<const Bounds> bounds);
    void fill(Node& node, std::span<const std::uint32_t> items) const;

    std::vector<Vec3d> corners_;  // three per triangle, in the order of order_ once built
    std::vector<std::uint32_t> order_;
    std::vector<Node> nodes_;
};

}  // namespace sunder::geometry
