// The full record of a body. Solver passes do not touch it: they work on a SolverBody filled from it each step.
//
// Two frames: the user's body frame, in which shapes are given, and the principal frame, whose origin is the centre of mass
// and in whose axes the inertia is diagonal. State is kept for the principal frame.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collision/built_shape.h"
#include "core/rare.h"
#include "math/quat.h"
#include "sunder/definitions.h"
#include "world/record/body_vertices.h"
#include "world/record/bonded.h"
#include "world/record/collider.h"
#include "world/record/deformable_body.h"
#include "world/record/stress_record.h"

namespace sunder::world {

// How a body breaks: its own threshold, and the level set that is cut.
struct BodyFracture {
    FractureDef def;    // as given; of a piece, with its own threshold and the generations that are left
    SharedShape solid;  // in the body's frame; the body's own shape where that is a level set
    // Aligned patterns are sampled once for the grid of the added body, and used again for its pieces.
    Real alignedScale = 0;  // m per unit of the pattern
    std::array<std::int32_t, 3> alignedNodes{};
    Real damage = 0;        // share of the threshold that earlier blows have used up
    Real face = 0;          // m^2: volume^(2/3), the factor on the material's fracture impulse
    StressMemory stress{};  // where its method is Stressed
};

// Who it is.
struct BodyIdentity {
    bool alive = false;
    std::uint32_t generation = 0;
    std::uint64_t serial = 0;  // counts all bodies ever added: the order of bodies(), events and sums
    std::string name;
    std::uint64_t userData = 0;
    BodyId parent;            // of a piece: the body it broke off
    std::uint64_t birth = 0;  // of a piece: the number of that break
};

// What it is, as its definition and later calls say.
struct BodyTraits {
    Motion motion = Motion::Static;
    SharedShape shape;
    Rare<Shape> shapeAsGiven;  // where that was a SharedShape; otherwise shape->definition is what was given
    Material material;
    std::optional<Real> massOverride;
    std::optional<Vec3> inertiaOverride;
    std::optional<Vec3> centerOverride;
    Real linearDamping = 0, angularDamping = 0, gravityFactor = 1;
    std::uint8_t lockedAxes = 0;
    Vec3 surfaceVelocity;
    std::uint32_t layer = 1, mask = 0xffffffffu;
    bool sensor = false;
    bool allowSleep = true;
    Real sleepFactor = 1;
    std::vector<Keyframe> keyframes;
};

// Mass, from shape and material; zero for static and kinematic bodies.
struct BodyMass {
    Pose bodyFromPrincipal;
    Real mass = 0, inverseMass = 0;
    Vec3 principalInertia, inversePrincipalInertia;
};

// Where it is and how it moves.
struct BodyMotion {
    WorldPoint center;
    Quat orientation;  // worldFromPrincipal
    Vec3 velocity, angularVelocity;
    Vec3 formerVelocity, formerAngularVelocity;  // at the end of the step before
    Vec3 force, torque;                          // N, N m, for the next step
    std::optional<Pose> target;  // of the user's frame: where a kinematic body must be at the end of the next step
    bool quarantined = false;    // its state stopped being finite: it is left out of all steps
};

// How it comes to rest (see sleep/sleep.h).
struct BodyRest {
    std::uint32_t island = kNone;  // into SleepState::islands; kNone while awake
    Real restTime = 0;             // s since its rest began
    Real placeTime = 0;            // s since it has been at this place
    WorldPoint placeCenter, meanCenter;
    Quat placeOrientation, meanOrientation;
};

// Its indices in other records of the world.
struct BodyPlaces {
    std::uint32_t proxy = kNone;    // of its first collider, which is the only one of a rigid body
    std::uint32_t solverIndex = 0;  // into SolveState::bodies; while asleep that of the fixed body
    bool isFresh = false;           // no search has seen it since it was added: overlaps found then are tolerated
};

// A function that needs one of these records takes that record; persist/state_visit.h names every field of each.
struct Body : BodyIdentity, BodyTraits, BodyMass, BodyMotion, BodyRest, BodyPlaces {
    Rare<BodyFracture> fracture;
    Rare<BodyBonds> bonds;
    Rare<BodyVertices> vertices;
    Rare<DeformableBody> solid;  // beside vertices, which are its nodes
};

// N s: the blow beyond which a breakable body breaks.
inline Real thresholdOf(const Body& body) {
    const BodyFracture& fracture = *body.fracture;
    if (fracture.def.threshold > 0)
        return fracture.def.threshold;
    return body.material.fractureImpulse > 0 ? body.material.fractureImpulse * fracture.face : kInfinity;
}

inline std::uint32_t colliderCount(const Body& body) {
    return body.vertices ? static_cast<std::uint32_t>(body.vertices->colliders.size()) : 1;
}
// m: radius of a ball about the origin of its frame that contains the body.
inline Real boundingRadius(const Body& body) { return body.vertices ? radiusOf(*body.vertices) : body.shape->boundingRadius; }
inline std::uint32_t proxyOf(const Body& body, std::uint32_t child) {
    return child == 0 ? body.proxy : body.vertices->colliders[child].proxy;
}

inline bool isAsleep(const Body& body) { return body.island != kNone; }

inline Quat userOrientation(const Body& body) { return body.orientation * conjugate(body.bodyFromPrincipal.orientation); }
inline WorldPoint userPosition(const Body& body) {
    return body.center + rotate(userOrientation(body), -body.bodyFromPrincipal.position);
}
// Where the shape is, relative to the centre of mass, in world axes.
inline Pose shapePose(const Body& body, const Quat& worldFromPrincipal) {
    const Quat q = worldFromPrincipal * conjugate(body.bodyFromPrincipal.orientation);
    return {rotate(q, -body.bodyFromPrincipal.position), q};
}

}  // namespace sunder::world
