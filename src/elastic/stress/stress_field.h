// Stress per element: from displacements, smoothed, and its principal values.
//   [Bao07] IV      sigma = 2 mu G_L + lambda tr(G_L) I      (the paper's print lacks the I)
//   [Bao07] VII.A   one pass of volume-weighted averaging
#pragma once

#include <array>
#include <span>
#include <vector>

#include "elastic/solid/elastic_solid.h"
#include "math/eigen.h"

namespace sunder::elastic {

using Stress = std::array<double, 6>;  // Pa: xx yy zz xy xz yz, tension positive

std::vector<Stress> stressOf(const ElasticSolid& solid, std::span<const Vec3d> displacements, TaskRunner& runner);

// Every element gets the mean of itself and its neighbours, elements that share a node, weighted by their volumes: first
// gathered at the nodes, then from the four corners.
std::vector<Stress> smoothed(const ElasticSolid& solid, std::span<const Stress> stresses, TaskRunner& runner);

struct PrincipalStress {
    double value = 0;  // Pa
    Vec3d direction;   // of unit length
};
// The largest tension. For the rest symmetricEigen takes a Stress as it is.
PrincipalStress largestPrincipal(const Stress& stress);

}  // namespace sunder::elastic
