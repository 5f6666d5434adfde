// Texture coordinates projected along the axes.
#pragma once

#include "geometry/surface/surface_mesh.h"

namespace sunder::geometry {

// Along the axis that the normal of a triangle is nearest to. Seen from outside u runs to the right, for either sign of the
// axis.
class AxisProjection {
public:
    // metres: for one repeat of the texture.
    AxisProjection(const SurfaceMesh& mesh, const std::array<std::uint32_t, 3>& triangle, Real metres);
    TextureCoordinate at(const Vec3& p) const;

private:
    int axis_;
    Real sign_, scale_;
};

// Vertices between triangles of different axes are split.
void projectTexture(SurfaceMesh& mesh, Real metres);

}  // namespace sunder::geometry
