// The frame that carries the large motion of a solid; its deformation is solved in it.
//
// A linearised step with frozen rotations inflates a body that spins: the nodes leave along their tangents, and the spurious
// stress is about E (w dt)^2. So the whole body is turned first, as a rigid body whose angular momentum is kept, and what is
// solved is the deformation in the turning frame, under the loads that are felt in it:
//     -m [ w x (w x s) + 2 w x u + a x s ]      centrifugal, Coriolis, Euler
// with s the offset from the centre of mass, u the velocity relative to the frame, and a such that the loads have no torque,
// because the angular momentum of the whole is carried by the frame. The frame is chosen anew after every step so that the
// nodes have no momentum and no angular momentum in it.
#pragma once

#include <span>

#include "deformable/element/solid_model.h"
#include "deformable/step/node_blocks.h"
#include "math/quat.h"

namespace sunder::deformable {

struct FrameMotion {
    WorldPoint center;     // m: the centre of mass
    Quat worldFromBody;    // orientation of the frame in which nodes are kept
    Vec3 velocity;         // m/s
    Vec3 angularVelocity;  // rad/s
};

// Nodes in the body's frame, in which the centre of mass is SolidModel::center.
struct NodeMotion {
    std::span<Vec3> positions, velocities;  // m; m/s, relative to the frame
};

// A solid after its frame has moved and before its deformation is solved. World axes, offsets from `motion.center`.
struct FreeFlight {
    FrameMotion motion;              // at the end of the step
    Vec3 angularMomentum;            // kg m^2/s
    std::vector<Four> offsets;       // m
    std::vector<Four> relative;      // m/s: relative to the frame
    std::vector<Four> loads;         // N: felt in the frame
    std::vector<Four> displacement;  // m: of the nodes in this step, if nothing acted on them
};

void flyFreely(const SolidModel& model, const FrameMotion& start, const NodeMotion& nodes, const Vec3& acceleration, Real dt,
               FreeFlight& out);

// change: of the nodes' velocities. Moves the nodes and chooses the frame anew. isFree: nothing outside acted on the solid, so
// that the change may carry no momentum; what rounding and an unfinished solve left of it is taken out.
void land(const SolidModel& model, const FreeFlight& flight, std::span<const Four> change, bool isFree, Real dt,
          FrameMotion& end, const NodeMotion& nodes);

// A solid that moves without deforming: a frame whose nodes rest in it.
struct RigidFlight {
    FrameMotion motion;  // at the end of the step, if nothing acts on it
    Sym3 inertia;        // kg m^2, world axes, at the end of the step
    Mat3 turn;           // in this step, if nothing acts on it
};
RigidFlight flyRigidly(const SolidModel& model, const FrameMotion& start, std::span<const Vec3> positions,
                       const Vec3& acceleration, Real dt);
// velocity and angularVelocity: at the end of the step.
FrameMotion landRigidly(const FrameMotion& start, const RigidFlight& flight, const Vec3& velocity, const Vec3& angularVelocity,
                        Real dt);

// kg m^2, about the origin of the offsets.
Sym3 inertiaOf(const SolidModel& model, std::span<const Four> offsets);

}  // namespace sunder::deformable
