// One block of heavy loads (heavy_load.h): the contacts of light bodies under heavy ones, solved together.
//
// It is a small mixed problem, contact impulses >= 0 and Coulomb friction. It is solved by an active set: solve for all, drop
// the contacts that would pull, let slide those over the cone, solve again; a few rounds, bounded.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact/contact_link.h"
#include "dynamics/contact/soft_contact.h"

namespace sunder::dynamics {

class HeavyBlock {
public:
    // Takes on other contacts, by their indices.
    void begin(std::span<const std::uint32_t> members, std::span<const ContactLink> links,
               std::span<const SolverBodyConstants> constants);

    // Reads all bodies of its contacts and writes those that move.
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
    struct Response {
        double a, b;  // speed of either body's own point along a row, per impulse along it
    };
    struct Member {
        std::uint32_t constraint, bodyA, bodyB;  // bodies by their place in the block
    };
    struct Place {
        std::uint32_t body;
        bool moves;
    };

    std::uint32_t placeOf(std::uint32_t body, bool moves);
    // Where the bodies that touch at the moment differ by less, ordinary passes do.
    bool isHeavy() const { return massRatio_ >= 10; }

    Real fastestApproach(std::span<const ContactConstraint> constraints) const;
    void buildSystem(std::span<ContactConstraint> constraints, const ContactSettings& settings);
    void listRows(std::span<ContactConstraint> constraints, const ContactSettings& settings);
    bool keepsMatrix(Real h);
    void buildMatrix();
    void findBrought();
    bool solve();
    bool solveActiveSet();
    bool solveFreeRows();
    bool updateStates();
    bool solveStaggered();
    bool solveNormals();
    double left(std::size_t row) const;
    void rub(std::size_t point);
    bool isSound() const;
    void applyImpulses();
    void pushOneByOne(std::span<ContactConstraint> constraints, const ContactSettings& settings, PointOrder order);

    std::vector<Member> members_;
    std::vector<Place> places_;
    std::vector<SolverBody> bodies_;  // copies, as places_
    std::uint8_t isRough_ = 0;        // substeps for which it is solved in two stages at once
    std::vector<Point> points_;
    std::vector<Row> rows_;
    std::vector<double> matrix_, factor_, targets_, wanted_, change_, work_;
    std::vector<Response> responses_;
    std::vector<std::uint32_t> free_;
    // What the matrix was built for, and how far the block's bodies may have turned since (rad).
    std::vector<const ConstraintPoint*> matrixOf_;
    Real turned_ = 0;
    double massRatio_ = 1;  // of the block's heaviest body and its lightest
    double brought_ = 0;    // N s: the largest impulse that a point of the block carries or could be asked for
};

}  // namespace sunder::dynamics
