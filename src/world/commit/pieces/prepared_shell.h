// Thin shells that crack by stress: what is made once for all blows on one without cracks.
#pragma once

#include "elastic/shell/factored_shell.h"
#include "world/state/state.h"

namespace sunder::world {

elastic::ShellMesh meshOfShell(const Shell& shell);

// Factors the stiffness of the body's shell, where that is not in the cache.
void prepareShell(BreakingState& breaking, const Body& body, const Stressed& method, TaskRunner& runner);
// That factor, or null where it was not made, or for another material.
const elastic::FactoredShell* factoredShellOf(const BreakingState& breaking, const Body& body);

}  // namespace sunder::world
