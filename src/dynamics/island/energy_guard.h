// The last line against energy that appears from nowhere: no group of touching bodies may end a step with more energy than it
// began with, less losses, plus the work that was really done on it.
//
// This answers the open question of [Su09] 3.2 and 6, energy from the position update: pushing overlapping bodies apart
// lifts them, and nothing in a velocity clamp sees that. Here the whole step is balanced, positions included, for each
// island apart, and what is too much is taken out of the motion of its bodies against each other; the island's momenta stay.
// Where bodies that hardly move are lifted all the same, out of overlaps that a hard landing left, the way is shortened.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/pages.h"
#include "core/task_runner.h"
#include "dynamics/island/islands.h"

namespace sunder::dynamics {

class EnergyGuard {
public:
    // Before the step moves anything.
    void begin(TaskRunner& tasks, std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants);
    // After the step. Scales velocities of islands that gained energy. Joints that are held rigidly do no work; an island with
    // a motor, a spring or a joint to a kinematic body is let be, since what that gives is no error.
    void finish(TaskRunner& tasks, std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                std::span<const ContactConstraint> constraints, std::span<const ContactLink> links,
                std::span<const Strike> strikes, std::span<const JointLink> joints, const Islands& islands, Real dt);

    int guardedIslands() const { return guardedIslands_; }
    double removedEnergy() const { return removedEnergy_; }

private:
    struct IslandBalance {
        double gain = 0;                          // J: energy at the end less that at the start less the work done on it
        double kinetic = 0;                       // J at the end
        double lift = 0;                          // J: work against gravity and forces
        double weight = 0;                        // N
        double lowest = 1e300, highest = -1e300;  // m, of the centres, against gravity
        double ownLift = 0, ownSpeed = 0;         // J: sums of what bodies gained themselves, see ownLift
        double overlap = 0, load = 0;             // m N s, N s: of the points under load, summed
        bool grounded = false;                    // touches something that takes up momentum
        bool exempt = false;                      // a joint may add energy to it
        bool judged = false;                      // grounded, and gained
        Real speed = 1, way = 1;                  // shares of its motion that a grounded island keeps
        Real ownSpeedKept = 1, ownLiftKept = 1;   // shares of what its bodies gained themselves
    };
    void sumBalances(TaskRunner& tasks, std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                     std::span<const ContactConstraint> constraints, std::span<const ContactLink> links,
                     std::span<const Strike> strikes, std::span<const JointLink> joints, const Islands& islands, Real dt);
    void findEnergies(TaskRunner& tasks, std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                      Real dt);
    void sumBodies(TaskRunner& tasks, const Islands& islands);
    void findExtents(const Islands& islands);
    void sumPartners(TaskRunner& tasks, std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                     std::span<const ContactConstraint> constraints, std::span<const ContactLink> links,
                     const Islands& islands);
    void judgeGrounded(IslandBalance& balance);
    void sumOverlaps(TaskRunner& tasks, std::span<const ContactConstraint> constraints, std::span<const ContactLink> links,
                     const Islands& islands);
    void slowGrounded(TaskRunner& tasks, std::span<SolverBody> bodies, const Islands& islands) const;
    void collectMembers(std::size_t bodyCount, const Islands& islands);
    void slowFree(std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants, int island);

    // What is summed over the bodies of an island (J, N), by the names in IslandBalance. Terms are found on all threads; then
    // each sum has a thread of its own, which goes through the bodies in order.
    enum Sum { kGain, kKinetic, kLift, kWeight, kOwnLift, kOwnSpeed, kSums };
    std::array<std::vector<double>, kSums> terms_;  // by body
    std::array<std::vector<double>, kSums> sums_;   // by island
    std::vector<double> startKinetic_;              // J, by body
    std::vector<double> heights_;                   // m against gravity, by body, where it has a weight
    std::vector<std::uint8_t> isLocked_;            // by body: something holds it along an axis
    std::vector<double> partnerWork_;               // J, by link, where it bears on something outside of its island
    struct LinkOverlap {
        std::int32_t island = -1;
        double overlap = 0, load = 0;  // m N s, N s: of its points under load
    };
    PagedVector<LinkOverlap> overlaps_;    // by link, where an island is judged
    std::vector<std::uint8_t> isOutward_;  // by link: bears on something outside of its island
    std::vector<IslandBalance> balances_;
    std::vector<std::uint32_t> memberFirst_, members_;  // bodies by island, where a free island is slowed
    int guardedIslands_ = 0;
    double removedEnergy_ = 0;
};

}  // namespace sunder::dynamics
