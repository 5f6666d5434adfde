// The largest share of a contact or collision impulse that adds no kinetic energy [Su09] 3.2.
//
// The impulse j and the angular impulse t act on body A, their opposites on its partner. Velocities, inertias and centres
// must live at one time [Su09] 3.1: x^n, v^n in a collision phase, x^(n+1), v^(n+1) in the velocity update's contact
// phase. Deviation: the arms run from those centres to ONE common world point; the paper takes them from the split state,
// which makes the pair gain angular momentum -dt (v_a - v_b) x j.
//
// A resting contact needs its impulse increment, not its total, judged: the total against a state that already holds the
// contact's own support looks like added energy and would be dropped.
#pragma once

#include "dynamics/body/solver_body.h"

namespace sunder::dynamics {

struct ClampBody {
    Vec3 velocity;         // of the centre of mass
    Vec3 angularVelocity;  // world axes
    Real inverseMass = 0;
    Sym3 inverseInertia;  // world axes
};

inline ClampBody clampBody(const SolverBody& body) {
    return {body.velocity, body.angularVelocity, max(max(body.inverseMass.x, body.inverseMass.y), body.inverseMass.z),
            body.inverseInertia};
}

struct ClampImpulse {
    Vec3 linear;   // j, N s
    Vec3 angular;  // t, N m s, beyond the moment of j at the contact point
};

// Motion of a partner that impulses cannot move, at the contact point; the default is at rest.
struct ClampSurface {
    Vec3 pointVelocity;
    Vec3 angularVelocity;
};

// Factor in [0, 1] for an impulse between two dynamic bodies; armA and armB run from their centres to the contact point.
Real energyClampFactor(const ClampBody& a, const Vec3& armA, const ClampBody& b, const Vec3& armB, const ClampImpulse& impulse);

// Factor in [0, 1] against a static or kinematic partner. Energy is measured in the frame of the partner's surface, so that an
// elevator can still lift.
Real energyClampFactor(const ClampBody& a, const Vec3& armA, const ClampSurface& partner, const ClampImpulse& impulse);

}  // namespace sunder::dynamics
