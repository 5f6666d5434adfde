#include "geometry/look/texture_coordinates.h"

#include "geometry/look/vertex_splitter.h"

namespace sunder::geometry {

AxisProjection::AxisProjection(const SurfaceMesh& mesh, const std::array<std::uint32_t, 3>& triangle, Real metres) {
    const Vec3 a = mesh.positions[triangle[0]];
    const Vec3 n = cross(mesh.positions[triangle[1]] - a, mesh.positions[triangle[2]] - a), size = abs(n);
    axis_ = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
    scale_ = 1 / metres;
    sign_ = component(n, axis_) > 0 ? scale_ : -scale_;
}

TextureCoordinate AxisProjection::at(const Vec3& p) const {
    if (axis_ == 0)
        return {float(-p.z * sign_), float(p.y * scale_)};
    if (axis_ == 1)
        return {float(p.x * scale_), float(-p.z * sign_)};
    return {float(p.x * sign_), float(p.y * scale_)};
}

void projectTexture(SurfaceMesh& mesh, Real metres) {
    VertexSplitter splitter(mesh, false);
    for (auto& triangle : mesh.triangles) {
        const AxisProjection projection(mesh, triangle, metres);
        for (std::uint32_t& vertex : triangle)
            splitter.set(vertex, {projection.at(mesh.positions[vertex])});
    }
}

}  // namespace sunder::geometry
