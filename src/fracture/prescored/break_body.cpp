#include "fracture/prescored/break_body.h"

#include <algorithm>

#include "fracture/prescored/border_shares.h"
#include "fracture/prescored/piece_field.h"
#include "fracture/prescored/piece_mass.h"
#include "fracture/prescored/piece_vertices.h"
#include "geometry/surface/extract_surface.h"

namespace sunder::fracture {

using geometry::LevelSet;
using geometry::MassProperties;
using geometry::SurfaceMesh;
using geometry::SurfaceVertex;

namespace {

// Largest first, so that no thread is left with a large one at the end.
std::vector<std::uint32_t> bySize(const std::vector<PieceOfNodes>& pieces) {
    std::vector<std::uint32_t> order(pieces.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return pieces[a].nodeCount > pieces[b].nodeCount; });
    return order;
}

template <class Stored>
void addParticlesAndSurface(Piece<Stored>& piece, std::span<const SurfaceVertex> vertices, const BreakOptions& options) {
    piece.particles = geometry::makeParticles(piece.field.grid, vertices);
    if (options.withSurfaces)
        piece.surface = geometry::extractCutSurface<Stored>(piece.field, vertices, piece.cutNodes);
}

template <class Stored>
void setMass(Piece<Stored>& piece, const MassProperties& mass, const BreakOptions& options) {
    piece.mass = mass;
    const geometry::PrincipalAxes axes = geometry::principalAxes(mass.inertia);
    const Vec3 center{Real(mass.center[0]), Real(mass.center[1]), Real(mass.center[2])};
    piece.parentFromPiece = {center, axes.bodyFromPrincipal};
    piece.moments = axes.moments;
    if (options.particleLevel > 0)
        piece.particles = geometry::thinned(piece.particles, options.particleLevel, center);
}

}  // namespace

template <class Stored>
std::vector<Piece<Stored>> breakBody(const ParentBody<Stored>& body, const PlacedPattern& pattern, const BreakOptions& options,
                                     TaskRunner& runner) {
    const SharedNodes shared = shareOut(body.field, pattern, options.limits, runner);
    const std::size_t count = shared.pieces.size();
    const std::vector<NodeSums> shares = borderShares(body.field, pattern, shared, runner);
    const std::vector<std::uint32_t> order = bySize(shared.pieces);
    std::vector<Piece<Stored>> pieces(count);
    std::vector<MassProperties> masses(count);
    runTasks(runner, int(count), [&](int task) {
        const std::uint32_t number = order[std::size_t(task)];
        const PieceOfNodes& nodes = shared.pieces[number];
        Piece<Stored>& piece = pieces[number];
        masses[number] =
            makePieceField(body.field, body.cutNodes, pattern, shared, number, piece.field, piece.cutNodes, shares[number]);
        piece.nodeCount = nodes.nodeCount;
        piece.regions = nodes.regions;
        thread_local std::vector<SurfaceVertex> vertices;  // kept to reuse its memory
        const std::size_t unneeded = options.withSurfaces ? 0 : options.noParticlesUpTo;
        addParticlesAndSurface<Stored>(piece, pieceVertices(body.field, pattern, nodes, piece.field, vertices, unneeded),
                                       options);
    });
    addUpTo(body.mass, masses, body.isMassGiven);
    runTasks(runner, int(count),
             [&](int number) { setMass(pieces[std::size_t(number)], masses[std::size_t(number)], options); });
    return pieces;
}

template <class Stored>
SurfaceMesh surfaceOf(const LevelSet<Stored>& field, const CutNodes& cutNodes) {
    return geometry::extractCutSurface<Stored>(field, geometry::surfaceVertices(field), cutNodes);
}

template std::vector<Piece<std::int8_t>> breakBody<std::int8_t>(const ParentBody<std::int8_t>&, const PlacedPattern&,
                                                                const BreakOptions&, TaskRunner&);
template SurfaceMesh surfaceOf<std::int8_t>(const LevelSet<std::int8_t>&, const CutNodes&);
template std::vector<Piece<std::int16_t>> breakBody<std::int16_t>(const ParentBody<std::int16_t>&, const PlacedPattern&,
                                                                  const BreakOptions&, TaskRunner&);
template SurfaceMesh surfaceOf<std::int16_t>(const LevelSet<std::int16_t>&, const CutNodes&);

}  // namespace sunder::fracture
