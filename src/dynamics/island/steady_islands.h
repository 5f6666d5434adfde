// Structures that stand: bodies on the ground that hardly move and lie face on face. Their contacts are firm (see
// contact_law.h), and their velocities are projected onto what the contacts allow (steady_system.h), without which firm
// contacts would let a tower of 20 cubes sway itself over.
//
// A structure that was just built bears its weight from the first substep on: what its points push with is found before it, all
// at once. Sweep by sweep the weight would take a step to arrive at the ground, and a tower of 25 cubes would fall by 1.4 mm
// meanwhile. What strikes a structure, or rolls over it, is no part of it and takes nothing from the rest: a body belongs to it
// as long as it is calm. Heaps are left out: bodies that lie on edges and corners turn about them, and what their points allow
// changes as they move; and one that came to rest would have to creep to where firm contacts hold it.
#pragma once

#include <span>
#include <vector>

#include "core/pages.h"
#include "dynamics/island/islands.h"
#include "dynamics/island/steady_system.h"

namespace sunder::dynamics {

class SteadyIslands {
public:
    // Before the substeps, of length h: structures that bear no load yet get the impulses that hold them.
    void load(TaskRunner& tasks, std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants,
              PagedVector<ContactConstraint>& constraints, std::span<const JointLink> joints, Real h);
    // After the substeps. Sets isFirm of the contacts of every structure that is looked at: all where isDue, else those with
    // firm contacts that are young.
    void project(TaskRunner& tasks, std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                 PagedVector<ContactConstraint>& constraints, std::span<const ContactLink> links,
                 std::span<const JointLink> joints, int substeps, bool isDue);

private:
    struct IslandState {
        double mass = 0, energy = 0;  // kg, J
        bool isLookedAt = false;
        bool isYoung = false;  // a firm contact is
        bool isGrounded = false;
        bool isBarred = false;                  // something other than contacts with ground at rest holds it
        bool isPiled = false;                   // a contact is no face
        bool hasFirm = false, hasSoft = false;  // contacts that are firm; that are neither firm nor young
        bool isFirm = false;
        int system = -1;
    };
    // Whether a contact bears load between bodies that stand.
    bool stands(const ContactLink& link) const {
        return link.carriedLoad && isStanding_[link.bodyA] != 0 && isStanding_[link.bodyB] != 0;
    }
    void markStanding(TaskRunner& tasks, std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants);
    // Islands of contacts that stand, and what is to be known of each.
    void findStructures(TaskRunner& tasks, std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                        std::span<const ContactLink> links, std::span<const JointLink> joints);
    void sumMotion(std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants);
    void findHolds(std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                   std::span<const ContactLink> links, std::span<const JointLink> joints);
    void listNew(std::size_t bodyCount, const PagedVector<ContactConstraint>& constraints,
                 std::span<const SolverBodyConstants> constants);
    void linkNew(std::span<const SolverBody> bodies, const PagedVector<ContactConstraint>& constraints);
    void chooseNew(std::span<const SolverBodyConstants> constants);
    void choose(bool isDue);
    void clearSystems();
    // add(system, i): of contact i. solve(system, state): of a system that can be solved; the others are not firm.
    template <class Add, class Solve>
    void solveSystems(TaskRunner& tasks, std::size_t bodyCount, Add&& add, Solve&& solve);
    void makeFirm(PagedVector<ContactConstraint>& constraints, std::span<const ContactLink> links, bool isDue) const;

    std::vector<std::uint8_t> isStanding_;  // by body: it is calm, or moved by nothing
    Islands structures_;
    std::vector<IslandState> states_;  // by island of structures_
    std::vector<int> islandOf_;        // by contact, or -1
    std::vector<SteadySystem> systems_;
    int systemCount_ = 0;
    std::vector<int> placeOf_;  // scratch of SteadySystem::plan
    // Of load().
    std::vector<std::uint8_t> isOld_;         // by body: it had a contact before
    std::vector<std::uint32_t> newContacts_;  // of bodies that had none
    std::vector<ContactLink> newLinks_;       // as newContacts_
};

}  // namespace sunder::dynamics
