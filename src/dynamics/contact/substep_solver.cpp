#include "dynamics/contact/substep_solver.h"

#include <algorithm>

#include "dynamics/contact/wide_contact.h"
#include "dynamics/integrate/substep.h"
#include "dynamics/integrate/wide_substep.h"

namespace sunder::dynamics {

namespace {
// Work per task: long enough to hide the price of claiming it, short enough to share. Independent of the thread count.
constexpr int kBlocksPerTask = 4;
constexpr int kBodiesPerTask = 32;
// Substeps from one start to the next. At a start every contact applies its impulses anew and finds its effective masses;
// between starts bodies carry on what contacts gave them, and its rounding with it.
constexpr int kSubstepsPerStart = 8;

// Arguments of contact stages: the colour, kSingles for contacts of no colour, and one bit of choice.
constexpr int kSingles = 1 << 10;
constexpr int argumentOf(int color, int option) { return color * 2 + option; }
constexpr int colorOf(int argument) { return argument / 2; }
constexpr bool optionOf(int argument) { return argument % 2 != 0; }
}  // namespace

SubstepSolver::SubstepSolver() : blocks_(std::make_unique<WideBlocks>()) {}
SubstepSolver::~SubstepSolver() = default;
SubstepSolver::SubstepSolver(SubstepSolver&&) noexcept = default;
SubstepSolver& SubstepSolver::operator=(SubstepSolver&&) noexcept = default;

template <SubstepSolver::Stage stage>
void SubstepSolver::addStage(int itemCount, int itemsPerTask, int argument) {
    stages_.add((itemCount + itemsPerTask - 1) / itemsPerTask,
                [](void* self, int packed, int task) { (static_cast<SubstepSolver*>(self)->*stage)(packed, task); }, this,
                argument);
}

template <SubstepSolver::Stage stage>
void SubstepSolver::addContactStages(int option) {
    for (int color = 0; color < coloring_.colorCount(); ++color)
        addStage<stage>(static_cast<int>(firstBlock_[color + 1] - firstBlock_[color]), kBlocksPerTask,
                        argumentOf(color, option));
    if (!coloring_.overflow.empty() || !heavyLoads_.constraints().empty())
        addStage<stage>(1, 1, argumentOf(kSingles, option));
}

template <SubstepSolver::Stage stage>
void SubstepSolver::addBodyStage(int option) {
    addStage<stage>(static_cast<int>(bodies_.size()), kBodiesPerTask, option);
}

template <SubstepSolver::Stage stage>
void SubstepSolver::addJointStages() {
    const std::span<const JointStage> stages = joints_->stages();
    for (std::size_t i = 0; i < stages.size(); ++i)
        addStage<stage>(stages[i].taskCount, 1, static_cast<int>(i));
}

void SubstepSolver::run(TaskRunner& tasks, std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                        std::span<ContactConstraint> constraints, JointSolver& joints, const SubstepSettings& settings) {
    bodies_ = bodies;
    constants_ = constants;
    constraints_ = constraints;
    joints_ = &joints;
    settings_ = settings;
    kernels_ = &wideKernels();
    passes_ = 0;
    layOutBlocks();

    stages_.clear();
    const int blockCount = static_cast<int>(blocks_->all.size());
    addStage<&SubstepSolver::packTask>(blockCount, kBlocksPerTask, 0);
    // Groups of joints that are solved at once gain nothing from what is carried on, and lose its rounding.
    const auto isGroups = [](const JointStage& stage) { return stage.kind == JointStage::Groups; };
    const bool onlyGroups =
        constraints.empty() && !joints.empty() && std::all_of(joints.stages().begin(), joints.stages().end(), isGroups);
    const int substepsPerStart = onlyGroups ? 1 : kSubstepsPerStart;
    for (int i = 0; i < settings.substeps; ++i) {
        const bool isLast = i + 1 == settings.substeps, restartsNext = (i + 1) % substepsPerStart == 0;
        if (i % substepsPerStart == 0) {
            addBodyStage<&SubstepSolver::beginSubstepTask>(1);
            addContactStages<&SubstepSolver::startTask>(0);
            addJointStages<&SubstepSolver::startJointsTask>();
        }
        if (anyRestitution_)
            addContactStages<&SubstepSolver::prepareBounceTask>(0);
        addContactStages<&SubstepSolver::pushTask>(i % 2);
        ++passes_;
        // Last, so that anchors meet where the substep ends; contacts are soft and wait for the next one.
        addJointStages<&SubstepSolver::solveJointsTask>();
        const bool goesOn = !isLast && !restartsNext;
        addBodyStage<&SubstepSolver::moveTask>(goesOn && !anyRestitution_);
        if (anyRestitution_)
            addContactStages<&SubstepSolver::bounceTask>(0);
        if (goesOn && anyRestitution_)
            addBodyStage<&SubstepSolver::beginSubstepTask>(0);
    }
    addStage<&SubstepSolver::unpackTask>(blockCount, kBlocksPerTask, 0);
    joints.begin(bodies, constants, kernels_->balls, settings.contact.h, settings.contact.recoverySpeed);
    stages_.run(tasks);
    joints.finish();
    forEachSingle([&](ContactConstraint& c) { updateGeometry(c, bodies_, settings_.contact.h); });
}

void SubstepSolver::layOutBlocks() {
    isMoving_.resize(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        isMoving_[i] = constants_[i].isDynamic;
    heavyLoads_.find(constraints_, constants_, settings_.massRatio);
    colorConstraints(constraints_, isMoving_, heavyLoads_, coloring_, bodyColors_, constraintColors_);
    anyRestitution_ = false;
    for (const ContactConstraint& constraint : constraints_)
        anyRestitution_ = anyRestitution_ || constraint.restitution > 0;
    firstBlock_.assign(1, 0);
    for (int color = 0; color < coloring_.colorCount(); ++color) {
        const std::uint32_t count = coloring_.first[color + 1] - coloring_.first[color];
        firstBlock_.push_back(firstBlock_.back() + (count + wide::kLanes - 1) / wide::kLanes);
    }
    blocks_->all.resize(firstBlock_.back());
}

SubstepSolver::BlockRange SubstepSolver::blocksOf(int color, int task) {
    const std::uint32_t begin = firstBlock_[color] + task * kBlocksPerTask;
    const std::uint32_t end = std::min<std::uint32_t>(begin + kBlocksPerTask, firstBlock_[color + 1]);
    return {blocks_->all.data() + begin, static_cast<int>(end - begin)};
}

template <class Function>
void SubstepSolver::forEachSingle(Function&& function) {
    for (const std::uint32_t index : coloring_.overflow)
        function(constraints_[index]);
    for (const std::uint32_t index : heavyLoads_.constraints())
        function(constraints_[index]);
}

void SubstepSolver::packTask(int, int task) {
    const std::uint32_t begin = task * kBlocksPerTask;
    const std::uint32_t end = std::min<std::uint32_t>(begin + kBlocksPerTask, firstBlock_.back());
    int color = 0;
    for (std::uint32_t block = begin; block < end; ++block) {
        while (block >= firstBlock_[color + 1])
            ++color;
        const std::uint32_t first = coloring_.first[color] + (block - firstBlock_[color]) * wide::kLanes;
        const int count = static_cast<int>(std::min<std::uint32_t>(wide::kLanes, coloring_.first[color + 1] - first));
        pack(blocks_->all[block], constraints_, &coloring_.order[first], count, constants_);
    }
}

void SubstepSolver::unpackTask(int, int task) {
    const std::uint32_t begin = task * kBlocksPerTask;
    const std::uint32_t end = std::min<std::uint32_t>(begin + kBlocksPerTask, firstBlock_.back());
    for (std::uint32_t block = begin; block < end; ++block) {
        unpack(blocks_->all[block], constraints_);
        for (int lane = 0; lane < blocks_->all[block].lanes; ++lane)
            updateGeometry(constraints_[blocks_->all[block].constraint[lane]], bodies_, settings_.contact.h);
    }
}

void SubstepSolver::beginSubstepTask(int isFirst, int task) {
    const std::size_t end = std::min<std::size_t>((task + 1) * kBodiesPerTask, bodies_.size());
    for (std::size_t i = task * kBodiesPerTask; i < end; ++i)
        beginSubstep(bodies_[i], constants_[i], settings_.contact.h, isFirst != 0);
}

// Bodies under load go eight at a time, the others one by one on the exact path.
void SubstepSolver::moveTask(int alsoBegin, int task) {
    const Real h = settings_.contact.h;
    const std::size_t end = std::min<std::size_t>((task + 1) * kBodiesPerTask, bodies_.size());
    for (std::size_t first = task * kBodiesPerTask; first < end; first += wide::kLanes) {
        const int count = static_cast<int>(std::min<std::size_t>(wide::kLanes, end - first));
        std::uint32_t loaded = 0;
        for (int lane = 0; count == wide::kLanes && lane < count; ++lane)
            loaded |= std::uint32_t(isLoadedAndSlow(bodies_[first + lane], constants_[first + lane], h)) << lane;
        if (loaded != 0)
            kernels_->moveEight(&bodies_[first], &constants_[first], loaded, h, alsoBegin != 0);
        for (int lane = 0; lane < count; ++lane) {
            if (loaded >> lane & 1)
                continue;
            integratePosition(bodies_[first + lane], constants_[first + lane], h, settings_.energyFix);
            if (alsoBegin != 0)
                beginSubstep(bodies_[first + lane], constants_[first + lane], h, false);
        }
    }
}

void SubstepSolver::startTask(int argument, int task) {
    if (colorOf(argument) == kSingles)
        return forEachSingle([&](ContactConstraint& constraint) {
            updateGeometry(constraint, bodies_, settings_.contact.h);
            updateMasses(constraint, bodies_);
            warmStart(constraint, bodies_);
        });
    const BlockRange range = blocksOf(colorOf(argument), task);
    kernels_->start(range.first, range.count, bodies_.data());
}

void SubstepSolver::pushTask(int argument, int task) {
    const PointOrder order = optionOf(argument) ? PointOrder::Backward : PointOrder::Forward;
    if (colorOf(argument) == kSingles) {
        for (const std::uint32_t index : coloring_.overflow)
            push(constraints_[index], bodies_, settings_.contact, order);
        heavyLoads_.push(constraints_, bodies_, settings_.contact, order);
        return;
    }
    const BlockRange range = blocksOf(colorOf(argument), task);
    kernels_->push(range.first, range.count, bodies_.data(), settings_.contact, order);
}

// Whether any point may come fast enough; a bound, so that slow contacts cost little.
bool SubstepSolver::mayBounce(const ContactConstraint& constraint) const {
    if (!(constraint.restitution > 0))
        return false;
    const SolverBody &a = bodies_[constraint.bodyA], &b = bodies_[constraint.bodyB];
    Real farA = 0, farB = 0;
    for (int i = 0; i < constraint.count; ++i) {
        farA = max(farA, lengthSquared(constraint.points[i].anchorA));
        farB = max(farB, lengthSquared(constraint.points[i].anchorB));
    }
    const Real speed = length(b.freeVelocity - a.freeVelocity) + Real(1.5) * length(a.freeAngularVelocity) * std::sqrt(farA) +
                       Real(1.5) * length(b.freeAngularVelocity) * std::sqrt(farB);
    return speed > Real(0.5) * settings_.contact.restitutionThreshold;
}

void SubstepSolver::prepareBounceTask(int argument, int task) {
    const auto prepare = [&](ContactConstraint& constraint) {
        constraint.bounces = false;
        if (!mayBounce(constraint))
            return;
        updateGeometry(constraint, bodies_, settings_.contact.h);
        constraint.bounces = prepareBounce(constraint, bodies_, constants_, settings_.contact);
    };
    if (colorOf(argument) == kSingles)
        return forEachSingle(prepare);
    const BlockRange range = blocksOf(colorOf(argument), task);
    for (int k = 0; k < range.count; ++k) {
        WideContact& block = range.first[k];
        for (int lane = 0; block.hasRestitution && lane < block.lanes; ++lane) {
            ContactConstraint& constraint = constraints_[block.constraint[lane]];
            prepare(constraint);
            block.bounces[lane] = constraint.bounces ? -1 : 0;
        }
    }
}

void SubstepSolver::bounceTask(int argument, int task) {
    if (colorOf(argument) == kSingles)
        return forEachSingle([&](ContactConstraint& constraint) {
            if (constraint.bounces)
                bounce(constraint, bodies_, settings_.contact);
        });
    const BlockRange range = blocksOf(colorOf(argument), task);
    for (int k = 0; k < range.count; ++k) {
        WideContact& block = range.first[k];
        for (int lane = 0; block.hasRestitution && lane < block.lanes; ++lane) {
            ContactConstraint& constraint = constraints_[block.constraint[lane]];
            if (!constraint.bounces)
                continue;
            unpackLane(block, lane, constraint);
            bounce(constraint, bodies_, settings_.contact);
            repackLane(block, lane, constraint);
        }
    }
}

}  // namespace sunder::dynamics
