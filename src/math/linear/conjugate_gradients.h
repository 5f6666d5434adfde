// Conjugate gradients with a preconditioner, for symmetric positive definite systems too large to be factored.
//   [Shewchuk 1994] An introduction to the conjugate gradient method without the agonizing pain, B3
// r the residual, z = M^-1 r with M the preconditioner, d the direction, A d its image; r.z falls from step to step.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace sunder::linear {

struct IterationLimits {
    int iterations = 2000;
    double residual = 1e-9;  // of the first one, both measured by sqrt(r.z)
};

// x: the right-hand side, replaced by the solution. multiply(d, image): image = A d. precondition(z): z = M^-1 z. Both are
// given spans of x.size() numbers. Returns the iterations made.
template <class Scalar, class Multiply, class Precondition>
int conjugateGradients(std::span<Scalar> x, const IterationLimits& limits, Multiply&& multiply, Precondition&& precondition) {
    const std::size_t count = x.size();
    std::vector<Scalar> residual(x.begin(), x.end()), direction(count), image(count), scaled(count);
    std::fill(x.begin(), x.end(), Scalar(0));
    const auto scale = [&] {
        scaled = residual;
        precondition(std::span<Scalar>(scaled));
    };
    const auto product = [&](const std::vector<Scalar>& u, const std::vector<Scalar>& v) {
        Scalar sum = 0;
        for (std::size_t i = 0; i < count; ++i)
            sum += u[i] * v[i];
        return sum;
    };
    scale();
    direction = scaled;
    Scalar slope = product(residual, scaled);
    const Scalar enough = Scalar(limits.residual * limits.residual * slope);
    int made = 0;
    for (; made < limits.iterations && slope > enough; ++made) {
        multiply(std::span<const Scalar>(direction), std::span<Scalar>(image));
        const Scalar step = slope / product(direction, image);
        for (std::size_t k = 0; k < count; ++k) {
            x[k] += step * direction[k];
            residual[k] -= step * image[k];
        }
        scale();
        const Scalar next = product(residual, scaled);
        for (std::size_t k = 0; k < count; ++k)
            direction[k] = scaled[k] + direction[k] * (next / slope);
        slope = next;
    }
    return made;
}

}  // namespace sunder::linear
