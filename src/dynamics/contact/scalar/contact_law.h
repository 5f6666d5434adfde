// The constants of the contact law, together: docs/step.md derives them and has the measurements behind them.
#pragma once

#include "math/vec3.h"

namespace sunder::dynamics {

// 1: how many times faster a loaded contact forgets its impulse than it repairs overlap. Below 1 tall stacks sway themselves
// apart (Routh's criterion, docs/step.md); at 1.2 columns in piles sway for 20 s. Overlap at rest grows in proportion.
inline constexpr Real kLeakOverRecovery = Real(1.5);

// 1: of contacts in structures that stand (island/steady_islands.h), recovery as a share of what others have. They have no leak
// and so do not sink under their load: a tower that can stand stays where it was put. The sways that this feeds are taken out
// by the projection, at this recovery with six of them a second; at 0.03 and 0.3 a sixth of the towers of 0.1 m cubes fall.
inline constexpr Real kFirmRecovery = Real(0.1);
// m: what a firm contact overlaps by more than this it repairs as others do. What landed hard, or was pushed in, would take
// seconds to come out.
inline constexpr Real kFirmDepth = Real(2e-4);

// m: smaller gaps count as touching. The contact is a spring there on both sides of zero, so that bodies at rest do not knock
// on each other.
inline constexpr Real kTouchingGap = Real(5e-4);

// m/s: corrections up to this are gentle.
inline constexpr Real kGentle = Real(0.1);
// 1: share of a gentle correction that one visit makes at a point under load. Less than all of it: contacts that share bodies
// correct for each other's corrections, and at 1 a pyramid of 210 cubes keeps swaying. A blow is stopped at once.
inline constexpr Real kGentleShare = Real(0.7);

// 1: an impulse beyond this many times that of the substep before, by more than a gentle correction, is a blow. It is no guess
// for the next substep, which would throw the bodies apart again: it is not carried on. Above 1 what is carried on could double
// with each substep while a blow runs through a stack: at 2 six boxes that fell together at 5 m/s went up again at 2.5 m/s.
inline constexpr Real kBlow = 1;

// Steps for which a new manifold is swept twice: it has no impulses to start from yet, and one sweep from nothing favours the
// point that comes first.
inline constexpr int kYoung = 10;

// 1: below this share of the square of its trace, the determinant of what slip answers to friction is rounding. Where axes are
// locked nothing but one direction may answer, and the inverse would throw the bodies as far as friction can.
inline constexpr Real kFlatAnswer = Real(1e-5);

}  // namespace sunder::dynamics
