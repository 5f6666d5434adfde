#include "world/breaking/overloads.h"

#include <algorithm>

#include "world/breaking/bond_breaking.h"
#include "world/breaking/joint_breaking.h"

namespace sunder::world {

namespace {
// Every blow that breaks a bond divides the step, until so many have broken in it; from then on only those do that load a bond
// to kPiercing times its strength. Such a striker keeps at least half of what it brought, enough to break what comes next.
// Below, what breaks takes most of the blow, and when it does so within the step matters less than what it costs to find out:
// in a wall of 2000 bricks that comes apart some bond is at its limit in every 1/2000 s.
constexpr std::size_t kManyBreaks = 32;
constexpr double kPiercing = 2;
}  // namespace

void findOverloads(WorldState& world, Real dt, Real h) {
    findJointOverloads(world, dt, h);
    findBondOverloads(world, dt, h);
}

bool isBondStruck(const OverloadState& overloads) {
    const double least = overloads.bondEvents.size() < kManyBreaks ? 1 : kPiercing;
    return std::any_of(overloads.bodies.begin(), overloads.bodies.end(), [&](const BodyOverload& body) {
        return std::any_of(body.bonds.begin(), body.bonds.end(),
                           [&](const BondOverload& bond) { return bond.isImpact && bond.ratio > least; });
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
