// A body as the search for contacts sees it: where it is, and how it will move during the step if nothing stops it.
#pragma once

#include "world/pair/mixing.h"
#include "world/record/body.h"

namespace sunder::world {

// Filled once per step for each moving body, so that pairs need not gather it from the full records.
struct Flight {
    // First, for the cache, the fields that tell whether two bodies are far apart.
    WorldPoint center;
    Pose shapePose;                    // relative to the centre, in world axes
    Real radius = 0, innerRadius = 0;  // of the shape
    Real cell = kInfinity;             // m: the side of a cell of its level set, infinite where it is none
    Real speed = 0, turning = 0;       // m/s, largest: of the centre, and of the surface about it
    Real startSpeed = 0, fall = 0;     // m/s: speed of the centre before forces act, and what they add in the step
    std::uint64_t stamp = 0;           // of the step it was filled in for
    std::uint32_t slot = 0;            // of its body
    bool fixed = false;                // static or asleep: the solver's fixed body
    bool isLevelSet = false;           // or has one among its children
    bool isShell = false;              // thin walls, many of them
    bool isHeld = true;                // it moves so little that something must hold it against its weight
    bool mayRoll = false;              // it is, or has as a child, a ball, capsule or cylinder, see roundPart
    Quat orientation;                  // worldFromPrincipal
    Vec3 velocity, angularVelocity;    // with what forces add in the step
    Vec3 drift, driftTurn;             // means of the velocities at the ends of the last two steps
    Bounds swept;                      // of the shape along the step, in the world
    // Copied to its contacts
    std::uint32_t solverIndex = 0;
    std::optional<Real> rollingFriction, spinningFriction;  // of its material
    bool isDynamic = false;
    bool deforms = false;  // it has vertices: radius and turning are those of the vertices, and VertexSearch finds its contacts
    Real friction = 0, restitution = 0;
    Vec3 surfaceVelocity;  // world axes
    const Body* body = nullptr;
    const BuiltShape* shape = nullptr;
};

inline bool isMesh(const Flight& flight) { return flight.shape->type == ShapeType::Mesh; }

// acceleration: of gravity and forces, as the solver applies them.
Flight flightOf(const Body& body, const Vec3& acceleration, Real dt);

// A moment within the step, and how bodies get there: on their flights or, where they hold each other against what would make
// them fall, as they drift. Drift is a mean of two steps, so that what trembles from one step to the next is not taken for
// motion.
struct Moment {
    Real time = 0;  // s
    bool areHeld = false;
};
inline const Vec3& velocityTo(const Moment& moment, const Flight& flight) {
    return moment.areHeld ? flight.drift : flight.velocity;
}
inline const Vec3& turnTo(const Moment& moment, const Flight& flight) {
    return moment.areHeld ? flight.driftTurn : flight.angularVelocity;
}

// Relative to the body's own centre at the start of the step.
Pose shapePoseAt(const Flight& flight, const Moment& moment);

// The ball, capsule or cylinder that touches at a child of a body that moves: the child of a compound, or the whole shape. Its
// points of contact do not turn with the body. Null where what touches is not round, such as the cap of a cylinder that faces
// along the normal (world axes).
const BuiltShape* roundPart(const Flight& flight, std::uint32_t child, const Vec3& normal);
Pose principalFromPart(const Flight& flight, std::uint32_t child);

}  // namespace sunder::world
