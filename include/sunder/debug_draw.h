// A visitor that is shown what the engine sees; the host draws it as it likes.
#pragma once

#include "sunder/joints.h"
#include "sunder/shapes.h"
#include "sunder/types.h"

namespace sunder {

class DebugDraw {
public:
    virtual ~DebugDraw() = default;
    // The convex and mesh parts of a body's shape, in world space. Compounds arrive child by child; of a level set
    // surfaceMesh() has the triangles.
    virtual void shape(BodyId body, const Shape& shape, const Pose& worldFromShape) = 0;
    virtual void contact(const Vec3& point, const Vec3& normal, Real separation, Real impulse) = 0;
    virtual void bounds(BodyId body, const Vec3& low, const Vec3& high) = 0;
    // Of a sleeping body, after its shapes.
    virtual void asleep(BodyId) {}
    // The anchors of a joint on its two bodies, and its axis; force: on the second body, N.
    virtual void joint(JointId, const Vec3& /*anchorA*/, const Vec3& /*anchorB*/, const Vec3& /*axis*/, const Vec3& /*force*/) {
    }
    virtual void centreOfMass(BodyId body, const Pose& worldFromPrincipal) = 0;
};

}  // namespace sunder
