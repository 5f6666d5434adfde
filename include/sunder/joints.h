// Joints: their definition, and their state after a step.
//
// A joint holds a frame of body A against a frame of body B; either may be the world. `axis` is the direction that a hinge
// turns about, a slider slides along, a wheel is sprung along, and about which a cone_twist twists. Angles (rad) are rotations
// of B relative to A about the axis; positions (m) are displacements of B relative to A along it. Both are 0 when the joint is
// added, except for a distance, which is the actual length.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sunder/types.h"

namespace sunder {

enum class JointType : std::uint8_t {
    Ball,       // a point of B coincides with a point of A
    Hinge,      // a ball joint, and B turns only about the axis
    Slider,     // B only slides along the axis
    Fixed,      // B does not move relative to A
    Distance,   // two points keep their distance, or stay within limits of it
    ConeTwist,  // a ball whose axis may swing by `cone` and twist within `limits`
    SixDof,     // each direction is held, free, or free within limits
    Wheel,      // B spins about `axle` and is sprung along `axis`
};

struct Interval {
    Real low = 0, high = 0;
    friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

// Drives directions of a six_dof, each by itself, with the force stiffness (rest - position) + damping (speed - velocity).
struct JointDrive {
    std::uint8_t axes = 0;  // LockedAxis bits, in the joint's frame (axis, axle, third)
    // Give either stiffness and damping or frequency and damping ratio; none of them: a motor that seeks the speed.
    Real stiffness = 0;  // N/m, N m/rad
    Real damping = 0;    // N s/m, N m s/rad
    Real frequency = 0;  // Hz
    Real dampingRatio = 0;
    Real rest = 0;                   // m, rad
    Real speed = 0;                  // m/s, rad/s
    std::optional<Real> strength{};  // N, N m: the largest force or torque; a motor needs one
};

// A handle stays valid until its joint is removed or breaks.
struct JointId {
    std::uint32_t index = 0xffffffffu;
    std::uint32_t generation = 0;
    constexpr bool isNull() const { return index == 0xffffffffu; }
    friend constexpr bool operator==(const JointId&, const JointId&) = default;
};

// Fields that a type does not use must keep their defaults. "Free direction": the angle of a hinge, the position of a slider,
// the spin of a wheel (motor, friction) and its position along the axis (spring, limits), all three angles of a ball and a
// cone_twist (spring, motor, friction).
//
// The joint's frame has its x along the axis, its y as near to the axle as a right angle allows. Bodies A and B each have one;
// where neither axisB nor axleB is given, the two coincide when the joint is added, and the joint is where it should be then.
struct JointDef {
    std::string name{};
    JointType type = JointType::Ball;
    BodyId a{}, b{};                   // a null handle is the world; at least one must be dynamic
    Vec3 anchor{};                     // m, world: the point of A, and of B where anchorB is not given
    std::optional<Vec3> anchorB{};     // m, world: the point of B
    Vec3 axis{0, 1, 0};                // world, any length but 0
    Vec3 axle{1, 0, 0};                // wheel: the axis of its spin, world; else the second axis of its frame
    std::optional<Vec3> axisB{};       // world: the axis of B's frame; where axleB is not given, B's is turned the shortest way
    std::optional<Vec3> axleB{};       // world: the axle of B's frame
    std::optional<Interval> limits{};  // of the free direction, rad or m; distance: of the length, m
    std::optional<Real> cone{};        // rad: the largest swing of a cone_twist
    std::optional<Real> coneZ{};       // rad: that about the third axis, where it is another; then `cone` is about the axle
    std::uint8_t freeAxes = 0;         // six_dof: LockedAxis bits of free directions, in the joint's frame (axis, axle, third)
    Vec3 linearLow{}, linearHigh{};    // six_dof: m; a direction with equal numbers is held there
    Vec3 angularLow{}, angularHigh{};  // six_dof: rad

