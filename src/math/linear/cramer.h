// Three equations by Cramer's rule, in any vector type with dot and cross: x_i = numerators_i / determinant. Whoever asks
// decides what is singular, and whether to divide or to multiply by an inverse.
#pragma once

namespace sunder::linear {

template <class Vector, class Scalar>
struct Quotients {
    Vector numerators;
    Scalar determinant;
};

// For the matrix with the columns c0, c1, c2.
template <class Vector>
constexpr auto cramer(const Vector& c0, const Vector& c1, const Vector& c2, const Vector& b) {
    const Vector c12 = cross(c1, c2);
    return Quotients<Vector, decltype(dot(b, c12))>{Vector{dot(b, c12), dot(c0, cross(b, c2)), dot(c0, cross(c1, b))},
                                                    dot(c0, c12)};
}

}  // namespace sunder::linear
