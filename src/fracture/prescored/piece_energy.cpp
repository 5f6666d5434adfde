#include "fracture/prescored/piece_energy.h"

#include <array>

#include "math/linear/cramer.h"

namespace sunder::fracture {

namespace {

// Share of the pushes' energy below which what is left of them, without their rigid motion, is rounding.
constexpr double kRoundingShare = 1e-9;

Symmetric inertiaOf(const EnergisedPiece& piece) {
    const double* i = piece.inertia;
    return {i[0], i[1], i[2], i[3], i[4], i[5]};
}

double energyOf(std::span<const EnergisedPiece> pieces, const std::vector<Motion>& motions) {
    double energy = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        energy += (pieces[i].mass * dot(motions[i].velocity, motions[i].velocity) +
                   dot(motions[i].angularVelocity, times(inertiaOf(pieces[i]), motions[i].angularVelocity))) /
                  2;
    return energy;
}

// Takes the motion of the pieces as one rigid body out: both momenta of the rest are zero.
void takeRigidMotionOut(std::span<const EnergisedPiece> pieces, std::vector<Motion>& motions) {
    double mass = 0;
    Vec3d center, momentum, angularMomentum;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        mass += pieces[i].mass;
        center += pieces[i].center * pieces[i].mass;
        momentum += motions[i].velocity * pieces[i].mass;
    }
    center = center * (1 / mass);
    Symmetric inertia{};
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Vec3d r = pieces[i].center - center;
        const double m = pieces[i].mass, squared = dot(r, r);
        const Symmetric own = inertiaOf(pieces[i]),
                        arm{squared - r.x * r.x, squared - r.y * r.y, squared - r.z * r.z, -r.x * r.y, -r.x * r.z, -r.y * r.z};
        for (std::size_t k = 0; k < 6; ++k)
            inertia[k] += own[k] + m * arm[k];
        angularMomentum += cross(r, motions[i].velocity * m);
    }
    const auto [numerators, determinant] =
        linear::cramer(Vec3d{inertia[0], inertia[3], inertia[4]}, Vec3d{inertia[3], inertia[1], inertia[5]},
                       Vec3d{inertia[4], inertia[5], inertia[2]}, angularMomentum);
    const Vec3d spin = determinant > 0 ? numerators * (1 / determinant) : Vec3d{}, drift = momentum * (1 / mass);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        motions[i].velocity += -drift - cross(spin, pieces[i].center - center);
        motions[i].angularVelocity += -spin;
    }
}

}  // namespace

std::vector<Motion> motionOfBlow(std::span<const EnergisedPiece> pieces, double radius, double energy, bool isFree) {
    std::vector<Motion> motions;
    for (const EnergisedPiece& piece : pieces) {
        const double distance = length(piece.center);
        motions.push_back({normalizeOr(piece.center, {}) * (radius / (radius + distance)), {}});
    }
    const double pushed = energyOf(pieces, motions);
    if (isFree && pushed > 0)
        takeRigidMotionOut(pieces, motions);
    const double left = energyOf(pieces, motions);
    if (!(left > kRoundingShare * pushed) || !(energy > 0))
        return {};
    const double scale = std::sqrt(energy / left);
    for (Motion& motion : motions) {
        motion.velocity = motion.velocity * scale;
        motion.angularVelocity = motion.angularVelocity * scale;
    }
    return motions;
}

}  // namespace sunder::fracture
