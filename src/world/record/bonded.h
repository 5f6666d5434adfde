// Data of a bonded body beside its shape: its bonds, and the loads on its pieces (docs/energised-fracture.md).
#pragma once

#include <memory>
#include <vector>

#include "collision/built_shape.h"
#include "fracture/bonds/bond_graph.h"
#include "fracture/bonds/load_window.h"
#include "sunder/bonds.h"

namespace sunder::world {

// A piece that contacts or joints act on.
struct PieceLoad {
    std::uint32_t piece = 0;
    fracture::LoadWindow window;  // body axes, about the piece's centre
};

// A load for which the bonds were last found to hold.
struct KnownLoad {
    std::uint32_t piece = 0;
    fracture::LoadReading reading;
};

// Derived from shape, bonds and mass, when it is first needed.
struct BondedPieces {
    std::vector<std::uint32_t> pieceOfChild;  // of the built shape
    std::vector<std::uint32_t> firstChild;    // of each piece, and one more
    std::vector<Bounds> bounds;               // of each piece
    std::shared_ptr<fracture::BondGraph> graph;

    // Scratch of a step: impulses on the pieces in the solve at hand, and forces at its end.
    struct Acting {
        Vec3 impulse, angularImpulse, force, torque;
        bool isTouched = false;
    };
    std::vector<Acting> acting;                            // by piece
    std::vector<std::uint32_t> touched;                    // ascending once sorted
    std::vector<fracture::Wrench> meanLoads, recentLoads;  // by piece
    std::vector<fracture::Wrench> meanBonds, recentBonds;  // by bond
    std::vector<KnownLoad> readings;
};

// Impulses and forces that calls have given a piece for the next step.
struct GivenLoad {
    std::uint32_t piece = 0;
    Vec3 impulse, angularImpulse, force, torque;  // body axes, about the piece's centre
};

// The graph of the body that this one was or came off, whose factor the new graph takes over as far as it is the same: a cache.
struct EarlierGraph {
    std::shared_ptr<const fracture::BondGraph> graph;
    std::vector<std::uint32_t> numbers;  // of each piece, there
};

struct BodyBonds {
    BondsDef def;                  // bonds that are left; pieces are children of the shape
    Real young = 0, poisson = 0;   // Pa, 1: of the material, or those of def (updateMass sets them)
    std::vector<PieceLoad> loads;  // ascending by piece
    std::vector<GivenLoad> given;  // ascending by piece
    fracture::LoadWindow clock;    // window of pieces that nothing acts on; a new load begins with it
    std::vector<KnownLoad> known;
    Vec3 knownSpin, knownGravity;  // body axes
    Real knownRatio = 0;           // load over strength of the most loaded bond
    bool isKnown = false;
    double nextBreakTime = 0;  // s, of the world's clock: no bond breaks earlier
    std::shared_ptr<BondedPieces> pieces;
    EarlierGraph earlier;
};

// The bonds of a definition; where it has none, they are found where children touch. The shape must be a compound.
BodyBonds makeBonds(const SharedShape& shape, const BondsDef& def);
// The compound that the shape was given as, or null.
const Compound* compoundOf(const Shape& shape);

}  // namespace sunder::world
