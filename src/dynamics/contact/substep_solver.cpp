#include "dynamics/contact/substep_solver.h"

#include "dynamics/integrate/substep.h"

namespace sunder::dynamics {

namespace {
// Work per block: long enough to hide the price of claiming it, short enough to share. Independent of the thread count.
constexpr int kBlockSize = 12;
// The argument of a contact stage is its colour, or one of the serial lists.
constexpr int kOverflow = -1;
constexpr int kHeavyLoads = -2;
}  // namespace

template <SubstepSolver::Stage stage>
void SubstepSolver::addStage(int itemCount, int argument) {
    stages_.add((itemCount + kBlockSize - 1) / kBlockSize,
                [](void* self, int color, int block) { (static_cast<SubstepSolver*>(self)->*stage)(color, block); }, this,
                argument);
}

template <SubstepSolver::Stage stage>
void SubstepSolver::addContactStage() {
    for (int color = 0; color < coloring_.colorCount(); ++color)
        addStage<stage>(static_cast<int>(coloring_.first[color + 1] - coloring_.first[color]), color);
    if (!coloring_.overflow.empty())
        addStage<stage>(1, kOverflow);
    if (!heavyLoads_.constraints().empty())
        addStage<stage>(1, kHeavyLoads);
}

template <class Function>
void SubstepSolver::forEachConstraint(int color, int block, Function&& function) {
    if (color == kOverflow || color == kHeavyLoads) {
        for (const std::uint32_t index :
             color == kOverflow ? std::span<const std::uint32_t>(coloring_.overflow) : heavyLoads_.constraints())
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
    const int constraintCount = static_cast<int>(constraints.size());
    addStage<&SubstepSolver::updateBlock>(constraintCount, 0);
    for (int i = 0; i < settings.substeps; ++i) {
        if (anyRestitution_)
            addStage<&SubstepSolver::restitutionBlock>(constraintCount, 0);
        addStage<&SubstepSolver::integrateVelocitiesBlock>(static_cast<int>(bodies.size()), 0);
        addContactStage<&SubstepSolver::warmStartBlock>();
        addContactStage<&SubstepSolver::solveBlock>();
        addStage<&SubstepSolver::integratePositionsBlock>(static_cast<int>(bodies.size()), 0);
        addStage<&SubstepSolver::updateBlock>(constraintCount, 0);
        addContactStage<&SubstepSolver::relaxBlock>();
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

// Neither writes to bodies, so these need no colours.
void SubstepSolver::updateBlock(int, int block) {
    const std::size_t end = std::min<std::size_t>((block + 1) * kBlockSize, constraints_.size());
    for (std::size_t i = block * kBlockSize; i < end; ++i)
        updateGeometry(constraints_[i], bodies_, settings_.contact.h);
}
void SubstepSolver::restitutionBlock(int, int block) {
    const std::size_t end = std::min<std::size_t>((block + 1) * kBlockSize, constraints_.size());
    for (std::size_t i = block * kBlockSize; i < end; ++i)
        prepareRestitution(constraints_[i], bodies_, constants_, settings_.contact);
}
void SubstepSolver::warmStartBlock(int color, int block) {
    forEachConstraint(color, block, [&](ContactConstraint& c) { warmStart(c, bodies_); });
}
void SubstepSolver::solveBlock(int color, int block) {
    if (color == kHeavyLoads)
        return heavyLoads_.solve(constraints_, bodies_, settings_.contact, HeavyLoads::Phase::Push);
    forEachConstraint(color, block, [&](ContactConstraint& c) { solve(c, bodies_, settings_.contact); });
}
void SubstepSolver::relaxBlock(int color, int block) {
    if (color == kHeavyLoads)
        return heavyLoads_.solve(constraints_, bodies_, settings_.contact, HeavyLoads::Phase::Relax);
    forEachConstraint(color, block, [&](ContactConstraint& c) { relax(c, bodies_, settings_.contact); });
}

}  // namespace sunder::dynamics
