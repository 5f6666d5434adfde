#include "dynamics/contact/substep_solver.h"

#include "dynamics/integrate/substep.h"

namespace sunder::dynamics {

namespace {
// Work per block: long enough to hide the price of claiming it, short enough to share. Independent of the thread count.
constexpr int kBlockSize = 32;
// The argument of a contact stage: its colour, or one of the serial lists, and whether the substep is an odd one.
constexpr int kOverflow = 0x100;
constexpr int kHeavyLoads = 0x101;
constexpr int kListMask = 0xfff;
constexpr int kOddSubstep = 0x1000;
}  // namespace

template <SubstepSolver::Stage stage>
void SubstepSolver::addStage(int itemCount, int argument) {
    stages_.add((itemCount + kBlockSize - 1) / kBlockSize,
                [](void* self, int color, int block) { (static_cast<SubstepSolver*>(self)->*stage)(color, block); }, this, argument);
}

template <SubstepSolver::Stage stage>
void SubstepSolver::addContactStage(int flags) {
    for (int color = 0; color < coloring_.colorCount(); ++color)
        addStage<stage>(static_cast<int>(coloring_.first[color + 1] - coloring_.first[color]), color | flags);
    if (!coloring_.overflow.empty())
        addStage<stage>(1, kOverflow | flags);
    if (!heavyLoads_.constraints().empty())
        addStage<stage>(1, kHeavyLoads | flags);
}

template <class Function>
void SubstepSolver::forEachConstraint(int argument, int block, Function&& function) {
    const int color = argument & kListMask;
    if (color == kOverflow || color == kHeavyLoads) {
        for (const std::uint32_t index : color == kOverflow ? std::span<const std::uint32_t>(coloring_.overflow) : heavyLoads_.constraints())
            function(constraints_[index]);
        return;
    }
    const std::uint32_t begin = coloring_.first[color] + block * kBlockSize;
    const std::uint32_t end = std::min<std::uint32_t>(begin + kBlockSize, coloring_.first[color + 1]);
    for (std::uint32_t i = begin; i < end; ++i)
        function(constraints_[coloring_.order[i]]);
}

void SubstepSolver::run(TaskRunner& tasks, std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                        std::span<ContactConstraint> constraints, const SubstepSettings& settings) {
    bodies_ = bodies;
    constants_ = constants;
    constraints_ = constraints;
    settings_ = settings;
    passes_ = 0;

    isMoving_.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
        isMoving_[i] = constants[i].isDynamic;
    heavyLoads_.find(constraints, constants, settings.massRatio);
    colorConstraints(constraints, isMoving_, heavyLoads_, coloring_, bodyColors_, constraintColors_);
    anyRestitution_ = false;
    for (const ContactConstraint& constraint : constraints)
        anyRestitution_ = anyRestitution_ || constraint.restitution > 0;

    stages_.clear();
    addContactStage<&SubstepSolver::updateBlock>(0);
    for (int i = 0; i < settings.substeps; ++i) {
        const int flags = i % 2 == 0 ? 0 : kOddSubstep;
        if (anyRestitution_)
            addContactStage<&SubstepSolver::restitutionBlock>(flags);
        addStage<&SubstepSolver::integrateVelocitiesBlock>(static_cast<int>(bodies.size()), 0);
        addContactStage<&SubstepSolver::warmStartBlock>(flags);
        addContactStage<&SubstepSolver::solveBlock>(flags);
        addStage<&SubstepSolver::integratePositionsBlock>(static_cast<int>(bodies.size()), 0);
        addContactStage<&SubstepSolver::updateBlock>(flags);
        addContactStage<&SubstepSolver::relaxBlock>(flags);
        passes_ += 2;
    }
    stages_.run(tasks);
}

void SubstepSolver::integrateVelocitiesBlock(int, int block) {
    const std::size_t end = std::min<std::size_t>((block + 1) * kBlockSize, bodies_.size());
    for (std::size_t i = block * kBlockSize; i < end; ++i)
        integrateVelocity(bodies_[i], constants_[i], settings_.contact.h);
}

void SubstepSolver::integratePositionsBlock(int, int block) {
    const std::size_t end = std::min<std::size_t>((block + 1) * kBlockSize, bodies_.size());
    for (std::size_t i = block * kBlockSize; i < end; ++i)
        integratePosition(bodies_[i], constants_[i], settings_.contact.h, settings_.energyFix);
}

void SubstepSolver::updateBlock(int color, int block) {
    forEachConstraint(color, block, [&](ContactConstraint& c) { updateGeometry(c, bodies_, settings_.contact.h); });
}
void SubstepSolver::restitutionBlock(int color, int block) {
    forEachConstraint(color, block, [&](ContactConstraint& c) { prepareRestitution(c, bodies_, constants_, settings_.contact); });
}
void SubstepSolver::warmStartBlock(int color, int block) {
    forEachConstraint(color, block, [&](ContactConstraint& c) { warmStart(c, bodies_); });
}
void SubstepSolver::solveBlock(int argument, int block) {
    if ((argument & kListMask) == kHeavyLoads)
        return heavyLoads_.solve(constraints_, bodies_, settings_.contact, HeavyLoads::Phase::Push);
    const PointOrder order = argument & kOddSubstep ? PointOrder::Backward : PointOrder::Forward;
    forEachConstraint(argument, block, [&](ContactConstraint& c) { solve(c, bodies_, settings_.contact, order); });
}
void SubstepSolver::relaxBlock(int argument, int block) {
    if ((argument & kListMask) == kHeavyLoads)
        return heavyLoads_.solve(constraints_, bodies_, settings_.contact, HeavyLoads::Phase::Relax);
    const PointOrder order = argument & kOddSubstep ? PointOrder::Forward : PointOrder::Backward;
    forEachConstraint(argument, block, [&](ContactConstraint& c) { relax(c, bodies_, settings_.contact, order); });
}

}  // namespace sunder::dynamics
