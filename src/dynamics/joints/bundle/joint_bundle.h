// Groups of joints that are alike, side by side: trees of the same form, one in each lane, so that no two lanes share a body.
// Every joint is a point that is held (ball_joint.h) and some turns about axes.
//
// In every substep a sweep goes through the joints, row by row. Where it finds an error worth solving, all rows of a tree that
// are not at a bound are met at once (wide_tree.inl), and swept again, a few times at most. At rest that is one sweep. A lane
// is done by itself: what a group does never depends on those beside it.
//
// Rows are found once per step, as joint_rows.h has them. Within it the axes of hinges, cones and twists are followed exactly;
// other axes turn with body A, and what is wrong about their angles follows from how far the two bodies have turned.
//
//     turn row:   p+ = clamp(p - (u . (wB - wA) + bias + softness p) / (k + softness), low, high)
//     bias = error rate, no faster than it may be repaired; a limit that is not reached yet lets its gap be closed
#pragma once

#include <span>
#include <vector>

#include "dynamics/joints/bundle/joint_tree.h"
#include "dynamics/joints/row/joint_constraint.h"
#include "math/lanes.h"

namespace sunder::dynamics {

// Of the sizes of both bodies, and radians: what a joint may be off by after a substep.
inline constexpr Real kBundleTolerance = Real(5e-5);

// What an error is measured by, within a step.
enum class TurnKind : std::uint8_t {
    Driven,    // by nothing: a motor or friction
    Followed,  // how far the bodies have turned about the axis
    Aligned,   // the tilt of the joint's axes against each other, about the axis
    Walls,     // followed, between two limits
    Cone,      // the swing, up to the cone
    Twist,     // the twist, between two limits
};

template <class Number>
struct alignas(64) TurnRow {
    wide::Vec3Of<Number> axis;  // in A's principal frame
    Number error;  // rad at the start of the step; of walls, from the middle between them; of a motor, less its speed
    Number kind;
    Number half;                   // rad: of the way between two walls
    Number excludes;               // 1: where it acts, motors and friction about the same axis cannot be met too
    Number rate, rateAhead;        // 1/s: of what is beyond, and of what is ahead of a limit
    Number fastest, fastestAhead;  // rad/s
    Number low, high, softness;
    Number impulse;  // of limits, away from the wall
    // Of the substep:
    wide::Vec3Of<Number> world;  // axis; of limits, away from the wall
    Number side;                 // of walls: 1 at the lower one, -1 at the upper one
    Number bias;
    Number isMet;  // 1: it is one of those that are met at once
};

template <class Number>
struct alignas(64) BundleJoint {
    std::uint32_t bodyA[wide::kLanes], bodyB[wide::kLanes];
    std::uint32_t movesA, movesB;  // bits of the lanes that have such a joint
    std::int32_t firstRow, rowCount;
    std::int32_t parent;  // 0: the root; i + 1: the outer body of joint i
    std::int32_t outerIsB;
    wide::Vec3Of<Number> anchorA, anchorB, centerOffset;
    Number rate, fastest, softness;       // of the point
    Number tolerance;                     // m/s: an error that is not worth solving
    wide::QuatOf<Number> frameA, frameB;  // principal from joint
    Number coneSine, coneCosine;          // of the largest swing
    Number middleSine, middleCosine;      // of half the twist between the limits
    Number wallSine, wallCosine;          // of half the way from there to one of them
    wide::Vec3Of<Number> impulse, total, totalTurn;
    // Of the substep:
    wide::Vec3Of<Number> armA, armB, bias;
    wide::Sym3Of<Number> mass;
};

inline constexpr int kMostTreeRows = 3 + kMostTurnRows;
// The outer body of a joint while a tree is solved, see wide_tree.inl. Entry 0 is the root's.
template <class Number>
struct alignas(64) TreeNode {
    Number inertia[6][6];  // with all that hangs on it; its factor, once it is known
    Number force[6];
    Number reach[kMostTreeRows][6];  // Y^T: what rows do to the outer body
    Number inner[kMostTreeRows][6];  // W: to the inner one
    Number factor[kMostTreeRows][kMostTreeRows];
    Number error[kMostTreeRows];
};

struct WideTurnRow : TurnRow<wide::Lanes> {};
struct WideBundleJoint : BundleJoint<wide::Lanes> {};
struct WideTreeNode : TreeNode<wide::Lanes> {};

struct BundleView {
    WideBundleJoint* joints;  // from the root outwards
    int count;
    WideTurnRow* rows;
    WideTreeNode* nodes;  // one more than joints: scratch
};

// Compiled for one instruction set (contact/wide/wide_kernels.h).
struct BundleKernels {
    // Arms and axes where the bodies are now; then the impulses act.
    void (*start)(const BundleView& bundle, SolverBody* bodies);
    void (*solve)(const BundleView& bundle, SolverBody* bodies, const JointSettings& settings);
};

// All bundles of a step.
class JointBundles {
public:
    // Trees of the same form follow each other. The joints of all trees, one after the other, are those that pack and unpack
    // are given.
    void plan(std::span<const JointTree> trees, std::span<const JointLink> links);
    int count() const { return static_cast<int>(bundles_.size()); }

    // Finds the rows of the joints, and takes their impulses; and back.
    void pack(int bundle, std::span<JointConstraint> joints, std::span<const SolverBody> bodies,
              std::span<const SolverBodyConstants> constants, const JointSettings& settings);
    void unpack(int bundle, std::span<JointConstraint> joints) const;
    BundleView view(int bundle);

private:
    struct Bundle {
        std::uint32_t firstJoint, jointCount;  // wide ones
        std::uint32_t firstRow, firstNode;
        std::uint32_t lanes;
        std::uint32_t firstConstraint;  // of the first lane; the others follow
    };
    std::vector<Bundle> bundles_;
    std::vector<WideBundleJoint> joints_;
    std::vector<WideTurnRow> rows_;
    std::vector<WideTreeNode> nodes_;
};

}  // namespace sunder::dynamics
