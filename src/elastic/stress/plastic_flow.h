// Plastic flow of a solid that a blow has stressed beyond its yield.
//   [Bao07] VII.B   denting
// Deviation: the paper moves every node by a multiple of its elastic displacement, whether or not anything yields there. Here
// an element flows where its equivalent stress (von Mises) exceeds the yield Y, along the deviator s of its stress,
//     eps = min(a e, most) 3 s / (2 sigma),   e = (sigma - Y) / (3 mu),
// and the one factor a is such that the work Y times equivalent strain, over the volume, is what the blow has to spend. A
// deviator keeps the volume, and the displacement that these strains leave is that of K u = f with f = V 2 mu eps g per corner.
#pragma once

#include <span>
#include <vector>

#include "elastic/solid/nodal_loads.h"
#include "elastic/stress/stress_field.h"

namespace sunder::elastic {

// Pa: von Mises.
double equivalentStress(const Stress& stress);

struct PlasticFlow {
    std::vector<Stress> strains;  // per element, components as of a stress; empty where nothing yields
    double mostStress = 0;        // Pa: the largest equivalent stress
    double work = 0;              // J
};

// energy: J that the blow loses. What the solid stores until it yields, the share (Y / sigma)^2 of it for the largest stress,
// is given back; the rest goes into the flow as far as the elements that yield can take it.
PlasticFlow plasticFlow(const ElasticSolid& solid, std::span<const Stress> stresses, double yield, double energy);

// The forces whose displacement is the one that the strains leave. They have no resultant and no moment.
void addFlow(const ElasticSolid& solid, std::span<const Stress> strains, NodalLoads& loads);

}  // namespace sunder::elastic
