// A joint while a step is solved: what it holds, its rows where the bodies are now, and the impulses it has given.
//
// A row is one scalar equation on the velocities,
//     J v = n . (vB - vA) + b . wB - a . wA        J v + bias + softness impulse = 0,   low <= impulse <= high
// with n = `linear`, a = `angularA`, b = `angularB`. Joints are composed of holds, limits, springs, motors and friction
// (row_builder.h), each of which adds a few rows; an impulse is remembered by the row's slot, so that it finds its row again in
// the next substep and the next step.
#pragma once

#include <array>

#include "dynamics/body/solver_body.h"
#include "dynamics/joints/row/compliance.h"
#include "sunder/joints.h"

namespace sunder::dynamics {

enum JointSlot : std::uint8_t {
    kLinearSlot = 0,   // three: directions that are held, or limited
    kAngularSlot = 3,  // three
    kLimitSlot = 6,    // of the free direction
    kSpringSlot = 7,
    kMotorSlot = 8,
    kFrictionSlot = 9,  // one, or three
    kConeSlot = 12,     // also the limits of a wheel's steering
    kDriveSlot = 13,    // six: a six_dof's directions; three springs and three motors of a turn; the spring of a steering
    kJointSlots = 19
};
using JointImpulses = std::array<Real, kJointSlots>;

struct JointRow {
    Vec3 linear, angularA, angularB;
    Real error = 0;  // m or rad: how far it is from where it should be
    Real rate = 0;   // 1/s: bias = rate * error, limited to the fastest repair
    Real bias = 0;
    // m/s, included in the bias: what turning of the arms adds to C per substep to second order, which J v leaves out.
    Real curvature = 0;
    Real softness = 0;
    Real low = -kInfinity, high = kInfinity;
    std::uint8_t slot = 0;
    bool bounded = false;
    bool rigid = true;  // held without compliance
};

// Rows that hold a direction or stop it at a limit, and so do no work; springs, motors and friction are not passive.
inline bool isPassive(const JointRow& row) { return row.rigid && (row.slot <= kLimitSlot || row.slot == kConeSlot); }

// Springs and motors, whose errors are wanted and whose energy is elastic.
inline bool isDrive(const JointRow& row) { return row.slot == kSpringSlot || row.slot == kMotorSlot || row.slot >= kDriveSlot; }

// A spring with all that may go with it.
struct SpringSpec {
    Spring spring;
    Real frequency = 0, dampingRatio = 0;  // in its place
    Real rest = 0, speed = 0;              // where it pulls to, and the speed that its damper seeks
    Real strength = kInfinity;
    bool pulls() const { return spring.stiffness > 0 || spring.damping > 0 || frequency > 0; }
};

// The fields of a JointDef that the solver needs.
struct JointSpec {
    JointType type = JointType::Ball;
    std::uint8_t freeAxes = 0;
    std::uint8_t drivenAxes = 0;  // of a six_dof
    bool hasLimits = false, hasCone = false, hasConeZ = false, hasSpringStrength = false, hasSteeringLimits = false;
    bool rubs = false;  // it has stops and was given no friction of its own, see kStopFriction
    Interval limits;
    Real cone = 0, coneZ = 0;
    Vec3 linearLow, linearHigh, angularLow, angularHigh;
    Spring hold;
    Real holdFrequency = 0, holdDampingRatio = 0;
    Spring spring;
    Real springFrequency = 0, springDampingRatio = 0, springRest = 0, springStrength = 0;
    Real motorSpeed = 0, motorStrength = 0, friction = 0;
    Quat springRotation;
    Vec3 motorVelocity;
    Real length = 0;       // m: of a distance that is held
    SpringSpec drives[6];  // of a six_dof, by direction
    SpringSpec steering;
    Interval steeringLimits;

