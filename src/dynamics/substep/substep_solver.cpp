#include "dynamics/substep/substep_solver.h"

#include <algorithm>
#include <array>

#include "core/fitted.h"
#include "dynamics/contact/wide/wide_contact.h"
#include "dynamics/integrate/substep.h"
#include "dynamics/integrate/wide_substep.h"
#include "dynamics/substep/shared_bounces.h"

namespace sunder::dynamics {

namespace {
// Bodies per task. Constant, so that the work is divided alike for any number of threads; within a task, kLanes at a time.
constexpr int kBodiesPerTask = 32;
constexpr std::size_t kLinksPerTask = 512, kFreeBodiesPerTask = 1024;  // grain of the other tasks
constexpr std::uint32_t kContactsPerList = 512;                        // waiting contacts per list
static_assert(kContactsPerList % wide::kLanes == 0);
constexpr std::uint32_t kNoBlock = ~0u;  // in place of a block's number
// One thread finishes a colour of at most this many blocks (spare ones aside) sooner than it can hand them over.
constexpr std::uint32_t kFewBlocks = 2;
// Substeps from one start to the next. At a start every contact applies its impulses anew and finds its effective masses.
// Between starts each body repeats what its contacts gave it, and rounding adds up: eight substeps keep it small.
constexpr int kSubstepsPerStart = 8;
// rad: a body that nothing touches moves through the whole step at once where it turns by no more than this. Up to here free
// rotation is as exact in one stride as in many.
constexpr Real kMostTurnAtOnce = 4;

// Arguments of contact stages: the colour (kSingles for contacts without one) and one option bit.
constexpr int kSingles = 1 << 10;
constexpr int argumentOf(int color, int option) { return color * 2 + option; }
constexpr int colorOf(int argument) { return argument / 2; }
constexpr bool optionOf(int argument) { return argument % 2 != 0; }
}  // namespace

SubstepSolver::SubstepSolver() : sharedBounces_(std::make_unique<SharedBounces>()), blocks_(std::make_unique<WideBlocks>()) {}
SubstepSolver::~SubstepSolver() = default;
ScratchMemory& SubstepSolver::memory() { return blocks_->memory; }
SubstepSolver::SubstepSolver(SubstepSolver&&) noexcept = default;
SubstepSolver& SubstepSolver::operator=(SubstepSolver&&) noexcept = default;

template <SubstepSolver::Stage stage>
void SubstepSolver::addStage(int taskCount, int argument, const std::uint32_t* firstTaskOf) {
    stages_.add(
        taskCount, [](void* self, int packed, int task) { (static_cast<SubstepSolver*>(self)->*stage)(packed, task); }, this,
        argument, firstTaskOf);
}

template <SubstepSolver::Stage stage>
void SubstepSolver::wholeColorTask(int argument, int) {
    for (int task = 0; task < blockCount(colorOf(argument)); ++task)
        (this->*stage)(argument, task);
}

template <SubstepSolver::Stage stage>
void SubstepSolver::addContactStages(int option) {
    for (int color = 0; color < coloring_.colorCount(); ++color)
        if (firstSpareBlock_[color] - firstBlock_[color] <= kFewBlocks)
            addStage<&SubstepSolver::wholeColorTask<stage>>(1, argumentOf(color, option), nullptr);
        else
            addStage<stage>(blockCount(color), argumentOf(color, option),
                            &firstBlockOf_[color * (coloring_.neighborhoodCount + 1)]);
    if (!coloring_.overflow.empty() || !waitingOverflow_.empty() || !heavyLoads_.constraints().empty())
        addStage<stage>(1, argumentOf(kSingles, option), nullptr);
}

template <SubstepSolver::Stage stage>
void SubstepSolver::addWaitingStage() {
    addStage<stage>(static_cast<int>(waitingLists_.size()), 0, nullptr);
}

template <SubstepSolver::Stage stage>
void SubstepSolver::addBodyStage(int option) {
    addStage<stage>(static_cast<int>((bodies_.size() + kBodiesPerTask - 1) / kBodiesPerTask), option, firstBodyTaskOf_.data());
}

template <SubstepSolver::Stage stage>
void SubstepSolver::addJointStages() {
    const std::span<const JointStage> stages = joints_->stages();
    for (std::size_t i = 0; i < stages.size(); ++i)
        addStage<stage>(stages[i].taskCount, static_cast<int>(i), nullptr);
}

void SubstepSolver::planStages() {
    stages_.clear(coloring_.weights);
    addBodyStage<&SubstepSolver::moveAloneTask>(0);
    addContactStages<&SubstepSolver::packTask>(0);
    addWaitingStage<&SubstepSolver::fillWaitingTask>();
    // Groups of joints that a direct solver solves exactly gain nothing from repeated impulses, and would suffer their
    // rounding.
    const auto isGroups = [](const JointStage& stage) { return stage.kind == JointStage::Groups; };
    const bool onlyGroups =
        constraints_.empty() && !joints_->empty() && std::all_of(joints_->stages().begin(), joints_->stages().end(), isGroups);
    const int substepsPerStart = onlyGroups ? 1 : kSubstepsPerStart;
    for (int i = 0; i < settings_.substeps; ++i) {
        const bool isLast = i + 1 == settings_.substeps, restartsNext = (i + 1) % substepsPerStart == 0;
        if (i % substepsPerStart == 0) {
            addBodyStage<&SubstepSolver::beginSubstepTask>(1);
            addContactStages<&SubstepSolver::startTask>(i == 0);
            if (i == 0 && joints_->hasGroups())
                addJointStages<&SubstepSolver::beginJointsTask>();
            addJointStages<&SubstepSolver::startJointsTask>();
        }
        if (i > 0)
            addWaitingStage<&SubstepSolver::wakeTask>();
        if (anyRestitution_)
            addContactStages<&SubstepSolver::prepareBounceTask>(0);
        if (!constraints_.empty() && joints_->hasDirectGroups())
            addJointStages<&SubstepSolver::foreseeJointsTask>();
        addContactStages<&SubstepSolver::pushTask>(i % 2);
        for (int color = 0; color < heavyLoads_.colorCount(); ++color)
            addStage<&SubstepSolver::pushHeavyTask>(heavyLoads_.blockCount(color), argumentOf(color, i % 2), nullptr);
        ++passes_;
        // Joints come last, so that their anchors coincide at the end of the substep; contacts are soft and can wait for the
        // next one.
        addJointStages<&SubstepSolver::solveJointsTask>();
        const bool goesOn = !isLast && !restartsNext;
        addBodyStage<&SubstepSolver::moveTask>(goesOn && !anyRestitution_);
        if (anyRestitution_) {
            addContactStages<&SubstepSolver::bounceTask>(0);
            addStage<&SubstepSolver::bounceTogetherTask>(1, 0, nullptr);
        }
        if (goesOn && anyRestitution_)
            addBodyStage<&SubstepSolver::beginSubstepTask>(0);
    }
    if (joints_->hasGroups())
        addJointStages<&SubstepSolver::endJointsTask>();
    addContactStages<&SubstepSolver::unpackTask>(0);
    addWaitingStage<&SubstepSolver::finishWaitingTask>();
}

void SubstepSolver::run(TaskRunner& tasks, std::span<SolverBody> bodies, std::span<SolverBodyConstants> constants,
                        std::span<ContactConstraint> constraints, JointSolver& joints, const SubstepSettings& settings) {
    bodies_ = bodies;
    constants_ = constants;
    constraints_ = constraints;
    joints_ = &joints;
    settings_ = settings;
    kernels_ = &wideKernels();
    passes_ = 0;
    waiting_.begin(tasks, bodies, constants, settings.contact.h * Real(settings.substeps));
    resizeFitted(links_, constraints.size());
    runRanges(tasks, constraints.size(), kLinksPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            sortByLoad(constraints_[i]);
            links_[i] = linkOf(constraints_[i]);
            links_[i].waits =
                settings_.waiting && links_[i].loadedCount == 0 && !links_[i].isRare && waiting_.mayWait(constraints_[i]);
        }
    });
    layOutBlocks(tasks);
    listWaiting();
    if (anyRestitution_)
        sharedBounces_->begin(bodies.size(), constraints.size());

    planStages();
    const ContactSettings& contact = settings.contact;
    joints.begin(tasks, bodies, constants, links_, kernels_->balls, kernels_->bundles,
                 {.h = contact.h,
                  .inverseH = contact.inverseH,
                  .recoverySpeed = contact.recoverySpeed,
                  .raisesInertia = settings.raisesInertia});
    stages_.run(tasks);
    joints.finish(tasks);
}

