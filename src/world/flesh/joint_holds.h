// Joints of deformable bodies in the system of their island: points that coincide, or keep their distance.
//
// Rigid bodies that joints connect with one that holds a deformable body are in the same system, with these joints: a heavy
// body on a chain would otherwise sink by what each step gives it anew. The solver of rigid bodies then solves their joints
// again.
#pragma once

#include "deformable/contact/island_contact.h"
#include "world/flesh/flesh_contact.h"

namespace sunder::world {

// Rigid bodies that a system can move; others are obstacles that go their way.
bool canTakePart(const Body& body);

// Appends what the joints of these deformable bodies hold, and those of the rigid bodies that hang on them by joints or, as
// `out` says, by nodes.
void findJointHolds(const WorldState& world, std::span<const std::uint32_t> solids, std::vector<FleshContact>& out);

// What joints of deformable bodies bore.
class JointLoads {
public:
    void add(const FleshContact& found, const deformable::IslandContact& solved);
    // Fills FleshJointState::loads and the joints' forces.
    void take(WorldState& world, Real dt);

private:
    struct Pull {
        std::uint32_t joint;
        WorldPoint point;
        Vec3 impulse;  // N s, on B
    };
    std::vector<Pull> pulls_;
};

}  // namespace sunder::world
