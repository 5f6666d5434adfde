// Contacts that wait: two surfaces lie near each other and bear nothing. As long as neither body has gone the way that is
// foreseen for it, such a contact can do nothing, and no pass looks at it.
//
//     A  |--- way of A ---|-- kTouchingGap --|--- way of B ---|   B
//        |<---------------- separation, at least ------------------>|
//
// What a body was foreseen to go does not bind it. It is watched from substep to substep, and where it is about to go further,
// pushed by whatever it may be, all its contacts are awake for the rest of the step. So what waits changes what a step costs,
// and what it comes to by roundings only: a contact lays its frame where its bodies are when it wakes.
#pragma once

#include <span>
#include <vector>

#include "core/task_runner.h"
#include "dynamics/contact/contact_link.h"
#include "dynamics/integrate/wide_substep.h"
#include "dynamics/solver_body.h"

namespace sunder::dynamics {

class WaitingContacts {
public:
    // Foresees the way of every body in a step of dt (s).
    void begin(TaskRunner& tasks, std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants, Real dt);
    // Whether the contact, which bears nothing, may wait.
    bool mayWait(const ContactConstraint& constraint) const;

    // Contacts links[order[i]] with i from firstWaiting[c] to firstOf[c + 1] wait, for every colour c.
    void place(std::span<const ContactLink> links, std::span<const std::uint32_t> order, std::span<const std::uint32_t> firstOf,
               std::span<const std::uint32_t> firstWaiting);

    const BodyWay* ways() const { return ways_.data(); }
    // The body has moved and is about to leave its way.
    void noteStray(std::size_t body) {
        if (!isAwake_[body])
            wakeContactsOf(body);
    }
    // Of up to kLanes contacts that wait, order[place] and those behind it: bits of those that a body of theirs has woken.
    std::uint32_t reached(std::size_t place, int count) const;

private:
    void wakeContactsOf(std::size_t body);

    std::vector<BodyWay> ways_;          // by body
    std::vector<std::uint8_t> isAwake_;  // by body: it has gone further
    // By contact in its order, for A and for B: it is awake. Each is written for its body alone, so that threads do not meet.
    std::vector<std::uint8_t> sides_;
    std::vector<std::uint32_t> firstSide_, sidesOf_;  // by body, into the latter: its contacts that wait, as into sides_
};

}  // namespace sunder::dynamics
