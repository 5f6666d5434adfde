// What a deformable solid is made of.
//   [Parker09] 3, 4   elasticity, plasticity, Rayleigh damping
#pragma once

#include "elastic/solid/elastic_material.h"

namespace sunder::deformable {

enum class Plasticity : std::uint8_t { Additive, Multiplicative };

struct FleshMaterial {
    elastic::ElasticMaterial elastic;
    Real massDamping = 0;       // 1/s: Rayleigh's share of the mass matrix; acts on the deformation, never on rigid motion
    Real stiffnessDamping = 0;  // s: Rayleigh's share of the stiffness matrix
    Real yieldStrain = 0;       // norm of the elastic strain beyond which the solid flows; 0: never
    Real creepRate = 10;        // 1/s: how fast strain beyond the yield becomes plastic
    Real largestPlastic = 1;    // norm of the plastic strain at which flow ends
    Plasticity plasticity = Plasticity::Additive;
    Real smoothing = 0;  // 0 to 1: share of the energy that is that of strains averaged at nodes
};

struct LameConstants {
    Real lambda, mu;  // Pa
};

inline LameConstants lameOf(const elastic::ElasticMaterial& m) {
    return {m.young * m.poisson / ((1 + m.poisson) * (1 - 2 * m.poisson)), m.young / (2 * (1 + m.poisson))};
}

}  // namespace sunder::deformable
