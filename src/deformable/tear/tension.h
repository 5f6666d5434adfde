// Where a solid is about to tear: the tension at its nodes.
//   [Parker09] 5, [OH99]   separation tensor of a node, from the forces that tension and compression in its tetrahedra exert on
//   it
// Deviation: the tensor's largest eigenvalue is a force and grows with the tetrahedra. Divided by the area that they show
// across its direction, half the sum of V |grad N . n|, it is a stress, and that of a body under uniform tension on any mesh.
#pragma once

#include <span>

#include "core/task_runner.h"
#include "deformable/element/solid_memory.h"

namespace sunder::deformable {

struct NodeTension {
    std::uint32_t node = 0;
    Real stress = 0;  // Pa
    Vec3 normal;      // unit: of the plane that opens, in the body's frame
};

struct TensionFound {
    std::vector<NodeTension> beyond;  // nodes with a tension above the strength, the largest first, then by node
    std::vector<NodeTension> below;   // of others, where they are asked for and there is any
    Real load = 0;                    // the largest stress of a tetrahedron, tension or compression, as a share of the strength
};

// positions: of the nodes, in the body's frame. strength: Pa, above 0. withBelow: whether others than those beyond are wanted.
TensionFound findTension(TaskRunner& tasks, const SolidModel& model, std::span<const Vec3> positions, const SolidMemory& memory,
                         Real strength, bool withBelow = false);

// Pa: the largest principal stress of a tetrahedron; below 0 where it is pressed from all sides.
std::vector<Real> tetTensions(TaskRunner& tasks, const SolidModel& model, std::span<const Vec3> positions,
                              const SolidMemory& memory);

}  // namespace sunder::deformable
