// Fragments joined again to the largest polygons there are: those of one triangle of the surface, and those of one plane of the
// cracks, that have the same piece behind and in front of them. Corners that are left on a straight line are dropped.
#pragma once

#include <span>
#include <vector>

#include "geometry/cutting/fragments.h"

namespace sunder::geometry {

struct MergedFace {
    static constexpr std::uint32_t kOutside = 0xffffffffu;
    std::uint32_t back = 0, front = kOutside;       // pieces; the normal leads from the one behind to the one in front
    std::uint32_t triangle = 0;                     // of the old surface: where it was cut from
    Vec3d normal;                                   // unit
    std::vector<std::vector<std::uint32_t>> loops;  // nodes, counter-clockwise from the front; holes clockwise

    bool isCrack() const { return front != kOutside; }
};

// A triangle of the surface that was not cut. Most of a large mesh are, and need none of what follows.
bool isWhole(const Fragments& fragments, const Fragment& fragment);

// Of all others.
std::vector<MergedFace> mergeFaces(const Fragments& fragments, const CellComplex& complex,
                                   std::span<const std::uint32_t> pieceOfFragment);

// Unit normal of a triangle of the surface.
Vec3d normalOf(const ClosedSurface& surface, std::uint32_t triangle);

// Two directions in the plane of a face, to see it from its front.
struct FlatView {
    Vec3d u, v;
    explicit FlatView(const Vec3d& normal) : u(anyPerpendicular(normal)), v(cross(normal, u)) {}
    double x(const Vec3d& p) const { return dot(u, p); }
    double y(const Vec3d& p) const { return dot(v, p); }
};

}  // namespace sunder::geometry
