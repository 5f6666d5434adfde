// What a body that cracks by stress remembers, and what loads it.
#pragma once

#include <cstdint>
#include <vector>

#include "math/vec3.h"

namespace sunder::world {

// In the body's frame.
struct StressLoad {
    Vec3 point;  // m
    Vec3 force;  // N
};

// A crack that has parted nothing. Numbers of nodes and tetrahedra are those of the mesh that the body's solid is filled with.
struct KeptCrack {
    std::vector<std::uint32_t> nodes, tets;
    std::vector<Real> distances;  // m, per node: its sign is the side of the node
};

struct StressMemory {
    std::vector<KeptCrack> cracks;
    // Of loads about this place the body is known to bear as much: the sum of forces (N), and the mean of their points,
    // weighted by them, when that was found.
    Real borneForce = 0;
    Vec3 borneCenter;
};

}  // namespace sunder::world
