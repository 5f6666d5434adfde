// The equations of a block of heavy loads (heavy_block.h): first a row along the normal of each point, then two along its
// tangents.
//
//   left = wanted - matrix change      m/s that the rows still want; follows as impulses are added
//
// What the bodies answer is kept from substep to substep, what the rows want is new in each.
#pragma once

#include <cstdint>
#include <vector>

#include "dynamics/contact/heavy/kept_factor.h"

namespace sunder::dynamics {

// N s that a point's tangents need per m/s of slip, all others left as they are.
struct TangentMass {
    double m11, m12, m22;
};

struct HeavySystem {
    std::size_t pointCount = 0, rowCount = 0;

    // What the bodies answer: m/s of one row per N s of another.
    std::vector<double> matrix;              // rowCount * rowCount, symmetric
    std::vector<double> friction;            // by point: the coefficient
    std::vector<TangentMass> tangentMasses;  // by point
    double massRatio = 1;                    // of the heaviest body and the lightest
    KeptFactor normalFactor, stickingFactor;

    // By row, set in each substep.
    std::vector<double> had;      // N s: impulses so far
    std::vector<double> targets;  // m/s: the velocity that the row asks for
    std::vector<double> wanted;   // m/s: targets less the velocities

    // The solution, by row.
    std::vector<double> change;  // N s
    std::vector<double> left;

    void resize(std::size_t points);
    // Once the matrix is filled in.
    void takeMatrix();
    // Of the first tangent of a point; the other follows.
    std::size_t tangentOf(std::size_t point) const { return pointCount + 2 * point; }
    const double* answerTo(std::size_t row) const { return &matrix[row * rowCount]; }

    // Nothing is changed yet.
    void begin();
    void add(std::size_t row, double impulse);
    // What is left of one row, where changes were made without `add`.
    void findLeft(std::size_t row);
    // To both tangents of a point. What is left of the normals does not follow.
    void rub(std::size_t tangent, double first, double second);

    bool wantsToPush(std::size_t point) const { return had[point] > 0 || wanted[point] > 0; }
    // Asks for nothing more where bodies overlap; false where nothing was asked for.
    bool dropOverlaps();
    bool isBelow(double impulse) const;  // each change
    bool gainsEnergy() const;
};

}  // namespace sunder::dynamics
