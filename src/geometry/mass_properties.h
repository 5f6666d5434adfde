// Volume, centre and inertia of solids, per unit of density. Double, because meshes subtract large numbers.
#pragma once

#include <array>
#include <span>

#include "math/quat.h"

namespace sunder::geometry {

struct MassProperties {
    double volume = 0;                // m^3; the mass for density 1
    std::array<double, 3> center{};   // m
    std::array<double, 6> inertia{};  // xx yy zz xy xz yz about the center, for density 1; off-diagonals are -integral
};

MassProperties sphereMass(double radius);
MassProperties boxMass(const Vec3& halfExtents);
MassProperties capsuleMass(double radius, double halfHeight);   // axis y
MassProperties cylinderMass(double radius, double halfHeight);  // axis y
// A closed, outward-facing triangle surface, by the divergence theorem.
MassProperties meshMass(std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles);
// The solid in another frame, by the parallel axis theorem.
MassProperties transformed(const MassProperties& solid, const Pose& outerFromSolid);
// The union of disjoint solids.
MassProperties combined(std::span<const MassProperties> solids);

// The axes in which the inertia is diagonal: I = R diag(moments) R^T. The identity where it already is.
struct PrincipalAxes {
    Quat bodyFromPrincipal;
    std::array<double, 3> moments{};
};
PrincipalAxes principalAxes(const std::array<double, 6>& inertia);

}  // namespace sunder::geometry
