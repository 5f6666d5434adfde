// How far the look of a drawn surface is from that of the mesh it came from; by brute force, apart from the engine.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "geometry/level_set/closest_point.h"
#include "sunder/scene/mesh_files.h"

namespace sunder {

struct LookedAt {
    std::array<Vec3, 3> corners;  // in the frame of the mesh
    std::array<std::array<float, 2>, 3> coordinates;
    std::string material;
};

// Of texture coordinates: a triangle is right where one triangle of the mesh near its middle, of the same material, maps all
// its corners to what they have. `reach`: m, how far the surface may be from the mesh.
inline double lookError(const Mesh& mesh, const LookedAt& triangle, double reach) {
    const MeshLook& look = *mesh.look;
    const Vec3d middle =
        (toDouble(triangle.corners[0]) + toDouble(triangle.corners[1]) + toDouble(triangle.corners[2])) * (1.0 / 3);
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& [i, j, k] = mesh.triangles[t];
        const Vec3d a = toDouble(mesh.vertices[i]), b = toDouble(mesh.vertices[j]), c = toDouble(mesh.vertices[k]);
        if (geometry::closestPoint(middle, a, b, c).squaredDistance > reach * reach ||
            (*look.materials)[look.materialOf[t]].name != triangle.material)
            continue;
        const Vec3d n = cross(b - a, c - a);
        double worst = 0;
        for (std::size_t corner = 0; corner < 3; ++corner) {
            const Vec3d p = toDouble(triangle.corners[corner]) - a;
            const double v = dot(cross(p, c - a), n) / dot(n, n), w = dot(cross(b - a, p), n) / dot(n, n);
            for (std::size_t axis = 0; axis < 2; ++axis) {
                const auto& at = look.textureCoordinates[t];
                const double expected = (1 - v - w) * double(at[0][axis]) + v * double(at[1][axis]) + w * double(at[2][axis]);
                worst = std::max(worst, std::fabs(double(triangle.coordinates[corner][axis]) - expected));
            }
        }
        best = std::min(best, worst);
    }
    return best;
}

}  // namespace sunder
