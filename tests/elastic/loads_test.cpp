// Loads on nodes: where forces go, their balance, contact times, the search for elements.
#include <gtest/gtest.h>

#include <cmath>

#include "bars.h"
#include "elastic/solid/contact_time.h"
#include "elastic/solid/element_finder.h"
#include "support/random_points.h"

namespace sunder::elastic {
namespace {

using namespace testing;

const ElasticMaterial kGlass{Real(7e10), Real(0.22), 2500};

struct Wrench {
    Vec3d force, moment;
};
Wrench wrenchOf(const ElasticSolid& solid, const NodalLoads& loads) {
    Wrench out;
    for (std::size_t i = 0; i < solid.nodes.size(); ++i) {
        out.force += loads.forces[i];
        out.moment += cross(solid.nodes[i], loads.forces[i]);
    }
    return out;
}

// A force spread by barycentric weights has the force's resultant and moment.
TEST(NodalLoads, ForceAtAPoint) {
    const Bar bar = makeBar({6, 4, 4}, {0.6, 0.4, 0.4});
    const auto runner = makeSerialRunner();
    const ElasticSolid solid(bar.mesh, kGlass, *runner);
    const ElementFinder finder(solid);
    sunder::testing::RandomPoints random(3);
    for (int i = 0; i < 50; ++i) {
        const Vec3d point = toDouble(random.inBox(0.19)) + Vec3d{0.3, 0.2, 0.2}, force{1, 2, 3};
        const ElementFinder::Place place = finder.find(solid, point);
        NodalLoads loads(solid);
        loads.addForce(solid, place.element, place.weights, force);
        const Wrench wrench = wrenchOf(solid, loads);
        EXPECT_LT(length(wrench.force - force), 1e-12);
        EXPECT_LT(length(wrench.moment - cross(point, force)), 1e-9);
        const NodalLoads even = balanced(solid, loads);
        EXPECT_LT(length(wrenchOf(solid, even).force), 1e-13);
        EXPECT_LT(length(wrenchOf(solid, even).moment), 1e-13);
    }
    // Outside: on the nearest face.
    const ElementFinder::Place above = finder.find(solid, {0.31, 0.55, 0.22});
    Vec3d at;
    for (std::size_t c = 0; c < 4; ++c)
        at += solid.nodes[solid.tets[above.element][c]] * above.weights[c];
    EXPECT_NEAR(at.y, 0.4, 1e-6);
    EXPECT_LT(length(at - Vec3d{0.31, 0.4, 0.22}), 0.06);
}

// Spin about the centre pulls outwards with m w^2 r, and is in balance where the axis is a principal one.
TEST(NodalLoads, Spin) {
    const Bar bar = makeBar({6, 2, 2}, {0.6, 0.2, 0.2});
    const auto runner = makeSerialRunner();
    const ElasticSolid solid(bar.mesh, kGlass, *runner);
    NodalLoads loads(solid);
    loads.addSpin(solid, {0, 0, 10});
    const std::uint32_t corner = bar.node(6, 1, 1);
    EXPECT_NEAR(loads.forces[corner].x, solid.masses[corner] * 100 * 0.3, 1e-5);
    EXPECT_NEAR(loads.forces[corner].z, 0, 1e-12);
    EXPECT_LT(length(wrenchOf(solid, loads).force), 1e-9);
}

// m x'' = -k x^(3/2) in small steps, from the first touch to the last.
TEST(ContactTime, IsThatOfTheMotion) {
    for (const double speed : {0.1, 3.0}) {
        const ContactSide ball{1 / 0.2, 1 / 0.03, 2e11, 0.3}, plate{0, 0, 7e10, 0.22};
        const double stiffness = 1 / ((1 - 0.09) / 2e11 + (1 - 0.22 * 0.22) / 7e10), k = 4.0 / 3 * stiffness * std::sqrt(0.03);
        double x = 0, v = speed, t = 0, peak = 0;
        const double dt = 1e-8;
        do {
            v -= dt * k * std::sqrt(x * x * x) / 0.2;
            x += dt * v;
            t += dt;
            peak = std::max(peak, k * std::sqrt(x > 0 ? x * x * x : 0));
        } while (x > 0);
        const double time = hertzContactTime(ball, plate, speed, 1);
        EXPECT_NEAR(time, t, 1e-3 * t);
        EXPECT_NEAR(peak / (2 * 0.2 * speed / t), kPeakOverMean, 2e-3 * kPeakOverMean);
        EXPECT_EQ(hertzContactTime(ball, plate, speed, 1e-6), 1e-6);
    }
    EXPECT_EQ(hertzContactTime({1, 0, 1e9, 0.2}, {0, 0, 1e9, 0.2}, 1, 0.01), 0.01);  // flat on flat
}

}  // namespace
}  // namespace sunder::elastic
