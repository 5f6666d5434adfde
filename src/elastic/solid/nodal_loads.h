// The forces on the nodes of a solid: of blows and contacts at points, of its spin; and their balance.
//   [Bao07] VI   impulses spread to the nodes by barycentric weight
// Deviation: the paper does not balance its loads. A body that is hit accelerates; in its own frame that is a load on every
// node,
//     f_i -= m_i (a + alpha x r_i)      inertia relief: a and alpha from the summed forces and the lumped masses,
// without which the elastic problem has no solution, and the points that are held to force one carry stresses of their own.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "elastic/solid/elastic_solid.h"

namespace sunder::elastic {

// Forces on a component of no more than this share of the largest on any are what rounding leaves where nothing acts.
inline constexpr double kNoForce = 1e-10;

struct NodalLoads {
    std::vector<Vec3d> forces;  // N, per node, in the body's frame

    explicit NodalLoads(const ElasticSolid& solid) : forces(solid.nodes.size()) {}

    // A force (N) in an element, at the point with these barycentric weights (ElementFinder finds both). An impulse (N s) of a
    // blow is divided by its contact time (contact_time.h), one of a resting contact by the step.
    void addForce(const ElasticSolid& solid, std::uint32_t element, const std::array<double, 4>& weights, const Vec3d& force);
    // Centrifugal loads of a solid that turns (rad/s, body's frame): -m_i w x (w x r_i). The balance has its angular
    // acceleration.
    void addSpin(const ElasticSolid& solid, const Vec3d& angularVelocity);
};

// Forces without a resultant and without a moment, on each component by itself.
NodalLoads balanced(const ElasticSolid& solid, const NodalLoads& loads);

}  // namespace sunder::elastic
