// The state of a body while a step is solved: the numbers that every pass over the contacts reads or writes, and nothing else.
//
//   velocity, angularVelocity      written by every pass
//   inverseMass, inverseInertia    read by every pass; world axes, the inertia follows the orientation
//   displacement, turned, orientation      written once a substep
//   freeVelocity, freeAngularVelocity      velocities before contacts acted; the difference to now is what contacts did
//
// Positions are kept as a displacement since the start of the step, so that small motions are not rounded away far from the
// origin. Entry 0 of the array stands for everything that never moves. The fields lie in the order in which the wide solver
// reads them, four numbers at a time.
#pragma once

#include "math/quat.h"

namespace sunder::dynamics {

inline constexpr std::uint32_t kFixedBody = 0;  // entry of the solver's array that no impulse moves

struct alignas(64) SolverBody {
    Vec3 velocity;
    Vec3 angularVelocity;
    Vec3 inverseMass;     // per world axis: a locked axis has none
    Sym3 inverseInertia;  // world axes; zero for kinematic and fixed bodies
    Real unused = 0;
    Vec3 displacement;
    Vec3 turned;       // rad: the sum of the body's small turns since the start of the step
    Quat orientation;  // worldFromPrincipal
    // Velocities of this substep before any contact acted; velocity - freeVelocity is what the contacts gave. While the body
    // moves, freeAngularVelocity changes so that the angular impulse of the contacts stays constant.
    Vec3 freeVelocity;
    Vec3 freeAngularVelocity;
};

// What stays constant during a step. The fields lie in the order of the wide reads here too.
struct alignas(8 * sizeof(Real)) SolverBodyConstants {
    Vec3 acceleration;      // m/s^2: gravity and forces
    Real mass = 0;          // kg; zero for kinematic bodies
    Vec3 principalInertia;  // kg m^2; zero for kinematic bodies
    Real linearDamping = 0;
    Vec3 inversePrincipalInertia;
    Real angularDamping = 0;
    Vec3 torque;  // N m
    std::uint8_t lockedAxes = 0;
    bool isDynamic = false;
    Vec3 centerFromFirst;  // m: the body's centre at the start of the step, relative to that of the first moving body
    Real radius = 0;       // m: of the ball about the centre of mass that holds the body
};

inline Vec3 velocityAt(const SolverBody& body, const Vec3& arm) { return body.velocity + cross(body.angularVelocity, arm); }

// Whether impulses move the body. Threads share bodies that no impulse moves, so no thread may write them, not even to store
// the value that is there.
inline bool canMove(const SolverBody& body) {
    return body.inverseMass.x + body.inverseMass.y + body.inverseMass.z > 0 ||
           body.inverseInertia.xx + body.inverseInertia.yy + body.inverseInertia.zz > 0;
}

inline void applyImpulse(SolverBody& body, const Vec3& impulse, const Vec3& arm) {
    body.velocity += multiply(body.inverseMass, impulse);
    body.angularVelocity += body.inverseInertia * cross(arm, impulse);
}

}  // namespace sunder::dynamics
