#include "dynamics/joints/direct/direct_group.h"

#include <algorithm>
#include <memory>

#include "dynamics/joints/row/joint_impulses.h"
#include "dynamics/joints/row/joint_rows.h"
#include "math/linear/elimination_order.h"

namespace sunder::dynamics {

namespace {

// Most solves in meetRows: each leaves out the rows that came to a bound in the one before.
constexpr int kAttempts = 4;

// Softness of a rigid row, as a share of its bodies' inverse mass: with m the effective mass of a row, it acts as a spring of
// m / (kLinkYield h^2), taken implicitly. It gives systems an answer that have none otherwise, such as a taut bridge that
// cannot sag or redundant rows, and a thousand times a link's weight opens its joint by 0.02 mm. With 1e-4 a heavy weight that
// falls opens a chain by 4 % of its length, with 1e-5 rounding feeds swings (docs/joints.md). The inverse mass is the mean over
// all directions, of bodies whose inertia is not raised (MeanAnswer): a stiffness that followed a link as it turns or is raised
// would add energy with every change of it, and feed the swing.
constexpr double kLinkYield = 4e-5;
// Rounds of raising the inertia of light bodies: forces grow with the inertia, so each round finds greater ones than the last.
constexpr int kMostRaises = 3;

bool isInside(const JointRow& row, Real impulse) { return impulse > row.low && impulse < row.high; }

}  // namespace

bool DirectGroup::plan(std::span<const std::pair<std::uint32_t, std::uint32_t>> joints, std::span<const int> capacities,
                       std::span<const std::uint8_t> isMoving, double budget) {
    std::vector<JointEnd> ends;
    for (int i = 0; i < static_cast<int>(joints.size()); ++i) {
        if (isMoving[joints[i].first])
            ends.push_back({joints[i].first, i, 0});
        if (isMoving[joints[i].second])
            ends.push_back({joints[i].second, i, 1});
    }
    std::sort(ends.begin(), ends.end());
    double cliques = 0;  // pairs of joints that share a body: with very many joints on one body they would take too much memory
    for (std::size_t begin = 0, end = 0; begin < ends.size(); begin = end) {
        while (end < ends.size() && ends[end].body == ends[begin].body)
            ++end;
        cliques += double(end - begin) * double(end - begin);
    }
    if (cliques > budget)
        return false;
    const std::vector<std::pair<int, int>> neighbours = findShared(ends, shared_);
    const auto order = linear::minimumDegreeOrder(capacities, neighbours, budget);
    if (!order)
        return false;
    matrix_ = linear::BlockCholesky<double>(std::make_shared<const linear::BlockPlan>(capacities, neighbours, *order));
    const int unknowns = matrix_.plan().unknowns();
    rows_.assign(unknowns, nullptr);
    data_.resize(unknowns);
    x_.assign(unknowns, 0);
    sigma_.assign(unknowns, 0);
    rowCounts_.assign(joints.size(), 0);
    groupBodies_.plan(joints, isMoving);
    isDriven_.assign(groupBodies_.size(), 0);
    return true;
}

// Before the first substep it is not known whether the impulses are a good guess, so hadBlow_ is set.
void DirectGroup::begin(std::span<const JointConstraint> joints, std::span<const SolverBodyConstants> constants,
                        std::span<const Touch> touches) {
    groupBodies_.begin(constants, touches);
    hadBlow_ = true;
    halvesKicks_ = !groupBodies_.isLoaded() && std::all_of(joints.begin(), joints.end(), [](const JointConstraint& joint) {
        return !joint.spec.isActive() && joint.spec.friction == 0;
    });
}

void DirectGroup::start(std::span<JointConstraint> joints, std::span<SolverBody> bodies, const JointSettings& settings) {
    for (JointConstraint& joint : joints) {
        joint.given = {};
        refreshJoint(joint, bodies, settings);
    }
}

// Chooses the rows of the system: held rows and springs, and one rigid row that is not at a bound per free direction (two would
// contradict each other). Returns whether they differ from those before. Their number does not tell: a motor takes the place of
// a limit that lets go.
bool DirectGroup::chooseRows(std::span<JointConstraint> joints) {
    bool changed = false;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        JointConstraint& joint = joints[i];
        JointRow** rows = rows_.data() + matrix_.plan().offset(static_cast<int>(i));
        const int capacity = matrix_.plan().offset(static_cast<int>(i) + 1) - matrix_.plan().offset(static_cast<int>(i));
        const bool twoDirections = joint.spec.type == JointType::Wheel;
        bool taken = false;
        std::uint32_t stopped = 0;  // bits of the directions that a limit stops, as kDriveSlot counts them
        int count = 0;
        for (int r = 0; r < joint.rowCount && count < capacity; ++r) {
            JointRow& row = joint.rows[r];
            if (row.bounded) {
                if (!isInside(row, joint.impulse[row.slot]))
                    continue;
                const bool isLimit = row.slot == kLimitSlot, excludes = isLimit || row.slot == kMotorSlot;
                if (taken && (row.slot == kMotorSlot || row.slot == kFrictionSlot))
                    continue;
                if (row.rigid && row.slot >= kDriveSlot && (stopped >> (row.slot - kDriveSlot) & 1))
                    continue;
                if (row.slot < kLimitSlot)
                    stopped |= 1u << row.slot;
                else if (isLimit || row.slot == kConeSlot)
                    stopped = ~0u;
                taken = taken || (excludes && !(isLimit && twoDirections));
            }
            changed = changed || count >= rowCounts_[i] || rows[count] != &row;
            rows[count++] = &row;
        }
        changed = changed || count != rowCounts_[i];
        rowCounts_[i] = count;
    }
    return changed;
}

