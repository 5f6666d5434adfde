// The last guard against energy from nowhere: no island may end a step with more energy than it began with plus the work done
// on it.
//
// This answers the open question of [Su09] 3.2 and 6, energy from the position update: pushing overlapping bodies apart lifts
// them, and a velocity clamp cannot see that. The guard balances the whole step, positions included, for each island, and takes
// the excess out of the relative motion of the island's bodies; a free island keeps its momenta. Where bodies that hardly move
// are lifted out of overlaps that a hard landing left, their displacement is shortened.
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
    // Call before the step moves anything.
    void begin(TaskRunner& tasks, std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants);
    // Call after the step. Scales velocities of islands that gained energy. Rigid joints do no work; an island with a motor, a
    // spring or a joint to a kinematic body is left alone, since the energy that these add is no error.
    void finish(TaskRunner& tasks, std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                std::span<const ContactConstraint> constraints, std::span<const ContactLink> links,
                std::span<const Strike> strikes, std::span<const JointLink> joints, const Islands& islands, Real dt);

    int guardedIslands() const { return guardedIslands_; }
    double removedEnergy() const { return removedEnergy_; }

private:
    struct IslandBalance {
        double gain = 0;                          // J: energy at the end less that at the start less the work done on it
        double kinetic = 0;                       // J, at the end of the step
        double lift = 0;                          // J: work against gravity and forces
        double weight = 0;                        // N
        double lowest = 1e300, highest = -1e300;  // m, of the centres of mass, along the direction against gravity
        double ownLift = 0, ownSpeed = 0;  // J: sums over its bodies of the energy they gained themselves, see findEnergies
        double overlap = 0, load = 0;      // m N s, N s: sums over the points under load
        bool grounded = false;             // something outside takes up momentum: a fixed or kinematic body, or a locked axis
        bool exempt = false;               // a joint may add energy to it, so it is not judged
        bool judged = false;               // grounded, and gained
        Real speed = 1, way = 1;           // shares of its speed and of its displacement that a grounded island keeps
        Real ownSpeedKept = 1, ownLiftKept = 1;  // shares of the bodies' own gains that are kept
    };
    void sumBalances(TaskRunner& tasks, std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                     std::span<const ContactConstraint> constraints, std::span<const ContactLink> links,
                     std::span<const Strike> strikes, std::span<const JointLink> joints, const Islands& islands, Real dt);
    void findEnergies(TaskRunner& tasks, std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                      std::span<const JointLink> joints, Real dt);
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

    // Sums over the bodies of an island (J, N), named as in IslandBalance. All threads find terms; then one thread per sum goes
    // through the bodies in order, so that rounding does not depend on the number of threads.
    enum Sum { kGain, kKinetic, kLift, kWeight, kOwnLift, kOwnSpeed, kSums };
    std::array<std::vector<double>, kSums> terms_;  // by body
    std::array<std::vector<double>, kSums> sums_;   // by island
    std::vector<double> startKinetic_;              // J, by body
    std::vector<double> heights_;                   // m against gravity, by body that has a weight
    std::vector<std::uint8_t> isLocked_;            // by body: an axis is locked
    std::vector<std::uint8_t> isJoined_;            // by body: joints hold it
    std::vector<double> partnerWork_;               // J, by link between an island and something outside it
    struct LinkOverlap {
        std::int32_t island = -1;
        double overlap = 0, load = 0;  // m N s, N s: sums over its points under load
    };
    PagedVector<LinkOverlap> overlaps_;    // by link of an island that is judged
    std::vector<std::uint8_t> isOutward_;  // by link: it joins an island to something outside
    std::vector<IslandBalance> balances_;
    std::vector<std::uint32_t> memberFirst_, members_;  // bodies by island, for free islands that are slowed
    int guardedIslands_ = 0;
    double removedEnergy_ = 0;
};

}  // namespace sunder::dynamics