std::size_t SubstepSolver::solvedManifolds() const {
    std::size_t sum = coloring_.overflow.size() + heavyLoads_.constraints().size();
    for (int color = 0; color < coloring_.colorCount(); ++color)
        sum += coloring_.firstWaiting[color] - coloring_.first[color];
    return sum;
}

int SubstepSolver::clampedImpulses() const {
    int sum = 0;
    for (std::size_t i = 0; anyRestitution_ && i < constraints_.size(); ++i)
        sum += constraints_[i].clamped;
    return sum;
}

void SubstepSolver::findMoving(TaskRunner& tasks) {
    isMoving_.resize(bodies_.size());
    movesWide_.assign((bodies_.size() + wide::kLanes - 1) / wide::kLanes, 0);
    static_assert(kBodiesPerTask % wide::kLanes == 0 && kFreeBodiesPerTask % wide::kLanes == 0);
    runRanges(tasks, bodies_.size(), kFreeBodiesPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            isMoving_[i] = constants_[i].isDynamic;
            movesWide_[i / wide::kLanes] |= std::uint32_t(mayMoveWide(constants_[i])) << i % wide::kLanes;
        }
    });
}

// Nothing acts on these bodies within the step but a constant force, so their path is known exactly.
void SubstepSolver::findAlone(TaskRunner& tasks) {
    const Real dt = settings_.contact.h * Real(settings_.substeps);
    isAlone_.resize(bodies_.size());
    runRanges(tasks, bodies_.size(), kFreeBodiesPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const SolverBodyConstants& c = constants_[i];
            isAlone_[i] = bodyColors_[i] == 0 && c.isDynamic && c.torque == Vec3{} && c.linearDamping == 0 &&
                          c.angularDamping == 0 && lengthSquared(bodies_[i].angularVelocity * dt) <= square(kMostTurnAtOnce);
        }
    });
    const auto exclude = [&](const auto& link) { isAlone_[link.bodyA] = isAlone_[link.bodyB] = 0; };
    for (const std::uint32_t index : coloring_.overflow)
        exclude(links_[index]);
    for (const std::uint32_t index : heavyLoads_.constraints())
        exclude(links_[index]);
    for (const JointLink& link : joints_->links())
        exclude(link);
    runRanges(tasks, bodies_.size(), kFreeBodiesPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            movesWide_[i / wide::kLanes] &= ~(std::uint32_t(isAlone_[i]) << i % wide::kLanes);
    });
}

