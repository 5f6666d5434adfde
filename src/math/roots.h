// Roots that libm computes differently from machine to machine: Newton's steps from a power that square roots give.
#pragma once

#include <cmath>

namespace sunder {

// x^(1/3), x >= 0, to the last digits for all that is not at the ends of what a double holds.
inline double cubeRoot(double x) {
    constexpr int kSteps = 12;
    if (!(x > 0))
        return 0;
    const double quarter = std::sqrt(std::sqrt(x)), eighth = std::sqrt(quarter);
    double y = quarter * std::sqrt(eighth);  // x^(5/16)
    for (int i = 0; i < kSteps; ++i)
        y = (2 * y + x / (y * y)) / 3;
    return y;
}

// x^(1/5), x >= 0.
inline double fifthRoot(double x) {
    constexpr int kSteps = 12;
    if (!(x > 0))
        return 0;
    const double quarter = std::sqrt(std::sqrt(x));
    double y = std::sqrt(quarter * std::sqrt(quarter));  // x^(3/16)
    for (int i = 0; i < kSteps; ++i)
        y = (4 * y + x / (y * y * y * y)) / 5;
    return y;
}

}  // namespace sunder
