// Scratch of the search for contacts (contact/find_contacts.cpp). Nothing here is needed after a step.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "collision/broad_phase/broad_phase.h"
#include "core/pages.h"
#include "dynamics/contact/scalar/inherit.h"
#include "world/pair/flight.h"
#include "world/pair/manifold_pool.h"
#include "world/pair/motion_bounds.h"

namespace sunder::world {

constexpr std::size_t kSearchedPairsPerTask = 32;  // a block

// A meeting of two bodies later in the step, of which one is fast.
struct FarImpact {
    std::uint32_t pair = 0;  // into WorldState::pairs
    Real time = 0;           // s since the start of the step
    bool isLate = false;     // one of them has another impact before, which turns it aside
};

// A pair with manifolds, and its manifolds of the last step.
struct FoundPair {
    std::uint32_t pair = 0;                    // into WorldState::pairs
    std::uint32_t oldFirst = 0, oldCount = 0;  // into SearchState::previousManifolds
    bool isKept = false;                       // the old ones serve this step too
    Moment moment{};                           // of new ones: when the bodies lie as in them
};

// A contact that may be one with the side of something that a body goes over, see contact/grazes.h.
struct GrazingContact {
    std::uint32_t pair = 0;      // into WorldState::pairs
    std::uint32_t manifold = 0;  // into WorldState::constraints
};

// What the narrow phase of one block of pairs found; kept between steps for its memory.
struct NarrowPhaseBlock {
    std::uint32_t foundCount = 0;                             // in SearchState::foundPairs, from the block's first pair on
    std::uint32_t count = 0;                                  // of manifolds, kept and new
    std::span<const collision::ContactManifold> manifolds{};  // the new ones
    std::vector<std::uint32_t> alongMeshes;                   // slots of bodies that go far near a mesh
    std::vector<FarImpact> impacts;
    std::vector<GrazingContact> mayGraze;
    std::uint32_t looks = 0;      // pairs that were searched
    std::uint32_t fastPairs = 0;  // moving bodies that close on each other fast for their size, see step_parts.h
    double fastWays = 0;          // sum of the ways of those pairs, each as a share of the thinner body's inner radius
};

// A step, or one of the parts into which a violent one is divided.
struct StepPart {
    Real dt = 0;        // s
    Real timeLeft = 0;  // s: from its start to the end of the step, or of the strike part; dt itself in the last part
    Real later = 0;     // s: of strike parts (flesh/deformable_stage.h) that follow; 0 in the last, and where there are none
    bool endsStrikePart() const { return timeLeft == dt; }
    bool isLast() const { return endsStrikePart() && later == 0; }
    Real toEndOfStep() const { return timeLeft + later; }
};

struct SearchState {
    PagedVector<Flight> flights;          // of the bodies of SolveState::layout, in that order
    std::vector<std::uint32_t> flightAt;  // by slot: where in flights; of a body that has none, where any other's is
    std::uint64_t flightStamp = 0;        // of the flights of the step in progress
    std::vector<collision::PairBuffer> pairBuffers;
    collision::PairBuffer newPairs;
    std::vector<std::uint8_t> hasMoved;  // by slot; all 0 between two searches
    std::vector<std::uint8_t> marks;     // flags that a loop sets for the one after it
    // Pairs with contacts of bodies that may graze something, body by body; by flight: where they end in that list.
    std::vector<std::uint32_t> around, aroundEnd;
    std::vector<collision::BroadPhase::Refit> refits;
    std::vector<NarrowPhaseBlock> narrowPhaseBlocks;
    std::vector<std::size_t> blockOffsets;
    ManifoldPool foundManifolds;
    // In the solver's scratch memory, while contacts are found.
    std::span<const dynamics::KeptManifold> previousManifolds;
    std::span<FoundPair> foundPairs;  // as many as pairs; those of a block begin at the place of its first pair

    // The flight of a body in the step in progress; none of what is static, asleep or taken out.
    const Flight* flightOf(std::uint32_t slot) const {
        const std::uint32_t i = flightAt[slot];
        return i < flights.size() && flights[i].slot == slot && flights[i].stamp == flightStamp ? &flights[i] : nullptr;
    }
    // Blocks of the last search; there may be more from larger ones before.
    std::span<NarrowPhaseBlock> usedBlocks() { return std::span(narrowPhaseBlocks).first(usedCount()); }
    std::span<const NarrowPhaseBlock> usedBlocks() const { return std::span(narrowPhaseBlocks).first(usedCount()); }
    // While contacts are found: the pairs of a block that have manifolds.
    std::span<const FoundPair> foundOf(std::size_t block) const {
        return foundPairs.subspan(block * kSearchedPairsPerTask, narrowPhaseBlocks[block].foundCount);
    }
    std::size_t usedCount() const { return blockOffsets.empty() ? 0 : blockOffsets.size() - 1; }
};

}  // namespace sunder::world
