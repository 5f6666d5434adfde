// One composite island of the world's bodies while it is made and solved (deformable/contact/island.h).
#pragma once

#include <map>

#include "deformable/contact/island.h"
#include "world/flesh/flesh_touches.h"
#include "world/flesh/joint_holds.h"
#include "world/flesh/tearing.h"

namespace sunder::world {

// The bodies of all islands: deformable ones first, then rigid ones, each once.
struct Cast {
    std::vector<std::uint32_t> slots;
    std::size_t solids = 0;
    std::vector<std::uint32_t> indexOf;  // by slot; kNone where it takes no part

    bool has(std::uint32_t slot) const { return slot < indexOf.size() && indexOf[slot] != kNone; }
    void add(std::uint32_t slot) {
        if (has(slot))
            return;
        indexOf[slot] = static_cast<std::uint32_t>(slots.size());
        slots.push_back(slot);
    }
};

// Whether two rigid bodies touch, as the last search for contacts found them.
bool isRigidPair(const WorldState& world, const ContactPair& pair);

// Changes of velocity that a round found which was then taken back: the next one starts from them. By slot; of rigid bodies two
// vectors, of deformable ones one for each node.
using Guesses = std::map<std::uint32_t, std::vector<Vec3>>;

class IslandBuilder {
public:
    IslandBuilder(WorldState& world, const Cast& cast, const FleshStep& step, const Guesses& guesses);

    void add(std::uint32_t member);
    // Rows of its system.
    std::size_t size() const;
    // Finds how it moves. Islands may be solved side by side: nothing but their own nodes is written.
    void solve(TaskRunner& tasks, std::span<const FleshContact> contacts);
    // Moves its deformable bodies, and gives its rigid ones their velocity.
    void apply();
    void keepGuesses(Guesses& guesses) const;
    // What the solve did at the contacts of deformable bodies, in the order in which they were given to it, where they stick,
    // and what joints bore.
    void report(std::span<const FleshContact> contacts, FleshTouches& touches, JointLoads& loads) const;

private:
    // A body that has a place among the island's rigid bodies.
    struct Rigid {
        std::uint32_t slot;
        std::optional<deformable::RigidFlight> flight;  // of a piece that does not deform
    };

    bool isAtRest() const;
    bool isMine(std::uint32_t slot) const { return cast_.has(slot) && placeOf_[cast_.indexOf[slot]] != kNone; }
    std::uint32_t placeOf(std::uint32_t slot) const { return placeOf_[cast_.indexOf[slot]]; }
    // A deformable body that sleeps is passed over: what comes near wakes it.
    bool isElsewhere(const FleshContact::Side& side) const { return side.nodes > 0 && !isMine(side.body); }

    void addSolid(Body& body);
    void addRigid(const Body& body);
    void addStiff(Body& body);
    Vec3 addSide(const FleshContact::Side& side, Real sign, deformable::ContactGradient& gradient) const;
    Vec3 addPoint(std::uint32_t slot, const Vec3& arm, Real sign, deformable::ContactGradient& gradient) const;
    void raiseInertia(const FleshContact& found);
    void alignHold(const FleshContact& found, deformable::IslandContact& contact) const;
    void chooseResponse(const FleshContact& found, deformable::IslandContact& contact) const;
    bool addContact(const FleshContact& found);
    void addRigidContacts(const ContactPair& pair);
    void takeSolid(Body& body, const deformable::FrameMotion& motion) const;
    void takeRigid(Body& body, const deformable::IslandBody& rigid) const;

    WorldState& world_;
    const Cast& cast_;
    const Guesses& guesses_;
    Real dt_;
    std::vector<std::uint32_t> placeOf_;  // by member of the cast: its place in the island
    std::vector<std::uint32_t> solids_;   // slots, by place
    std::vector<Rigid> rigid_;            // by place
    std::vector<std::uint32_t> given_;    // contacts of deformable bodies that the island has, before those of rigid ones
    deformable::Island island_;
};

}  // namespace sunder::world
