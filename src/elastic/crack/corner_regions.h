// How cracks divide one tetrahedron: each corner has a region of its own, and the regions fill the tetrahedron.
// The region of corner i consists of the tetrahedra (corner i, point on edge ij, point on face ijk, point inside). Where a
// single plane cuts, its points lie on the plane, so that the regions of the corners on either side add up to the exact parts.
// However many cracks there are, the shares are positive and their sum is 1. Coordinates are barycentric.
#pragma once

#include <array>
#include <cstdint>

#include "elastic/crack/crack_state.h"
#include "math/vec3d.h"

namespace sunder::elastic {

using Barycentric = std::array<double, 4>;

// Which corners hang together: per corner the lowest corner that no crack parts it from.
using CornerGroups = std::array<std::uint8_t, 4>;
CornerGroups groupsOf(const UncutMesh& solid, const CrackState& state, std::uint32_t tet);

class CornerRegions {
public:
    CornerRegions(const UncutMesh& solid, const CrackState& state, std::uint32_t tet);

    // Per corner the share of the tetrahedron that is its region.
    const std::array<double, 4>& shares() const { return shares_; }
    // The corner in whose region the point lies.
    int cornerAt(const Barycentric& point) const;
    // The two triangles of the border between the regions of two corners, in barycentric coordinates.
    std::array<std::array<Barycentric, 3>, 2> borderOf(int i, int j) const;

private:
    Barycentric edge_[4][4]{}, face_[4]{}, inside_{};  // a face by the corner across from it
    std::array<double, 4> shares_{};
};

Barycentric barycentric(const geometry::TetMesh& mesh, std::uint32_t tet, const Vec3d& point);
Vec3d pointAt(const geometry::TetMesh& mesh, std::uint32_t tet, const Barycentric& at);

}  // namespace sunder::elastic
