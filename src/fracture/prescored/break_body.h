// Breaks a level-set body into pieces.
//   [Su09] 4.2   max of parent and region, flood fill, particles, mass, centre, inertia, frame
// Everything stays in the frame of the body's grid: nothing is resampled, and the nodes of a piece are nodes of its parent.
#pragma once

#include <array>
#include <vector>

#include "fracture/prescored/share_out.h"
#include "geometry/level_set/cut_nodes.h"
#include "geometry/mass_properties.h"
#include "geometry/surface/extract_surface.h"
#include "geometry/surface/surface_particles.h"

namespace sunder::fracture {

using geometry::CutNodes;

template <class Stored>
struct ParentBody {
    // In steps of cell / kStepsPerCell; its border nodes are outside.
    const geometry::LevelSet<Stored>& field;
    // Mass (in `volume`), centre and inertia of the body in the frame of its grid. Those of the pieces add up to it.
    geometry::MassProperties mass;
    const CutNodes* cutNodes = nullptr;  // of a body that is itself a piece
    bool isMassGiven = false;            // centre or inertia are the user's, not those of the geometry
};

struct BreakOptions {
    PieceLimits limits;
    // Particles at most one per block of (2^level)^3 cells; 0: all of them.
    int particleLevel = 0;
    // Pieces with at most this many particles get none here: they are found again from the piece's field (piece_solid.h).
    std::size_t noParticlesUpTo = 0;
    bool withSurfaces = false;
};

// Material slots of drawn surfaces.
inline constexpr std::uint16_t kOldSurface = geometry::kOldSlot, kFractureSurface = geometry::kFractureSlot;

template <class Stored>
struct Piece {
    geometry::LevelSet<Stored> field;  // cropped, with one layer of outside nodes
    CutNodes cutNodes;
    geometry::SurfaceParticles particles;
    geometry::MassProperties mass;
    // Pose of the piece's centre and principal axes in its parent; moments: the diagonal of its inertia there.
    Pose parentFromPiece;
    std::array<double, 3> moments{};
    std::uint32_t nodeCount = 0;         // of inside nodes
    std::vector<std::uint16_t> regions;  // of the pattern, ascending; more than one where small components were joined
    geometry::SurfaceMesh surface;       // filled only where asked for
};

// Pieces in the order of their first node; one piece where no border of the pattern passes through the body. The same bits for
// any number of threads.
template <class Stored>
std::vector<Piece<Stored>> breakBody(const ParentBody<Stored>& body, const PlacedPattern& pattern, const BreakOptions& options,
                                     TaskRunner& runner);

// The drawn surface, in the frame of the grid.
template <class Stored>
geometry::SurfaceMesh surfaceOf(const geometry::LevelSet<Stored>& field, const CutNodes& cutNodes);

}  // namespace sunder::fracture