void DirectGroup::assemble(std::span<JointConstraint> joints, std::span<const SolverBody> bodies) {
    matrix_.clear(rowCounts_);
    for (int i = 0; i < static_cast<int>(joints.size()); ++i) {
        const SolverBody &a = bodies[joints[i].bodyA], &b = bodies[joints[i].bodyB];
        const int first = matrix_.plan().offset(i), stride = matrix_.stride(i);
        double* diagonal = matrix_.diagonal(i);
        for (int r = 0; r < rowCounts_[i]; ++r) {
            const JointRow& row = *rows_[first + r];
            RowData& data = data_[first + r];
            const bool hasNoAnswer = isLocked(row, a, b);
            data = hasNoAnswer ? RowData{} : rowDataOf(row, a, b);
            fillRow(data_.data() + first, r, diagonal, stride);
            double& own = diagonal[r * stride + r];
            sigma_[first + r] = double(row.softness);
            if (row.rigid)
                sigma_[first + r] += kLinkYield * double(answerAlong(row, joints[i].answer)) + double(yieldToLocks(row, a, b));
            own += sigma_[first + r];
            if (hasNoAnswer) {
                sigma_[first + r] = kNoAnswer;
                own = 1;
            }
        }
    }
    addShared(shared_, rowCounts_, data_, matrix_);
}

void DirectGroup::findErrors(std::span<const JointConstraint> joints, std::span<const SolverBody> bodies) {
    for (int i = 0; i < static_cast<int>(joints.size()); ++i) {
        const SolverBody &a = bodies[joints[i].bodyA], &b = bodies[joints[i].bodyB];
        for (int r = 0; r < rowCounts_[i]; ++r) {
            const JointRow& row = *rows_[matrix_.plan().offset(i) + r];
            const double sigma = sigma_[matrix_.plan().offset(i) + r], impulse = double(joints[i].impulse[row.slot]);
            x_[matrix_.plan().offset(i) + r] =
                sigma == kNoAnswer ? -impulse : -(double(velocityOf(row, a, b)) + double(row.bias) + sigma * impulse);
        }
    }
}

void DirectGroup::apply(std::span<JointConstraint> joints, std::span<SolverBody> bodies) {
    for (int i = 0; i < static_cast<int>(joints.size()); ++i) {
        JointConstraint& joint = joints[i];
        for (int r = 0; r < rowCounts_[i]; ++r) {
            const JointRow& row = *rows_[matrix_.plan().offset(i) + r];
            Real& impulse = joint.impulse[row.slot];
            const Real next = clamp(impulse + Real(x_[matrix_.plan().offset(i) + r]), row.low, row.high);
            applyRow(row, next - impulse, bodies[joint.bodyA], bodies[joint.bodyB]);
            impulse = next;
        }
    }
}

// Solves for all chosen rows. Where a row comes to its bound the others are no longer met, and are solved again without it.
// Returns whether all are met.
bool DirectGroup::meetRows(std::span<JointConstraint> joints, std::span<SolverBody> bodies) {
    chooseRows(joints);
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        assemble(joints, bodies);
        matrix_.factor();
        findErrors(joints, bodies);
        matrix_.solve(x_);
        apply(joints, bodies);
        if (!chooseRows(joints))
            return true;
    }
    return false;
}

bool DirectGroup::solveAll(std::span<JointConstraint> joints, std::span<SolverBody> bodies,
                           std::span<SolverBodyConstants> constants, const JointSettings& settings) {
    if (settings.raisesInertia)
        groupBodies_.fitInertia(joints, bodies, constants, settings.h);
    for (JointConstraint& joint : joints)
        refreshJoint(joint, bodies, settings);
    for (JointConstraint& joint : joints)
        solveBounded(joint, bodies);
    bool met = meetRows(joints, bodies);
    for (int i = 0; i < kMostRaises && settings.raisesInertia; ++i) {
        if (!groupBodies_.raiseInertia(joints, bodies, constants, settings.h))
            break;
        met = meetRows(joints, bodies);
    }
    return met;
}

