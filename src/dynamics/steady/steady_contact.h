// Contact that starts from the impulses of the last step, on one velocity that then moves bodies: what the stepper `damped`
// does after its collisions.
//
// The phases of contact_phase.h forget what held a pile up and find it again, in passes that search for contacts at every
// visit. What they do not find within a step makes piles tremble and creep. Here sites are those of the start of the step,
// where impulses of the last step wait on them: a pile at rest needs nothing new, and a pass costs no search.
//
// A body's way in the step is  setback + dt v^(n+1), less dt^2 a / 2 where nothing holds it (predicted_motion.h). v^(n+1) of
// contact lets surfaces close the gap that they have at the start of the step, and no more.
#pragma once

#include "dynamics/impulse/impulse_state.h"

namespace sunder::dynamics {

// Bodies hold x^n and v^n after the collisions, pairs their ImpulsePair::carried sites; `kept` is set to that v^n. Finds the
// sites of this step, builds the contact graph and lets bodies fall: v^n becomes v^(n+1) without contact. ImpulseSite::goal is
// set; impulses are last step's and have not acted yet.
void beginSteadyContact(ImpulseStep& step);
// Share of the step's fall that a pass changes at a point when it was enough, where what is left is damped afterwards.
inline constexpr Real kSettledShare = Real(0.02);
// Which pairs a pass visits: all, or those that the passes before have not settled.
enum class Visits { All, Unsettled };
// Passes over the pairs that are not solved yet (ImpulsePair::isSolved). Afterwards v^(n+1).
void runSteadyPasses(ImpulseStep& step, Real settledShare = kSettledShare, Visits visits = Visits::All);
// After damping: the passes again, from the start, in which dynamic bodies that do not move at all are immovable. What rests on
// them was solved as if they moved, and would be pushed on in every step by a motion that never happens. False: there was
// nothing to do.
bool yieldToResting(ImpulseStep& step);
// How far a body gets that is held and gains speed, as one that turns about an edge: by its new velocity, or by the mean of
// that and v^n.
enum class Gain { ActsInFull, ActsByHalf };
// x^(n+1); separations of sites become those at the end of the step, and impulses are reported.
void moveSteadily(ImpulseStep& step, Gain gain);

}  // namespace sunder::dynamics
