// What a body carries beside its pose where its vertices move: the door for deformable solids. The pose is that of a frame
// which goes along with the body and is solved like a rigid one; the vertices move in that frame, by whatever stage of a
// stepper knows their law. Everything else takes them as they are: bounds, pairs, rest, snapshots, hashes, recordings.
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
    std::uint64_t revision = 0;                           // another number whenever the triangles are others
    std::vector<VertexCollider> colliders;                // by child; at least one
};

// Of a collider's vertices now.
Bounds boundsOf(const BodyVertices& vertices, std::uint32_t child, const Pose& worldFromBody);
// m: of a ball about the frame's origin that holds all vertices.
Real radiusOf(const BodyVertices& vertices);
// m/s, against the frame.
Real fastestOf(const BodyVertices& vertices);
bool areFinite(const BodyVertices& vertices);
// Of a body that is taken out of the simulation: vertices that are not finite go to its frame's origin, and all stand still.
void makeFinite(BodyVertices& vertices);
// Whether lists and indices fit each other and all numbers are finite.
bool isSound(const BodyVertices& vertices);

}  // namespace sunder::world
