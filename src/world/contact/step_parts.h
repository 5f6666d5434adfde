// A violent step is divided into parts, and contacts are searched once per part. Where many bodies meet at such speeds that
// they move by their own size in a step, as when a pile lands, the contacts found at its start are soon in wrong places: hulls
// that fell from 13 m overlapped by 0.2 m, and took seconds to come apart. For the caller the step stays whole: forces act and
// kinematic bodies move through all of it, and a pair has one event.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// A pair of moving bodies is fast if they close on each other in a step by more than this share of the thinner one's inner
// radius.
inline constexpr Real kFastClosing = Real(0.25);

// Each part costs a search for contacts.
inline constexpr int kMostStepParts = 4;

// Number of parts that the step needs, from the contacts that were found for the first of `tried` parts; 1 as a rule.
int partsNeeded(const WorldDef& def, const BodyRoster& roster, const SearchState& search, int tried);

}  // namespace sunder::world
