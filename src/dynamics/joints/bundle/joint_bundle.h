// Groups of joints side by side: trees of the same form, one in each lane, so that no two lanes share a body. Every joint is a
// point that is held (ball_joint.h) and some rows that turn about axes.
//
// In every substep a sweep goes through the joints, row by row. Where it finds an error above kBundleTolerance, all rows of the
// tree that are not at a bound are met at once (wide_tree.inl), and swept again, up to four times; at rest one sweep is enough.
// Each lane ends by itself: a group never depends on those beside it.
//
// Rows are made once per step, by joint_rows.h. Within the step the axes of hinges, cones and twists are followed exactly;
// other axes turn with body A, and their errors are updated by how far the two bodies have turned.
//
//     turn row:   p+ = clamp(p - (u . (wB - wA) + bias + softness p) / (k + softness), low, high)
//     bias = error rate, limited to the fastest repair; a limit that is not reached yet allows its gap to be closed
#pragma once

#include <span>
#include <vector>

#include "dynamics/joints/bundle/joint_tree.h"
#include "dynamics/joints/row/joint_constraint.h"
#include "math/lanes.h"

namespace sunder::dynamics {

// Largest error of a joint after a substep: as a share of the sum of both bodies' radii, and in rad. Two or three sweeps reach
// it in a fall, one at rest (docs/joints.md).
inline constexpr Real kBundleTolerance = Real(5e-5);

// Joints with stops (cone_twists, and hinges with limits) that were given no friction of their own rub a little:
// - what slides along a stop, by up to this share of the stop's torque, as where bones and flesh touch. Without it a head that
//   hangs against its cone slides to and fro along it for minutes;
// - what turns, by up to the force at the joint's point times this share of the smaller body's radius, as balls have rolling
//   friction. Without it a shin or a head swings for minutes.
inline constexpr Real kStopFriction = Real(0.3), kBearingShare = Real(0.02);

// How a row's error is updated within a step.
enum class TurnKind : std::uint8_t {
    Driven,    // it has none: a motor or friction
    Followed,  // by how far the bodies have turned about the axis
    Aligned,   // the tilt of the joint's axes against each other, about the axis
    Walls,     // as Followed, between two limits
    // The stops of a cone_twist come last:
    Cone,      // the swing, up to the cone
    OvalCone,  // the swing, up to a cone that is wider about one axis than about the other
    Twist,     // the twist, between two limits
};

template <class Number>
struct alignas(64) TurnRow {
    wide::Vec3Of<Number> axis;  // in A's principal frame
    Number error;  // rad at the start of the step; of Walls from the middle between them; of a motor, minus its speed (rad/s)
    Number kind;
    Number half;                   // rad: half of the angle between two limits
    Number excludes;               // 1: where it acts, motors and friction about the same axis are not solved together with it
    Number rate, rateAhead;        // 1/s: bias per error beyond a limit, and ahead of it
    Number fastest, fastestAhead;  // rad/s: largest bias, likewise
    Number low, high, softness;
    Number impulse;  // N m s; of limits, away from the wall
    // Of the substep:
    wide::Vec3Of<Number> world;  // axis; of limits, away from the wall
    Number side;                 // of walls: 1 at the lower one, -1 at the upper one
    Number bias;
    Number isMet;  // 1: it is solved with the whole tree
};

template <class Number>
struct alignas(64) BundleJoint {
    std::uint32_t bodyA[wide::kLanes], bodyB[wide::kLanes];
    std::uint32_t movesA, movesB;  // bits of the lanes that have this joint
    std::int32_t firstRow, rowCount;
    std::int32_t parent;  // 0: the root; i + 1: the outer body of joint i
    std::int32_t outerIsB;
    wide::Vec3Of<Number> anchorA, anchorB, centerOffset;
    Number rate, fastest, softness;       // of the point
    Number tolerance;                     // m/s: a smaller error is left
    wide::QuatOf<Number> frameA, frameB;  // principal from joint
    Number coneSine, coneCosine;          // of the largest swing
    Number perSwingY, perSwingZ;          // 1/rad: 1 / the largest swing about the joint's y and z axes, of an oval cone
    Number middleSine, middleCosine;      // of half the angle to the middle of the twist's limits
    Number wallSine, wallCosine;          // of half the angle from there to a limit
    wide::Vec3Of<Number> impulse, total, totalTurn;
    wide::Vec3Of<Number> rub;      // N m s: friction of the joint with stops, on B
    Number stopFriction, bearing;  // share of the stops' torque, and m: torque per force at the point
    // Of the substep:
    wide::Vec3Of<Number> armA, armB, bias;
    wide::Sym3Of<Number> mass;
};

inline constexpr int kMostTreeRows = 3 + kMostTurnRows;
// The outer body of a joint while a tree is solved, see wide_tree.inl. Entry 0 is the root's.
template <class Number>
struct alignas(64) TreeNode {
    Number inertia[6][6];  // of the body with all bodies beyond it; later its factor
    Number force[6];
    Number reach[kMostTreeRows][6];  // Y^T of wide_tree.inl: rows on the outer body
    Number inner[kMostTreeRows][6];  // W: rows on the inner body
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
    // Finds arms and axes where the bodies are now, and applies the impulses of the last substep.
    void (*start)(const BundleView& bundle, SolverBody* bodies);
    void (*solve)(const BundleView& bundle, SolverBody* bodies, const JointSettings& settings);
};

// All bundles of a step.
class JointBundles {
public:
    // Trees of the same form must follow each other. pack and unpack are given the joints of all trees, one tree after the
    // other.
    void plan(std::span<const JointTree> trees, std::span<const JointLink> links);
    int count() const { return static_cast<int>(bundles_.size()); }

    // pack makes the rows of the joints and copies their impulses into the lanes; unpack copies impulses and sums back.
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
