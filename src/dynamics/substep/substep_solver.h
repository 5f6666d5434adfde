// Runs the substeps of a step: colours its contacts once and packs them into blocks of kLanes, then for every substep walks
// velocities, contacts and positions forward in stages that threads share. Substeps are also the remedy for exterior rotation
// [Egan03] 6.2: a body that turns about another's edge is carried along short chords.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/scratch_memory.h"
#include "core/stages.h"
#include "dynamics/contact/heavy/heavy_load.h"
#include "dynamics/contact/scalar/soft_contact.h"
#include "dynamics/contact/schedule/coloring.h"
#include "dynamics/contact/schedule/waiting.h"
#include "dynamics/joints/joint_solver.h"

namespace sunder::dynamics {

struct SubstepSettings {
    int substeps = 1;
    ContactSettings contact;
    bool energyFix = true;
    Real massRatio = 20;        // see HeavyLoads
    bool waiting = true;        // see waiting.h
    bool raisesInertia = true;  // see joints/direct/group_bodies.h
};

struct BlockNeeds;
struct PackSource;
class SharedBounces;
struct WideBlocks;
struct WideContact;
struct WideKernels;

class SubstepSolver {
public:
    SubstepSolver();
    ~SubstepSolver();
    SubstepSolver(SubstepSolver&&) noexcept;
    SubstepSolver& operator=(SubstepSolver&&) noexcept;

    // Advances velocities, displacements and orientations of `bodies` by dt; impulses end up in `constraints` and `joints`.
    void run(TaskRunner& tasks, std::span<SolverBody> bodies, std::span<SolverBodyConstants> constants,
             std::span<ContactConstraint> constraints, JointSolver& joints, const SubstepSettings& settings);

    int passes() const { return passes_; }
    // Manifolds that were solved from the first substep on.
    std::size_t solvedManifolds() const;
    int clampedImpulses() const;
    // One per constraint of the last run, in the order of the constraints.
    std::span<const ContactLink> links() const { return links_; }
    // Memory of the blocks of contacts; free for others between two runs.
    ScratchMemory& memory();

private:
    using Stage = void (SubstepSolver::*)(int argument, int block);
    template <Stage stage>
    void addStage(int taskCount, int argument, const std::uint32_t* firstTaskOf);
    // One stage per colour, then one for the contacts that are solved one by one. The argument packs colour and option.
    template <Stage stage>
    void addContactStages(int option);
    template <Stage stage>
    void wholeColorTask(int colorAndOption, int);
    // One task per list of waiting contacts.
    template <Stage stage>
    void addWaitingStage();
    template <Stage stage>
    void addBodyStage(int option);
    template <Stage stage>
    void addJointStages();

    void findMoving(TaskRunner& tasks);
    void findAlone(TaskRunner& tasks);
    void layOutBlocks(TaskRunner& tasks);
    void listWaiting();
    void planStages();
    void fillWaitingTask(int, int list);
    void wakeTask(int, int list);
    void finishWaitingTask(int, int list);
    void packTask(int colorAndOption, int task);
    void unpackTask(int colorAndOption, int task);
    void beginSubstepTask(int isFirst, int task);
    void moveTask(int alsoBegin, int task);
    void moveAloneTask(int, int task);
    void startTask(int colorAndOption, int task);
    void startSingles(bool isFirst);
    void pushTask(int colorAndOption, int task);
    void pushHeavyTask(int colorAndOption, int block);
    void prepareBounceTask(int colorAndOption, int task);
    void bounceTask(int colorAndOption, int task);
    std::uint32_t indexOf(const ContactConstraint& constraint) const {
        return static_cast<std::uint32_t>(&constraint - constraints_.data());
    }
    void bounceOrShare(ContactConstraint& constraint, WideContact* block, int lane);
    void bounceTogetherTask(int, int);
    void startJointsTask(int stage, int task) { joints_->startTask(joints_->stages()[stage], task); }
    void beginJointsTask(int stage, int task) { joints_->beginStepTask(joints_->stages()[stage], task); }
    void endJointsTask(int stage, int task) { joints_->endStepTask(joints_->stages()[stage], task); }
    void foreseeJointsTask(int stage, int task) { joints_->foreseeTask(joints_->stages()[stage], task); }
    void solveJointsTask(int stage, int task) { joints_->solveTask(joints_->stages()[stage], task); }

    int blockCount(int color) const { return static_cast<int>(firstBlock_[color + 1] - firstBlock_[color]); }
    WideContact& blockOf(int color, int task);
    bool isSpare(int color, std::uint32_t block) const { return block >= firstSpareBlock_[color]; }
    std::span<const std::uint32_t> membersOf(int color, std::uint32_t block) const;
    PackSource packSource() const;
    template <class Function>
    void forEachSingle(Function&& function);  // contacts of no colour: overflow, then heavy loads
    bool mayBounce(const ContactConstraint& constraint) const;

    std::span<SolverBody> bodies_;
    std::span<const SolverBodyConstants> constants_;
    std::span<ContactConstraint> constraints_;
    JointSolver* joints_ = nullptr;
    SubstepSettings settings_;
    PagedVector<ContactLink> links_;
    HeavyLoads heavyLoads_;
    Coloring coloring_;
    std::vector<ContactFrame> overflowFrames_;  // one per entry of coloring_.overflow
    std::unique_ptr<SharedBounces> sharedBounces_;
    StageList stages_;
    std::unique_ptr<WideBlocks> blocks_;  // colour by colour
    struct WaitingList {
        std::span<const std::uint32_t> members;
        std::uint32_t spareBlock;  // first block for contacts that wake
        std::uint32_t awake = 0;   // contacts that have woken
    };
    WaitingContacts waiting_;
    std::vector<WaitingList> waitingLists_;  // one per list of waiting_
    std::vector<std::uint32_t> waitingCounts_, waitingOverflow_;
    std::vector<std::uint32_t> firstBlock_;                      // of each colour, and the end
    std::vector<std::uint32_t> firstSpareBlock_;                 // of each colour: its blocks for contacts that wake begin here
    std::vector<BlockNeeds> needs_;                              // by block
    std::vector<std::uint32_t> firstBlockOf_, firstBodyTaskOf_;  // by neighbourhood, the former colour by colour
    std::vector<std::uint64_t> bodyColors_;
    std::vector<std::uint8_t> constraintColors_, isMoving_;
    std::vector<std::uint8_t> isAlone_;     // by body: neither contact nor joint has to do with it, it moves once per step
    std::vector<std::uint32_t> movesWide_;  // by kLanes bodies: bits of those for which mayMoveWide
    const WideKernels* kernels_ = nullptr;
    int passes_ = 0;
    bool anyRestitution_ = false;
};

}  // namespace sunder::dynamics
