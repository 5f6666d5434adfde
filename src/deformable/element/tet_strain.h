// How far tetrahedra are stretched, for pictures.
#pragma once

#include "deformable/element/solid_model.h"

namespace sunder::deformable {

// Per tetrahedron the largest principal stretch less 1, of the whole deformation: elastic and permanent. 0 at rest and under
// every rigid motion.
std::vector<Real> tetStrains(const SolidModel& model, std::span<const Vec3> positions);

}  // namespace sunder::deformable
