// Joins corners of triangles that are one point: those on either side of an edge, all around. Where a piece touches itself the
// point is two.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/union_find.h"
#include "geometry/cutting/edge_uses.h"
#include "math/vec3d.h"

namespace sunder::geometry {

class CornerJoiner {
public:
    // positions: of all nodes; nodes: those of the piece, by the numbers that its triangles have.
    CornerJoiner(const std::vector<Vec3d>& positions, std::span<const std::uint32_t> nodes,
                 std::span<const std::array<std::uint32_t, 3>> triangles)
        : positions_(positions), nodes_(nodes), triangles_(triangles), points_(3 * triangles.size()) {}

    // How many edges are left without a partner.
    std::size_t run();
    // Number of the point that a corner lies in: corners that were joined share it.
    std::uint32_t pointOf(std::uint32_t triangle, std::uint32_t corner) { return points_.root(3 * triangle + corner); }

private:
    void join(const EdgeUse& a, const EdgeUse& b);
    std::size_t joinEdge(std::span<const EdgeUse> uses);
    void joinAround(std::span<const EdgeUse> uses);
    const Vec3d& position(std::uint32_t node) const { return positions_[nodes_[node]]; }

    const std::vector<Vec3d>& positions_;
    std::span<const std::uint32_t> nodes_;
    std::span<const std::array<std::uint32_t, 3>> triangles_;
    UnionFind points_;  // corners
};

}  // namespace sunder::geometry
