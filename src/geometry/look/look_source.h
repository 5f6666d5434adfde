// The look of the mesh that a solid was sampled from, carried over to surfaces that only lie near it: those of level sets.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "geometry/surface/surface_mesh.h"
#include "geometry/triangle_mesh.h"
#include "sunder/shapes.h"

namespace sunder::geometry {

class LookSource {
public:
    // A mesh with a look that fits it, and its tree; both must outlive this.
    LookSource(const Mesh& mesh, const TriangleMesh& tree);
    const std::shared_ptr<const MeshMaterials>& materials() const { return mesh_.look->materials; }

    // Triangles of slot 0 get the material, coordinates and colours of the mesh where it is nearest, all others projected
    // coordinates and white. A triangle never straddles a seam: its corners take theirs from the chart that is nearest to its
    // middle, continued beyond its border. Vertices are split where the two sides of a seam differ. The surface is in the frame
    // of the mesh, with one vertex for each point and normal.
    void carry(SurfaceMesh& surface) const;

private:
    void findCharts();
    bool isSeam(std::uint32_t a, std::uint32_t b) const;

    const Mesh& mesh_;
    const TriangleMesh& tree_;
    std::vector<std::uint32_t> charts_;  // by triangle of the tree
};

VertexColor blend(const std::array<VertexColor, 3>& colors, const std::array<double, 3>& weights);

// Whether each list of the look is empty or has `triangles` entries, and materials exist.
bool fits(const MeshLook& look, std::size_t triangles);

// The slots, coordinates and colours of a mesh's own triangles. sources: by triangle of the surface, that of the mesh and the
// corner of it that each of its corners is.
struct SourceCorners {
    std::uint32_t triangle = 0;
    std::array<std::uint8_t, 3> corners{0, 1, 2};
};
void takeLook(SurfaceMesh& surface, const MeshLook& look, std::span<const SourceCorners> sources);

// Whether two triangles in one plane are of one slot, and the coordinates and colours of the first go on as those of the
// second.
bool continuesLook(const SurfaceMesh& surface, std::uint32_t first, std::uint32_t second);

}  // namespace sunder::geometry
