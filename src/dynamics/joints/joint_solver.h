// All joints of a step, divided into groups of connected joints when joints come or go. Each group is solved in one of three
// ways:
//   bundles   small trees that nothing fixed holds, such as ragdolls: many of the same form side by side (joint_bundle.h)
//   direct    groups held by something fixed, long chains, light bodies between heavy ones: one linear system, where that is
//             small enough (direct_group.h)
//   swept     larger nets, joint by joint: plain ball joints side by side (ball_joint.h), others one by one, in colours that
//             share no moving body. Ball joints between bodies that are near each other in memory are solved chunk by chunk
//             before the others: a colour that goes through all bodies costs more in reading them than in solving.
//
// Use: plan(), fill in constraints and balls, then in every substep the stages; impulses end up where they were filled in.
#pragma once

#include <memory>
#include <vector>

#include "core/task_runner.h"
#include "dynamics/contact/scalar/contact_link.h"
#include "dynamics/joints/ball/ball_joint.h"
#include "dynamics/joints/bundle/joint_bundle.h"
#include "dynamics/joints/direct/direct_group.h"

namespace sunder::dynamics {

struct JointStage {
    enum Kind : std::uint8_t { Groups, Bundles, Chunks, Balls, Singles, Overflow };
    Kind kind;
    int color;
    int taskCount;
};

class JointSolver {
public:
    JointSolver();
    ~JointSolver();
    JointSolver(JointSolver&&) noexcept;
    JointSolver& operator=(JointSolver&&) noexcept;

    // Where the joint of a link is stored.
    struct Place {
        bool isBall = false;
        std::uint32_t index = 0;
    };
    void plan(TaskRunner& tasks, std::span<const JointLink> links, std::size_t bodyCount);
    Place place(std::size_t link) const { return places_[link]; }
    JointConstraint& constraint(std::uint32_t index) { return constraints_[index]; }
    BallJoint& ball(std::uint32_t index) { return balls_[index]; }
    const JointConstraint& constraint(std::uint32_t index) const { return constraints_[index]; }
    const BallJoint& ball(std::uint32_t index) const { return balls_[index]; }
    std::span<const JointLink> links() const { return links_; }
    bool empty() const { return links_.empty(); }
    // Whether the body has joints that are solved as a group: in a bundle or directly.
    bool isInGroup(std::uint32_t body) const { return !empty() && groupOfBody_[body] != 0; }
    bool hasGroups() const { return hasDirectGroups() || bundles_.count() > 0; }
    bool hasDirectGroups() const { return !groups_.empty(); }

    // Before the stages of a step, and after them.
    void begin(TaskRunner& tasks, std::span<SolverBody> bodies, std::span<SolverBodyConstants> constants,
               std::span<const ContactLink> contacts, const BallKernels& balls, const BundleKernels& bundles,
               const JointSettings& settings);
    void finish(TaskRunner& tasks);
    std::span<const JointStage> stages() const { return stages_; }
    void startTask(const JointStage& stage, int task);
    // Before the joints start in the first substep, and after the last one.
    void beginStepTask(const JointStage& stage, int task);
    void endStepTask(const JointStage& stage, int task);
    // Before the contacts of a substep, and after them.
    void foreseeTask(const JointStage& stage, int task);
    void solveTask(const JointStage& stage, int task);

private:
    void findTouches(std::span<const ContactLink> contacts);
    void findGroups(std::size_t bodyCount);
    void planGroups(std::span<const std::uint8_t> isMoving);
    void planBundles(std::vector<JointTree> trees);
    void colorRest(std::size_t bodyCount);
    void addBlocks(std::span<const std::uint32_t> links);  // balls of one colour
    template <bool isStart>
    void runBlocks(std::uint32_t begin, std::uint32_t end);
    template <bool isStart>
    void runTask(const JointStage& stage, int task);

    struct Group {
        std::uint32_t first, count;  // constraints
        DirectGroup solver;
    };
    std::vector<JointLink> links_;
    std::vector<Place> places_;
    std::vector<std::uint32_t> groupOfLink_;
    std::uint32_t componentCount_ = 0;

    std::vector<Group> groups_;
    JointBundles bundles_;
    std::uint32_t firstBundled_ = 0, bundledCount_ = 0;  // constraints
    std::vector<JointConstraint>
        constraints_;               // of the groups, the bundles, then singles colour by colour, then the overflow's
    std::vector<BallJoint> balls_;  // chunk by chunk, then colour by colour, then the overflow's
    std::uint32_t ballCount_ = 0, overflowBall_ = 0;
    std::vector<std::uint32_t> blockFirst_;                // first ball of each block, and the end
    std::vector<std::uint32_t> chunkFirst_;                // first block of each chunk, and the end
    std::vector<std::uint32_t> firstBlock_, firstSingle_;  // of each colour, and the end
    std::unique_ptr<WideBallBlocks> blocks_;
    std::vector<JointStage> stages_;

    std::span<SolverBody> bodies_;
    std::span<SolverBodyConstants> constants_;
    std::vector<std::uint32_t> groupOfBody_;  // 0: none
    std::vector<Touch> touches_;              // by body
    JointSettings direct_, bundled_, swept_;
    BallKernels ballKernels_{};
    BundleKernels bundleKernels_{};
};

}  // namespace sunder::dynamics
