#include "elastic/stress/plastic_flow.h"

#include <algorithm>
#include <cmath>

namespace sunder::elastic {

namespace {

// Equivalent strain that an element takes from one blow: with more, small displacements would be no description.
constexpr double kMostStrain = 0.4;
// Largest share of what all yielding elements together can take that a blow uses: the rest of it is heat.
constexpr double kMostOfRoom = 0.9;
constexpr int kHalvings = 60;

Stress deviatorOf(const Stress& stress) {
    const double mean = (stress[0] + stress[1] + stress[2]) / 3;
    return {stress[0] - mean, stress[1] - mean, stress[2] - mean, stress[3], stress[4], stress[5]};
}

// J, where every element flows by a times its excess of strain.
double workOf(const ElasticSolid& solid, std::span<const double> excess, double yield, double a) {
    double work = 0;
    for (std::size_t e = 0; e < excess.size(); ++e)
        if (excess[e] > 0)
            work += solid.elements[e].volume * std::min(a * excess[e], kMostStrain);
    return work * yield;
}

// The factor with which the flow takes this work, which must be less than all that there is room for.
double factorFor(const ElasticSolid& solid, std::span<const double> excess, double yield, double work) {
    double low = 0, high = 1;
    while (workOf(solid, excess, yield, high) < work)
        high *= 2;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = (low + high) / 2;
        (workOf(solid, excess, yield, middle) < work ? low : high) = middle;
    }
    return high;
}

}  // namespace

double equivalentStress(const Stress& stress) {
    const Stress s = deviatorOf(stress);
    return std::sqrt(1.5 * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

PlasticFlow plasticFlow(const ElasticSolid& solid, std::span<const Stress> stresses, double yield, double energy) {
    PlasticFlow flow;
    std::vector<double> excess(stresses.size(), 0);
    double room = 0;
    for (std::size_t e = 0; e < stresses.size(); ++e) {
        const double sigma = equivalentStress(stresses[e]);
        flow.mostStress = std::max(flow.mostStress, sigma);
        if (!(sigma > yield))
            continue;
        excess[e] = (sigma - yield) / (3 * solid.shearModulus());
        room += solid.elements[e].volume * kMostStrain * yield;
    }
    if (!(room > 0) || !(energy > 0))
        return flow;
    const double stored = yield / flow.mostStress;
    const double wanted = std::min(energy * (1 - stored * stored), kMostOfRoom * room);
    const double a = factorFor(solid, excess, yield, wanted);
    flow.work = workOf(solid, excess, yield, a);
    flow.strains.assign(stresses.size(), Stress{});
    for (std::size_t e = 0; e < stresses.size(); ++e) {
        if (!(excess[e] > 0))
            continue;
        const Stress s = deviatorOf(stresses[e]);
        const double factor = 1.5 * std::min(a * excess[e], kMostStrain) / equivalentStress(stresses[e]);
        for (int k = 0; k < 6; ++k)
            flow.strains[e][k] = factor * s[k];
    }
    return flow;
}

void addFlow(const ElasticSolid& solid, std::span<const Stress> strains, NodalLoads& loads) {
    const double mu = solid.shearModulus();
    for (std::size_t e = 0; e < strains.size(); ++e) {
        const Stress& s = strains[e];
        const double factor = 2 * mu * solid.elements[e].volume;
        for (int c = 0; c < 4; ++c) {
            const Vec3d& g = solid.elements[e].gradients[c];
            loads.forces[solid.tets[e][c]] += Vec3d{s[0] * g.x + s[3] * g.y + s[4] * g.z, s[3] * g.x + s[1] * g.y + s[5] * g.z,
                                                    s[4] * g.x + s[5] * g.y + s[2] * g.z} *
                                              factor;
        }
    }
}

}  // namespace sunder::elastic
