// Reports of a step. The arrays are valid until the next step; their order does not depend on threads.
#pragma once

#include <string>
#include <vector>

#include "sunder/types.h"

namespace sunder {

enum class ContactPhase : std::uint8_t { Begin, Persist, End };

// What two bodies did to each other in a step. Begin: they touch, and did not at the end of the step before. Persist (see
// WorldDef::persistEvents): they still do. End: they no longer do; it has no impulse. Two that bounce off each other within a
// step touch in it: Begin in that step, End in the next. A sensor touches whatever came into it on its way through the step.
struct ContactEvent {
    ContactPhase phase = ContactPhase::Begin;
    BodyId a, b;  // a was added before b
    bool sensor = false;
    // m, world: where they first met in the step, on both their surfaces as these were at that moment, wherever the step has
    // left the bodies; touches that are weak beside the hardest blow do not count. Bodies that hardly move: where they touch
    // now. Of convex shapes the mean of the points that touched then, weighted by impulse: the middle of a face that landed
    // flat. Zero for sensors.
    Vec3 point;
    Vec3 normal;       // unit, from a to b, of the surfaces there
    Real impulse = 0;  // N s along the normals over the whole step
    Real frictionImpulse = 0;
    Real penetration = 0;  // m, deepest point; negative when apart
};

// A collision that Stepper::Timewarp or Stepper::TimewarpSafer resolved, in the order of time. Two bodies may collide several
// times in a step. Slow meetings are contact and not listed.
struct CollisionEvent {
    BodyId a, b;       // a was added before b
    double time = 0;   // s, of the world
    Real speed = 0;    // m/s: of approach, at the point that approached fastest
    Real impulse = 0;  // N s along the normals
};

// A body that fell asleep or was woken. First those woken, in order, by calls since the last step and by the step itself; then
// those that fell asleep, in the order they were added. A body that was removed after it was woken is still named.
//
// A contact keeps its phase while both its bodies sleep, or one sleeps and the other stays where it is: no event when it falls
// asleep and none while it sleeps. Once awake it reports Persist, or End where it has separated.
struct SleepEvent {
    BodyId body;
    bool asleep = false;
};

// What decided that a body breaks.
enum class BreakRule : std::uint8_t {
    Call,       // a call asked for it
    Blow,       // a blow exceeded the threshold of its fracture
    Strength,   // a crack started where the tension exceeded the strength of the material
    Grains,     // a crack started where the tension exceeded the strength of a boundary between grains
    Toughness,  // a crack from an earlier blow went on: the tension ahead of it exceeded what the toughness holds
    Bonds,      // bonds between its pieces were overloaded
    Tear        // it is deformable and tore
};
// "call", "blow", ...: as in traces.
constexpr const char* nameOf(BreakRule rule) {
    switch (rule) {
        case BreakRule::Call: return "call";
        case BreakRule::Blow: return "blow";
        case BreakRule::Strength: return "strength";
        case BreakRule::Grains: return "grains";
        case BreakRule::Toughness: return "toughness";
        case BreakRule::Bonds: return "bonds";
        case BreakRule::Tear: return "tear";
    }
    return "";
}

// A body that broke. Its handle is no longer valid; its pieces are bodies. Events are in the order of the breaks: a piece may
// break in the same step. World::surface() gives the pieces' surfaces at once.
// A deformable body that tears apart stays, as the largest part of itself; its pieces are the others.
struct BreakEvent {
    static constexpr std::uint32_t kNoElement = 0xffffffffu;
    BodyId body;
    Vec3 point;        // m, world
    Vec3 normal;       // unit, out of the body
    Real impulse = 0;  // N s of the blow
    std::vector<BodyId> pieces{};
    // Of a body that cracks by stress: the largest tension over what the material bears there, before the first new crack (Pa),
    // and the tetrahedron of the body's mesh in which it was. 0 and kNoElement of others.
    Real stress = 0;
    std::uint32_t element = kNoElement;
    BreakRule rule = BreakRule::Call;
};

// A face that opened in a body that tore: where dust comes from.
struct TornFace {
    Vec3 point;     // m, world: its middle
    Vec3 normal;    // unit, world
    Real area = 0;  // m^2, one side
};

// A grain of dust that flies from a face that opened, see DeformableDef::dust. Drawn only: nothing feels it.
struct DustGrain {
    Vec3 position;  // m, world
    Vec3 velocity;  // m/s
    Real size = 0;  // m: its radius
    Real age = 0;   // s
};

// A deformable body that tore, whether or not it came apart. In the order of the tears.
struct TearEvent {
    BodyId body;
    Vec3 point;       // m, world: the node that opened first
    Vec3 normal;      // unit: of the crack there
    Real stress = 0;  // Pa: the tension there
    Real area = 0;    // m^2: of the faces that opened, one side
    std::vector<TornFace> faces{};
};

// A body that a blow dented for good: it is the same body with another shape, a level set (Stressed::pliability).
struct DentEvent {
    BodyId body;
    Vec3 point;       // m, world: the point of the surface that moved most, as it is now
    Real depth = 0;   // m: how far it moved
    Real stress = 0;  // Pa: the largest equivalent stress (von Mises) of the blow
    Real work = 0;    // J that the dent took
};

// A bond that broke, in the order of the breaks. Where the body comes apart, it is replaced by its connected components
// (BreakEvent).
struct BondEvent {
    BodyId body;             // the body it belonged to
    std::uint32_t bond = 0;  // index among the body's bonds before the break
    Vec3 point;              // m, world
    // N, N m on piece b about the point, world axes: the load, or the blow divided by 1/30 s.
    Vec3 force, torque;
    bool isImpact = false;
    double storedEnergy = 0;  // J
};

// A body whose state stopped being finite is taken out of the simulation and reported here.
struct ErrorEvent {
    BodyId body;
    std::string message;
};

}  // namespace sunder
