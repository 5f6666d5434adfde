// Motion of pieces away from a blow, for the energy that it had stored in the body.
//   [Li18] 5, where the geometry is not prescored
// World axes, SI units, double.
#pragma once

#include <span>
#include <vector>

#include "fracture/prescored/piece_mass.h"
#include "math/vec3d.h"

namespace sunder::fracture {

struct EnergisedPiece {
    double mass = 0;
    Vec3d center;            // from the point of the blow
    double inertia[6] = {};  // xx yy zz xy xz yz, about its centre
};

// Changes of the pieces' motions with this energy (J). Each is driven away from the point of the blow, the faster the nearer it
// is: speeds fall to half at `radius` (m). isFree: the body was free to move; then what they share of it as one rigid body is
// taken out, so that they keep the momenta of the body, and since all moved as one body the energy is added exactly. None where
// the pieces cannot part.
std::vector<Motion> motionOfBlow(std::span<const EnergisedPiece> pieces, double radius, double energy, bool isFree);

}  // namespace sunder::fracture
