#include "world/breaking/overloads.h"

#include "world/breaking/bond_breaking.h"
#include "world/breaking/joint_breaking.h"

namespace sunder::world {

void findOverloads(WorldState& world, Real dt, Real h) {
    findJointOverloads(world, dt, h);
    findBondOverloads(world, dt, h);
}

bool breakOverloads(WorldState& world) {
    const bool anyJoint = breakJointOverloads(world);
    return breakBondOverloads(world) || anyJoint;
}

void keepLoads(WorldState& world, Real dt, Real h, bool isLast) {
    keepJointLoads(world, dt, h);
    keepBondLoads(world, dt, isLast);
}

}  // namespace sunder::world
