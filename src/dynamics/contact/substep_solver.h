// Runs the substeps of a step: colours its contacts once, then for every substep walks velocities, contacts and positions
// forward in stages that threads share.
#pragma once

#include <span>
#include <vector>

#include "core/stages.h"
#include "dynamics/contact/coloring.h"
#include "dynamics/contact/heavy_load.h"
#include "dynamics/contact/soft_contact.h"

namespace sunder::dynamics {

struct SubstepSettings {
    int substeps = 1;
    ContactSettings contact;
    bool energyFix = true;
    Real massRatio = 20;  // see HeavyLoads
};

class SubstepSolver {
public:
    // Advances velocities, displacements and orientations of `bodies` by dt; impulses end up in `constraints`.
    void run(TaskRunner& tasks, std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants,
             std::span<ContactConstraint> constraints, const SubstepSettings& settings);

    int passes() const { return passes_; }

private:
    using Stage = void (SubstepSolver::*)(int color, int block);
    template <Stage stage>
    void addStage(int itemCount, int argument);
    template <Stage stage>
    void addContactStage();

    void integrateVelocitiesBlock(int, int block);
    void integratePositionsBlock(int, int block);
    void updateBlock(int, int block);
    void restitutionBlock(int, int block);
    void warmStartBlock(int color, int block);
    void solveBlock(int color, int block);
    void relaxBlock(int color, int block);
    template <class Function>
    void forEachConstraint(int color, int block, Function&& function);

    std::span<SolverBody> bodies_;
    std::span<const SolverBodyConstants> constants_;
    std::span<ContactConstraint> constraints_;
    SubstepSettings settings_;
    HeavyLoads heavyLoads_;
    Coloring coloring_;
    StageList stages_;
    std::vector<std::uint64_t> bodyColors_;
    std::vector<std::uint8_t> constraintColors_, isMoving_;
    int passes_ = 0;
    bool anyRestitution_ = false;
};

}  // namespace sunder::dynamics
