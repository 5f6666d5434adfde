#include "dynamics/joints/joint_solver.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "dynamics/contact/wide_contact.h"

namespace sunder::dynamics {

namespace {

// Multiplications per factorization, one per substep, up to which a group is solved at once: about 0.1 ms.
constexpr double kDirectBudget = 2.5e5;
// Larger nets repair this share of an error per substep, and forget more of their impulses than that.
constexpr Real kSweptRepair = Real(0.2), kSweptLeak = Real(0.22);

constexpr int kMaxColors = 32;
constexpr int kBlocksPerTask = 8;
constexpr int kSinglesPerTask = 8;

std::uint32_t rootOf(std::vector<std::uint32_t>& parent, std::uint32_t body) {
    while (parent[body] != body) {
        parent[body] = parent[parent[body]];
        body = parent[body];
    }
    return body;
}

int tasksFor(std::uint32_t items, int itemsPerTask) { return (static_cast<int>(items) + itemsPerTask - 1) / itemsPerTask; }

}  // namespace

JointSolver::JointSolver() : blocks_(std::make_unique<WideBallBlocks>()) {}
JointSolver::~JointSolver() = default;
JointSolver::JointSolver(JointSolver&&) noexcept = default;
JointSolver& JointSolver::operator=(JointSolver&&) noexcept = default;

void JointSolver::plan(std::span<const JointLink> links, std::size_t bodyCount) {
    if (std::equal(links.begin(), links.end(), links_.begin(), links_.end()))
        return;
    links_.assign(links.begin(), links.end());
    places_.assign(links.size(), {});
    groups_.clear();
    std::vector<std::uint8_t> isMoving(bodyCount);
    for (const JointLink& link : links_) {
        isMoving[link.bodyA] = link.movesA;
        isMoving[link.bodyB] = link.movesB;
    }
    findGroups(bodyCount);
    planGroups(isMoving);
    colorRest(bodyCount);
}

// Components, numbered by their first joint.
void JointSolver::findGroups(std::size_t bodyCount) {
    std::vector<std::uint32_t> parent(bodyCount);
    std::iota(parent.begin(), parent.end(), 0u);
    for (const JointLink& link : links_)
        if (link.movesA && link.movesB) {
            const std::uint32_t a = rootOf(parent, link.bodyA), b = rootOf(parent, link.bodyB);
            parent[std::max(a, b)] = std::min(a, b);
        }
    constexpr std::uint32_t kNone = 0xffffffffu;
    std::vector<std::uint32_t> number(bodyCount, kNone);
    groupOfLink_.resize(links_.size());
    componentCount_ = 0;
    for (std::size_t i = 0; i < links_.size(); ++i) {
        std::uint32_t& group = number[rootOf(parent, links_[i].movesA ? links_[i].bodyA : links_[i].bodyB)];
        if (group == kNone)
            group = componentCount_++;
        groupOfLink_[i] = group;
    }
}

void JointSolver::planGroups(std::span<const std::uint8_t> isMoving) {
    std::vector<std::vector<std::uint32_t>> members(componentCount_);
    for (std::size_t i = 0; i < links_.size(); ++i)
        members[groupOfLink_[i]].push_back(static_cast<std::uint32_t>(i));
    std::uint32_t constraints = 0;
    std::vector<std::uint8_t> isDirect(links_.size(), 0);
    for (const std::vector<std::uint32_t>& joints : members) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> bodies;
        std::vector<int> capacities;
        for (const std::uint32_t i : joints) {
            bodies.push_back({links_[i].bodyA, links_[i].bodyB});
            capacities.push_back(links_[i].capacity);
        }
        Group group{constraints, static_cast<std::uint32_t>(joints.size()), {}};
        if (!group.solver.plan(bodies, capacities, isMoving, kDirectBudget))
            continue;
        for (const std::uint32_t i : joints) {
            places_[i] = {false, constraints++};
            isDirect[i] = 1;
        }
        groups_.push_back(std::move(group));
    }
    constraints_.resize(constraints);
    for (std::size_t i = 0; i < links_.size(); ++i)
        groupOfLink_[i] = isDirect[i];
}