    bool isCompliant() const { return hold.stiffness > 0 || hold.damping > 0 || holdFrequency > 0; }
    bool hasSpring() const { return spring.stiffness > 0 || spring.damping > 0 || springFrequency > 0; }
    // Three rigid rows and nothing else, which the wide solver takes (ball_joint.h).
    bool isPlainBall() const { return type == JointType::Ball && !isActive() && friction == 0; }
    // Its axle turns about the axis, by a spring or freely.
    bool isSteeredSoftly() const { return steering.pulls() || hasSteeringLimits; }
    // It holds a point, and all its other rows are turns about axes: joint_bundle.h has no other rows.
    bool fitsBundle() const;
    // It may add energy on purpose, which the energy guard must not take back.
    bool isActive() const { return isCompliant() || hasSpring() || motorStrength > 0 || drivenAxes != 0 || steering.pulls(); }
};
JointSpec specOf(const JointDef& def);
// The most rows that a joint can have at once in a direct solve.
int rowCapacity(const JointSpec& spec);
// The most rows of a joint in a bundle, not counting the three that hold its point.
int turnRowCapacity(const JointSpec& spec);
// As many as bundles have room for: of a hinge with limits, a spring, a motor and friction.
inline constexpr int kMostTurnRows = 6;

struct JointWrench {  // N s, N m s: given to B at its centre of mass; A gets the opposite at its own
    Vec3 linear, angularA, angularB;
};

struct MeanAnswer {  // inverse mass at an anchor, m/s per N s and rad/s per N m s: the mean over all directions
    Real linear = 0, angular = 0;
    Vec3 aboutAxes;  // rad/s per N m s about the axes of the joint's frame, each body's about its own
};
inline Real answerAlong(const JointRow& row, const MeanAnswer& answer) {
    return row.linear == Vec3{} ? answer.angular : answer.linear;
}

struct JointConstraint {
    std::uint32_t bodyA = 0, bodyB = 0;
    JointSpec spec;
    Pose frameA, frameB;  // principal from joint; of a fixed side, world from joint with the anchor as origin
    Vec3 centerOffset;    // m: from A's centre to B's at the start of the step
    MeanAnswer answer;    // of both bodies together
    JointImpulses impulse{};
    JointImpulses lastImpulse{};   // of the substep before
    JointWrench given;             // what the impulses have done to the bodies in this substep
    Vec3 armA, armB;               // of the last substep
    Vec3 totalForce, totalTorque;  // N s, N m s on B over the step, about its anchor
    std::int32_t rowCount = 0;
    JointRow rows[kJointSlots];
};

struct JointSettings {
    Real h = 0, inverseH = 0;
    Real recoverySpeed = 3;     // m/s or rad/s: fastest repair of an error
    Real repairRate = 0;        // 1/s: share of a rigid row's error that is repaired per second
    Real kept = 1;              // share of a rigid row's impulse that a substep keeps
    bool curves = true;         // biases include the curvature; false: updateCurvature adds it later
    bool raisesInertia = true;  // see group_bodies.h
};

// How the two frames lie relative to each other.
struct JointGeometry {
    Vec3 armA, armB;    // from the centres
    Vec3 gap;           // from A's anchor to B's
    Mat3 axesA, axesB;  // by columns, transposed: row0 is the joint's x axis in the world
    Quat turn;          // of B's frame against A's, in A's frame
    Vec3 worldTurn;     // rad: the turn as a small rotation vector, twice the vector of `turn`, in world axes
};
JointGeometry geometryOf(const JointConstraint& joint, const SolverBody& a, const SolverBody& b);
// rad: the angle about the frame's x (0), y (1) or z (2) axis, in (-pi, pi].
Real angleAbout(const JointGeometry& at, int axis);
// The whole turn as a rotation vector in A's frame.
Vec3 turnVector(const JointGeometry& at);
// The gradient of a component of a turn t as a rotation vector in A's frame. With w = wB - wA in that frame, dt/dt = g . w.
// turn: the same as a quaternion with w >= 0.
Vec3 turnGradient(const Quat& turn, const Vec3& t, int axis);
// How far the axle of a wheel is turned about the axis.
Real steeringAngle(const JointGeometry& at);
Real swingAngle(const JointGeometry& at);

// Effective inverse mass of a row.
Real responseOf(const JointRow& row, const SolverBody& a, const SolverBody& b);
// The inverse mass that the bodies would have along the row if none of their axes were locked.
Real freeAnswer(const JointRow& row, const SolverBody& a, const SolverBody& b);
// Whether the row runs along a locked axis. Such a row could move its body only by turning it about a short arm, with impulses
// without bound. It gets no impulse: the lock holds what it would have held.
bool isLocked(const JointRow& row, const SolverBody& a, const SolverBody& b);
// Softness of a row that runs nearly along a locked axis. A rigid row would make the body move fast across itself to gain a
// little along itself. The smaller the free share of its direction, the softer it is.
Real yieldToLocks(const JointRow& row, const SolverBody& a, const SolverBody& b);
inline Real velocityOf(const JointRow& row, const SolverBody& a, const SolverBody& b) {
    return dot(row.linear, b.velocity - a.velocity) + dot(row.angularB, b.angularVelocity) -
           dot(row.angularA, a.angularVelocity);
}

// The spring and damper of a row that is not rigid, which was made for substeps of h.
Spring springOf(const JointRow& row, Real h);

}  // namespace sunder::dynamics
