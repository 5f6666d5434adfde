// See sunder/scored_solid.h.
#include "sunder/scored_solid.h"

#include <cmath>
#include <string>

#include "fracture/bonds/interface_bond.h"
#include "geometry/level_set/mesh_level_set.h"
#include "geometry/tets/stuff_tets.h"
#include "geometry/tets/tet_pieces.h"
#include "sunder/definitions.h"

namespace sunder {

namespace {

using namespace geometry;

// Nodes of a piece's level set per cell of the lattice: fine enough to resolve a corner of a single tetrahedron.
constexpr Real kNodesPerCell = 2;

void check(const ScoredSolidDef& def) {
    if (!(def.cell > 0) || !std::isfinite(def.cell))
        throw Error("cell: " + std::to_string(def.cell) + " is not allowed (above 0 m)");
    if (!(def.thickness >= 0) || !std::isfinite(def.thickness) ||
        (def.thickness > 0 && def.thickness < kLeastShellCells * def.cell * (1 - 8 * kEpsilon)))
        throw Error("thickness: " + std::to_string(def.thickness) + " is not allowed (0: solid; else at least " +
                    std::to_string(kLeastShellCells) + " times the cell of " + std::to_string(def.cell) + " m)");
    if (def.pieces < 1 || def.pieces > fracture::kMostPieces)
        throw Error("pieces: " + std::to_string(def.pieces) + " is not allowed (1 to " + std::to_string(fracture::kMostPieces) +
                    ")");
}

TetMesh meshOf(const ScoredSolidDef& def) {
    const Real nodeDistance = def.cell / kFieldCellsPerLatticeCell;
    // The band of exact distances reaches down to the inner wall.
    const Real band = 4 + def.thickness / nodeDistance;
    const MeshFieldResult field = distanceOfMesh(def.mesh.vertices, def.mesh.triangles, {nodeDistance, {}}, band);
    if (!field.error.empty())
        throw Error("mesh: " + field.error);
    const TetResult result = stuffTets(field.field, {def.thickness});
    if (!result.error.empty())
        throw Error("cell: " + result.error);
    return largestComponent(result.mesh);
}

// Relative to its centre of mass, where the child is placed.
CompoundChild childOf(const TetSurface& surface, Real cell) {
    const MassProperties mass = meshMass(surface.vertices, surface.triangles);
    CompoundChild child;
    child.position = {Real(mass.center[0]), Real(mass.center[1]), Real(mass.center[2])};
    Mesh mesh;
    mesh.triangles = surface.triangles;
    for (const Vec3& vertex : surface.vertices)
        mesh.vertices.push_back(vertex - child.position);
    sunder::LevelSet levelSet;
    levelSet.cell = cell / kNodesPerCell;
    levelSet.parts.push_back({std::move(mesh), {}, {}});
    child.shape = std::move(levelSet);
    return child;
}

}  // namespace

ScoredSolid scoreSolid(const ScoredSolidDef& def) {
    check(def);
    const TetMesh mesh = meshOf(def);
    const TetNeighbors neighbors = findNeighbors(mesh);
    const TetPieces pieces = scorePieces(mesh, neighbors, def.pieces, def.seed);
    ScoredSolid solid;
    for (std::uint32_t piece = 0; piece < pieces.count; ++piece)
        solid.pieces.children.push_back(childOf(surfaceOf(mesh, neighbors, pieces.ofTet, piece), def.cell));
    for (const PieceInterface& interface : findInterfaces(mesh, neighbors, pieces.ofTet))
        solid.bonds.push_back(fracture::bondOf(interface));
    const TetQuality quality = measureQuality(mesh);
    solid.tetrahedra = std::uint32_t(mesh.tets.size());
    solid.volume = quality.volume;
    solid.smallestDihedral = quality.smallestDihedral;
    solid.largestDihedral = quality.largestDihedral;
    return solid;
}

}  // namespace sunder
