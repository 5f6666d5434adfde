// How near two surfaces must be for what, on one ruler: the gap between them in mm, not to scale.
//
//     overlap | gap 0    0.1      0.5         1                  20
//     --------|-----------|--------|----------|-------------------|-------->
//             |           |        |          |    kContactMargin |  nearer ones have a manifold, which the solver knows; the
//             |           |        |          |                   |  groups that sleep together are made of these
//             |           |        |          | kTouchGap            nearer ones touch without load: they hold each other up
//             |           |        |          |                      when asleep, share the load of a bonded body, and are
//             |           |        |          |                      in contact for the impulse method
//             |           |        | kWakeGap                        nearer ones wake who sleeps
//             |           |        | kTouchingGap                    the contact is a spring on both sides of zero
//             |           |                                          (dynamics/contact/scalar/soft_contact.h)
//             |           | kClose                                   nearer ones do not wait for their turn
//             |                                                      (dynamics/contact/schedule/waiting.cpp)
//
// For small shapes a distance is a share of the thinner one's inner radius instead, where that is less:
//
//     kContactMargin   0.2    below 100 mm
//     kTouchGap        0.02   below  50 mm; the impulse method only
//     kWakeGap         0.1    below   5 mm
//
// Other lengths are about other things: how far a body may tremble or creep and still rest (sleep/sleep.cpp), which points are
// in a plane (pair/thin_contacts.cpp) or the same contact under another name (dynamics/contact/scalar/inherit.cpp).
#pragma once

#include "math/vec3.h"

namespace sunder::world {

// m. What is nearer is in contact even when nothing moves.
inline constexpr Real kContactMargin = Real(0.02);
inline constexpr Real kContactMarginShare = Real(0.2);
// m. Twice the solver's kTouchingGap: whatever rests on that spring touches.
inline constexpr Real kTouchGap = Real(1e-3);
inline constexpr Real kTouchGapShare = Real(0.02);
// m. Much less than kContactMargin, or two islands that sleep next to each other could keep waking each other.
inline constexpr Real kWakeGap = Real(5e-4);
inline constexpr Real kWakeGapShare = Real(0.1);
static_assert(kWakeGap < kTouchGap && kTouchGap < kContactMargin);

// Share of the inner radius. A body that ends a step farther than this from where it was expected is followed along its way
// (limitFastBodies).
inline constexpr Real kUnnoticedShare = Real(0.5);

// The margin of contacts of a shape of this inner radius (m).
inline Real marginOf(Real innerRadius) { return min(kContactMargin, kContactMarginShare * innerRadius); }

}  // namespace sunder::world
