// The matrix J M^-1 J^T of rows of several joints: one block per joint, and one for every two joints that share a moving body.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dynamics/joints/row/joint_constraint.h"
#include "math/linear/block_cholesky.h"

namespace sunder::dynamics {

// Two joints that share a moving body.
struct SharedBody {
    int neighbour;                       // index of the pair among the matrix's neighbours
    int first, second;                   // joints
    std::uint8_t sideFirst, sideSecond;  // 0: as A, 1: as B
};

// One side of a joint that ends at a moving body.
struct JointEnd {
    std::uint32_t body;
    int joint;
    std::uint8_t side;  // 0: A, 1: B
    auto operator<=>(const JointEnd&) const = default;
};

// Pairs of joints for the matrix's plan, each once; ends must be sorted. `shared` becomes the pairs of sides.
std::vector<std::pair<int, int>> findShared(std::span<const JointEnd> ends, std::vector<SharedBody>& shared);

struct RowData {
    double jacobian[2][6], answer[2][6];  // of A and B: J and M^-1 J^T, those of A with their minus sign
};
RowData rowDataOf(const JointRow& row, const SolverBody& a, const SolverBody& b);
double dotSix(const double* a, const double* b);

// Row r of the diagonal block of a joint, whose rows' data begin at `data`: up to its own column.
void fillRow(const RowData* data, int r, double* diagonal, int stride);
// Adds the blocks of joints that share bodies. data: by unknown.
void addShared(std::span<const SharedBody> shared, std::span<const int> rowCounts, std::span<const RowData> data,
               linear::BlockCholesky<double>& matrix);

}  // namespace sunder::dynamics
