#include "dynamics/joints/joint_solver.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/none.h"
#include "core/union_find.h"
#include "dynamics/joints/row/joint_impulses.h"

namespace sunder::dynamics {

namespace {

// Multiplications per factorization, one per substep, up to which a group is solved at once: about 0.1 ms.
constexpr double kDirectBudget = 2.5e5;
// Shares per substep in swept nets: of an error that is repaired, and of an impulse that is forgotten. Repairing 0.2 runs into
// the limit of 3 m/s, and joints at the pins open by metres (docs/joints.md). The leak exceeds the repair, or long chains swing
// up (docs/step.md, section 1).
constexpr Real kSweptRepair = Real(0.05), kSweptLeak = Real(0.055);

// Share of an error that bundles repair per substep. Their rows are met in every substep, unlike those of swept nets.
constexpr Real kBundledRepair = Real(0.2);

constexpr int kMaxJointColors = 32;  // bits of the word that keeps a body's colours
// Bodies of a chunk, whose joints to each other are solved together: they and their joints fit into a second-level cache.
constexpr std::uint32_t kBodiesPerChunk = 512;
constexpr std::uint32_t kNoChunk = 0xffffffffu;
// Grain of the tasks: blocks of kLanes balls, single joints, links and blocks of bundles that one task takes.
constexpr int kBlocksPerTask = 8;
constexpr int kSinglesPerTask = 8;
constexpr std::size_t kJointsPerTask = 1024, kBlocksPerRange = 32;

int tasksFor(std::uint32_t items, int itemsPerTask) { return (static_cast<int>(items) + itemsPerTask - 1) / itemsPerTask; }

// Takes the lowest colour that neither body of the link has, and returns it; kMaxJointColors where none is left.
int takeColor(const JointLink& link, std::vector<std::uint32_t>& used) {
    const std::uint32_t taken = (link.movesA ? used[link.bodyA] : 0) | (link.movesB ? used[link.bodyB] : 0);
    const int color = std::countr_one(taken);
    if (color < kMaxJointColors) {
        used[link.bodyA] |= 1u << color;
        used[link.bodyB] |= 1u << color;
    }
    return color;
}

// The chunk in which both moving bodies of the link are; kNoChunk where they are in two.
std::uint32_t chunkOf(const JointLink& link) {
    const std::uint32_t a = link.bodyA / kBodiesPerChunk, b = link.bodyB / kBodiesPerChunk;
    return !link.movesA ? b : (!link.movesB || a == b ? a : kNoChunk);
}

}  // namespace

JointSolver::JointSolver() : blocks_(std::make_unique<WideBallBlocks>()) {}
JointSolver::~JointSolver() = default;
JointSolver::JointSolver(JointSolver&&) noexcept = default;
JointSolver& JointSolver::operator=(JointSolver&&) noexcept = default;

void JointSolver::plan(TaskRunner& tasks, std::span<const JointLink> links, std::size_t bodyCount) {
    groupOfBody_.resize(bodyCount, 0);  // bodies without joints may have come
    if (links.size() == links_.size() &&
        !anyInRanges(tasks, links.size(), kJointsPerTask, [&](std::size_t i) { return !(links[i] == links_[i]); }))
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

// Connected components of moving bodies, numbered by their first joint.
void JointSolver::findGroups(std::size_t bodyCount) {
    UnionFind joined(bodyCount);
    for (const JointLink& link : links_)
        if (link.movesA && link.movesB)
            joined.join(link.bodyA, link.bodyB);
    std::vector<std::uint32_t> number(bodyCount, kNone);
    groupOfLink_.resize(links_.size());
    componentCount_ = 0;
    for (std::size_t i = 0; i < links_.size(); ++i) {
        std::uint32_t& group = number[joined.root(links_[i].movesA ? links_[i].bodyA : links_[i].bodyB)];
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
    groupOfBody_.assign(isMoving.size(), 0);
    std::vector<std::uint8_t> isInGroup(links_.size(), 0);
    std::vector<JointTree> trees;
    for (const std::vector<std::uint32_t>& joints : members) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> bodies;
        std::vector<int> capacities;
        for (const std::uint32_t i : joints) {
            bodies.push_back({links_[i].bodyA, links_[i].bodyB});
            capacities.push_back(links_[i].capacity);
        }
        if (std::optional<JointTree> tree = treeOf(links_, joints)) {
            for (const std::uint32_t i : joints)
                isInGroup[i] = 1;
            trees.push_back(std::move(*tree));
            continue;
        }
        Group group{constraints, static_cast<std::uint32_t>(joints.size()), {}};
        if (!group.solver.plan(bodies, capacities, isMoving, kDirectBudget))
            continue;
        for (const std::uint32_t i : joints) {
            places_[i] = {false, constraints++};
            isInGroup[i] = 1;
            for (const std::uint32_t body : {links_[i].bodyA, links_[i].bodyB})
                if (isMoving[body])
                    groupOfBody_[body] = static_cast<std::uint32_t>(groups_.size()) + 1;
        }
        groups_.push_back(std::move(group));
    }
    firstBundled_ = constraints;
    constraints_.resize(constraints);
    planBundles(std::move(trees));
    for (std::size_t i = 0; i < links_.size(); ++i)
        groupOfLink_[i] = isInGroup[i];
}

void JointSolver::planBundles(std::vector<JointTree> trees) {
    std::stable_sort(trees.begin(), trees.end(), comesBefore);
    auto group = static_cast<std::uint32_t>(groups_.size());
    bundledCount_ = 0;
    for (const JointTree& tree : trees) {
        ++group;
        for (const JointTree::Branch& branch : tree.branches) {
            const JointLink& link = links_[branch.joint];
            places_[branch.joint] = {false, firstBundled_ + bundledCount_++};
            groupOfBody_[link.bodyA] = groupOfBody_[link.bodyB] = group;
        }
    }
    constraints_.resize(firstBundled_ + bundledCount_);
    bundles_.plan(trees, links_);
}

void JointSolver::addBlocks(std::span<const std::uint32_t> links) {
    for (std::size_t i = 0; i < links.size(); i += wide::kLanes)
        blockFirst_.push_back(ballCount_ + static_cast<std::uint32_t>(i));
    for (const std::uint32_t link : links)
        places_[link] = {true, ballCount_++};
}

void JointSolver::colorRest(std::size_t bodyCount) {
    const std::size_t chunks = bodyCount / kBodiesPerChunk + 1;
    std::vector<std::uint32_t> used(bodyCount, 0), usedInChunk(bodyCount, 0);
    std::vector<std::array<std::vector<std::uint32_t>, kMaxJointColors>> near(chunks);
    std::vector<std::vector<std::uint32_t>> balls(kMaxJointColors + 1), singles(kMaxJointColors + 1);
    for (std::size_t i = 0; i < links_.size(); ++i) {
        if (groupOfLink_[i])
            continue;
        const JointLink& link = links_[i];
        const std::uint32_t chunk = link.isPlainBall ? chunkOf(link) : kNoChunk;
        if (const int color = chunk != kNoChunk ? takeColor(link, usedInChunk) : kMaxJointColors; color < kMaxJointColors)
            near[chunk][color].push_back(static_cast<std::uint32_t>(i));
        else
            (link.isPlainBall ? balls : singles)[takeColor(link, used)].push_back(static_cast<std::uint32_t>(i));
    }
    stages_.clear();
    blockFirst_.clear();
    ballCount_ = 0;
    if (!groups_.empty())
        stages_.push_back({JointStage::Groups, 0, static_cast<int>(groups_.size())});
    if (bundles_.count() > 0)
        stages_.push_back({JointStage::Bundles, 0, bundles_.count()});
    chunkFirst_.assign(1, 0);
    for (const auto& colors : near) {
        for (const std::vector<std::uint32_t>& color : colors)
            addBlocks(color);
        chunkFirst_.push_back(static_cast<std::uint32_t>(blockFirst_.size()));
    }
    if (ballCount_ > 0)
        stages_.push_back({JointStage::Chunks, 0, static_cast<int>(chunks)});
    auto constraintCount = static_cast<std::uint32_t>(constraints_.size());
    firstSingle_.assign(1, constraintCount);
    firstBlock_.assign(1, static_cast<std::uint32_t>(blockFirst_.size()));
    for (int color = 0; color < kMaxJointColors; ++color) {
        addBlocks(balls[color]);
        for (const std::uint32_t i : singles[color])
            places_[i] = {false, constraintCount++};
        firstBlock_.push_back(static_cast<std::uint32_t>(blockFirst_.size()));
        firstSingle_.push_back(constraintCount);
        if (!balls[color].empty())
            stages_.push_back(
                {JointStage::Balls, color, tasksFor(firstBlock_[color + 1] - firstBlock_[color], kBlocksPerTask)});
        if (!singles[color].empty())
            stages_.push_back(
                {JointStage::Singles, color, tasksFor(firstSingle_[color + 1] - firstSingle_[color], kSinglesPerTask)});
    }
    overflowBall_ = ballCount_;
    for (const std::uint32_t i : balls[kMaxJointColors])
        places_[i] = {true, ballCount_++};
    for (const std::uint32_t i : singles[kMaxJointColors])
        places_[i] = {false, constraintCount++};
    if (ballCount_ > overflowBall_ || constraintCount > firstSingle_.back())
        stages_.push_back({JointStage::Overflow, 0, 1});
    balls_.assign(ballCount_, {});
    constraints_.resize(constraintCount);
    blocks_->all.resize(blockFirst_.size());
    blockFirst_.push_back(overflowBall_);
}

void JointSolver::findTouches(std::span<const ContactLink> contacts) {
    touches_.assign(bodies_.size(), {});
    for (const ContactLink& contact : contacts) {
        const auto note = [&](std::uint32_t body, std::uint32_t other) {
            if (groupOfBody_[body] == 0)
                return;
            Touch& touch = touches_[body];
            touch.any = true;
            touch.loaded = touch.loaded || contact.load > 0;
            if (!constants_[other].isDynamic) {
                const Real turning = length(bodies_[other].angularVelocity);
                const Real speed =
                    length(bodies_[other].velocity) + (turning > 0 ? turning * constants_[other].radius : Real(0));
                touch.grounded = true;
                touch.givingSpeed = max(touch.givingSpeed, contact.drives ? kInfinity : speed);
            } else if (groupOfBody_[other] != groupOfBody_[body]) {
                touch.givingSpeed = kInfinity;
            }
        };
        note(contact.bodyA, contact.bodyB);
        note(contact.bodyB, contact.bodyA);
    }
}

void JointSolver::begin(TaskRunner& tasks, std::span<SolverBody> bodies, std::span<SolverBodyConstants> constants,
                        std::span<const ContactLink> contacts, const BallKernels& balls, const BundleKernels& bundles,
                        const JointSettings& settings) {
    if (empty())
        return;
    bodies_ = bodies;
    constants_ = constants;
    ballKernels_ = balls;
    bundleKernels_ = bundles;
    direct_ = bundled_ = swept_ = settings;
    direct_.repairRate = settings.inverseH;
    direct_.curves = false;
    swept_.repairRate = kSweptRepair * settings.inverseH;
    swept_.kept = 1 - kSweptLeak;
    bundled_.repairRate = kBundledRepair * settings.inverseH;
    bundled_.curves = false;
    if (!groups_.empty())
        findTouches(contacts);
    for (Group& group : groups_)
        group.solver.begin({constraints_.data() + group.first, group.count}, constants, touches_);
    runRanges(tasks, blocks_->all.size(), kBlocksPerRange, [&](std::size_t block, std::size_t end) {
        for (; block < end; ++block)
            pack(blocks_->all[block], balls_, blockFirst_[block], static_cast<int>(blockFirst_[block + 1] - blockFirst_[block]),
                 constants, settings.raisesInertia ? settings.h : Real(0));
    });
    for (std::uint32_t i = overflowBall_; i < balls_.size(); ++i)
        findSwing(balls_[i], constants, settings.raisesInertia ? settings.h : Real(0));
}

void JointSolver::finish(TaskRunner& tasks) {
    if (empty())
        return;
    runRanges(tasks, blocks_->all.size(), kBlocksPerRange, [&](std::size_t block, std::size_t end) {
        for (; block < end; ++block)
            unpack(blocks_->all[block], balls_, blockFirst_[block]);
    });
    for (const Group& group : groups_)
        group.solver.finish(constants_);
}

template <bool isStart>
void JointSolver::runBlocks(std::uint32_t begin, std::uint32_t end) {
    const int count = static_cast<int>(end - begin);
    if (isStart)
        ballKernels_.start(blocks_->all.data() + begin, count, bodies_.data());
    else
        ballKernels_.solve(blocks_->all.data() + begin, count, bodies_.data(), swept_);
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
            isStart ? group.solver.start(joints, bodies_, direct_) : group.solver.solve(joints, bodies_, constants_, direct_);
            break;
        }
        case JointStage::Bundles:
            isStart ? bundleKernels_.start(bundles_.view(task), bodies_.data())
                    : bundleKernels_.solve(bundles_.view(task), bodies_.data(), bundled_);
            break;
        case JointStage::Chunks: runBlocks<isStart>(chunkFirst_[task], chunkFirst_[task + 1]); break;
        case JointStage::Balls: {
            const std::uint32_t begin = firstBlock_[stage.color] + task * kBlocksPerTask;
            runBlocks<isStart>(begin, std::min<std::uint32_t>(begin + kBlocksPerTask, firstBlock_[stage.color + 1]));
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
            for (std::uint32_t i = overflowBall_; i < balls_.size(); ++i)
                isStart ? startBall(balls_[i], bodies_) : solveBall(balls_[i], bodies_, swept_);
            for (std::size_t i = firstSingle_.back(); i < constraints_.size(); ++i)
                single(constraints_[i]);
            break;
    }
}

void JointSolver::startTask(const JointStage& stage, int task) { runTask<true>(stage, task); }
void JointSolver::beginStepTask(const JointStage& stage, int task) {
    if (stage.kind == JointStage::Groups)
        groups_[task].solver.beginWithHalfKick(bodies_, constants_, direct_.h);
    else if (stage.kind == JointStage::Bundles)
        bundles_.pack(task, {constraints_.data() + firstBundled_, bundledCount_}, bodies_, constants_, bundled_);
}
void JointSolver::endStepTask(const JointStage& stage, int task) {
    if (stage.kind == JointStage::Bundles)
        return bundles_.unpack(task, {constraints_.data() + firstBundled_, bundledCount_});
    if (stage.kind != JointStage::Groups)
        return;
    Group& group = groups_[task];
    group.solver.endWithHalfKick({constraints_.data() + group.first, group.count}, bodies_, constants_, direct_);
}
void JointSolver::foreseeTask(const JointStage& stage, int task) {
    if (stage.kind != JointStage::Groups)
        return;
    Group& group = groups_[task];
    group.solver.foresee({constraints_.data() + group.first, group.count}, bodies_, constants_, direct_);
}
void JointSolver::solveTask(const JointStage& stage, int task) { runTask<false>(stage, task); }

}  // namespace sunder::dynamics
