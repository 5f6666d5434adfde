// Where cracks start, and how far they run before the stress is found anew.
//   [Bao07] VII.A   modified Rankine: a crack opens across the largest principal stress where that exceeds the strength
// Deviation: the paper cuts every element above the strength. Here a crack starts where the stress exceeds the strength and
// goes on where it exceeds what holds a crack that is there already: the toughness, over the root of the distance at which a
// mesh of this size sees the tip,
//     sigma = K / sqrt(2 pi r),   K = sqrt(E G),
// so that a tough material cracks and holds. Beyond an older crack, which has made a
// free surface, a crack would have to start anew. New cracks start in one round where tensions will exceed the strength
// whatever the others of the round unload.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "elastic/crack/crack_state.h"
#include "elastic/crack/grains.h"
#include "elastic/stress/stress_field.h"

namespace sunder::elastic {

// Pa, per uncut tetrahedron: the tension at which a crack starts, and at which one that is there goes on.
struct Resistance {
    Real start = 0, run = 0;
};

// strength: Pa; toughness: J/m^2. Boundaries between grains bear `share` of both.
std::vector<Resistance> resistanceOf(const UncutMesh& solid, Real strength, Real toughness, Real young, const Grains& grains);

struct GrowthOptions {
    int mostStarts = 16;  // of new cracks in one round
    // A crack goes on through tetrahedra with at least this share of the tension that it met first in the round. Those with
    // less are left until the stress of what is cracked by then is known: it is largest at the tip, wherever that has come to.
    Real crest = Real(0.6);
    // Tetrahedra within this many of their own sizes of a crack start no other one in the same round, nor next to any crack
    // ever: its opening unloads them.
    Real shadow = 3;
};

struct Growth {
    std::uint32_t cut = 0;               // tetrahedra that cracks entered
    std::uint32_t started = 0;           // cracks
    std::vector<std::uint16_t> resting;  // cracks from before that entered none, or few for their size
};

// One round. tensions: per uncut tetrahedron, of its most strained part.
Growth growCracks(const UncutMesh& solid, CrackState& state, std::span<const PrincipalStress> tensions,
                  std::span<const Resistance> resistance, const Grains& grains, const GrowthOptions& options);

// The largest tension ahead of a crack over what holds it there; 0 where it has nowhere to go.
double tipLoad(const UncutMesh& solid, const CrackState& state, std::uint16_t crack, std::span<const PrincipalStress> tensions,
               std::span<const Resistance> resistance);

// Lets one crack go straight on, whatever the tension, through so many layers of tetrahedra or until it cuts more than so many.
// Returns how many it cuts after each layer.
std::vector<std::size_t> extendCrack(const UncutMesh& solid, CrackState& state, std::uint16_t crack, int layers,
                                     std::size_t mostTets);

// Lets one crack go on as far as tensions exceed the resistance, into at most so many tetrahedra; share: see
// GrowthOptions::crest. Returns the tetrahedra it entered.
std::uint32_t runCrack(const UncutMesh& solid, CrackState& state, std::uint16_t crack,
                       std::span<const PrincipalStress> tensions, std::span<const Resistance> resistance, const Grains& grains,
                       Real share = GrowthOptions().crest, std::uint32_t most = 0xffffffffu);

}  // namespace sunder::elastic