void SubstepSolver::layOutBlocks(TaskRunner& tasks) {
    findMoving(tasks);
    heavyLoads_.find(tasks, links_, constraints_, bodies_, constants_, settings_.massRatio, settings_.contact.h,
                     settings_.contact.h * Real(settings_.substeps));
    colorConstraints(tasks, links_, isMoving_, heavyLoads_, kBodiesPerTask, coloring_, bodyColors_, constraintColors_);
    findAlone(tasks);
    anyRestitution_ = anyInRanges(tasks, links_.size(), kLinksPerTask, [&](std::size_t i) { return links_[i].hasRestitution; });
    const auto blocksOf = [](std::uint32_t count) { return (count + wide::kLanes - 1) / wide::kLanes; };
    firstBlock_.assign(1, 0);
    firstSpareBlock_.clear();
    for (int color = 0; color < coloring_.colorCount(); ++color) {
        const std::uint32_t waiting = coloring_.firstWaiting[color];
        firstSpareBlock_.push_back(firstBlock_.back() + blocksOf(waiting - coloring_.first[color]));
        firstBlock_.push_back(firstSpareBlock_.back() + blocksOf(coloring_.first[color + 1] - waiting));
    }
    resizeFitted(needs_, firstBlock_.back());
    for (int color = 0; color < coloring_.colorCount(); ++color)
        for (std::uint32_t block = firstBlock_[color]; block < firstBlock_[color + 1]; ++block) {
            BlockNeeds needs;
            if (isSpare(color, block))
                needs.points = collision::kMaxManifoldPoints;
            else
                for (const std::uint32_t index : membersOf(color, block)) {
                    needs.points = std::max(needs.points, links_[index].pointCount);
                    needs.isRare = needs.isRare || links_[index].isRare;
                }
            needs_[block] = needs;
        }
    blocks_->layOut(needs_);

    // A block belongs to the neighbourhood of its first lane; spare blocks, which are little work, to the last one.
    firstBlockOf_.resize(coloring_.firstOf.size());
    const std::size_t perColor = coloring_.neighborhoodCount + 1;
    for (std::size_t i = 0; i < firstBlockOf_.size(); ++i) {
        const std::size_t color = i / perColor;
        const bool isEnd = i % perColor == perColor - 1;
        firstBlockOf_[i] =
            isEnd ? firstBlock_[color + 1] - firstBlock_[color] : blocksOf(coloring_.firstOf[i] - coloring_.first[color]);
    }
    firstBodyTaskOf_.resize(coloring_.neighborhoodCount + 1);
    const auto bodyTasks = static_cast<std::uint32_t>((bodies_.size() + kBodiesPerTask - 1) / kBodiesPerTask);
    for (std::uint32_t k = 0; k < firstBodyTaskOf_.size(); ++k)
        firstBodyTaskOf_[k] = std::min(k * coloring_.bodiesPerNeighborhood / kBodiesPerTask, bodyTasks);
}

