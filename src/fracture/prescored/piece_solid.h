// A piece of a broken level-set body as a solid of its own, from which a shape can be made.
#pragma once

#include <memory>

#include "collision/level_set/sampled_solid.h"
#include "fracture/prescored/break_body.h"

namespace sunder::fracture {

// In the frame of its parent, moved so that its centre of mass is in the origin. Takes field, cut nodes and particles out of
// the piece; its mass stays. The particles of small pieces (collision::kMostOfSmallPiece) are not looked at and may be left
// out.
std::shared_ptr<SampledSolid> solidOf(Piece<std::int16_t>& piece, const SampledSolid& parent);

inline Vec3 centerOf(const Piece<std::int16_t>& piece) {
    const auto& c = piece.mass.center;
    return {Real(c[0]), Real(c[1]), Real(c[2])};
}

}  // namespace sunder::fracture
