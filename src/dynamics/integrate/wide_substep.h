// Moves kLanes bodies through a substep at once: those under load, which turn little and whose motion contacts decide.
//
// A body in free flight or in a fast spin takes the exact path of substep.h; only such a body must keep its energy and the
// times of its flips for minutes. For the others a midpoint step is enough: the angular momentum is kept, and the error of the
// energy is third order in an angle of at most kSlowTurn.
#pragma once

#include "dynamics/body/solver_body.h"

namespace sunder::dynamics {

inline constexpr Real kSlowTurn = Real(0.05);  // rad in a substep: the relative error of the energy is of the order of its cube

// The way that a body is foreseen to go in a step (contact/schedule/waiting.h): four numbers, for the wide reads.
struct BodyWay {
    Real length = 0;         // m: bound for every point of the body
    Real halfSquare = 0;     // length^2 / 2, m^2
    Real radiusSquared = 0;  // m^2: of the ball about its centre that holds the body
    Real unused = 0;
};

// m^2: bound of half the squared distance that a point of the body will have gone two substeps ahead; contacts about to touch
// are active that far ahead. (d + t)^2 <= 2 d^2 + 2 t^2 saves two roots.
inline Real halfSquareAhead(const SolverBody& body, const BodyWay& way, Real h) {
    const Vec3 moved = body.displacement + body.velocity * (2 * h), turned = body.turned + body.angularVelocity * (2 * h);
    return lengthSquared(moved) + way.radiusSquared * lengthSquared(turned);
}
// Whether the body is about to leave its way.
inline bool strays(const SolverBody& body, const BodyWay& way, Real h) {
    return !(halfSquareAhead(body, way, h) <= way.halfSquare);
}

// Bits of kLanes consecutive bodies.
struct MovedLanes {
    std::uint32_t moved = 0;    // were under load and slow, and have moved; the others are unchanged
    std::uint32_t strayed = 0;  // of those that moved: about to leave their ways (strays)
};

// Whether the body may move by the wide form, as far as that is constant in a step. The wide form itself tests load and speed.
inline bool mayMoveWide(const SolverBodyConstants& constants) { return constants.isDynamic && constants.lockedAxes == 0; }

inline bool isLoadedAndSlow(const SolverBody& body, const SolverBodyConstants& constants, Real h) {
    const bool isLoaded = !(body.velocity == body.freeVelocity) || !(body.angularVelocity == body.freeAngularVelocity);
    return isLoaded && mayMoveWide(constants) && lengthSquared(body.angularVelocity) * (h * h) <= kSlowTurn * kSlowTurn;
}

}  // namespace sunder::dynamics
