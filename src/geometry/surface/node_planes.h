// The tangent plane that a node of a distance field sees, even next to an edge, where differences across the edge lie.
#pragma once

#include "geometry/level_set/level_set.h"

namespace sunder::geometry {

struct NodePlane {
    Vec3 normal;      // unit, outward
    Real offset = 0;  // normal . x = offset on the plane, x from the node, in cells
    Real weight = 0;  // in [0, 1]: 1 where the gradient has unit length as a distance must; 0 where it is no distance
};

// Central differences where they have unit length; else, per axis, the forward or the backward one, in the combination whose
// length is nearest to 1: away from its medial axis a distance is smooth on at least one side.
// Each node is looked at once, when it is first asked for: the cells along an edge share most of their nodes.
template <class Stored>
class NodePlanes {
public:
    explicit NodePlanes(const LevelSet<Stored>& field);
    // Of the corners of a cell, in their order (bit 0: x, bit 1: y, bit 2: z). Valid until the next call.
    void atCorners(const Int3& cell, const NodePlane** planes);

private:
    NodePlane compute(const Int3& node) const;

    const LevelSet<Stored>& field_;
    Real scale_;
    std::vector<std::uint32_t> numberOf_;  // per node: one more than its place in planes_; 0 where not yet asked for
    std::vector<NodePlane> planes_;
};

}  // namespace sunder::geometry
