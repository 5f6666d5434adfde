// Contacts that wait: two surfaces lie near each other and bear nothing. As long as neither body has gone the way that is
// foreseen for it, such a contact can do nothing, and no pass looks at it.
//
//     A  |--- way of A ---|-- kClose --|--- way of B ---|   B
//        |<------------- separation, at least ------------->|
//
// What a body was foreseen to go does not bind it. It is watched from substep to substep, and where it is about to go further,
// pushed by whatever it may be, it is allowed a longer way, and those of its contacts that this can close are awake for the
// rest of the step. So what waits changes what a step costs, and what it comes to hardly: a contact lays its frame where its
// bodies are when it wakes.
#pragma once

#include <span>
#include <vector>

#include "core/task_runner.h"
#include "dynamics/contact/scalar/contact_link.h"
#include "dynamics/integrate/wide_substep.h"

namespace sunder::dynamics {

struct WaitingContact {
    std::uint32_t constraint, bodyA, bodyB;
    Real room;  // m: how far its bodies may come until it wakes
};

class WaitingContacts {
public:
    // Foresees the way of every body in a step of dt (s).
    void begin(TaskRunner& tasks, std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants, Real dt);
    // Whether the contact, which bears nothing, may wait.
    bool mayWait(const ContactConstraint& constraint) const { return !isReached(constraint, roomOf(constraint)); }

    // Makes as many lists as there are counts, each for so many contacts.
    void layOut(std::span<const std::uint32_t> counts);
    // Lists are filled once each, by any thread.
    void fill(std::size_t list, std::span<const std::uint32_t> members, std::span<const ContactConstraint> constraints);

    // By body. One that strays from its way must be allowed a longer one. h: the substep (s).
    std::span<const BodyWay> ways() const { return ways_; }
    void lengthen(std::size_t index, const SolverBody& body, Real h);
    // Takes from a list, in its order, those that wake, and calls wake(constraint) for each.
    template <class Wake>
    void takeReached(std::size_t list, Wake&& wake) {
        std::span<WaitingContact> contacts = left(list);
        std::size_t kept = 0;
        for (const WaitingContact& contact : contacts) {
            if (isReached(contact, contact.room))
                wake(contact.constraint);
            else
                contacts[kept++] = contact;
        }
        lists_[list].count = static_cast<std::uint32_t>(kept);
    }
    // Those of a list that wait on.
    std::span<WaitingContact> left(std::size_t list) {
        return std::span(contacts_).subspan(lists_[list].first, lists_[list].count);
    }

private:
    struct List {
        std::uint32_t first, count;
    };
    static Real roomOf(const ContactConstraint& constraint);
    // Whether the ways of its bodies leave nothing of the room.
    template <class Contact>
    bool isReached(const Contact& contact, Real room) const {
        return !(ways_[contact.bodyA].length + ways_[contact.bodyB].length < room);
    }

    std::vector<BodyWay> ways_;
    std::vector<WaitingContact> contacts_;
    std::vector<List> lists_;
};

}  // namespace sunder::dynamics
