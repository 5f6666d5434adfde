// A visitor that receives the engine's view of a world for drawing.
#pragma once

#include "sunder/joints.h"
#include "sunder/shapes.h"
#include "sunder/types.h"

namespace sunder {

// Overrides what it wants to see; the rest does nothing.
class DebugDraw {
public:
    virtual ~DebugDraw() = default;
    // A convex shape or mesh of a body, in world space. Compounds arrive child by child; surfaceMesh() gives the triangles of a
    // level set.
    virtual void shape(BodyId, const Shape&, const Pose& /*worldFromShape*/) {}
    virtual void contact(const Vec3& /*point*/, const Vec3& /*normal*/, Real /*separation*/, Real /*impulse*/) {}
    virtual void bounds(BodyId, const Vec3& /*low*/, const Vec3& /*high*/) {}
    // Called for a sleeping body, after its shapes.
    virtual void asleep(BodyId) {}
    // The anchors of a joint on its two bodies, and its axis; force (N) on the second body.
    virtual void joint(JointId, const Vec3& /*anchorA*/, const Vec3& /*anchorB*/, const Vec3& /*axis*/, const Vec3& /*force*/) {
    }
    virtual void centreOfMass(BodyId, const Pose& /*worldFromPrincipal*/) {}
};

}  // namespace sunder
