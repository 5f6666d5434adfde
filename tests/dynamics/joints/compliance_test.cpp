// Springs as compliant constraints [Li18] 3.3: conversions both ways, and the implicit step they stand for.
#include "dynamics/joints/row/compliance.h"

#include <gtest/gtest.h>

namespace sunder::dynamics {

TEST(Compliance, ConvertsThereAndBack) {
    for (const Real h : {Real(1) / 30, Real(1) / 60, Real(1e-3)})
        for (const Real k : {Real(1), Real(1e3), Real(1e6)})
            for (const Real d : {Real(0), Real(2), Real(500)}) {
                const Spring spring = toSpring(toCompliance({k, d}, h), h);
                EXPECT_NEAR(spring.stiffness, k, k * Real(1e-5));  // a handful of roundings
                // d is found from 1 - Gamma, which loses what d is smaller than h k.
                EXPECT_NEAR(spring.damping, d, (d + h * k) * 4 * kEpsilon);
            }
}

// lambda from  J v + Sigma lambda = -Gamma phi / h  is the impulse of the spring and damper at the end of the step.
TEST(Compliance, IsTheImplicitStepOfALinearSpring) {
    const double m = 3, k = 200, d = 4;
    for (const double h : {1.0 / 30, 1.0 / 240}) {
        const Compliance c = toCompliance({Real(k), Real(d)}, Real(h));
        double x = 0.3, v = 1, y = x, w = v;
        for (int i = 0; i < 100; ++i) {
            const double lambda = -(v + double(c.gamma) * x / h) / (1 / m + double(c.sigma));
            v += lambda / m;
            x += h * v;
            w = (w - h * k / m * y) / (1 + h * d / m + h * h * k / m);
            y += h * w;
            EXPECT_NEAR(x, y, 1e-5);  // float constants, a hundred steps
        }
    }
}

TEST(Compliance, FrequencyIsThatOfTheMassOnTheSpring) {
    const Spring spring = springOfFrequency(Real(2), Real(0.5), Real(3));
    EXPECT_NEAR(std::sqrt(spring.stiffness / 3) / (2 * kPi), 2, 1e-5);
    EXPECT_NEAR(spring.damping, 2 * 0.5 * std::sqrt(double(spring.stiffness) * 3), 1e-3);
}

}  // namespace sunder::dynamics