// Splits the waiting contacts of every colour into short lists that threads share. Waiting contacts of the overflow leave it
// and form the last list.
void SubstepSolver::listWaiting() {
    std::vector<std::uint32_t>& overflow = coloring_.overflow;
    const auto waits = [&](std::uint32_t index) { return links_[index].waits; };
    waitingOverflow_.clear();
    std::copy_if(overflow.begin(), overflow.end(), std::back_inserter(waitingOverflow_), waits);
    std::erase_if(overflow, waits);
    waitingLists_.clear();
    waitingCounts_.clear();
    const auto add = [&](std::span<const std::uint32_t> members, std::uint32_t spareBlock) {
        waitingLists_.push_back({members, spareBlock});
        waitingCounts_.push_back(static_cast<std::uint32_t>(members.size()));
    };
    for (int color = 0; color < coloring_.colorCount(); ++color) {
        const std::uint32_t begin = coloring_.firstWaiting[color], end = coloring_.first[color + 1];
        for (std::uint32_t first = begin; first < end; first += kContactsPerList)
            add(std::span(coloring_.order).subspan(first, std::min(kContactsPerList, end - first)),
                firstSpareBlock_[color] + (first - begin) / wide::kLanes);
    }
    if (!waitingOverflow_.empty())
        add(waitingOverflow_, kNoBlock);
    waiting_.layOut(waitingCounts_);
}

void SubstepSolver::fillWaitingTask(int, int list) { waiting_.fill(list, waitingLists_[list].members, constraints_); }

// A contact that wakes takes the next lane of its list's spare blocks, or joins the overflow.
void SubstepSolver::wakeTask(int, int list) {
    WaitingList& waiting = waitingLists_[list];
    waiting_.takeReached(list, [&](std::uint32_t index) {
        if (waiting.spareBlock == kNoBlock) {
            const ContactConstraint& constraint = constraints_[index];
            coloring_.overflow.push_back(index);
            overflowFrames_.push_back(layFrame(constraint, bodies_[constraint.bodyA], bodies_[constraint.bodyB]));
            return;
        }
        const std::uint32_t place = waiting.awake++;
        WideContact& block = blocks_->all[waiting.spareBlock + place / wide::kLanes];
        if (place % wide::kLanes == 0)
            beginSpare(block);
        addLane(block, index, packSource());
    });
}

void SubstepSolver::finishWaitingTask(int, int list) {
    for (const WaitingContact& contact : waiting_.left(list))
        findSeparations(constraints_[contact.constraint], bodies_[contact.bodyA], bodies_[contact.bodyB]);
}

// Indices of the constraints that a block holds from the start of the step.
std::span<const std::uint32_t> SubstepSolver::membersOf(int color, std::uint32_t block) const {
    const std::uint32_t first = coloring_.first[color] + (block - firstBlock_[color]) * wide::kLanes;
    return std::span(coloring_.order)
        .subspan(first, std::min<std::uint32_t>(wide::kLanes, coloring_.firstWaiting[color] - first));
}

PackSource SubstepSolver::packSource() const { return {constraints_, links_, isMoving_}; }

WideContact& SubstepSolver::blockOf(int color, int task) { return blocks_->all[firstBlock_[color] + task]; }

