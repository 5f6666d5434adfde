// Contacts that wait: two surfaces lie near each other and carry no load. As long as neither body has left its foreseen way,
// such a contact cannot touch, and no pass visits it.
//
//     A  |--- way of A ---|-- kClose --|--- way of B ---|   B
//        |<------------- separation, at least ------------->|
//
// The foreseen way does not bind the body. Every body is watched from substep to substep; one that is about to leave its way,
// whatever pushed it, is allowed a longer one, and those of its contacts that this can close are awake for the rest of the
// step. Waiting therefore changes what a step costs and hardly what it computes: a contact that wakes lays its frame where its
// bodies are then.
#pragma once

#include <span>
#include <vector>

#include "core/task_runner.h"
#include "dynamics/contact/scalar/contact_link.h"
#include "dynamics/integrate/wide_substep.h"

namespace sunder::dynamics {

struct WaitingContact {
    std::uint32_t constraint, bodyA, bodyB;
    Real room;  // m: the sum of its bodies' ways at which it wakes
};

class WaitingContacts {
public:
    // Sets the foreseen way of every body in a step of dt (s).
    void begin(TaskRunner& tasks, std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants, Real dt);
    // Whether a contact without load may wait.
    bool mayWait(const ContactConstraint& constraint) const { return !isReached(constraint, roomOf(constraint)); }

    // Makes one list per count, with room for that many contacts.
    void layOut(std::span<const std::uint32_t> counts);
    // Each list is filled once, by any thread.
    void fill(std::size_t list, std::span<const std::uint32_t> members, std::span<const ContactConstraint> constraints);

    // Foreseen ways by body; a body that strays from its way must be given a longer one. h: the substep (s).
    std::span<const BodyWay> ways() const { return ways_; }
    void lengthen(std::size_t index, const SolverBody& body, Real h);
    // Removes from a list the contacts that wake, in order, and calls wake(constraint) for each.
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
    // The contacts of a list that still wait.
    std::span<WaitingContact> left(std::size_t list) {
        return std::span(contacts_).subspan(lists_[list].first, lists_[list].count);
    }

private:
    struct List {
        std::uint32_t first, count;
    };
    static Real roomOf(const ContactConstraint& constraint);
    // Whether the ways of its bodies use up the room.
    template <class Contact>
    bool isReached(const Contact& contact, Real room) const {
        return !(ways_[contact.bodyA].length + ways_[contact.bodyB].length < room);
    }

    std::vector<BodyWay> ways_;
    std::vector<WaitingContact> contacts_;
    std::vector<List> lists_;
};

}  // namespace sunder::dynamics
