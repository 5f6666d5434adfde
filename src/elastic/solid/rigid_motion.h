// The rigid part of forces and displacements of a solid, one component at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elastic/solid/elastic_solid.h"

namespace sunder::elastic {

// Masses of a component as a rigid body. The six entries of its inertia: xx yy zz xy xz yz.
struct RigidComponent {
    double mass = 0;
    Vec3d centre;
    double inertia[6] = {};

    // alpha of inertia alpha = moment; zero where it has no inertia.
    Vec3d solve(const Vec3d& moment) const;
};
std::vector<RigidComponent> rigidComponents(const ElasticSolid& solid);

// Takes the rigid motion (mean, weighted by mass) out of displacements.
void removeRigidMotion(const ElasticSolid& solid, std::span<Vec3d> displacements);

}  // namespace sunder::elastic
