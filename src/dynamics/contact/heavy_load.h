// Light bodies under heavy ones: their contacts are solved together, exactly, instead of one after the other.
//
// A pass over single contacts hands a heavy body's weight through a light one in portions of the light one's mass: at 1000:1 it
// takes a thousand passes, and the heavy body sinks meanwhile. Here the contacts of such a light body (and of its light
// neighbours) form a block, and each pass solves the block's system directly. Nothing is made infinitely heavy, so nothing
// sticks: where the block's contacts cannot hold, they open or slide as they should.
//
// A body is not under a heavy one for touching it: shards on a table carry their own weight and each other's. A contact that
// has a load makes a block where that is many times the light body's weight; one that has none yet, where the block's light
// bodies lie between two others, of which at least one is heavy.
//
// Each block is a small mixed problem, contact impulses >= 0 and Coulomb friction. It is solved by an active set: solve for
// all, drop the contacts that would pull, let slide those over the cone, solve again; a few rounds, bounded.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact/contact_link.h"
#include "dynamics/contact/soft_contact.h"

namespace sunder::dynamics {

class HeavyLoads {
public:
    // Finds the blocks. massRatio: how many times heavier a neighbour must be; 0 finds none. h, dt: the substep, the step (s).
    void find(std::span<const ContactLink> links, std::span<const ContactConstraint> constraints,
              std::span<const SolverBody> moving, std::span<const SolverBodyConstants> bodies, Real massRatio, Real h, Real dt);

    // Which constraints belong to blocks: block by block, and per constraint.
    std::span<const std::uint32_t> constraints() const { return constraints_; }
    bool contains(std::size_t constraint) const { return inBlock_[constraint] != 0; }

    void push(std::span<ContactConstraint> constraints, std::span<SolverBody> bodies, const ContactSettings& settings,
              PointOrder order);

private:
    struct Row {
        std::uint32_t bodyA, bodyB;
        Vec3 direction, angularA, angularB;  // the row's Jacobian: B along direction, A against it
    };
    enum class State : std::uint8_t { Open, Sticking, Sliding };
    struct Point {
        ContactConstraint* constraint;
        ConstraintPoint* point;
        State state;
        Vec3 slide;  // impulses of a sliding point: the direction in the tangent plane, as (tangent1, tangent2, 0)
    };

    void listConstraints(std::span<const ContactLink> links, std::size_t bodyCount);
    bool collectBlock(std::span<const ContactLink> links, std::span<const SolverBodyConstants> bodies, std::uint32_t lightBody,
                      Real heaviestLight);
    void dropBlock();
    Real fastestApproach(std::span<const ContactConstraint> constraints, std::span<const SolverBody> bodies,
                         std::uint32_t first, std::uint32_t last) const;
    void buildSystem(std::span<ContactConstraint> constraints, std::span<SolverBody> bodies, std::uint32_t first,
                     std::uint32_t last, const ContactSettings& settings);
    bool solve(std::uint8_t& isRough);
    bool solveActiveSet();
    bool solveFreeRows();
    bool updateStates();
    bool solveStaggered();
    bool solveNormals();
    double left(std::size_t row) const;
    void rub(std::size_t point);
    bool isSound() const;
    void applyImpulses(std::span<SolverBody> bodies);

    // The blocks of this step.
    std::vector<std::uint32_t> constraints_;
    std::vector<std::uint32_t> blockFirst_;  // into constraints_; one more than there are blocks
    std::vector<std::uint8_t> isRough_;      // by block: substeps for which it is solved in two stages at once
    std::vector<std::uint8_t> inBlock_;
    std::vector<std::uint32_t> bodyFirst_, bodyConstraints_;  // constraints of every body
    std::vector<std::uint32_t> queue_;
    std::vector<std::uint8_t> queued_;
    bool hasHeavy_ = false;  // the block just collected: its contacts with the heavy body are not all part of other blocks

    // The block being solved.
    std::vector<Point> points_;
    std::vector<Row> rows_;
    std::vector<double> matrix_, factor_, targets_, wanted_, change_, work_;
    std::vector<std::uint32_t> free_;
    double massRatio_ = 1;  // of the block's heaviest body and its lightest
    double brought_ = 0;    // N s: the largest impulse that a point of the block carries or could be asked for
};

}  // namespace sunder::dynamics
