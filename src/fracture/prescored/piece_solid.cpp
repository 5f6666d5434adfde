#include "fracture/prescored/piece_solid.h"

#include "geometry/surface/surface_vertices.h"

namespace sunder::fracture {

std::shared_ptr<SampledSolid> solidOf(Piece<std::int16_t>& piece, const SampledSolid& parent) {
    auto solid = std::make_shared<SampledSolid>();
    const auto& c = piece.mass.center;
    const Vec3 center = centerOf(piece);
    solid->field = std::move(piece.field);
    // Those of a small piece are found from its field alone as others see it: where a tip is thinner than a cell the two differ
    // by up to half of one, and of a coarse piece among fine ones that is much.
    if (piece.particles.size() <= collision::kMostOfSmallPiece)
        piece.particles = geometry::makeParticles(solid->field.grid, geometry::surfaceVertices(solid->field));
    solid->particles = collision::fewOfPiece(std::move(piece.particles), solid->field, center);
    solid->field.grid.origin -= center;
    solid->cutNodes = std::move(piece.cutNodes);
    for (Vec3& position : solid->particles.positions)
        position -= center;
    for (auto& cluster : solid->particles.clusters)
        cluster.center -= center;
    solid->mass = piece.mass;
    // What rounding to Real has left.
    solid->mass.center = {c[0] - double(center.x), c[1] - double(center.y), c[2] - double(center.z)};
    solid->textureOrigin = parent.textureOrigin + center;
    return solid;
}

}  // namespace sunder::fracture
