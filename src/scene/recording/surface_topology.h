// Properties of a surface that stay while its vertices move: from which vertices the motion of another one is predicted, and
// which vertices share a normal. Writer and reader both derive them from the surface as it is read, so they agree.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sunder/scene/surface.h"

namespace sunder::scene {

class SurfaceTopology {
public:
    // The surface has vertices, all finite, and a normal for each.
    explicit SurfaceTopology(const Surface& surface);

    static constexpr std::uint32_t kNone = 0xffffffffu;
    // Vertices before a vertex in the list that predict it: those it shares a triangle with, or the one at the same place.
    struct Known {
        std::array<std::uint32_t, 4> near{kNone, kNone, kNone, kNone};
        // Two triangles (vertex, a, b) and (b, a, c): c is opposite to the vertex, as in a parallelogram.
        std::array<std::uint32_t, 3> parallelogram{kNone, kNone, kNone};
    };
    std::span<const Known> known() const { return known_; }
    std::span<const std::array<float, 3>> rest() const { return rest_; }
    std::size_t vertexCount() const { return rest_.size(); }
    float extent() const { return extent_; }

    // Mean normals by area of the triangles around each vertex. Vertices that lay together at rest with one normal, as along
    // the seams of texture coordinates, keep one; edges stay edges.
    void findNormals(std::span<const Vec3> positions, std::vector<Vec3>& normals) const;

private:
    void findTwins(const Surface& surface);
    void findNeighbors();

    std::vector<std::array<float, 3>> rest_;
    std::vector<Vec3> restNormals_;
    std::vector<std::array<std::uint32_t, 3>> triangles_;
    std::vector<Known> known_;
    std::vector<std::uint32_t> normalOf_;  // the first vertex with the same normal
    float extent_ = 0;
};

// The topology of a shape that is a single surface at the body's origin; null for any other shape.
std::shared_ptr<const SurfaceTopology> topologyOf(const DrawnShape& shape);

}  // namespace sunder::scene