void DirectGroup::foresee(std::span<JointConstraint> joints, std::span<SolverBody> bodies,
                          std::span<SolverBodyConstants> constants, const JointSettings& settings) {
    if (!groupBodies_.isTouched())
        return;
    groupBodies_.noteStart(bodies);
    if (!hadBlow_)
        return;
    solveAll(joints, bodies, constants, settings);
    for (JointConstraint& joint : joints)
        joint.given = wrenchOf(joint);
}

// In a group that nothing pushes or drives, gravity acts for half a substep in the first substep of a step, for whole ones
// after it, and for half a one at the end. Velocities and positions then belong to the same time, and energies are right to
// second order. With whole substeps alone a body that falls or rises with v is reported with m g h v / 2 too little or too
// much.
void DirectGroup::beginWithHalfKick(std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                                    Real h) const {
    for (std::size_t i = 0; i < groupBodies_.size() && halvesKicks_; ++i) {
        SolverBody& body = bodies[groupBodies_.body(i)];
        const Vec3 half = constants[groupBodies_.body(i)].acceleration * (h / 2);
        body.velocity -= half;
        body.freeVelocity -= half;
    }
}

void DirectGroup::endWithHalfKick(std::span<JointConstraint> joints, std::span<SolverBody> bodies,
                                  std::span<const SolverBodyConstants> constants, const JointSettings& settings) {
    if (!halvesKicks_)
        return;
    for (std::size_t i = 0; i < groupBodies_.size(); ++i)
        bodies[groupBodies_.body(i)].velocity += constants[groupBodies_.body(i)].acceleration * (settings.h / 2);
    for (JointConstraint& joint : joints)
        makeRows(joint, bodies[joint.bodyA], bodies[joint.bodyB], settings);
    chooseRows(joints);
    assemble(joints, bodies);
    matrix_.factor();
    std::fill(x_.begin(), x_.end(), 0.0);
    const auto forRows = [&](auto&& visit) {
        for (std::size_t i = 0; i < rowCounts_.size(); ++i)
            for (int r = 0, k = matrix_.plan().offset(static_cast<int>(i)); r < rowCounts_[i]; ++r, ++k)
                if (sigma_[k] != kNoAnswer)
                    visit(joints[i], k, *rows_[k]);
    };
    forRows([&](const JointConstraint& joint, int k, const JointRow& row) {
        const double speed = velocityOf(row, bodies[joint.bodyA], bodies[joint.bodyB]);
        x_[k] = isPassive(row) && !(row.bounded && speed * joint.impulse[row.slot] > 0) ? -speed : 0;
    });
    matrix_.solve(x_);
    forRows([&](JointConstraint& joint, int k, const JointRow& row) {
        const auto impulse = Real(x_[k]);
        applyRow(row, impulse, bodies[joint.bodyA], bodies[joint.bodyB]);
        joint.totalForce += row.linear * impulse;
        joint.totalTorque += (row.angularB - cross(joint.armB, row.linear)) * impulse;
    });
}

void DirectGroup::solve(std::span<JointConstraint> joints, std::span<SolverBody> bodies,
                        std::span<SolverBodyConstants> constants, const JointSettings& settings) {
    if (solveAll(joints, bodies, constants, settings)) {
        for (JointConstraint& joint : joints)
            updateCurvature(joint, bodies[joint.bodyA], bodies[joint.bodyB], settings);
        findErrors(joints, bodies);
        matrix_.solve(x_);
        apply(joints, bodies);
    }
    keepEnergy(joints, bodies, constants, settings.h);
    for (std::size_t i = 0; i < groupBodies_.size(); ++i) {
        const SolverBody& body = bodies[groupBodies_.body(i)];
        isDriven_[i] = halvesKicks_ || !(body.velocity == body.freeVelocity);
    }
    hadBlow_ = false;
    for (JointConstraint& joint : joints) {
        finishSubstep(joint);
        hadBlow_ = forgetBlow(joint, bodies) || hadBlow_;
    }
    // integratePosition moves a body without impulses along a parabola. A body whose impulses were all forgotten above did have
    // some; this takes the parabola back.
    for (std::size_t i = 0; i < groupBodies_.size(); ++i)
        if (SolverBody& body = bodies[groupBodies_.body(i)]; isDriven_[i] && body.velocity == body.freeVelocity)
            body.displacement += constants[groupBodies_.body(i)].acceleration * (settings.h * settings.h * Real(0.5));
}

}  // namespace sunder::dynamics
