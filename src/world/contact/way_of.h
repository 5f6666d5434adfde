// The way that a body of the solver has gone through the step.
#pragma once

#include "world/pair/motion_bounds.h"
#include "world/state/state.h"

namespace sunder::world {

// m/s: mean velocity in the step if only forces act.
inline Vec3 velocityBefore(const SolveState& solve, const Body& body, Real dt) {
    return body.velocity + solve.constants[body.solverIndex].acceleration * (dt / 2);
}

inline BentWay wayOf(const SolveState& solve, const Body& body, Real dt) {
    const dynamics::SolverBody& solver = solve.bodies[body.solverIndex];
    return bentWay(velocityBefore(solve, body, dt), solver.velocity, solver.displacement, dt);
}

// m: where the body is on its way at a time, relative to its centre at the start. After the bend this is end - u1 (dt - t): a
// blow that acts there keeps angular momentum, because the body goes on from the same place.
inline Vec3 placeOn(const BentWay& way, Real time, const Vec3& end, Real dt) {
    if (time < way.time)
        return way.bend * (time / way.time);
    return dt > way.time ? way.afterBend + (end - way.afterBend) * ((time - way.time) / (dt - way.time)) : end;
}

}  // namespace sunder::world
