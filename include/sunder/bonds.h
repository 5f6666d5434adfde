// Bonded bodies: a compound whose children are pieces that are bonded face to face. While nothing breaks it is one rigid body,
// as stiff as any; loads are found on the graph of its bonds, and it comes apart along those that are loaded beyond their
// strength (docs/energised-fracture.md).
//
// A piece is a child of the body's Compound (of the outermost one: a child that is a compound itself is one piece). Indices
// of pieces are those of the children. Points and directions are in the body's frame.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sunder/shapes.h"
#include "sunder/types.h"

namespace sunder {

// The face that two pieces share.
struct Bond {
    std::uint32_t a = 0, b = 0;  // pieces
    Vec3 point{};                // m: the centroid of the face
    Vec3 normal{0, 1, 0};        // from a to b, any length but 0
    Real area = 0;               // m^2, > 0
    // m^4: the integral of r r^T over the face, r from its centroid: xx, yy, zz and xy, xz, yz. All zero: those of a square.
    Vec3 secondMoments{}, secondProducts{};
    Real strength = 1;  // times the strengths of BondsDef
};

// Stresses (Pa) that a bond bears. On the face acts the force N along its normal (tension above 0), the force V across it, the
// bending moment M and the twisting moment T; A is its area, W the section moduli.
struct BondStrength {
    Real tension = Real(3e6);      // N / A
    Real shear = Real(4e6);        // V / A + T / W
    Real compression = Real(4e7);  // -N / A
    Real bending = Real(4e6);      // M / W - what presses the face together: max(0, -N / A)
    Real impactTime = Real(0.05);  // s: a blow breaks a bond where its impulse exceeds what the strengths bear in this time
};

struct BondsDef {
    std::vector<Bond> bonds{};  // none: found where faces of pieces lie on each other (findBonds)
    BondStrength strength{};
    Real young = Real(1e9);    // Pa: stiffness of the pieces between their centres, from which loads and energies follow
    Real poisson = Real(0.2);  // 0 to 0.5
    Real alpha = 0;            // share of its stored energy that a break releases
    Real breakInterval = 0;    // s between breaks of one body; each then takes the one bond that is most overloaded
    std::vector<std::uint32_t> anchored{};  // pieces that are fixed to the world: of a static body only, which needs some
};

// What a bond bears: what b does to a, N and N m about its point, body axes; and the share of its strength that this takes.
struct BondLoad {
    Vec3 force{}, torque{};
    Real share = 0;
};

// Bonds between children whose flat faces lie on each other, nearer than the tolerance (m): boxes and hulls, also inside of
// compounds. In the order of the pairs of children. Throws Error where buildShape would.
std::vector<Bond> findBonds(const Compound& pieces, Real tolerance = Real(1e-3));

// The bond of two pieces that share these triangles (corners in the body's frame, in any order); normal points towards b.
Bond bondOfTriangles(std::uint32_t a, std::uint32_t b, const std::vector<std::array<Vec3, 3>>& triangles, const Vec3& normal);

}  // namespace sunder
