// Joints that hang together, solved at once: whatever their number and masses, they are met exactly in every substep, where a
// sweep from joint to joint leaves a heavy weight at the end of a chain to be felt link by link.
//
//   1  rows where the bodies are now; last substep's impulses follow them
//   2  rows with bounds (limits, motors, friction), one after the other
//   3  A x = -(J v + bias + Sigma p),  A = J M^-1 J^T + Sigma,  over the held rows of all joints and those bounded rows that
//      are not at a bound; p += x
//   4  the same with the curvature of the velocities found: anchors then meet to third order. Without, the tension of a chain
//      lags behind its swing and feeds it (docs/joints.md).
//
// A is in double whatever Real is: the masses along a chain may differ by thousands.
//
// Bodies feel the held rows last, so that anchors meet at the end of the substep and errors cannot add up.
#pragma once

#include <vector>

#include "dynamics/joints/joint_constraint.h"
#include "math/linear/block_cholesky.h"

namespace sunder::dynamics {

// Two joints of a group that share a moving body.
struct SharedBody {
    int neighbour;                       // which pair of the matrix
    int first, second;                   // joints of the group
    std::uint8_t sideFirst, sideSecond;  // 0: as A, 1: as B
};

class DirectGroup {
public:
    // joints: bodies of each joint; isMoving: by body. False where a direct solve would be too dear.
    bool plan(std::span<const std::pair<std::uint32_t, std::uint32_t>> joints, std::span<const int> capacities,
              std::span<const std::uint8_t> isMoving, double budget);

    // joints[i] of the group is constraints[first + i].
    void start(std::span<JointConstraint> joints, std::span<SolverBody> bodies, const JointSettings& settings);
    void solve(std::span<JointConstraint> joints, std::span<SolverBody> bodies, const JointSettings& settings);

private:
    struct RowData {
        double jacobian[2][6], answer[2][6];  // of A and B: J, and M^-1 J^T; A's with its sign
    };
    bool chooseRows(std::span<JointConstraint> joints);
    void assemble(std::span<JointConstraint> joints, std::span<const SolverBody> bodies);
    void findErrors(std::span<const JointConstraint> joints, std::span<const SolverBody> bodies);
    void apply(std::span<JointConstraint> joints, std::span<SolverBody> bodies);

    linear::BlockCholesky<double> matrix_;  // one block per joint; those that share a moving body are neighbours
    std::vector<SharedBody> shared_;
    std::vector<JointRow*> rows_;  // by unknown
    std::vector<RowData> data_;
    std::vector<int> rowCounts_;
    std::vector<double> x_, sigma_;  // sigma: what each row yields per impulse
};

}  // namespace sunder::dynamics
