// Roots with the same bits on every machine, by multiplication and division alone.
#pragma once

namespace sunder {

// The n-th root of x >= 0, to a few units of the last place; n from 2 to 8.
constexpr double root(double x, int n) {
    if (!(x > 0))
        return 0;
    double factor = 1, power = 1;  // power: 2^n
    for (int i = 0; i < n; ++i)
        power *= 2;
    while (x >= power) {
        x /= power;
        factor *= 2;
    }
    while (x < 1) {
        x *= power;
        factor /= 2;
    }
    // From above Newton's steps fall towards the root, which lies in [1, 2).
    double y = 2;
    for (int step = 0; step < 16; ++step) {
        double below = 1;  // y^(n - 1)
        for (int i = 1; i < n; ++i)
            below *= y;
        y -= (y * below - x) / (n * below);
    }
    return y * factor;
}

}  // namespace sunder
