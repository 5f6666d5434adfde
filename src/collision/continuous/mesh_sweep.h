// The way of a convex core past a mesh: which boxes and triangles it can meet, and when at the earliest.
#pragma once

#include "collision/continuous/advancement.h"
#include "collision/continuous/box_sweep.h"

namespace sunder::collision {

// A box about the core that goes along with it in a straight line, in the mesh's frame at time 0. Turning takes the core off
// that line by w^2 T^2 r / 8 at most (the error of linear interpolation, r from the axis), by which the box is larger.
class MeshSweep {
public:
    // Up to the time `duration`, as near as `reach` to the surface. mesh: its core does not matter.
    MeshSweep(const CoreMotion& mesh, const CoreMotion& convex, double duration, double reach);

    // When the core can reach anything inside the bounds at the earliest; kNever where it cannot.
    double entryTime(const Bounds& bounds) const;
    // Whether it can reach the front of the triangle by the time `end`, of the mesh that does not turn.
    bool mayMeet(const Vec3 (&corners)[3], const Vec3& normal, double end) const;

private:
    bool overlapsAlongAxes(const Bounds& bounds) const;

    const CoreMotion& convex_;
    double duration_, reach_;
    bool turns_;             // the mesh does
    BoxSweep box_;           // until `duration`
    Vec3d start_;            // a point inside the core at time 0
    Placement placement_;    // of the core at time 0
    Vec3d velocity_, spin_;  // against the mesh
    Vec3d low_, high_;       // of what the core covers along its own axes at time 0, all the way
};

}  // namespace sunder::collision
