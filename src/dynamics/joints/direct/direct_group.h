// A group of connected joints, solved as one linear system: whatever their number and masses, all are met exactly in every
// substep. A sweep from joint to joint would pass the load of a heavy weight at the end of a chain on by one link per visit.
//
//   1  rows where the bodies are now; last substep's impulses follow them
//   2  rows with bounds (limits, motors, friction), one after the other
//   3  A x = -(J v + bias + Sigma p),  A = J M^-1 J^T + Sigma,  over the held rows of all joints and those bounded rows that
//      are not at a bound; p += x
//   4  bodies that are too light for the forces found get more inertia (group_bodies.h), and 3 is solved again
//   5  solved once more with the curvature of the velocities found: anchors then meet to third order. Without it the tension of
//      a chain lags behind its swing and feeds it (docs/joints.md).
//   6  energy that appeared is taken out again (direct_group_energy.cpp)
//
// A is in double whatever Real is: the masses along a chain may differ by thousands.
//
// The held rows act last in a substep, so that anchors meet at its end and errors cannot add up. Contacts act before them, on
// velocities that include the joint impulses of the last substep. Where those were a blow, the group is solved before the
// contacts too: they would otherwise respond to velocities that light bodies never have.
#pragma once

#include <vector>

#include "dynamics/joints/direct/group_bodies.h"
#include "dynamics/joints/row/joint_matrix.h"

namespace sunder::dynamics {

class DirectGroup {
public:
    // joints: bodies of each joint; isMoving: by body; budget: multiplications per factorization. False where it takes more.
    bool plan(std::span<const std::pair<std::uint32_t, std::uint32_t>> joints, std::span<const int> capacities,
              std::span<const std::uint8_t> isMoving, double budget);

    // Before the substeps of a step, and after them.
    void begin(std::span<const JointConstraint> joints, std::span<const SolverBodyConstants> constants,
               std::span<const Touch> touches);
    void finish(std::span<SolverBodyConstants> constants) const { groupBodies_.restore(constants); }
    // joints[i] of the group is constraints[first + i].
    void start(std::span<JointConstraint> joints, std::span<SolverBody> bodies, const JointSettings& settings);
    void beginWithHalfKick(std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants, Real h) const;
    void endWithHalfKick(std::span<JointConstraint> joints, std::span<SolverBody> bodies,
                         std::span<const SolverBodyConstants> constants, const JointSettings& settings);
    // Before the contacts of a substep, and after them.
    void foresee(std::span<JointConstraint> joints, std::span<SolverBody> bodies, std::span<SolverBodyConstants> constants,
                 const JointSettings& settings);
    void solve(std::span<JointConstraint> joints, std::span<SolverBody> bodies, std::span<SolverBodyConstants> constants,
               const JointSettings& settings);

private:
    // Kinetic energies of the group (J) at moments of the substep.
    struct Balance {
        double free = 0;    // with the impulses of active rows only
        double given = 0;   // most that contacts can have given, to bodies that others may have struck
        double before = 0;  // before the passive rows
        double now = 0;
        double drive = 0;  // work of kinematic bodies through passive rows
    };
    template <class Visit>
    void forEachRow(Visit&& visit) const;
    void addImpulse(std::vector<BodyMotion>& motions, std::size_t joint, int row, double impulse) const;
    double speedOf(const std::vector<BodyMotion>& motions, std::size_t joint, int row) const;
    double driveOf(const JointConstraint& joint, std::size_t index, const JointRow& row,
                   std::span<const SolverBody> bodies) const;
    void addBoundRows(std::span<const JointConstraint> joints, std::span<const SolverBody> bodies);
    Balance findBalance(std::span<const JointConstraint> joints, std::span<const SolverBody> bodies);
    double denyWork(std::span<const JointConstraint> joints, std::span<SolverBody> bodies,
                    std::span<const SolverBodyConstants> constants, const Balance& balance, Real h);
    void slowDown(std::span<SolverBody> bodies, double excess) const;
    void keepEnergy(std::span<const JointConstraint> joints, std::span<SolverBody> bodies,
                    std::span<const SolverBodyConstants> constants, Real h);

    bool solveAll(std::span<JointConstraint> joints, std::span<SolverBody> bodies, std::span<SolverBodyConstants> constants,
                  const JointSettings& settings);
    bool meetRows(std::span<JointConstraint> joints, std::span<SolverBody> bodies);
    bool chooseRows(std::span<JointConstraint> joints);
    void assemble(std::span<JointConstraint> joints, std::span<const SolverBody> bodies);
    void findErrors(std::span<const JointConstraint> joints, std::span<const SolverBody> bodies);
    void apply(std::span<JointConstraint> joints, std::span<SolverBody> bodies);

    // Stands in sigma_ for a row that gets no impulse, because its axis is locked.
    static constexpr double kNoAnswer = -1;

    GroupBodies groupBodies_;
    linear::BlockCholesky<double> matrix_;  // one block per joint; those that share a moving body are neighbours
    std::vector<SharedBody> shared_;
    std::vector<JointRow*> rows_;  // by unknown
    std::vector<RowData> data_;
    std::vector<int> rowCounts_;
    std::vector<double> x_, sigma_;                  // sigma: softness, m/s or rad/s per unit impulse
    std::vector<BodyMotion> now_, before_, driven_;  // by body of the group: scratch
    std::vector<std::uint8_t> isDriven_;             // by body of the group: impulses acted on it in this substep
    bool hadBlow_ = false;                           // impulses of the last substep are no guess for this one
    bool halvesKicks_ = false;                       // see beginWithHalfKick
};

}  // namespace sunder::dynamics
