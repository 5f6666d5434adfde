// Cells of five tetrahedra: one in the middle and one at every other corner. Neighbouring cells are mirror images, so that
// the diagonals of the faces they share are the same, and no direction is preferred.
#include "deformable/element/solid_model.h"

namespace sunder::deformable {

geometry::TetMesh boxOfTets(const Vec3& halfExtents, std::array<int, 3> cells) {
    geometry::TetMesh mesh;
    const auto [nx, ny, nz] = cells;
    const auto along = [](Real half, int i, int n) { return half * Real(2 * i - n) / Real(n); };
    for (int z = 0; z <= nz; ++z)
        for (int y = 0; y <= ny; ++y)
            for (int x = 0; x <= nx; ++x)
                mesh.vertices.push_back(
                    {along(halfExtents.x, x, nx), along(halfExtents.y, y, ny), along(halfExtents.z, z, nz)});
    // Corners by their bits: x 1, y 2, z 4.
    static constexpr int kEven[5][4] = {{0, 1, 2, 4}, {3, 1, 7, 2}, {5, 1, 4, 7}, {6, 2, 7, 4}, {1, 2, 4, 7}};
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) {
                const int flip = (x + y + z) % 2;
                for (const auto& corners : kEven) {
                    geometry::TetCorners tet;
                    for (int k = 0; k < 4; ++k) {
                        const int corner = corners[k] ^ flip;
                        const int cx = x + (corner & 1), cy = y + (corner >> 1 & 1), cz = z + (corner >> 2);
                        tet[k] = static_cast<std::uint32_t>(cx + (nx + 1) * (cy + (ny + 1) * cz));
                    }
                    const Vec3 &a = mesh.vertices[tet[0]], &b = mesh.vertices[tet[1]], &c = mesh.vertices[tet[2]],
                               &d = mesh.vertices[tet[3]];
                    if (dot(cross(b - a, c - a), d - a) < 0)
                        std::swap(tet[2], tet[3]);
                    mesh.tets.push_back(tet);
                }
            }
    return mesh;
}

}  // namespace sunder::deformable
