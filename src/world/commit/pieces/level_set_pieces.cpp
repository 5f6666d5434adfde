#include "world/commit/pieces/level_set_pieces.h"

#include <algorithm>

#include "collision/build_shape.h"
#include "fracture/cutting/cut_pieces.h"
#include "fracture/cutting/placed_regions.h"
#include "fracture/prescored/break_body.h"
#include "fracture/prescored/piece_solid.h"

namespace sunder::world {

namespace {

using Piece = fracture::Piece<std::int16_t>;
using geometry::MassProperties;

// The drawn surfaces of the pieces, cut from that of the body. Empty where the fracture does not ask for it or the body has no
// exact surface: then the surfaces of the pieces' level sets are drawn.
std::vector<geometry::SurfaceMesh> cutSurfaces(TaskRunner& tasks, const Body& body, const std::vector<Piece>& pieces,
                                               const MakeRegions& makeRegions) {
    const SampledSolid& solid = *body.fracture->solid->levelSet->solid;
    if (!solid.surface || body.fracture->def.surface != FractureSurface::Cut)
        return {};
    const std::unique_ptr<geometry::RegionSource> regions = makeRegions();
    return fracture::cutPieces(*solid.surface, solid.textureOrigin, solid.field.grid, pieces, *regions, tasks).pieces;
}

}  // namespace

MassProperties wholeOf(const Body& body) {
    MassProperties whole = body.shape->massProperties;
    if (body.motion != Motion::Dynamic || !(body.inertiaOverride || body.centerOverride))
        return whole;
    const double density = double(body.mass) / whole.volume;
    const Mat3 R = toMatrix(body.bodyFromPrincipal.orientation);
    const Vec3& I = body.principalInertia;
    const Vec3& c = body.bodyFromPrincipal.position;
    const auto entry = [&](const Vec3& a, const Vec3& b) {
        return (double(a.x) * b.x * I.x + double(a.y) * b.y * I.y + double(a.z) * b.z * I.z) / density;
    };
    whole.center = {c.x, c.y, c.z};
    whole.inertia = {entry(R.row0, R.row0), entry(R.row1, R.row1), entry(R.row2, R.row2),
                     entry(R.row0, R.row1), entry(R.row0, R.row2), entry(R.row1, R.row2)};
    return whole;
}

std::vector<CutPiece> cutByLabels(TaskRunner& tasks, const Body& body, const fracture::PlacedPattern& labels,
                                  const MakeRegions& makeRegions, int mostPieces) {
    const FractureDef& def = body.fracture->def;
    const SampledSolid& solid = *body.fracture->solid->levelSet->solid;
    fracture::BreakOptions options;
    options.noParticlesUpTo = collision::kMostOfSmallPiece;  // solidOf makes the particles of these
    options.limits.smallestVolume = def.smallest;
    options.limits.mostPieces = std::min(def.mostPieces, mostPieces);
    const fracture::ParentBody<std::int16_t> parent{solid.field, wholeOf(body),
                                                    solid.cutNodes.isEmpty() ? nullptr : &solid.cutNodes,
                                                    body.inertiaOverride || body.centerOverride};
    std::vector<Piece> pieces = fracture::breakBody(parent, labels, options, tasks);
    std::vector<CutPiece> made(pieces.size());
    if (pieces.size() < 2)
        return made;
    std::vector<geometry::SurfaceMesh> surfaces = cutSurfaces(tasks, body, pieces, makeRegions);
    runTasks(tasks, int(pieces.size()), [&](int number) {
        Piece& piece = pieces[std::size_t(number)];
        CutPiece& result = made[std::size_t(number)];
        result.center = fracture::centerOf(piece);
        result.mass = piece.mass;
        std::shared_ptr<SampledSolid> pieceSolid = fracture::solidOf(piece, solid);
        if (!surfaces.empty() && !surfaces[std::size_t(number)].triangles.empty())
            pieceSolid->surface = std::make_shared<const geometry::SurfaceMesh>(std::move(surfaces[std::size_t(number)]));
        result.shape = collision::buildLevelSetShape(std::move(pieceSolid));
    });
    return made;
}

std::vector<CutPiece> cutByPlane(TaskRunner& tasks, const Body& body, const BreakRequest& request, int mostPieces) {
    const geometry::Grid& grid = body.fracture->solid->levelSet->field().grid;
    const fracture::PlacedPattern sides = fracture::placePlane(grid, {request.point, request.normal});
    return cutByLabels(
        tasks, body, sides, [&] { return fracture::planeRegions(request.point, request.normal); }, mostPieces);
}

}  // namespace sunder::world
