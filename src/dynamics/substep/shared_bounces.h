// Manifolds that bounce together: of one pair of bodies (the feet of a table), or of one body with several that nothing moves
// (the tiles of a floor). Others bounce one after the other.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "dynamics/contact/scalar/bounce.h"
#include "dynamics/contact/wide/wide_contact.h"

namespace sunder::dynamics {

// Where the impulses of a manifold are: in a lane of a block, or in the constraint itself.
struct BouncePlace {
    std::uint32_t constraint = 0;
    WideContact* block = nullptr;
    int lane = 0;
};

class SharedBounces {
public:
    // Once per step.
    void begin(std::size_t bodyCount, std::size_t constraintCount);
    // Once per substep for each manifold that hits now or soon. Not for two of one body at a time.
    void expect(std::size_t index, const ContactConstraint& constraint, const Meeting& meeting,
                std::span<const SolverBody> bodies);
    int pointsTogether(std::size_t index) const { return meetings_[index].points; }
    // Whether others bounce with a manifold that hits, now or soon, once all are expected.
    bool isShared(std::span<const ContactConstraint> constraints, std::size_t index, std::span<const SolverBody> bodies) const;
    // From any thread.
    void add(const BouncePlace& place) { places_[added_.fetch_add(1, std::memory_order_relaxed)] = place; }
    // Solves what was added, in the order of constraints, and ends the substep.
    void solve(std::span<ContactConstraint> constraints, std::span<SolverBody> bodies, const ContactSettings& settings);

private:
    // What is expected of the manifolds of a body with what nothing moves, or of a pair.
    struct Group {
        std::uint32_t substep = 0;
        int hits = 0;
        bool anyNow = false;
        Real first = kInfinity;  // s
        void add(const Meeting& meeting);
        bool isJoinedBy(const Meeting& meeting) const { return hits > 1 && anyNow && meeting.joinsFrom <= first; }
    };
    std::vector<Group> groups_;      // by body
    std::vector<Meeting> meetings_;  // by constraint
    std::vector<BouncePlace> places_;
    std::vector<Bounce> bounces_;
    std::atomic<std::uint32_t> added_{0};
    std::uint32_t substep_ = 0;
};

}  // namespace sunder::dynamics
