// Unit, range and meaning of the options of each stepper, and of those that all have.
#pragma once

#include "sunder/definitions.h"
#include "sunder/describe/field_info.h"

namespace sunder {

// What several steppers have.
namespace stepper_fields {
inline constexpr FieldInfo kCollisionPasses{
    .name = "collision_passes", .low = 0, .high = 1000, .doc = "passes of the collision phase"};
inline constexpr FieldInfo kContactPasses{
    .name = "contact_passes", .low = 0, .high = 1000, .doc = "passes of the contact phase"};
inline constexpr FieldInfo kShockPasses{
    .name = "shock_passes", .low = 0, .high = 1000, .doc = "upward sweeps with finished levels infinitely heavy"};
inline constexpr FieldInfo kLiftRate{.name = "lift_rate",
                                     .unit = "1/s",
                                     .low = 0,
                                     .high = 1e4,
                                     .doc = "share of an overlap that lifting closes per second; 0: bodies are not lifted"};
inline constexpr FieldInfo kAnalytic{.name = "analytic",
                                     .doc = "contact forces by Baraff's pivoting method in place of passes"};
inline constexpr FieldInfo kAnalyticPoints{
    .name = "analytic_points",
    .low = 1,
    .high = 5000,
    .doc = "most contact points of a group of bodies that is solved so; larger ones are solved by passes"};
inline constexpr FieldInfo kEnergyGuard{.name = "energy_guard",
                                        .doc = "no island may end a step with more energy than it was given"};
}  // namespace stepper_fields

template <MaybeConst<FrameRateOptions> F, class Visit>
void visitFields(F& f, Visit&& visit) {
    visit(FieldInfo{.name = "substep_rate",
                    .unit = "Hz",
                    .low = 0,
                    .high = 1e6,
                    .lowExcluded = true,
                    .doc = "a step of dt is cut into ceil(dt * substep_rate) solver substeps"},
          f.substepRate);
    visit(FieldInfo{.name = "recovery_rate",
                    .unit = "1/s",
                    .low = 0,
                    .high = 1e4,
                    .lowExcluded = true,
                    .doc = "an overlap is repaired at this rate times its depth"},
          f.recoveryRate);
    visit(
        FieldInfo{.name = "recovery_speed", .unit = "m/s", .low = 0, .high = kMaxSpeed, .doc = "fastest repair of an overlap"},
        f.recoverySpeed);
    visit(FieldInfo{.name = "mass_ratio",
                    .low = 0,
                    .doc = "light bodies that carry ones this many times heavier are solved as a block; 0: never"},
          f.massRatio);
    visit(stepper_fields::kLiftRate, f.liftRate);
    visit(stepper_fields::kEnergyGuard, f.energyGuard);
    visit(
        FieldInfo{.name = "without", .doc = "mechanisms that are switched off, for measuring (docs/step.md); none by default"},
        f.without);
}

template <MaybeConst<ImpulseOptions> I, class Visit>
void visitFields(I& i, Visit&& visit) {
    visit(stepper_fields::kCollisionPasses, i.collisionPasses);
    visit(stepper_fields::kContactPasses, i.contactPasses);
    visit(stepper_fields::kShockPasses, i.shockPasses);
    visit(stepper_fields::kLiftRate, i.liftRate);
    visit(stepper_fields::kEnergyGuard, i.energyGuard);
    visit(FieldInfo{.name = "rotation", .doc = "split: exact turns; one_step: one explicit step, as the papers have it"},
          i.rotation);
}

// The damping model of the stepper `damped`.
template <MaybeConst<DampedOptions> D, class Visit>
void visitDamping(D& d, Visit& visit) {
    visit(FieldInfo{.name = "contact_damping",
                    .unit = "1/s",
                    .low = 0,
                    .high = 1e4,
                    .doc = "a body that rests on another loses its speed over that at this rate"},
          d.contactDamping);
    visit(FieldInfo{.name = "spin_damping", .unit = "1/s", .low = 0, .high = 1e4, .doc = "the same of its spin"},
          d.spinDamping);
    visit(FieldInfo{.name = "chatter_speed",
                    .low = 0,
                    .high = 1,
                    .doc = "share of sqrt(g r), r the radius of a body, below which it chatters"},
          d.chatterSpeed);
    visit(FieldInfo{.name = "chatter_damping",
                    .unit = "1/s",
                    .low = 0,
                    .high = 1e4,
                    .doc = "damping of speed and spin of what chatters"},
          d.chatterDamping);
    visit(FieldInfo{.name = "rest_share",
                    .low = 0,
                    .high = 1,
                    .doc = "share of the speed that gravity gives in a step, below which a body is put to rest"},
          d.restShare);
    visit(FieldInfo{.name = "align_angle_degrees",
                    .low = 0,
                    .high = 20,
                    .doc = "a face that lies on another within this angle is turned flat on it"},
          d.alignAngleDegrees);
    visit(FieldInfo{.name = "align_rate", .unit = "1/s", .low = 0, .high = 1e4, .doc = "share of that angle closed per second"},
          d.alignRate);
    visit(stepper_fields::kLiftRate, d.liftRate);
}

template <MaybeConst<DampedOptions> D, class Visit>
void visitFields(D& d, Visit&& visit) {
    visit(stepper_fields::kCollisionPasses, d.collisionPasses);
    visit(stepper_fields::kContactPasses, d.contactPasses);
    visitDamping(d, visit);
    visit(FieldInfo{.name = "stability", .doc = "geometrically stable bodies count as immovable where analytic is on"},
          d.stability);
    visit(stepper_fields::kAnalytic, d.analytic);
    visit(stepper_fields::kAnalyticPoints, d.analyticPoints);
    visit(stepper_fields::kEnergyGuard, d.energyGuard);
}

template <MaybeConst<ScatterOptions> S, class Visit>
void visitFields(S& s, Visit&& visit) {
    visit(FieldInfo{.name = "speed",
                    .unit = "m/s",
                    .low = 0,
                    .high = kMaxSpeed,
                    .doc = "the normal of a faster collision is tilted at random; 0: of none"},
          s.speed);
    visit(FieldInfo{.name = "degrees", .low = 0, .high = 30, .doc = "largest of these tilts"}, s.degrees);
    visit(FieldInfo{.name = "seed", .low = 0, .doc = "of these tilts"}, s.seed);
}

template <MaybeConst<TimewarpOptions> T, class Visit>
void visitFields(T& t, Visit&& visit) {
    visit(
        FieldInfo{.name = "swept",
                  .doc = "collisions are found along the ways of bodies; false: only where they overlap at the end of a step"},
        t.swept);
    visit(FieldInfo{.name = "events_per_body",
                    .low = 1,
                    .high = 10000,
                    .doc = "most collisions of a step, per moving body; the rest is left to contact"},
          t.eventsPerBody);
    visit(stepper_fields::kContactPasses, t.contactPasses);
    visit(stepper_fields::kShockPasses, t.shockPasses);
    visit(stepper_fields::kLiftRate, t.liftRate);
    visit(stepper_fields::kAnalytic, t.analytic);
    visit(stepper_fields::kAnalyticPoints, t.analyticPoints);
    visit(stepper_fields::kEnergyGuard, t.energyGuard);
}

}  // namespace sunder
