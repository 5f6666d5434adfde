#include "fracture/cutting/cut_pieces.h"

#include "fracture/cutting/piece_of_shell.h"
#include "fracture/cutting/region_complex.h"
#include "fracture/cutting/split_regions.h"
#include "geometry/cutting/cut_surface.h"
#include "geometry/pieces/piece_meshes.h"
#include "geometry/pieces/shells.h"

namespace sunder::fracture {

using geometry::SurfaceMesh;

namespace {

// Cells: a cut makes no edges shorter than this, unless the mesh itself has such.
constexpr double kShortestEdge = 0.25;
// How often regions are divided where the grid has separated what the surface has not.
constexpr int kMostDivisions = 6;

// A surface that is cut, and which fragment belongs to which piece.
struct Cut {
    RegionComplex division;
    geometry::Fragments fragments;
    std::vector<std::uint32_t> pieceOfFragment;
    std::vector<ShellPieces::Divide> divides;
    std::string error;
};

Cut cutOnce(const SurfaceMesh& surface, const Vec3d& offset, double cell, std::span<const Piece<std::int16_t>> pieces,
            geometry::RegionSource& regions) {
    Cut cut;
    std::vector<Vec3d> points;
    for (const Vec3& p : surface.positions)
        points.push_back(toDouble(p) - offset);
    cut.division = complexOfRegions(points, cell, regions);
    for (Vec3d& p : cut.division.complex.points)
        p += offset;
    FocusedRegions focused(regions, cell);
    cut.fragments = geometry::cutIntoFragments(
        surface, cut.division.complex, [&](const Vec3d& p) { return cut.division.labelOf(focused.at(p - offset).region); });
    cut.error = cut.fragments.error;
    if (!cut.error.empty())
        return cut;
    const geometry::Shells shells = geometry::findShells(cut.fragments);
    if (shells.openSeams > 0) {
        cut.error = "the pieces would be open at " + std::to_string(shells.openSeams) + " edges";
        return cut;
    }
    ShellPieces found = piecesOfShells(cut.fragments, shells, pieces, cut.division, focused, offset);
    for (const std::uint32_t shell : shells.ofFragment)
        cut.pieceOfFragment.push_back(found.pieces[shell]);
    cut.divides = std::move(found.divides);
    return cut;
}

}  // namespace

CutSurfaces cutPieces(const SurfaceMesh& surface, const Vec3& origin, const geometry::Grid& grid,
                      std::span<const Piece<std::int16_t>> pieces, geometry::RegionSource& regions, TaskRunner& tasks) {
    const double cell = double(grid.cell);
    SplitRegions split(regions);
    Cut cut = cutOnce(surface, toDouble(origin), cell, pieces, split);
    for (int i = 0; i < kMostDivisions && cut.error.empty() && !cut.division.isDrawn && !cut.divides.empty(); ++i) {
        for (const ShellPieces::Divide& divide : cut.divides)
            split.split(divide.region, divide.normal, divide.offset);
        Cut next = cutOnce(surface, toDouble(origin), cell, pieces, split);
        if (!next.error.empty())
            break;
        cut = std::move(next);
    }
    if (!cut.error.empty())
        return {{}, cut.error};
    geometry::AssembleOptions options;
    options.pieceCount = std::uint32_t(pieces.size());
    options.slot = kFractureSurface;
    options.shortestEdge = kShortestEdge * cell;
    geometry::CutResult made =
        geometry::assemblePieces(surface, std::move(cut.fragments), cut.division.complex, cut.pieceOfFragment, options, tasks);
    return {std::move(made.pieces), std::move(made.error)};
}

}  // namespace sunder::fracture
