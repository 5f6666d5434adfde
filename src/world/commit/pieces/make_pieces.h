// What a body would break into. Nothing of the world is changed; bodies.h puts the pieces in the body's place.
//   [Su09] 4.2
// A fracture method finds the shapes of the pieces (breakBy in prescored_pieces.h); their motion and anchors are found here,
// for all methods.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

struct NewPiece {
    SharedShape shape;  // its centre of mass in the origin; axes as the body's
    Vec3 center;        // in the body's frame
    Quat orientation{};
    Vec3 velocity, angularVelocity;  // world axes
    Real share = 0;                  // of mass and volume
    bool isAnchored = false;         // it stays fixed to the world
    Rare<BodyBonds> bonds{};         // of a component of a bonded body that has several pieces
};

// x^y for x in (0, 1] and y >= 0, with the same bits everywhere.
Real powerOf(Real x, Real y);

// Sets what the method needs to know of a body that is added; its pieces keep it. The solid must be set.
void fitToBody(BodyFracture& fracture);
// Keeps the method's patterns for as long as the world lives.
void notePatterns(BreakingState& breaking, const BodyFracture& fracture);
// Computes beforehand what a break would have to compute in a step.
void prepareToBreak(TaskRunner& tasks, BreakingState& breaking, const BodyFracture& fracture);

// By the body's fracture method, or by Host::pieceMaker where there is one. Fewer than two where the body stays whole.
// The body must have a fracture.
std::vector<NewPiece> makePieces(WorldState& world, const Body& body, const BreakRequest& request, int mostPieces);
// Whether pieces of the body can be made beside those of others (shellBreakOf); then they are given the rest here.
bool canBreakBesideOthers(const WorldState& world, const Body& body);
std::vector<NewPiece> finishPieces(const Body& body, std::vector<CutPiece> cut);

}  // namespace sunder::world
