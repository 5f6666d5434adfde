#include "world/breaking/energy/joint_flow.h"

#include "world/state/handles.h"

namespace sunder::world {

namespace {

WorldPoint anchorOf(const Body* body, const Pose& frame) {
    return body ? userPosition(*body) + rotate(userOrientation(*body), frame.position) : toWorldPoint(frame.position);
}

}  // namespace

void flow(const PagedVector<Body>& bodies, Joint& joint) {
    const JointDef& def = joint.def;
    const Body *a = bodyOf(bodies, joint.bodyA), *b = bodyOf(bodies, joint.bodyB);
    const Vec3 gap = anchorOf(b, joint.frameB) - anchorOf(a, joint.frameA);
    const Real stretch = length(gap), yield = *def.yieldForce;
    const Real hardening = def.breakForce ? (*def.breakForce - yield) / def.ductility : Real(0);
    const Real excess = def.stiffness * stretch - (yield + hardening * joint.flowed);
    if (!(excess > 0) || !isFinite(gap))
        return;
    const Real parted = excess / (def.stiffness + hardening);
    const Vec3 move = gap * (parted / stretch);
    joint.frameA.position += a ? inverseRotate(userOrientation(*a), move) : move;
    joint.flowed += parted;
}

}  // namespace sunder::world
