// The energy that a broken constraint stored, and the impulses that give it back to the two bodies that it joined.
//   [Li18] 3.4   stored energy
//   [Li18] 3.5 eq. 4-5, 3.6 eq. 6-8   release
//   [Li18] 5     the weight between outward and recoil
// Deviations: eq. 7 lost its E, and its arm row is r x l, not l x r. The paper pushes each body by itself along
// l = -(t x f) / |t x f|; that keeps no momentum, and twice the energy comes out. Here a pair recoils along the generalised
// force G of the broken constraint, equal and opposite at one point, by
//     m^2 G M^-1 G^T / 2 + m G v = alpha E
// exactly where the bodies already part along G (G v >= 0), else by m = sqrt(2 alpha E / (G M^-1 G^T)): the small root would
// push the wrong way. The paper's form is an option.
// World axes, SI units, double.
#pragma once

#include <cstdint>

#include "math/mat3.h"
#include "math/vec3d.h"
#include "sunder/definitions.h"

namespace sunder::fracture {

// One of the two bodies; a body that does not move has zero inverse mass.
struct ReleaseBody {
    Vec3d velocity, angularVelocity;
    double inverseMass = 0;
    double inverseInertia[6] = {};  // xx yy zz xy xz yz, world axes
    Vec3d arm;                      // from its centre to the point of the break

    Vec3d turning(const Vec3d& torque) const;
};

// What the constraint exerted on B, about the break point; on A the opposite.
struct ReleaseForce {
    Vec3d force, torque;
};

// J: energy that the impulse of a blow (N s, N m s) carries into the pair, half of lambda J M^-1 J^T lambda. shareA, shareB:
// each body's share of the mass that moves with it.
double blowEnergy(const ReleaseBody& a, const ReleaseBody& b, const ReleaseForce& blow, double shareA = 1, double shareB = 1);

struct Released {
    double energy = 0;  // J that were added to the kinetic energy
    Vec3d momentum;     // kg m/s that were added; zero except for the form `paper`
};

// Where the two bodies go once the constraint is gone: its force no longer opposes the others', so they go where those push
// them, against `force`, but bodies that were pressed together move apart.
ReleaseForce recoilOf(const ReleaseForce& force, const Vec3d& towardsB);
// A push across the force, random by the seed.
ReleaseForce acrossOf(const ReleaseForce& force, std::uint64_t seed);

// ReleaseOptions::free is left to free_motion.h, which knows the other constraints. Changes the velocities so that about
// `energy` (J, alpha included) is added. towardsB: from A to B, the direction in which they part. seed: for the random outward
// direction where force and torque leave it open.
Released release(const ReleaseOptions& options, ReleaseBody& a, ReleaseBody& b, const ReleaseForce& force,
                 const Vec3d& towardsB, double energy, std::uint64_t seed);

}  // namespace sunder::fracture
