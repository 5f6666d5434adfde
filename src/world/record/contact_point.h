// Where a contact touches a body.
#pragma once

#include "dynamics/contact/scalar/constraint.h"
#include "world/record/body.h"

namespace sunder::world {

// A point of contact, as the solver keeps it, in the body's frame.
inline Vec3 anchorInBody(const Body& body, const dynamics::AnchorFrame& frame, const Vec3& anchor) {
    if (body.motion != Motion::Static && !isAsleep(body) && frame.motion == dynamics::AnchorMotion::Turns)
        return transformPoint(body.bodyFromPrincipal, anchor);
    return transformPoint(body.bodyFromPrincipal, inverseRotate(body.orientation, anchor));
}

// A point at this arm (m, world axes) from the body's centre, where it lies under that orientation, in the body's frame.
inline Vec3 pointInBody(const Body& body, const Quat& worldFromPrincipal, const Vec3& arm) {
    return transformPoint(body.bodyFromPrincipal, inverseRotate(worldFromPrincipal, arm));
}

}  // namespace sunder::world
