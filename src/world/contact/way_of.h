// The way that a body of the solver has gone through the step.
#pragma once

#include "world/pair/motion_bounds.h"
#include "world/state/state.h"

namespace sunder::world {

// m/s: mean velocity in the step if nothing but forces acts.
inline Vec3 velocityBefore(const SolveState& solve, const Body& body, Real dt) {
    return body.velocity + solve.constants[body.solverIndex].acceleration * (dt / 2);
}

inline BentWay wayOf(const SolveState& solve, const Body& body, Real dt) {
    const dynamics::SolverBody& solver = solve.bodies[body.solverIndex];
    return bentWay(velocityBefore(solve, body, dt), solver.velocity, solver.displacement, dt);
}

// Where the body is on its way, relative to its centre at the start. From the bend on this is end - u1 (dt - t): a blow that
// acts there keeps the angular momentum, since the body then goes on from the same place.
inline Vec3 placeOn(const BentWay& way, Real time, const Vec3& end, Real dt) {
    if (time < way.time)
        return way.bend * (time / way.time);
    return dt > way.time ? way.afterBend + (end - way.afterBend) * ((time - way.time) / (dt - way.time)) : end;
}

}  // namespace sunder::world
