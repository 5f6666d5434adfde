// The single description of what a user can set: name, unit, range and meaning of every field. Scene files, --set, validate(),
// the JSON Schema and a host's own sliders all use it.
//
// visitFields(value, visit) calls visit(FieldInfo, member&) once per field, in the order of the struct. A member is one of the
// types of definitions.h and shapes.h; a std::uint8_t holds LockedAxis bits.
//
// Here are bodies, joints and worlds; describe/shapes.h has the shapes, describe/fracture.h what breaks, describe/deformable.h
// what deforms, describe/steppers.h the options of steppers.
#pragma once

#include <iterator>
#include <span>
#include <string_view>

#include "sunder/definitions.h"
#include "sunder/describe/deformable.h"
#include "sunder/describe/field_info.h"
#include "sunder/describe/fracture.h"
#include "sunder/describe/shapes.h"
#include "sunder/describe/steppers.h"
#include "sunder/joints.h"

namespace sunder {

inline constexpr EnumName<Motion> kMotionNames[] = {
    {"dynamic", Motion::Dynamic}, {"static", Motion::Static}, {"kinematic", Motion::Kinematic}};
inline constexpr EnumName<Stepper> kStepperNames[] = {{"frame_rate", Stepper::FrameRate},
                                                      {"impulse", Stepper::Impulse},
                                                      {"damped", Stepper::Damped},
                                                      {"timewarp", Stepper::Timewarp},
                                                      {"timewarp_safer", Stepper::TimewarpSafer}};
inline constexpr EnumName<LockedAxis> kLockedAxisNames[] = {{"x", kLockX},   {"y", kLockY},   {"z", kLockZ},
                                                            {"rx", kLockRx}, {"ry", kLockRy}, {"rz", kLockRz}};
inline constexpr EnumName<Mechanism> kMechanismNames[] = {{"leak", Mechanism::Leak},
                                                          {"gentle_share", Mechanism::GentleShare},
                                                          {"forgotten_blows", Mechanism::ForgottenBlows},
                                                          {"heavy_blocks", Mechanism::HeavyBlocks},
                                                          {"energy_guard", Mechanism::EnergyGuard},
                                                          {"waiting", Mechanism::Waiting},
                                                          {"recycling", Mechanism::Recycling},
                                                          {"inheritance", Mechanism::Inheritance},
                                                          {"thinning", Mechanism::Thinning},
                                                          {"step_parts", Mechanism::StepParts},
                                                          {"rocking_points", Mechanism::RockingPoints},
                                                          {"facing_corners", Mechanism::FacingCorners},
                                                          {"joint_mass", Mechanism::JointMass},
                                                          {"steadying", Mechanism::Steadying}};
static_assert(std::size(kMechanismNames) == kMechanismCount);
inline constexpr EnumName<JointType> kJointTypeNames[] = {
    {"ball", JointType::Ball},      {"hinge", JointType::Hinge},       {"slider", JointType::Slider},
    {"fixed", JointType::Fixed},    {"distance", JointType::Distance}, {"cone_twist", JointType::ConeTwist},
    {"six_dof", JointType::SixDof}, {"wheel", JointType::Wheel}};
constexpr std::span<const EnumName<JointType>> enumNames(JointType) { return kJointTypeNames; }
constexpr std::span<const EnumName<Motion>> enumNames(Motion) { return kMotionNames; }
constexpr std::span<const EnumName<Stepper>> enumNames(Stepper) { return kStepperNames; }
inline constexpr EnumName<RotationStep> kRotationStepNames[] = {{"split", RotationStep::Split},
                                                                {"one_step", RotationStep::OneStep}};
constexpr std::span<const EnumName<RotationStep>> enumNames(RotationStep) { return kRotationStepNames; }

// The choice of a stepper together with the options of each; a scene file writes a name, or an object with "type".
template <MaybeConst<WorldDef> World>
struct StepperChoice {
    World& world;
};

template <MaybeConst<Material> M, class Visit>
void visitFields(M& m, Visit&& visit) {
    visit(FieldInfo{.name = "density", .unit = "kg/m^3", .low = 0, .high = 1e6, .lowExcluded = true, .doc = "mass per volume"},
          m.density);
    visit(FieldInfo{.name = "friction", .low = 0, .doc = "Coulomb coefficient; a contact uses sqrt(a b)"}, m.friction);
    visit(FieldInfo{.name = "restitution", .low = 0, .high = 1, .doc = "bounce; a contact uses max(a, b)"}, m.restitution);
    visit(
        FieldInfo{.name = "rolling_friction",
                  .unit = "m",
                  .low = 0,
                  .doc =
                      "torque against rolling per newton of load; a contact uses sqrt(a b), or the one that is set; where none "
                      "is, a hundredth of the radius of balls, capsules and cylinders, and of the inner radius of other bodies "
                      "where a single point bears the load"},
        m.rollingFriction);
    visit(FieldInfo{.name = "spinning_friction",
                    .unit = "m",
                    .low = 0,
                    .doc = "torque against spinning about the normal per newton of load; mixed as rolling_friction"},
          m.spinningFriction);
    visit(FieldInfo{.name = "fracture_impulse",
                    .unit = "N s/m^2",
                    .low = 0,
                    .high = 1e15,
                    .doc = "blow per volume^(2/3) that breaks bodies which have no threshold of their own"},
          m.fractureImpulse);
    visit(FieldInfo{.name = "young",
                    .unit = "Pa",
                    .low = 0,
                    .high = 1e13,
                    .lowExcluded = true,
                    .doc = "Young's modulus: stiffness of bonded bodies"},
          m.young);
    visit(FieldInfo{.name = "poisson", .low = -1, .high = 0.5, .lowExcluded = true, .doc = "Poisson's ratio"}, m.poisson);
    visit(FieldInfo{.name = "strength", .unit = "Pa", .low = 0, .high = 1e13, .doc = "tensile stress at which it cracks"},
          m.strength);
    visit(FieldInfo{.name = "toughness", .unit = "J/m^2", .low = 0, .high = 1e12, .doc = "energy of a unit area of crack"},
          m.toughness);
    visit(FieldInfo{.name = "yield", .unit = "Pa", .low = 0, .high = 1e13, .doc = "stress at which it flows; 0: never"},
          m.yield);
}

template <MaybeConst<Keyframe> K, class Visit>
void visitFields(K& k, Visit&& visit) {
    visit(FieldInfo{.name = "time", .unit = "s", .low = 0, .required = true, .doc = "since the start of the world"}, k.time);
    visit(FieldInfo{.name = "position", .unit = "m", .low = -kMaxPosition, .high = kMaxPosition, .doc = "of the body's frame"},
          k.position);
    visit(FieldInfo{.name = "orientation", .doc = "unit quaternion x, y, z, w"}, k.orientation);
}

template <MaybeConst<BodyDef> B, class Visit>
void visitFields(B& b, Visit&& visit) {
    visit(FieldInfo{.name = "name", .doc = "shown in traces and messages; unique in a scene"}, b.name);
    visit(FieldInfo{.name = "shape", .required = true, .doc = "centred on the body's frame"}, b.shape);
    visit(FieldInfo{.name = "motion", .doc = "what may move the body"}, b.motion);
    visit(FieldInfo{.name = "position", .unit = "m", .low = -kMaxPosition, .high = kMaxPosition, .doc = "of the body's frame"},
          b.position);
    visit(FieldInfo{.name = "orientation", .doc = "unit quaternion x, y, z, w"}, b.orientation);
    visit(FieldInfo{.name = "velocity",
                    .unit = "m/s",
                    .low = -kMaxSpeed,
                    .high = kMaxSpeed,
                    .doc = "of the centre of mass, world axes"},
          b.velocity);
    visit(FieldInfo{.name = "angular_velocity", .unit = "rad/s", .low = -kMaxSpin, .high = kMaxSpin, .doc = "world axes"},
          b.angularVelocity);
    visit(FieldInfo{.name = "material", .doc = "the name of one of the scene's materials, or a material"}, b.material);
    visit(FieldInfo{.name = "mass", .unit = "kg", .low = 0, .high = kMaxMass, .lowExcluded = true, .doc = "overrides density"},
          b.mass);
    visit(FieldInfo{.name = "inertia",
                    .unit = "kg m^2",
                    .low = 0,
                    .lowExcluded = true,
                    .doc = "principal moments about the centre, body axes; overrides the shape's"},
          b.inertia);
    visit(FieldInfo{.name = "linear_damping", .unit = "1/s", .low = 0, .doc = "dv/dt = -c v"}, b.linearDamping);
    visit(FieldInfo{.name = "angular_damping", .unit = "1/s", .low = 0, .doc = "dw/dt = -c w"}, b.angularDamping);
    visit(FieldInfo{.name = "gravity_factor", .low = -1e6, .high = 1e6, .doc = "multiplies the world's gravity"},
          b.gravityFactor);
    visit(FieldInfo{.name = "locked_axes", .doc = "world axes along which (x) or about which (rx) the body may not move"},
          b.lockedAxes);
    visit(FieldInfo{.name = "surface_velocity",
                    .unit = "m/s",
                    .low = -kMaxSpeed,
                    .high = kMaxSpeed,
                    .doc = "the surface moves as a conveyor belt's does, body axes"},
          b.surfaceVelocity);
    visit(FieldInfo{.name = "layer", .low = 0, .high = 4294967295.0, .doc = "bits: the layers this body is in"}, b.layer);
    visit(
        FieldInfo{
            .name = "mask", .low = 0, .high = 4294967295.0, .doc = "bits: the layers it collides with; both sides must agree"},
        b.mask);
    visit(FieldInfo{.name = "sensor", .doc = "reports contacts, feels and exerts no impulse"}, b.sensor);
    visit(FieldInfo{.name = "allow_sleep", .doc = "false: it stays awake, and so does everything it touches"}, b.allowSleep);
    visit(FieldInfo{.name = "sleep_factor",
                    .low = 0,
                    .high = 1e6,
                    .lowExcluded = true,
                    .doc = "multiplies the world's sleep_speed; above 1 it falls asleep more readily"},
          b.sleepFactor);
    visit(FieldInfo{.name = "tolerate_overlap",
                    .doc = "overlap with others when it is added is tolerated until they have separated"},
          b.tolerateOverlap);
    visit(FieldInfo{.name = "user_data", .low = 0, .doc = "a number for the host"}, b.userData);
    visit(FieldInfo{.name = "keyframes", .doc = "the path of a kinematic body; times strictly rising"}, b.keyframes);
    visit(FieldInfo{.name = "fracture", .doc = "how the body breaks; without it, it does not"}, b.fracture);
    visit(FieldInfo{.name = "bonds", .doc = "of a compound: its children are pieces, bonded to each other"}, b.bonds);
    visit(FieldInfo{.name = "deformable", .doc = "fills the shape with tetrahedra that deform; dynamic bodies only"},
          b.deformable);
}

namespace detail {
constexpr FieldInfo strength(std::string_view name, std::string_view unit, std::string_view doc) {
    return {.name = name, .unit = unit, .low = 0, .high = 1e12, .doc = doc};
}
constexpr FieldInfo place(std::string_view name, std::string_view doc) {
    return {.name = name, .unit = "m", .low = -kMaxPosition, .high = kMaxPosition, .doc = doc};
}
}  // namespace detail

template <MaybeConst<JointDrive> D, class Visit>
void visitFields(D& d, Visit&& visit) {
    using detail::place, detail::strength;
    visit(FieldInfo{.name = "axes", .required = true, .doc = "directions in the joint's frame that it acts on, each by itself"},
          d.axes);
    visit(strength("stiffness", "N/m", "of a spring towards rest; N m/rad"), d.stiffness);
    visit(strength("damping", "N s/m", "against speed; N m s/rad"), d.damping);
    visit(FieldInfo{.name = "frequency", .unit = "Hz", .low = 0, .high = 1e6, .doc = "in place of stiffness"}, d.frequency);
    visit(FieldInfo{.name = "damping_ratio", .low = 0, .high = 1e6, .doc = "with frequency; 1 is critical"}, d.dampingRatio);
    visit(place("rest", "where it pulls to, m or rad"), d.rest);
    visit(FieldInfo{.name = "speed", .low = -kMaxSpeed, .high = kMaxSpeed, .doc = "that it seeks, m/s or rad/s"}, d.speed);
    visit(strength("strength", "N", "largest force or torque; without a spring: a motor of this strength"), d.strength);
}

namespace detail {
constexpr double kMaxAngle = 3.15;  // rad: half a turn, and what rounding adds

// Springs, motors and friction of what a joint leaves free.
template <MaybeConst<JointDef> J, class Visit>
void visitDriven(J& j, Visit&& visit) {
    visit(strength("spring_stiffness", "N/m", "of a spring in the free direction"), j.springStiffness);
    visit(strength("spring_damping", "N s/m", "of that spring"), j.springDamping);
    visit(FieldInfo{.name = "spring_frequency", .unit = "Hz", .low = 0, .high = 1e6, .doc = "in place of spring_stiffness"},
          j.springFrequency);
    visit(FieldInfo{.name = "spring_damping_ratio", .low = 0, .high = 1e6, .doc = "with spring_frequency; 1 is critical"},
          j.springDampingRatio);
    visit(place("spring_rest", "where the spring pulls to, m or rad"), j.springRest);
    visit(
        FieldInfo{.name = "spring_rotation", .doc = "ball, cone_twist: the turn of b that the spring pulls to, joint's frame"},
        j.springRotation);
    visit(strength("spring_strength", "N", "largest force of the spring: a motor that seeks a position"), j.springStrength);
    visit(FieldInfo{.name = "motor_speed", .low = -kMaxSpeed, .high = kMaxSpeed, .doc = "m/s or rad/s in the free direction"},
          j.motorSpeed);
    visit(FieldInfo{.name = "motor_velocity",
                    .unit = "rad/s",
                    .low = -kMaxSpin,
                    .high = kMaxSpin,
                    .doc = "ball, cone_twist: how b turns against a, joint's frame"},
          j.motorVelocity);
    visit(strength("motor_strength", "N", "largest force or torque of the motor; 0: no motor"), j.motorStrength);
    visit(strength("friction", "N",
                   "dry friction in the free direction, N or N m; where not given, a cone_twist and a hinge with limits rub a "
                   "little in proportion to their load"),
          j.friction);
    visit(FieldInfo{.name = "drives", .doc = "six_dof: springs and motors of single directions"}, j.drives);
}

template <MaybeConst<JointDef> J, class Visit>
void visitSteering(J& j, Visit&& visit) {
    visit(FieldInfo{.name = "steering",
                    .unit = "rad",
                    .low = -kMaxAngle,
                    .high = kMaxAngle,
                    .doc = "wheel: how far its axle is turned about the axis"},
          j.steering);
    visit(FieldInfo{.name = "steering_limits", .unit = "rad", .low = -kMaxAngle, .high = kMaxAngle, .doc = "low and high"},
          j.steeringLimits);
    visit(strength("steering_stiffness", "N m/rad", "of a spring towards steering; without one the axle is held there"),
          j.steeringStiffness);
    visit(strength("steering_damping", "N m s/rad", "of that spring"), j.steeringDamping);
    visit(FieldInfo{.name = "steering_frequency", .unit = "Hz", .low = 0, .high = 1e6, .doc = "in place of steering_stiffness"},
          j.steeringFrequency);
    visit(FieldInfo{.name = "steering_damping_ratio", .low = 0, .high = 1e6, .doc = "with steering_frequency; 1 is critical"},
          j.steeringDampingRatio);
    visit(strength("steering_strength", "N m", "largest torque of that spring"), j.steeringStrength);
}

// When it flows and breaks, and what it releases.
template <MaybeConst<JointDef> J, class Visit>
void visitBreaking(J& j, Visit& visit) {
    visit(strength("break_force", "N", "load above which it breaks"), j.breakForce);
    visit(strength("break_torque", "N m", "load above which it breaks"), j.breakTorque);
    visit(strength("break_impulse", "N s", "blow above which it breaks; otherwise what break_force bears in 0.05 s"),
          j.breakImpulse);
    visit(FieldInfo{.name = "break_interval",
                    .unit = "s",
                    .low = 0,
                    .high = 1e6,
                    .doc = "least time between breaks of connected joints; each breaks only the most overloaded one"},
          j.breakInterval);
    visit(FieldInfo{.name = "alpha", .low = 0, .high = 1e6, .doc = "share of its stored energy that a break releases"},
          j.alpha);
    visit(strength("yield_force", "N", "load above which a joint with a stiffness flows: its points part for good"),
          j.yieldForce);
    visit(FieldInfo{.name = "ductility",
                    .unit = "m",
                    .low = 0,
                    .high = kMaxSize,
                    .lowExcluded = true,
                    .doc = "how far its points part until the force at which it flows is break_force"},
          j.ductility);
}
}  // namespace detail

// The bodies of a joint are not among its fields: a scene gives their names, a program their handles.
template <MaybeConst<JointDef> J, class Visit>
void visitFields(J& j, Visit&& visit) {
    using detail::place, detail::strength, detail::kMaxAngle;
    visit(FieldInfo{.name = "name", .doc = "shown in messages; unique among the joints of a scene"}, j.name);
    visit(FieldInfo{.name = "type", .required = true, .doc = "what the joint holds"}, j.type);
    visit(place("anchor", "world: the point of a, and of b where anchor_b is not given"), j.anchor);
    visit(place("anchor_b", "world: the point of b"), j.anchorB);
    visit(FieldInfo{.name = "axis", .low = -1e6, .high = 1e6, .doc = "world: what it turns about or slides along"}, j.axis);
    visit(
        FieldInfo{.name = "axle", .low = -1e6, .high = 1e6, .doc = "world: a wheel's spin axis, else the frame's second axis"},
        j.axle);
    visit(FieldInfo{.name = "axis_b", .low = -1e6, .high = 1e6, .doc = "world: the axis of b, where it is not that of a"},
          j.axisB);
    visit(FieldInfo{.name = "axle_b", .low = -1e6, .high = 1e6, .doc = "world: the axle of b, where it is not that of a"},
          j.axleB);
    visit(FieldInfo{.name = "limits",
                    .low = -kMaxPosition,
                    .high = kMaxPosition,
                    .doc = "low and high of the free direction, rad or m; of a distance its length"},
          j.limits);
    visit(FieldInfo{.name = "cone", .unit = "rad", .low = 0, .high = kMaxAngle, .doc = "largest swing of a cone_twist"},
          j.cone);
    visit(FieldInfo{.name = "cone_z",
                    .unit = "rad",
                    .low = 0,
                    .high = kMaxAngle,
                    .lowExcluded = true,
                    .doc = "largest swing about the frame's third axis; cone is then that about its axle"},
          j.coneZ);
    visit(FieldInfo{.name = "free_axes", .doc = "six_dof: free directions in the joint's frame"}, j.freeAxes);
    visit(place("linear_low", "six_dof: least position along each axis"), j.linearLow);
    visit(place("linear_high", "six_dof: largest position; equal to linear_low: held"), j.linearHigh);
    visit(FieldInfo{.name = "angular_low", .unit = "rad", .low = -kMaxAngle, .high = kMaxAngle, .doc = "six_dof: least angle"},
          j.angularLow);
    visit(
        FieldInfo{.name = "angular_high", .unit = "rad", .low = -kMaxAngle, .high = kMaxAngle, .doc = "six_dof: largest angle"},
        j.angularHigh);
    visit(strength("stiffness", "N/m", "of what is held; 0 is rigid"), j.stiffness);
    visit(strength("damping", "N s/m", "of what is held"), j.damping);
    visit(
        FieldInfo{
            .name = "frequency", .unit = "Hz", .low = 0, .high = 1e6, .doc = "of the held directions, in place of stiffness"},
        j.frequency);
    visit(FieldInfo{.name = "damping_ratio", .low = 0, .high = 1e6, .doc = "with frequency; 1 is critical"}, j.dampingRatio);
    detail::visitDriven(j, visit);
    detail::visitSteering(j, visit);
    visit(FieldInfo{.name = "collide_connected", .doc = "whether the two bodies collide with each other"}, j.collideConnected);
    detail::visitBreaking(j, visit);
    visit(FieldInfo{.name = "user_data", .low = 0, .doc = "a number for the host"}, j.userData);
}

template <MaybeConst<WorldDef> W, class Visit>
void visitFields(W& w, Visit&& visit) {
    visit(FieldInfo{.name = "gravity", .unit = "m/s^2", .low = -1e6, .high = 1e6, .doc = "y is up"}, w.gravity);
    visit(FieldInfo{.name = "stepper", .doc = "the name of a stepper, or an object with its type and options"},
          StepperChoice<W>{w});
    visit(FieldInfo{.name = "energy_fix", .doc = "rotation keeps its kinetic energy [Su09] 2"}, w.energyFix);
    visit(FieldInfo{.name = "impulse_clamp", .doc = "no contact impulse may add kinetic energy [Su09] 3.2"}, w.impulseClamp);
    visit(FieldInfo{.name = "restitution_threshold", .unit = "m/s", .low = 0, .doc = "slower impacts do not bounce"},
          w.restitutionThreshold);
    visit(FieldInfo{.name = "sleeping", .doc = "bodies at rest are put to sleep (never by the stepper impulse)"}, w.sleeping);
    visit(FieldInfo{.name = "sleep_time",
                    .unit = "s",
                    .low = 0,
                    .high = 1e6,
                    .lowExcluded = true,
                    .doc = "an island sleeps once all its bodies have rested this long"},
          w.sleepTime);
    visit(FieldInfo{.name = "sleep_speed",
                    .unit = "m/s",
                    .low = 0,
                    .high = kMaxSpeed,
                    .lowExcluded = true,
                    .doc = "a body rests while no point of it moves on faster than this"},
          w.sleepSpeed);
    visit(FieldInfo{.name = "most_pieces_per_step",
                    .low = 2,
                    .high = 1e6,
                    .doc = "breaks that would exceed this wait for the next step"},
          w.mostPiecesPerStep);
    visit(
        FieldInfo{
            .name = "most_pieces", .low = 2, .high = 1e6, .doc = "in the world at a time; breaks that would exceed this wait"},
        w.mostPieces);
    visit(FieldInfo{.name = "most_debris",
                    .low = 0,
                    .high = 1e6,
                    .doc = "pieces below their debris_volume at a time: the oldest beyond are removed; 0: no limit"},
          w.mostDebris);
    visit(FieldInfo{.name = "breaking_budget",
                    .unit = "s",
                    .low = 0,
                    .high = 1e3,
                    .doc = "about how long the breaks of a step may take on one core, counted as work, so that replays agree: "
                           "further ones wait for the next step; 0: no limit"},
          w.breakingBudget);
    visit(FieldInfo{.name = "rewinds",
                    .low = 0,
                    .high = 100,
                    .doc =
                        "how often a step, or a part of it, may be solved again without the joints and bonds that broke in it"},
          w.rewinds);
    visit(FieldInfo{.name = "release", .doc = "how the energy of broken joints and bonds becomes motion"}, w.release);
    visit(FieldInfo{.name = "scatter", .doc = "random tilts of fast collisions, in any stepper [Egan03] 4.2"}, w.scatter);
    visit(FieldInfo{.name = "persist_events", .doc = "off: contact events only for contacts that begin or end"},
          w.persistEvents);
    visit(FieldInfo{.name = "threads", .low = 1, .high = 1024, .doc = "results do not depend on it"}, w.threads);
}

}  // namespace sunder
