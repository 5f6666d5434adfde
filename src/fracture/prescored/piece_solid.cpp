#include "fracture/prescored/piece_solid.h"

namespace sunder::fracture {

std::shared_ptr<SampledSolid> solidOf(Piece<std::int16_t>& piece, const SampledSolid& parent) {
    auto solid = std::make_shared<SampledSolid>();
    const auto& c = piece.mass.center;
    const Vec3 center = centerOf(piece);
    solid->field = std::move(piece.field);
    solid->field.grid.origin -= center;
    solid->cutNodes = std::move(piece.cutNodes);
    solid->particles = collision::fewOfPiece(std::move(piece.particles), center, solid->field.grid.cell);
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
