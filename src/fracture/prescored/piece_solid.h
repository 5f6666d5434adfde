// Makes a solid, from which a shape can be made, of a piece of a broken level-set body.
#pragma once

#include <memory>

#include "collision/level_set/sampled_solid.h"
#include "fracture/prescored/break_body.h"

namespace sunder::fracture {

// In the frame of its parent, moved so that its centre of mass is the origin. Takes field, cut nodes and particles out of the
// piece; its mass stays. Small pieces (collision::kMostOfSmallPiece) need no particles.
std::shared_ptr<SampledSolid> solidOf(Piece<std::int16_t>& piece, const SampledSolid& parent);

inline Vec3 centerOf(const Piece<std::int16_t>& piece) {
    const auto& c = piece.mass.center;
    return {Real(c[0]), Real(c[1]), Real(c[2])};
}

}  // namespace sunder::fracture
