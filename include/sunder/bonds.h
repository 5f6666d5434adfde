// Bonded bodies: a compound whose children are pieces that are bonded face to face. While nothing breaks it is one rigid body,
// as stiff as any; loads are found on the graph of its bonds, and it comes apart along those that are loaded beyond their
// strength (docs/energised-fracture.md).
//
// A piece is a child of the body's Compound (of the outermost one: a child that is a compound itself is one piece). Indices of
// pieces are those of the children. Points and directions are in the body's frame.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sunder/shapes.h"
#include "sunder/types.h"

namespace sunder {

// The face that two pieces share.
struct Bond {
    std::uint32_t a = 0, b = 0;  // pieces
    Vec3 point{};                // m: the centroid of the face
    Vec3 normal{0, 1, 0};        // from a to b; any length above 0
    Real area = 0;               // m^2, > 0
    // m^4: the integral of r r^T over the face, r from its centroid: xx, yy, zz and xy, xz, yz. All zero: those of a square of
    // that area.
    Vec3 secondMoments{}, secondProducts{};
    Real strength = 1;  // factor on the strengths of BondsDef, >= 0
};

// Stresses (Pa) that a bond bears. On the face acts the force N along its normal (tension above 0), the force V across it, the
// bending moment M and the twisting moment T; A is its area, W the section moduli.
struct BondStrength {
    Real tension = Real(3e6);      // N / A
    Real shear = Real(4e6);        // V / A + T / W
    Real compression = Real(4e7);  // -N / A
    Real bending = Real(4e6);      // M / W less the pressure on the face, max(0, -N / A)
    Real impactTime = Real(0.05);  // s: a blow breaks a bond where its impulse exceeds strength times this time
};

struct BondsDef {
    std::vector<Bond> bonds{};  // empty: found where faces of pieces lie on each other (findBonds)
    BondStrength strength{};
    // Pa; 0 to 0.5: stiffness of the pieces between their centres, from which loads and energies follow, in place of that of
    // the body's Material.
    std::optional<Real> young{}, poisson{};
    Real alpha = 0;  // >= 0: share of its stored energy that a break releases as motion; above 1 it adds energy
    // s between breaks of one body; each then breaks only the most overloaded bond. 0: all overloaded bonds at once
    Real breakInterval = 0;
    // 0 to 1: share of its strength at which a bond flows; 1: it is brittle. It stores no more than it does at that load, so
    // that a break releases yield^2 of what a brittle one does. Joined pieces (joined_pieces.h) part for good. [Li18] 5
    Real yield = 1;
    Real ductility = Real(0.01);  // m, > 0: of joined pieces, see JointDef
    // Pieces that are fixed to the world; for static bodies only, which need at least one.
    std::vector<std::uint32_t> anchored{};
};

// The load of a bond: force (N) and torque (N m, about its point) that b exerts on a, body axes, and the share of its strength
// that they use.
struct BondLoad {
    Vec3 force{}, torque{};
    Real share = 0;
};

// Bonds between children whose flat faces lie on each other within the tolerance (m): boxes and hulls, also inside nested
// compounds. In the order of the pairs of children. Throws Error where buildShape would.
std::vector<Bond> findBonds(const Compound& pieces, Real tolerance = Real(1e-3));

// The bond of two pieces that share these triangles (corners in the body's frame, in any order); normal points towards b.
Bond bondOfTriangles(std::uint32_t a, std::uint32_t b, const std::vector<std::array<Vec3, 3>>& triangles, const Vec3& normal);

}  // namespace sunder