template <class Function>
void SubstepSolver::forEachSingle(Function&& function) {
    for (const std::uint32_t index : coloring_.overflow)
        function(constraints_[index]);
    for (const std::uint32_t index : heavyLoads_.constraints())
        function(constraints_[index]);
}

void SubstepSolver::packTask(int argument, int task) {
    const int color = colorOf(argument);
    if (color == kSingles)
        return;
    const std::uint32_t block = firstBlock_[color] + task;
    if (isSpare(color, block)) {
        blocks_->all[block].lanes = 0;
        return;
    }
    const std::span<const std::uint32_t> members = membersOf(color, block);
    pack(blocks_->all[block], packSource(), members.data(), static_cast<int>(members.size()), *kernels_);
}

void SubstepSolver::unpackTask(int argument, int task) {
    if (colorOf(argument) == kSingles) {
        const auto finish = [&](std::uint32_t index) {
            updateGeometry(constraints_[index], bodies_, settings_.contact.h);
            links_[index].carriedLoad = carriedLoad(constraints_[index]);
        };
        std::for_each(coloring_.overflow.begin(), coloring_.overflow.end(), finish);
        std::for_each(heavyLoads_.constraints().begin(), heavyLoads_.constraints().end(), finish);
        return;
    }
    const WideContact& block = blockOf(colorOf(argument), task);
    if (const WideContact* next = &block + 1; next < blocks_->all.data() + blocks_->all.size())
        fetchConstraints(*next, constraints_);
    if (block.lanes == 0)
        return;
    const std::uint32_t pushed = unpack(block, bodies_, constraints_, *kernels_);
    for (int lane = 0; lane < block.lanes; ++lane)
        links_[block.constraint[lane]].carriedLoad = (pushed >> lane & 1) != 0;
}

void SubstepSolver::beginSubstepTask(int isFirst, int task) {
    const std::size_t end = std::min<std::size_t>((task + 1) * kBodiesPerTask, bodies_.size());
    for (std::size_t i = task * kBodiesPerTask; i < end; ++i)
        if (isAlone_[i] == 0)
            beginSubstep(bodies_[i], constants_[i], settings_.contact.h, isFirst != 0);
}

void SubstepSolver::moveAloneTask(int, int task) {
    const Real dt = settings_.contact.h * Real(settings_.substeps);
    const std::size_t end = std::min<std::size_t>((task + 1) * kBodiesPerTask, bodies_.size());
    for (std::size_t i = task * kBodiesPerTask; i < end; ++i)
        if (isAlone_[i] != 0) {
            beginSubstep(bodies_[i], constants_[i], dt, true);
            integratePosition(bodies_[i], constants_[i], dt, settings_.energyFix);
        }
}

// Bodies under load move several at a time, the others one by one on the exact path. The two paths round differently, so the
// choice depends on nothing but the body itself.
void SubstepSolver::moveTask(int alsoBegin, int task) {
    const Real h = settings_.contact.h;
    const std::size_t end = std::min<std::size_t>((task + 1) * kBodiesPerTask, bodies_.size());
    for (std::size_t first = task * kBodiesPerTask; first < end; first += wide::kLanes) {
        const int count = static_cast<int>(std::min<std::size_t>(wide::kLanes, end - first));
        MovedLanes lanes;
        if (const std::uint32_t candidates = movesWide_[first / wide::kLanes]; candidates != 0)
            lanes = kernels_->move(&bodies_[first], &constants_[first], &waiting_.ways()[first], candidates, h, alsoBegin != 0);
        for (int lane = 0; lane < count; ++lane) {
            const std::size_t i = first + lane;
            if (isAlone_[i] != 0)
                continue;
            if (!(lanes.moved >> lane & 1)) {
                integratePosition(bodies_[i], constants_[i], h, settings_.energyFix);
                if (alsoBegin != 0)
                    beginSubstep(bodies_[i], constants_[i], h, false);
                lanes.strayed |= std::uint32_t(strays(bodies_[i], waiting_.ways()[i], h)) << lane;
            }
            if (lanes.strayed >> lane & 1)
                waiting_.lengthen(i, bodies_[i], h);
        }
    }
}

