// The vertices of a deforming body: the door for deformable solids. The pose of such a body is that of a frame which is solved
// as a rigid body; a stage of the stepper moves the vertices in that frame. Bounds, pairs, rest, snapshots, hashes and
// recordings read them as they are.
#pragma once

#include <array>
#include <vector>

#include "math/bounds.h"
#include "math/quat.h"
#include "world/record/collider.h"

namespace sunder::world {

// Vertices with bounds of their own; two colliders may share vertices.
struct VertexCollider {
    std::vector<std::uint32_t> vertices;  // into BodyVertices::positions; at least one
    std::uint32_t proxy = kNone;          // unused in the first one, whose proxy is the body's
    Bounds swept;                         // scratch of a search for contacts
};

struct BodyVertices {
    std::vector<Vec3> positions, velocities;              // m, m/s, in the body's frame
    std::vector<std::array<std::uint32_t, 3>> triangles;  // of its surface, counter-clockwise from outside
    std::uint64_t revision = 0;                           // changes whenever the triangles change
    std::vector<VertexCollider> colliders;                // by child; at least one
};

// Bounds of a collider's vertices as they are now.
Bounds boundsOf(const BodyVertices& vertices, std::uint32_t child, const Pose& worldFromBody);
// m: radius of a ball about the frame's origin that contains all vertices.
Real radiusOf(const BodyVertices& vertices);
// m/s: the fastest vertex, relative to the frame.
Real fastestOf(const BodyVertices& vertices);
bool areFinite(const BodyVertices& vertices);
// For a body that is quarantined: vertices that are not finite are put at the origin of its frame, and all velocities become 0.
void makeFinite(BodyVertices& vertices);
// Whether lists and indices fit each other and all numbers are finite.
bool isSound(const BodyVertices& vertices);

}  // namespace sunder::world
