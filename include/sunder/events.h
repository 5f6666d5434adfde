// What a step reports. The arrays are valid until the next step; their order does not depend on threads.
#pragma once

#include <string>
#include <vector>

#include "sunder/types.h"

namespace sunder {

enum class ContactPhase : std::uint8_t { Begin, Persist, End };

struct ContactEvent {
    ContactPhase phase = ContactPhase::Begin;
    BodyId a, b;  // a was added before b
    bool sensor = false;
    Vec3 point;        // m, world: mean of the touching points
    Vec3 normal;       // unit, from a to b, of the deepest manifold
    Real impulse = 0;  // N s along the normals over the whole step
    Real frictionImpulse = 0;
    Real penetration = 0;  // m, deepest point; negative when apart
};

// A body that fell asleep or was woken. First those woken, in the order in which that happened, by calls since the last step
// and by the step itself; then those that fell asleep, in the order they were added. A body removed since it was woken is still
// named.
//
// A contact keeps its phase while both its bodies sleep, or one sleeps and the other stays where it is: no event as it falls
// asleep and none while it sleeps; Persist, or End where it has parted, once it is awake again.
struct SleepEvent {
    BodyId body;
    bool asleep = false;
};

// A body that broke. Its handle is no longer valid; its pieces are bodies. In the order in which that happened: a piece may
// break in the same step. World::surface() has the pieces' surfaces at once.
struct BreakEvent {
    BodyId body;
    Vec3 point;        // m, world
    Vec3 normal;       // unit, out of the body
    Real impulse = 0;  // N s of the blow
    std::vector<BodyId> pieces{};
};

// A bond that broke, in the order in which that happened. Where it held two parts together, the body is replaced by its parts
// (BreakEvent).
struct BondEvent {
    BodyId body;             // that it belonged to
    std::uint32_t bond = 0;  // number among the body's bonds before the break
    Vec3 point;              // m, world
    // N, N m on the piece b about the point, world axes: of the load, or of the blow over 1/30 s.
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
