// The passes of steady contact: projected Gauss-Seidel over points with friction [GBF03].
#pragma once

#include <vector>

#include "dynamics/impulse/impulse_state.h"

namespace sunder::dynamics {

// A site as the passes see it: they visit each one dozens of times, so what stays the same is found once and lies together.
struct PassRow {
    Vec3 N, x, y;  // x, y: across N
    Vec3 armA, armB;
    Vec3 KN;                      // change of u per impulse along N
    Vec3 impulse;                 // as of the site
    Real response = 0;            // of u.N to an impulse along N
    Real xx = 0, xy = 0, yy = 0;  // impulse across N per change of u; zero where nothing moves that way
    Real goal = 0;                // as of the site
};

PassRow rowOf(const ImpulseSite& site);

// Brings u.N to the row's goal where that takes a push, with friction. Returns the change of u.N (m/s).
Real solveRow(PassRow& row, const ContactMaterial& material, SolverBody& a, SolverBody& b);

// The rows of some pairs.
class PassRows {
public:
    // Of the pairs with these numbers, in the order of the visits from the ground up.
    PassRows(ImpulseStep& step, const std::vector<std::uint32_t>& order);

    // Up, or down again. Returns the largest change of u.N (m/s).
    Real pass(bool isDownwards);
    // Visits the pairs alone that are not settled: by what their last visit changed and what other pairs have done to their
    // bodies since. settled (m/s): as large a change of u.N does not count any more. Returns the largest change.
    Real passUnsettled(bool isDownwards, Real settled);
    // Hands the impulses on to the sites.
    void store();

private:
    struct Part {
        ImpulsePair* pair;
        std::uint32_t begin, end;  // of its rows
        bool rolls;
        Real change = kInfinity;          // m/s, of u.N in its last visit
        Real stirredA = 0, stirredB = 0;  // stirred_ of its bodies after that
    };
    Real visit(const Part& part);
    void visitAndNote(Part& part);

    ImpulseStep& step_;
    std::vector<Part> parts_;
    std::vector<PassRow> rows_;
    std::vector<Real> stirred_;  // m/s, by body: the sum of what visits did to its velocity, at its farthest point
};

}  // namespace sunder::dynamics