void JointSolver::colorRest(std::size_t bodyCount) {
    std::vector<std::uint32_t> used(bodyCount, 0);
    std::vector<std::vector<std::uint32_t>> balls(kMaxColors + 1), singles(kMaxColors + 1);
    for (std::size_t i = 0; i < links_.size(); ++i) {
        if (groupOfLink_[i])
            continue;
        const JointLink& link = links_[i];
        const std::uint32_t taken = (link.movesA ? used[link.bodyA] : 0) | (link.movesB ? used[link.bodyB] : 0);
        const int color = std::countr_one(taken);  // kMaxColors: none is left
        if (color < kMaxColors) {
            used[link.bodyA] |= 1u << color;
            used[link.bodyB] |= 1u << color;
        }
        (link.isPlainBall ? balls : singles)[color].push_back(static_cast<std::uint32_t>(i));
    }
    std::uint32_t ballCount = 0, constraintCount = static_cast<std::uint32_t>(constraints_.size());
    firstBall_.assign(1, 0);
    firstSingle_.assign(1, constraintCount);
    firstBlock_.assign(1, 0);
    stages_.clear();
    if (!groups_.empty())
        stages_.push_back({JointStage::Groups, 0, static_cast<int>(groups_.size())});
    for (int color = 0; color <= kMaxColors; ++color) {
        for (const std::uint32_t i : balls[color])
            places_[i] = {true, ballCount++};
        for (const std::uint32_t i : singles[color])
            places_[i] = {false, constraintCount++};
        firstBall_.push_back(ballCount);
        firstSingle_.push_back(constraintCount);
        const auto ballsHere = static_cast<std::uint32_t>(balls[color].size()),
                   singlesHere = static_cast<std::uint32_t>(singles[color].size());
        if (color == kMaxColors) {
            if (ballsHere + singlesHere > 0)
                stages_.push_back({JointStage::Overflow, color, 1});
            break;
        }
        const auto blocks = static_cast<std::uint32_t>(tasksFor(ballsHere, wide::kLanes));
        firstBlock_.push_back(firstBlock_.back() + blocks);
        if (blocks > 0)
            stages_.push_back({JointStage::Balls, color, tasksFor(blocks, kBlocksPerTask)});
        if (singlesHere > 0)
            stages_.push_back({JointStage::Singles, color, tasksFor(singlesHere, kSinglesPerTask)});
    }
    balls_.assign(ballCount, {});
    constraints_.resize(constraintCount);
    blocks_->all.resize(firstBlock_.back());
}

void JointSolver::begin(std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants, Real h,
                        Real recoverySpeed) {
    if (empty())
        return;
    bodies_ = bodies;
    kernels_ = &wideKernels();
    direct_ = {h, 1 / h, recoverySpeed, 1 / h, 1};
    swept_ = {h, 1 / h, recoverySpeed, kSweptRepair / h, 1 - kSweptLeak};
    for (int color = 0; color < kMaxColors; ++color)
        for (std::uint32_t block = firstBlock_[color]; block < firstBlock_[color + 1]; ++block) {
            const std::uint32_t first = firstBall_[color] + (block - firstBlock_[color]) * wide::kLanes;
            pack(blocks_->all[block], balls_, first, static_cast<int>(std::min<std::uint32_t>(wide::kLanes, firstBall_[color + 1] - first)),
                 constants);
        }
}

void JointSolver::finish() {
    if (empty())
        return;
    for (int color = 0; color < kMaxColors; ++color)
        for (std::uint32_t block = firstBlock_[color]; block < firstBlock_[color + 1]; ++block)
            unpack(blocks_->all[block], balls_, firstBall_[color] + (block - firstBlock_[color]) * wide::kLanes);
}

template <bool isStart>
void JointSolver::runTask(const JointStage& stage, int task) {
    const auto single = [&](JointConstraint& joint) {
        if (isStart)
            joint.given = {};
        refreshJoint(joint, bodies_, swept_);
        if (isStart)
            return;
        solveBounded(joint, bodies_);
        solveHeld(joint, bodies_, swept_);
        finishSubstep(joint);
    };
    switch (stage.kind) {
        case JointStage::Groups: {
            Group& group = groups_[task];
            const std::span<JointConstraint> joints{constraints_.data() + group.first, group.count};
            isStart ? group.solver.start(joints, bodies_, direct_) : group.solver.solve(joints, bodies_, direct_);
            break;
        }
        case JointStage::Balls: {
            const std::uint32_t begin = firstBlock_[stage.color] + task * kBlocksPerTask;
            const int count = static_cast<int>(std::min<std::uint32_t>(kBlocksPerTask, firstBlock_[stage.color + 1] - begin));
            if (isStart)
                kernels_->startBalls(blocks_->all.data() + begin, count, bodies_.data());
            else
                kernels_->solveBalls(blocks_->all.data() + begin, count, bodies_.data(), swept_);
            break;
        }
        case JointStage::Singles: {
            const std::uint32_t begin = firstSingle_[stage.color] + task * kSinglesPerTask;
            const std::uint32_t end = std::min<std::uint32_t>(begin + kSinglesPerTask, firstSingle_[stage.color + 1]);
            for (std::uint32_t i = begin; i < end; ++i)
                single(constraints_[i]);
            break;
        }
        case JointStage::Overflow:
            for (std::uint32_t i = firstBall_[kMaxColors]; i < firstBall_[kMaxColors + 1]; ++i)
                isStart ? startBall(balls_[i], bodies_) : solveBall(balls_[i], bodies_, swept_);
            for (std::uint32_t i = firstSingle_[kMaxColors]; i < firstSingle_[kMaxColors + 1]; ++i)
                single(constraints_[i]);
            break;
    }
}

void JointSolver::startTask(const JointStage& stage, int task) { runTask<true>(stage, task); }
void JointSolver::solveTask(const JointStage& stage, int task) { runTask<false>(stage, task); }

}  // namespace sunder::dynamics
