// The stress of deformed tetrahedra, and a remedy for locking: stresses that are averaged at nodes.
//
// Tetrahedra of constant strain are too stiff in bending. With a share s of smoothing the energy of a solid is
//   (1 - s) sum over tetrahedra of V e(strain)  +  s sum over nodes of V_n e(mean strain of its tetrahedra, by volume)
// whose second part is too soft by about as much [PS06]. Both parts are exact on fine meshes, and so is the sum for every s.
// Forces are those of this energy; the matrix of the step remains that of the tetrahedra, which is stiffer: steps stay stable,
// and bodies come to rest where the forces balance.
#pragma once

#include <array>

#include "deformable/step/solid_matrix.h"

namespace sunder::deformable {

using SixNumbers = std::array<double, 6>;  // xx yy zz xy xz yz

// Pa times sqrt(V): stress of a tetrahedron from its record, in the record's axes; false where it is flat.
bool stressOf(const TetRecord& record, SixNumbers& stress);

// Replaces the forces of the records by those with this share (0 to 1) of smoothing.
void smoothForces(TaskRunner& tasks, const SolidModel& model, Real share, SolidMatrix& matrix);

}  // namespace sunder::deformable
