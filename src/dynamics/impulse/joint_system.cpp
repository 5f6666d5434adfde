#include "dynamics/impulse/joint_system.h"

#include <algorithm>
#include <memory>

#include "dynamics/joints/row/joint_impulses.h"
#include "math/linear/elimination_order.h"

namespace sunder::dynamics {

namespace {

// Softness of a rigid row as a share of the inverse mass of its bodies: gives redundant rows, such as those of several joints
// between the same two bodies, an answer. A row of effective mass m acts as a spring of m / (kRowYield dt^2).
constexpr double kRowYield = 1e-7;

}  // namespace

void JointSystem::plan(std::span<JointConstraint* const> joints, std::span<const JointLink> links) {
    joints_.assign(joints.begin(), joints.end());
    if (std::equal(links.begin(), links.end(), links_.begin(), links_.end()))
        return;
    links_.assign(links.begin(), links.end());
    std::vector<JointEnd> ends;
    for (int i = 0; i < static_cast<int>(links.size()); ++i) {
        if (links[i].movesA)
            ends.push_back({links[i].bodyA, i, 0});
        if (links[i].movesB)
            ends.push_back({links[i].bodyB, i, 1});
    }
    std::sort(ends.begin(), ends.end());
    const std::vector<std::pair<int, int>> neighbours = findShared(ends, shared_);
    std::vector<int> capacities;
    for (const JointLink& link : links)
        capacities.push_back(link.capacity);
    matrix_ = linear::BlockCholesky<double>(std::make_shared<const linear::BlockPlan>(
        capacities, neighbours, linear::minimumDegreeOrder(capacities, neighbours).value()));
    const auto unknowns = static_cast<std::size_t>(matrix_.plan().unknowns());
    rows_.assign(unknowns, nullptr);
    data_.assign(unknowns, {});
    x_.assign(unknowns, 0);
    sigma_.assign(unknowns, 0);
    rowCounts_.assign(links.size(), 0);
}

void JointSystem::chooseRows(Rows rows) {
    for (int i = 0; i < static_cast<int>(joints_.size()); ++i) {
        int count = 0;
        for (int r = 0; r < joints_[i]->rowCount && count < links_[i].capacity; ++r)
            if (const JointRow& row = joints_[i]->rows[r]; !row.bounded && (row.rigid || rows == Rows::All))
                rows_[matrix_.plan().offset(i) + count++] = &row;
        rowCounts_[i] = count;
    }
}

void JointSystem::fillDiagonal(int joint, std::span<const SolverBody> bodies, double softness) {
    const SolverBody &a = bodies[joints_[joint]->bodyA], &b = bodies[joints_[joint]->bodyB];
    const int first = matrix_.plan().offset(joint), stride = matrix_.stride(joint);
    double* diagonal = matrix_.diagonal(joint);
    for (int r = 0; r < rowCounts_[joint]; ++r) {
        const JointRow& row = *rows_[first + r];
        data_[first + r] = rowDataOf(row, a, b);
        fillRow(data_.data() + first, r, diagonal, stride);
        sigma_[first + r] = double(row.softness) * softness;
        if (row.rigid)
            sigma_[first + r] = kRowYield * double(answerAlong(row, joints_[joint]->answer)) + double(yieldToLocks(row, a, b));
        diagonal[r * stride + r] += sigma_[first + r];
    }
}

void JointSystem::factor(std::span<const SolverBody> bodies, Rows rows, double softness) {
    chooseRows(rows);
    matrix_.clear(rowCounts_);
    for (int i = 0; i < static_cast<int>(joints_.size()); ++i)
        fillDiagonal(i, bodies, softness);
    addShared(shared_, rowCounts_, data_, matrix_);
    matrix_.factor();
}

void JointSystem::give(std::span<SolverBody> bodies) {
    matrix_.solve(x_);
    forEachRow([&](int i, int unknown, const JointRow& row) {
        const auto change = Real(x_[unknown]);
        joints_[i]->impulse[row.slot] += change;
        applyRow(row, change, bodies[joints_[i]->bodyA], bodies[joints_[i]->bodyB]);
    });
}

}  // namespace sunder::dynamics
