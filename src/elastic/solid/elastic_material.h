// What an isotropic elastic solid is made of.
#pragma once

#include "math/vec3.h"

namespace sunder::elastic {

// A crack holds where the tension is below this share of the strength, however brittle the material is.
inline constexpr double kLeastRun = 0.05;

struct ElasticMaterial {
    Real young = Real(1e9);    // Pa: Young's modulus
    Real poisson = Real(0.2);  // Poisson's ratio, above -1 and below 0.5
    Real density = 1000;       // kg/m^3
};

}  // namespace sunder::elastic