// Blocks of heavy loads keep their arms from substep to substep. Laying the arms anew at every start would correct their lag in
// one jump.
void SubstepSolver::startSingles(bool isFirst) {
    overflowFrames_.resize(coloring_.overflow.size());
    for (std::size_t i = 0; i < coloring_.overflow.size(); ++i)
        start(constraints_[coloring_.overflow[i]], overflowFrames_[i], bodies_);
    for (const std::uint32_t index : heavyLoads_.constraints()) {
        if (isFirst)
            layArms(constraints_[index], bodies_);
        startAtArms(constraints_[index], bodies_);
    }
}

void SubstepSolver::startTask(int argument, int task) {
    if (colorOf(argument) == kSingles)
        return startSingles(optionOf(argument));
    if (WideContact& block = blockOf(colorOf(argument), task); block.lanes > 0)
        kernels_->start(&block, 1, bodies_.data());
}

void SubstepSolver::pushTask(int argument, int task) {
    const PointOrder order = optionOf(argument) ? PointOrder::Backward : PointOrder::Forward;
    if (colorOf(argument) == kSingles) {
        for (std::size_t i = 0; i < coloring_.overflow.size(); ++i)
            push(constraints_[coloring_.overflow[i]], overflowFrames_[i], bodies_, settings_.contact, order);
        return;
    }
    if (WideContact& block = blockOf(colorOf(argument), task); block.lanes > 0)
        kernels_->push(&block, 1, bodies_.data(), settings_.contact, order);
}

void SubstepSolver::pushHeavyTask(int argument, int task) {
    const PointOrder order = optionOf(argument) ? PointOrder::Backward : PointOrder::Forward;
    heavyLoads_.block(colorOf(argument), task).push(constraints_, bodies_, settings_.contact, order);
}

// Upper bound: whether any point may be fast enough to bounce. Spares slow contacts the exact test.
bool SubstepSolver::mayBounce(const ContactConstraint& constraint) const {
    if (!(constraint.material.restitution > 0))
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
        constraint.substep.hits = Hits::No;
        if (!mayBounce(constraint))
            return;
        updateGeometry(constraint, bodies_, settings_.contact.h);
        const Meeting meeting = prepareBounce(constraint, bodies_, constants_, settings_.contact);
        constraint.substep.hits = meeting.hits;
        if (meeting.hits != Hits::No)
            sharedBounces_->expect(indexOf(constraint), constraint, meeting, bodies_);
    };
    if (colorOf(argument) == kSingles)
        return forEachSingle([&](ContactConstraint& constraint) {
            // The arms of a heavy block are those at which it last acted, until it lays them anew itself.
            const std::array<ConstraintPoint, collision::kMaxManifoldPoints> laid = std::to_array(constraint.points);
            prepare(constraint);
            for (int i = 0; i < constraint.count; ++i) {
                constraint.points[i].armA = laid[i].armA;
                constraint.points[i].armB = laid[i].armB;
            }
        });
    WideContact& block = blockOf(colorOf(argument), task);
    for (int lane = 0; lane < block.lanes && block.hasRestitution; ++lane) {
        ContactConstraint& constraint = constraints_[block.constraint[lane]];
        prepare(constraint);
        setBounces(block, lane, constraint.substep.hits == Hits::Now);
    }
}

void SubstepSolver::bounceTask(int argument, int task) {
    if (colorOf(argument) == kSingles)
        return forEachSingle([&](ContactConstraint& constraint) { bounceOrShare(constraint, nullptr, 0); });
    WideContact& block = blockOf(colorOf(argument), task);
    for (int lane = 0; lane < block.lanes && block.hasRestitution; ++lane)
        bounceOrShare(constraints_[block.constraint[lane]], &block, lane);
}

// block: where its impulses are, if not in the constraint.
void SubstepSolver::bounceOrShare(ContactConstraint& constraint, WideContact* block, int lane) {
    if (constraint.substep.hits == Hits::No)
        return;
    const std::uint32_t index = indexOf(constraint);
    const bool isShared = sharedBounces_->isShared(constraints_, index, bodies_);
    if (!isShared && constraint.substep.hits != Hits::Now)
        return;
    if (block)
        unpackLane(*block, lane, constraint);
    if (isShared)
        return sharedBounces_->add({index, block, lane});
    bounce(constraint, bodies_, settings_.contact, sharedBounces_->pointsTogether(index));
    if (block)
        repackLane(*block, lane, constraint);
}

void SubstepSolver::bounceTogetherTask(int, int) { sharedBounces_->solve(constraints_, bodies_, settings_.contact); }

}  // namespace sunder::dynamics
