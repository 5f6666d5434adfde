// Turns what the solver did into begin, persist and end events.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Of contacts that existed before, which get an event: none; those that began in an earlier part of this step, because
// mergeEvents needs them; all.
enum class Lasting : std::uint8_t { None, BegunInStep, All };

// dt (s): of the solve; 0 where the stepper does not keep the ways of bodies, from which the meeting point follows.
void reportContacts(WorldState& world, Real dt, Lasting lasting);
inline Lasting lastingOf(const WorldDef& def) { return def.persistEvents ? Lasting::All : Lasting::None; }
// After a step in several parts, each of which reported: merges the events of a pair into one, or two where it touched and
// ended. persists: whether contacts that go on are reported.
void mergeEvents(std::vector<ContactEvent>& events, bool persists);

}  // namespace sunder::world
