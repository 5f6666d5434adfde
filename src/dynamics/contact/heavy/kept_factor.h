// A symmetric positive definite system of some rows of a larger matrix. Its factor is kept: while neither the matrix nor the
// choice of rows changes, a solve is a forward and a backward substitution.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sunder::dynamics {

class KeptFactor {
public:
    // To be called when the matrix has changed.
    void forget() { isValid_ = false; }
    // matrix: its rows follow each other by `stride`. values: the right-hand sides of the chosen rows, replaced by the
    // solution. False where the matrix is not positive definite.
    bool solve(std::span<const double> matrix, std::size_t stride, std::span<const std::uint32_t> rows,
               std::span<double> values);

private:
    bool factorise(std::span<const double> matrix, std::size_t stride);

    std::vector<std::uint32_t> rows_;
    std::vector<double> lower_;  // L with L L^T = the matrix of rows_, row by row, with inverted pivots
    bool isValid_ = false;
};

}  // namespace sunder::dynamics
