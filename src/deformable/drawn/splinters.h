// Splinters: what a solid is drawn as where it tears.
//   [Parker09] 5   fine pieces that fill the solid, are embedded in its tetrahedra, and stay whole where these come apart
//
// A splinter belongs to one tetrahedron, the one its middle lies in. Its corners move with the tetrahedra that they lie in, as
// far as these hang together with its own near the splinter; where a crack has come between, the corner is attached again, to
// a tetrahedron on its own side. So a crack runs around splinters, finer than the faces that it follows.
#pragma once

#include <cstdint>

#include "deformable/element/solid_model.h"

namespace sunder::deformable {

// A hexahedron; corners by their bits: x 1, y 2, z 4.
struct Splinter {
    std::array<Vec3, 8> corners;  // m, at rest
    Vec3 middle() const;
};

// Slivers along x of random length, with slanting ends, that fill a box about the origin. size: m, of a mean one.
std::vector<Splinter> splintersOfWood(const Vec3& halfExtents, const Vec3& size, std::uint64_t seed);
// Bricks in courses along y, every other one shifted by half a brick.
std::vector<Splinter> splintersOfBrick(const Vec3& halfExtents, const Vec3& size);

// The tetrahedron of every splinter's middle, or the nearest.
std::vector<std::uint32_t> ownersOf(const SolidModel& model, std::span<const Splinter> splinters);

// Splinters as vertices on tetrahedra.
struct SplinterSkin {
    std::vector<std::uint32_t> tet;           // per vertex: four for each of the six faces of a splinter
    std::vector<std::array<Real, 4>> weight;  // of its nodes; below 0 where the vertex lies beside it
    std::vector<std::uint32_t> splinterOf;    // per vertex
    std::vector<std::array<std::uint32_t, 3>> triangles;

    // Vertices for these positions of the model's nodes.
    std::vector<Vec3> place(const SolidModel& model, std::span<const Vec3> positions) const;
};
// owner: per splinter, a tetrahedron of the model.
SplinterSkin attachSplinters(const SolidModel& model, std::span<const Splinter> splinters,
                             std::span<const std::uint32_t> owner);

}  // namespace sunder::deformable
