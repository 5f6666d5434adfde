#include "fracture/prescored/piece_solid.h"

#include "geometry/surface/surface_vertices.h"

namespace sunder::fracture {

std::shared_ptr<SampledSolid> solidOf(Piece<std::int16_t>& piece, const SampledSolid& parent) {
    auto solid = std::make_shared<SampledSolid>();
    const auto& c = piece.mass.center;
    const Vec3 center = centerOf(piece);
    solid->field = std::move(piece.field);
    // The particles of a small piece are found again from its field, which is what other bodies collide with: at tips thinner
    // than a cell the two differ by up to half a cell, which is much for a coarse piece among fine ones.
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
    // The remainder of rounding the centre to Real.
    solid->mass.center = {c[0] - double(center.x), c[1] - double(center.y), c[2] - double(center.z)};
    solid->textureOrigin = parent.textureOrigin + center;
    solid->source = parent.source;
    return solid;
}

}  // namespace sunder::fracture
