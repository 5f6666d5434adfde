#include "dynamics/impulse/joint_system.h"

#include <algorithm>
#include <memory>
#include <tuple>

#include "dynamics/joints/row/joint_impulses.h"
#include "math/linear/elimination_order.h"

namespace sunder::dynamics {

namespace {

// Softness of a rigid row as a share of the inverse mass of its bodies: gives redundant rows, such as those of several joints
// between the same two bodies, an answer. A row of effective mass m acts as a spring of m / (kYield dt^2).
constexpr double kYield = 1e-7;

void multiplyByInverseMass(const SolverBody& body, const double* jacobian, double* answer) {
    const Vec3 linear = multiply(body.inverseMass, {Real(jacobian[0]), Real(jacobian[1]), Real(jacobian[2])});
    const Vec3 angular = body.inverseInertia * Vec3{Real(jacobian[3]), Real(jacobian[4]), Real(jacobian[5])};
    const double values[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    std::copy(values, values + 6, answer);
}

double dotSix(const double* a, const double* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

}  // namespace

void JointSystem::plan(std::span<JointConstraint* const> joints, std::span<const JointLink> links) {
    joints_.assign(joints.begin(), joints.end());
    if (std::equal(links.begin(), links.end(), links_.begin(), links_.end()))
        return;
    links_.assign(links.begin(), links.end());
    std::vector<std::tuple<std::uint32_t, int, std::uint8_t>> ends;  // body, joint, side
    for (int i = 0; i < static_cast<int>(links.size()); ++i) {
        if (links[i].movesA)
            ends.push_back({links[i].bodyA, i, std::uint8_t(0)});
        if (links[i].movesB)
            ends.push_back({links[i].bodyB, i, std::uint8_t(1)});
    }
    std::sort(ends.begin(), ends.end());
    shared_.clear();
    std::vector<std::pair<int, int>> neighbours;
    for (std::size_t i = 0; i < ends.size(); ++i)
        for (std::size_t j = i; j-- > 0 && std::get<0>(ends[j]) == std::get<0>(ends[i]);) {
            const auto [body, first, sideFirst] = ends[i];
            const auto [sameBody, second, sideSecond] = ends[j];
            shared_.push_back({0, first, second, sideFirst, sideSecond});
            neighbours.push_back({second, first});
        }
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    for (Shared& shared : shared_)
        shared.neighbour =
            static_cast<int>(std::lower_bound(neighbours.begin(), neighbours.end(), std::pair(shared.second, shared.first)) -
                             neighbours.begin());
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
        RowData& data = data_[first + r];
        const Vec3 &n = row.linear, &p = row.angularA, &q = row.angularB;
        const double jacobian[2][6] = {{-n.x, -n.y, -n.z, -p.x, -p.y, -p.z}, {n.x, n.y, n.z, q.x, q.y, q.z}};
        std::copy(&jacobian[0][0], &jacobian[0][0] + 12, &data.jacobian[0][0]);
        multiplyByInverseMass(a, data.jacobian[0], data.answer[0]);
        multiplyByInverseMass(b, data.jacobian[1], data.answer[1]);
        for (int c = 0; c <= r; ++c)
            diagonal[r * stride + c] =
                dotSix(data.answer[0], data_[first + c].jacobian[0]) + dotSix(data.answer[1], data_[first + c].jacobian[1]);
        sigma_[first + r] = double(row.softness) * softness;
        if (row.rigid)
            sigma_[first + r] = kYield * double(answerAlong(row, joints_[joint]->answer)) + double(yieldToLocks(row, a, b));
        diagonal[r * stride + r] += sigma_[first + r];
    }
}

void JointSystem::factor(std::span<const SolverBody> bodies, Rows rows, double softness) {
    chooseRows(rows);
    matrix_.clear(rowCounts_);
    for (int i = 0; i < static_cast<int>(joints_.size()); ++i)
        fillDiagonal(i, bodies, softness);
    for (const Shared& shared : shared_) {
        const auto pair = matrix_.pair(shared.neighbour);
        const bool firstIsRow = pair.row == shared.first;
        const int sideRow = firstIsRow ? shared.sideFirst : shared.sideSecond;
        const int sideColumn = firstIsRow ? shared.sideSecond : shared.sideFirst;
        const RowData* rowData = data_.data() + matrix_.plan().offset(pair.row);
        const RowData* columnData = data_.data() + matrix_.plan().offset(pair.column);
        for (int r = 0; r < rowCounts_[pair.row]; ++r)
            for (int c = 0; c < rowCounts_[pair.column]; ++c)
                pair.values[r * pair.stride + c] += dotSix(rowData[r].jacobian[sideRow], columnData[c].answer[sideColumn]);
    }
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
