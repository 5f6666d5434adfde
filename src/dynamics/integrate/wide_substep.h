// Moves kLanes bodies through a substep at once: those under load, which turn little and whose motion contacts decide.
//
// A body in free flight or in a fast spin takes the exact path of substep.h; only there are its energy and its flips to be
// kept for minutes. For the others a midpoint step is enough: the angular momentum is kept, and the error of the energy is
// third order in an angle of at most kSlowTurn.
#pragma once

#include "dynamics/body/solver_body.h"

namespace sunder::dynamics {

inline constexpr Real kSlowTurn = Real(0.05);  // rad in a substep

// The way that a body is foreseen to go in a step (contact/schedule/waiting.h), four numbers as the wide reads want them.
struct BodyWay {
    Real length = 0;         // m: for every point of the body
    Real halfSquare = 0;     // of the length
    Real radiusSquared = 0;  // of the body, about its centre
    Real unused = 0;
};

// m^2: half the square of what it will have gone two substeps ahead, at most; that far ahead contacts are active that are about
// to touch. (d + t)^2 <= 2 d^2 + 2 t^2 saves two roots.
inline Real halfSquareAhead(const SolverBody& body, const BodyWay& way, Real h) {
    const Vec3 moved = body.displacement + body.velocity * (2 * h), turned = body.turned + body.angularVelocity * (2 * h);
    return lengthSquared(moved) + way.radiusSquared * lengthSquared(turned);
}
// Whether it is about to leave that way.
inline bool strays(const SolverBody& body, const BodyWay& way, Real h) {
    return !(halfSquareAhead(body, way, h) <= way.halfSquare);
}

// Bits of bodies, of kLanes that follow each other.
struct MovedLanes {
    std::uint32_t moved = 0;    // they were under load and slow; the others are as they were
    std::uint32_t strayed = 0;  // of the former: see strays
};

// What never changes within a step. The rest of it, load and speed, the wide form finds by itself.
inline bool mayMoveWide(const SolverBodyConstants& constants) { return constants.isDynamic && constants.lockedAxes == 0; }

inline bool isLoadedAndSlow(const SolverBody& body, const SolverBodyConstants& constants, Real h) {
    const bool isLoaded = !(body.velocity == body.freeVelocity) || !(body.angularVelocity == body.freeAngularVelocity);
    return isLoaded && mayMoveWide(constants) && lengthSquared(body.angularVelocity) * (h * h) <= kSlowTurn * kSlowTurn;
}

}  // namespace sunder::dynamics
