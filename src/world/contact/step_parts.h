// A violent step is divided: contacts are looked for once per part. Where many bodies meet at such speeds that they move by
// their own size in a step, as when a pile lands, the contacts found at its start are soon those of other places: hulls that
// fell from 13 m overlapped by 0.2 m, and took seconds to part. What the step does for the caller stays whole: forces act and
// kinematic bodies move through all of it, and a pair has one event.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Two moving bodies are fast if they close on each other by more than this share of the thinner one's inner radius in a step.
inline constexpr Real kFastClosing = Real(0.25);

// Into how many parts the step is to be divided whose contacts were found for it, or for the first of `tried` parts; 1 as a
// rule.
int partsNeeded(const WorldDef& def, const BodyRoster& roster, const SearchState& search, int tried);

}  // namespace sunder::world
