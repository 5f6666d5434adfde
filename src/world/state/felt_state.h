// What bodies felt in a step: every impulse on a body that may break, with its place, its time and who gave it. Filled after
// the solve (contact/feel.h), from contacts and from blows found by continuous collision alike; breaking and bonds read it.
#pragma once

#include <span>
#include <vector>

#include "world/record/body.h"

namespace sunder::world {

// A contact point, or one blow of a fast body, as one of the two bodies felt it.
struct FeltImpulse {
    std::uint32_t partner = kNone;   // slot
    std::uint32_t pair = kNone;      // into WorldState::pairs; kNone for a blow found by continuous collision
    std::uint32_t manifold = kNone;  // into WorldState::constraints; kNone as above
    std::uint32_t child = 0;         // of the body's shape
    Vec3 point;                      // in the body's frame
    Vec3 outward;                    // unit, out of the body, world axes
    Vec3 impulse;                    // N s on the body over the step, world axes
    Vec3 endForce;                   // N at the end of the step, world axes; zero for a blow
    Real normalImpulse = 0;          // N s, of it into the body
    Real separation = 0;             // m, of the surfaces at the end
    Real time = 0;                   // s since the start of the step, of a blow; 0 for contacts, which act all through it
};

// How many impulses at the front of the list share their pair or their manifold, whichever `number` is. A blow counts alone.
inline std::size_t countSame(std::span<const FeltImpulse> felt, std::uint32_t FeltImpulse::*number) {
    std::size_t count = 1;
    while (felt[0].*number != kNone && count < felt.size() && felt[count].*number == felt[0].*number)
        ++count;
    return count;
}

// A blow that continuous collision found: of a fast body on what was in its way. Or what a deformable body touched.
struct SweptBlow {
    std::uint32_t striker = 0, struck = 0;  // slots
    Vec3 onStriker, onStruck;               // the point in their frames
    WorldPoint point;                       // where they met, in the world
    std::uint32_t childOfStriker = 0, childOfStruck = 0;
    Vec3 normal;   // unit, from the struck body to the striker, world axes
    Vec3 impulse;  // N s on the striker
    Real normalImpulse = 0, time = 0;
};

struct FeltState {
    struct Range {
        std::uint32_t body = 0;              // slot
        std::uint32_t first = 0, count = 0;  // in `impulses`
    };
    std::vector<FeltImpulse> impulses;  // body by body; of each in the order of pairs, then of blows
    std::vector<Range> bodies;          // that felt anything and may break, ascending by slot
    std::vector<std::uint32_t> places;  // scratch, by slot: where the next one goes

    std::span<const FeltImpulse> of(const Range& range) const { return std::span(impulses).subspan(range.first, range.count); }
};

}  // namespace sunder::world
