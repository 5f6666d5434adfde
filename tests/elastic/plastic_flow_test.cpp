// What flows, how much work that takes, and the displacement that it leaves.
#include "elastic/stress/plastic_flow.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bars.h"

namespace sunder::elastic {
namespace {

using namespace testing;

const ElasticMaterial kSoft{Real(7e10), Real(0.3), 2700};

// A bar that is bent by three forces.
std::vector<Stress> bent(const Bar& bar, StressSolver& solver, TaskRunner& runner) {
    NodalLoads loads(solver.solid());
    addOnSection(loads, bar, 0, {0, 5e4, 0});
    addOnSection(loads, bar, bar.cells[0] / 2, {0, -1e5, 0});
    addOnSection(loads, bar, bar.cells[0], {0, 5e4, 0});
    return solver.solve(loads, runner).stresses;
}

double mostOf(const std::vector<Stress>& stresses) {
    double most = 0;
    for (const Stress& stress : stresses)
        most = std::max(most, equivalentStress(stress));
    return most;
}

TEST(PlasticFlow, EquivalentStressOfPullPressureAndShear) {
    EXPECT_DOUBLE_EQ(equivalentStress({3e6, 0, 0, 0, 0, 0}), 3e6);
    EXPECT_DOUBLE_EQ(equivalentStress({5, 5, 5, 0, 0, 0}), 0);
    EXPECT_NEAR(equivalentStress({0, 0, 0, 1, 0, 0}), std::sqrt(3.0), 1e-12);
}

TEST(PlasticFlow, NothingFlowsBelowTheYield) {
    const Bar bar = makeBar({20, 4, 4}, {1, 0.1, 0.1});
    const auto runner = makeSerialRunner();
    StressSolver solver(bar.mesh, kSoft, {}, *runner);
    const std::vector<Stress> stresses = bent(bar, solver, *runner);
    const double most = mostOf(stresses);
    const PlasticFlow flow = plasticFlow(solver.solid(), stresses, 1.001 * most, 1000);
    EXPECT_TRUE(flow.strains.empty());
    EXPECT_EQ(flow.work, 0);
    EXPECT_EQ(flow.mostStress, most);
    EXPECT_FALSE(plasticFlow(solver.solid(), stresses, 0.999 * most, 1000).strains.empty());
    EXPECT_TRUE(plasticFlow(solver.solid(), stresses, 0.5 * most, 0).strains.empty()) << "a load that loses nothing";
}

// The work is what the blow has beyond the elastic share, it grows with it, and the strains keep the volume.
TEST(PlasticFlow, TakesTheEnergyThatItIsGiven) {
    const Bar bar = makeBar({20, 4, 4}, {1, 0.1, 0.1});
    const auto runner = makeSerialRunner();
    StressSolver solver(bar.mesh, kSoft, {}, *runner);
    const std::vector<Stress> stresses = bent(bar, solver, *runner);
    const double most = mostOf(stresses), yield = 0.5 * most;
    double before = 0;
    for (const double energy : {1.0, 10.0, 100.0}) {
        const PlasticFlow flow = plasticFlow(solver.solid(), stresses, yield, energy);
        EXPECT_NEAR(flow.work, 0.75 * energy, 1e-9 * energy);
        double sum = 0, work = 0;
        for (std::size_t e = 0; e < flow.strains.size(); ++e) {
            const Stress& s = flow.strains[e];
            EXPECT_NEAR(s[0] + s[1] + s[2], 0, 1e-12);
            // The equivalent of a strain is 2/3 of what the formula of a stress gives.
            work += yield * solver.solid().elements[e].volume * equivalentStress(s) * 2 / 3;
            sum += equivalentStress(s);
        }
        EXPECT_NEAR(work, flow.work, 1e-6 * flow.work);
        EXPECT_GT(sum, before);
        before = sum;
    }
    // However hard the blow, no element is strained beyond what small displacements can describe.
    for (const Stress& s : plasticFlow(solver.solid(), stresses, yield, 1e12).strains)
        EXPECT_LT(equivalentStress(s) * 2 / 3, 0.41);
}

// A uniform plastic strain needs no stress: the bar becomes longer and thinner, and stays so.
TEST(PlasticFlow, AUniformStrainIsLeftAsItIs) {
    const Bar bar = makeBar({10, 3, 3}, {1, 0.2, 0.2});
    const auto runner = makeSerialRunner();
    StressOptions options;
    options.tolerance = 1e-10;
    StressSolver solver(bar.mesh, kSoft, options, *runner);
    const Stress strain{0.02, -0.012, -0.008, 0.003, 0, 0};
    NodalLoads loads(solver.solid());
    addFlow(solver.solid(), std::vector<Stress>(solver.solid().tets.size(), strain), loads);
    Vec3d force, moment;
    double largestForce = 0;
    for (std::size_t i = 0; i < loads.forces.size(); ++i) {
        force += loads.forces[i];
        moment += cross(solver.solid().nodes[i], loads.forces[i]);
        largestForce = std::max(largestForce, std::sqrt(dot(loads.forces[i], loads.forces[i])));
    }
    EXPECT_LT(std::sqrt(dot(force, force)), 1e-9 * largestForce);
    EXPECT_LT(std::sqrt(dot(moment, moment)), 1e-9 * largestForce);
    // The stress that would have strained it so elastically is what the displacement shows; without the plastic part, none.
    Stress wanted = strain;
    for (double& entry : wanted)
        entry *= 2 * solver.solid().shearModulus();
    const std::vector<Stress> shown = solver.solve(loads, *runner).stresses;
    EXPECT_LT(largestDifference(shown, std::vector<Stress>(shown.size(), wanted)), 1e-6 * largest(shown));
}

}  // namespace
}  // namespace sunder::elastic
