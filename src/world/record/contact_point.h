// Where a contact touches a body.
#pragma once

#include "dynamics/contact/scalar/constraint.h"
#include "world/record/body.h"

namespace sunder::world {

// The anchor of a contact, as the solver keeps it, as a point of the body's frame.
inline Vec3 anchorInBody(const Body& body, const dynamics::AnchorFrame& frame, const Vec3& anchor) {
    if (body.motion != Motion::Static && !isAsleep(body) && frame.motion == dynamics::AnchorMotion::Turns)
        return transformPoint(body.bodyFromPrincipal, anchor);
    return transformPoint(body.bodyFromPrincipal, frame.center + inverseRotate(body.orientation, anchor));
}

// The point at an arm (m, world axes) from the centre of a body with this orientation, in the body's frame.
inline Vec3 pointInBody(const Body& body, const Quat& worldFromPrincipal, const Vec3& arm) {
    return transformPoint(body.bodyFromPrincipal, inverseRotate(worldFromPrincipal, arm));
}

}  // namespace sunder::world
