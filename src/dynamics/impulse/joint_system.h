// The held rows of all joints of a step as one linear system [Li18] 3.2 eq. 2:
//     (Sigma + J M^-1 J^T) lambda = -(what the rows lack)
// Its matrix depends on where the bodies are, not on how they move: each phase factors it once and then solves it in every
// pass, so that joints are met exactly however long the chain is. Rows with bounds (limits, motors, friction) are visited one
// by one.
#pragma once

#include <span>
#include <vector>

#include "dynamics/joints/row/joint_link.h"
#include "dynamics/joints/row/joint_matrix.h"

namespace sunder::dynamics {

class JointSystem {
public:
    // Which rows take part in a phase.
    enum class Rows {
        Rigid,  // those without compliance
        All,
    };

    // joints[i] belongs to links[i]. What depends on the links alone is kept while they stay the same.
    void plan(std::span<JointConstraint* const> joints, std::span<const JointLink> links);
    bool empty() const { return joints_.empty(); }
    std::span<JointConstraint* const> joints() const { return joints_; }

    // Rows must have been made where the bodies are now. softness: factor on the rows' own.
    void factor(std::span<const SolverBody> bodies, Rows rows, double softness);
    // lack(joint, row): what a row lacks, m/s or rad/s, without its softness.
    template <class Lack>
    void findLack(Lack&& lack) {
        forEachRow([&](int i, int unknown, const JointRow& row) {
            const double impulse = double(joints_[i]->impulse[row.slot]);
            x_[unknown] = -(double(lack(*joints_[i], row)) + sigma_[unknown] * impulse);
        });
    }
    // Solves for what was found to lack: changes impulses and velocities.
    void give(std::span<SolverBody> bodies);

private:
    template <class Visit>
    void forEachRow(Visit&& visit) const {
        for (int i = 0; i < static_cast<int>(joints_.size()); ++i)
            for (int r = 0; r < rowCounts_[i]; ++r) {
                const int unknown = matrix_.plan().offset(i) + r;
                visit(i, unknown, *rows_[unknown]);
            }
    }
    void chooseRows(Rows rows);
    void fillDiagonal(int joint, std::span<const SolverBody> bodies, double softness);

    std::vector<JointConstraint*> joints_;
    std::vector<JointLink> links_;
    std::vector<SharedBody> shared_;
    linear::BlockCholesky<double> matrix_;  // one block per joint; those that share a moving body are neighbours
    std::vector<const JointRow*> rows_;     // by unknown
    std::vector<RowData> data_;
    std::vector<int> rowCounts_;
    std::vector<double> x_, sigma_;  // by unknown; sigma: velocity that the row yields per unit of impulse
};

}  // namespace sunder::dynamics
