#include "dynamics/contact/substep_solver.h"

#include "dynamics/integrate/substep.h"
#include <cstdlib>

namespace sunder::dynamics {

namespace {
// Work per block: long enough to hide the price of claiming it, short enough to share. Independent of the thread count.
constexpr int kBlockSize = 32;
constexpr int kOverflow = -1;  // the argument of a stage that walks the overflow
}  // namespace

template <SubstepSolver::Stage stage>
void SubstepSolver::addStage(int itemCount, int argument) {
    stages_.add((itemCount + kBlockSize - 1) / kBlockSize,
                [](void* self, int color, int block) { (static_cast<SubstepSolver*>(self)->*stage)(color, block); }, this, argument);
}

template <SubstepSolver::Stage stage>
void SubstepSolver::addContactStage() {
    for (int color = 0; color < coloring_.colorCount(); ++color)
        addStage<stage>(static_cast<int>(coloring_.first[color + 1] - coloring_.first[color]), color);
    if (!coloring_.overflow.empty())
        addStage<stage>(1, kOverflow);
}

template <class Function>
void SubstepSolver::forEachConstraint(int color, int block, Function&& function) {
    if (color == kOverflow) {
        for (const std::uint32_t index : coloring_.overflow)
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
    colorConstraints(constraints, isMoving_, coloring_, bodyColors_, constraintColors_);
    anyRestitution_ = false;
    for (const ContactConstraint& constraint : constraints)
        anyRestitution_ = anyRestitution_ || constraint.restitution > 0;

    stages_.clear();
    addContactStage<&SubstepSolver::updateBlock>();
    for (int i = 0; i < settings.substeps; ++i) {
        if (anyRestitution_)
            addContactStage<&SubstepSolver::restitutionBlock>();
        addStage<&SubstepSolver::integrateVelocitiesBlock>(static_cast<int>(bodies.size()), 0);
        addContactStage<&SubstepSolver::warmStartBlock>();
        static const int EXTRA = getenv("IT") ? atoi(getenv("IT")) : 1;
        static const int EXTRAR = getenv("ITR") ? atoi(getenv("ITR")) : 0;
        for (int k = 0; k < EXTRA; ++k)
            addContactStage<&SubstepSolver::solveBlock>();
        addStage<&SubstepSolver::integratePositionsBlock>(static_cast<int>(bodies.size()), 0);
        addContactStage<&SubstepSolver::updateBlock>();
        static const bool RC = getenv("RCOL");
        for (int k = 0; k < EXTRAR; ++k)
            if (RC) { if (!coloring_.overflow.empty()) addStage<&SubstepSolver::relaxBlock>(1, kOverflow); for (int color = coloring_.colorCount(); color-- > 0;)
        addStage<&SubstepSolver::relaxBlock>(static_cast<int>(coloring_.first[color + 1] - coloring_.first[color]), color);}
            else addContactStage<&SubstepSolver::relaxBlock>();
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
    forEachConstraint(color, block, [&](ContactConstraint& c) { updateGeometry(c, bodies_); });
}
void SubstepSolver::restitutionBlock(int color, int block) {
    forEachConstraint(color, block, [&](ContactConstraint& c) { prepareRestitution(c, bodies_, constants_, settings_.contact); });
}
void SubstepSolver::warmStartBlock(int color, int block) {
    forEachConstraint(color, block, [&](ContactConstraint& c) { warmStart(c, bodies_, settings_.contact); });
}
void SubstepSolver::solveBlock(int color, int block) {
    forEachConstraint(color, block, [&](ContactConstraint& c) { solve(c, bodies_, settings_.contact); });
}
void SubstepSolver::relaxBlock(int color, int block) {
    static const bool REV = getenv("REV");
    if (color == kOverflow && REV) { for (size_t i = coloring_.overflow.size(); i-- > 0;) relax(constraints_[coloring_.overflow[i]], bodies_, settings_.contact); return; }
    forEachConstraint(color, block, [&](ContactConstraint& c) { relax(c, bodies_, settings_.contact); });
}

}  // namespace sunder::dynamics
