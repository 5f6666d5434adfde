#include "world/breaking/overloads.h"

#include <algorithm>

#include "world/breaking/bond_breaking.h"
#include "world/breaking/joint_breaking.h"

namespace sunder::world {

namespace {
// Load over strength from which a blow divides the step: the striker keeps at least half of what it brought, enough to break
// what comes next. Below, what breaks takes most of the blow, and when it did so within the step matters little.
constexpr double kPiercing = 2;
}  // namespace

void findOverloads(WorldState& world, Real dt, Real h) {
    findJointOverloads(world, dt, h);
    findBondOverloads(world, dt, h);
}

bool isBondStruck(const OverloadState& overloads) {
    return std::any_of(overloads.bodies.begin(), overloads.bodies.end(), [](const BodyOverload& body) {
        return std::any_of(body.bonds.begin(), body.bonds.end(),
                           [](const BondOverload& bond) { return bond.isImpact && bond.ratio > kPiercing; });
    });
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