    // Compliance of the held directions; 0 is rigid. Give either stiffness and damping or frequency and damping ratio.
    Real stiffness = 0;     // N/m, N m/rad
    Real damping = 0;       // N s/m, N m s/rad
    Real frequency = 0;     // Hz
    Real dampingRatio = 0;  // 1: critical
    // A spring in the free direction, towards springRest; with springStrength it is a motor that seeks a position.
    Real springStiffness = 0;  // N/m or N m/rad
    Real springDamping = 0;    // N s/m or N m s/rad
    Real springFrequency = 0;  // Hz
    Real springDampingRatio = 0;
    Real springRest = 0;                   // m or rad
    Quat springRotation{};                 // ball, cone_twist: the turn of B's frame against A's that it pulls to, in A's
    std::optional<Real> springStrength{};  // N or N m: the largest force or torque it exerts; ball, cone_twist: about each axis
    // A motor that seeks a speed in the free direction, with at most motorStrength; strength 0: no motor.
    Real motorSpeed = 0;     // m/s or rad/s
    Vec3 motorVelocity{};    // rad/s: of a ball and a cone_twist, of B against A, in A's frame of the joint
    Real motorStrength = 0;  // N or N m; ball, cone_twist: about each axis
    // N or N m: dry friction in the free direction. Where it is not given, a cone_twist and a hinge with limits rub a little in
    // proportion to their load (docs/joints.md), others not at all.
    std::optional<Real> friction{};
    std::vector<JointDrive> drives{};  // six_dof: springs and motors by direction, no direction twice
    // wheel: its axle is turned about the axis by this angle (rad), and held there, or drawn there by a spring. With limits and
    // no spring it turns freely between them.
    Real steering = 0;
    std::optional<Interval> steeringLimits{};  // rad
    Real steeringStiffness = 0;                // N m/rad
    Real steeringDamping = 0;                  // N m s/rad
    Real steeringFrequency = 0;                // Hz, in place of stiffness and damping
    Real steeringDampingRatio = 0;
    std::optional<Real> steeringStrength{};  // N m: the largest torque of the spring

    bool collideConnected = false;  // whether the two bodies collide with each other
    // What breaks the joint (docs/energised-fracture.md). A load above breakForce or breakTorque, both in the last 1/30 s and
    // in the 0.1 s before. A blow, the impulse within 1/30 s beyond the load before, above breakImpulse; without breakImpulse,
    // above breakForce times 0.05 s, and likewise for the torque.
    std::optional<Real> breakForce{};    // N
    std::optional<Real> breakTorque{};   // N m
    std::optional<Real> breakImpulse{};  // N s
    // s between breaks of connected joints; each then breaks only the most overloaded one. 0: all at once
    Real breakInterval = 0;
    Real alpha = 0;  // >= 0: share of its stored energy that a break releases as motion; above 1 it adds energy
    // N: a ball, hinge or fixed joint with a stiffness that is loaded beyond this flows: its points part for good, and the
    // force at which they do grows evenly, until it is breakForce where they have parted by `ductility`. [Li18] 5
    std::optional<Real> yieldForce{};
    Real ductility = Real(0.01);  // m, > 0
    std::uint64_t userData = 0;
};

// A joint after the last step.
struct JointState {
    Vec3 force;             // N on B, mean over the step, world axes
    Vec3 torque;            // N m on B about its anchor, mean over the step
    Real position = 0;      // m: along the axis (slider, wheel), the length (distance)
    Real angle = 0;         // rad: about the axis (hinge, cone_twist) or the axle (wheel); the total rotation (fixed, six_dof)
    Real swing = 0;         // rad: between the two axes (cone_twist)
    Real steering = 0;      // rad: how far the axle is turned about the axis (wheel)
    Quat rotation{};        // of B's frame against A's, in A's; see JointDef::springRotation
    Real error = 0;         // m: distance of the points that should coincide
    Real angularError = 0;  // rad: angle between the axes that should coincide
    double elasticEnergy = 0;  // J: stored in springs and compliance
    Real flowed = 0;           // m: how far its points have parted for good, see JointDef::yieldForce
};

enum class JointEventKind : std::uint8_t {
    Broken,       // a strength was exceeded
    BodyRemoved,  // one of its bodies was removed
};

struct JointEvent {
    JointEventKind kind = JointEventKind::Broken;
    JointId joint;  // no longer valid
    BodyId a, b;
    std::uint64_t userData = 0;
    Vec3 force, torque;       // as in JointState, of its last step
    bool isImpact = false;    // broken by a blow rather than a load
    double storedEnergy = 0;  // J
};

std::vector<std::string> validate(const JointDef& def);

}  // namespace sunder
