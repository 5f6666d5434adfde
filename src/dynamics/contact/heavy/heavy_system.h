// The equations of a block of heavy loads (heavy_block.h): first a row along the normal of each point, then two along its
// tangents.
//
//   left = wanted - matrix change      m/s that rows still miss; updated as impulses are added
//
// The matrix is kept from substep to substep; what the rows want is set in each.
#pragma once

#include <cstdint>
#include <vector>

#include "dynamics/contact/heavy/kept_factor.h"

namespace sunder::dynamics {

// m/s: an open point that approaches more slowly than this stays open; less would be rounding.
inline constexpr double kSlowApproach = 1e-6;

// Effective mass of a point's tangents: N s per m/s of slip, while all other impulses stay as they are.
struct TangentMass {
    double m11, m12, m22;
};

struct HeavySystem {
    std::size_t pointCount = 0, rowCount = 0;

    std::vector<double> matrix;              // m/s of one row per N s of another; rowCount * rowCount, symmetric
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
    // To be called when the matrix has been filled in.
    void takeMatrix();
    // Row of the first tangent of a point; that of the second follows.
    std::size_t tangentOf(std::size_t point) const { return pointCount + 2 * point; }
    const double* answerTo(std::size_t row) const { return &matrix[row * rowCount]; }

    // All changes become 0.
    void begin();
    void add(std::size_t row, double impulse);
    // Finds `left` of one row again, after changes were made without `add`.
    void findLeft(std::size_t row);
    // Adds impulses along both tangents of a point. Updates `left` of the tangents only, not of the normals.
    void rub(std::size_t tangent, double first, double second);

    bool wantsToPush(std::size_t point) const { return had[point] > 0 || wanted[point] > 0; }
    // Overlaps are no longer to be pushed apart; false where there were none.
    bool dropOverlaps();
    bool isBelow(double impulse) const;  // whether every change is
    bool gainsEnergy() const;
};

}  // namespace sunder::dynamics
