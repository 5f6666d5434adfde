// Texture coordinates of extracted surfaces: projected along the axes, or carried over from the mesh the solid came from.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "geometry/surface/surface_mesh.h"

namespace sunder::geometry {

// Each triangle along the axis its normal is nearest to; one repeat of the texture per `repeat` metres. Vertices between
// triangles of different axes are split.
void projectTexture(SurfaceMesh& mesh, Real repeat);

// A textured mesh in the same frame.
struct TexturedMesh {
    std::span<const Vec3> vertices;
    std::span<const std::array<std::uint32_t, 3>> triangles;
    std::span<const std::array<TextureCoordinate, 3>> corners;  // per triangle, the coordinates of its corners
};

// The triangles with this slot take the mapping of the source triangle closest to their centre, so that none straddles a seam
// of the source; vertices are split where mappings differ. Call projectTexture first for the other slots.
void carryTexture(SurfaceMesh& mesh, const TexturedMesh& source, std::uint16_t slot);

}  // namespace sunder::geometry
