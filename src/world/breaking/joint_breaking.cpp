// Finds and breaks overloaded joints.
//   [Li18] 3.4, 3.5
#include "world/breaking/joint_breaking.h"

#include <algorithm>
#include <optional>

#include "core/union_find.h"
#include "world/breaking/energy/joint_flow.h"
#include "world/breaking/release.h"
#include "world/commit/joints.h"
#include "world/sleep/wake.h"

namespace sunder::world {

namespace {

using fracture::LoadReading;
using fracture::LoadSample;

// Ratio of load and strength of a joint without strength under any load: finite, so that it can be compared and inverted.
constexpr Real kNoStrength = Real(1e30);
constexpr std::size_t kBreakingJointsPerTask = 1024;  // grain of the tasks

// The impulse that a joint transmitted in the solve, and its force at the end.
LoadSample actedBy(const WorldState& world, std::size_t active, Real dt, Real h) {
    const auto [isBall, index] = world.solve.joints.solver.place(active);
    LoadSample sample;
    sample.duration = dt;
    if (isBall) {
        const dynamics::BallJoint& ball = world.solve.joints.solver.ball(index);
        sample.impulse = ball.total;
        sample.endForce = ball.impulse / h;
    } else {
        const dynamics::JointConstraint& constraint = world.solve.joints.solver.constraint(index);
        sample.impulse = constraint.totalForce;
        sample.angularImpulse = constraint.totalTorque;
        sample.endForce = constraint.given.linear / h;
        sample.endTorque = (constraint.given.angularB - cross(constraint.armB, constraint.given.linear)) / h;
    }
    return sample;
}

bool mayBreak(const JointDef& def) { return def.breakForce || def.breakTorque || def.breakImpulse; }

// The load or blow that uses up the largest share of the joint's strength. The joint is overloaded where the ratio exceeds 1.
JointOverload judge(const Joint& joint, const LoadReading& reading) {
    const JointDef& def = joint.def;
    JointOverload overload;
    const auto consider = [&](std::optional<Real> limit, Real load, bool isImpact) {
        if (!limit)
            return;
        const Real ratio = *limit > 0 ? load / *limit : (load > 0 ? kNoStrength : Real(0));
        if (ratio > overload.ratio) {
            overload.ratio = ratio;
            overload.isImpact = isImpact;
        }
    };
    const auto blowLimit = [](std::optional<Real> limit) {
        return limit ? std::optional<Real>(*limit * fracture::kImpactTime) : std::nullopt;
    };
    consider(def.breakForce, fracture::sustained(reading.recentForce, reading.meanForce), false);
    consider(def.breakTorque, fracture::sustained(reading.recentTorque, reading.meanTorque), false);
    consider(def.breakImpulse ? def.breakImpulse : blowLimit(def.breakForce), length(reading.blow), true);
    consider(blowLimit(def.breakTorque), length(reading.angularBlow), true);
    overload.force = overload.isImpact ? reading.blow : reading.recentForce;
    overload.torque = overload.isImpact ? reading.angularBlow : reading.recentTorque;
    return overload;
}

// Nothing where the joint bears what it has to.
std::optional<JointOverload> overloadBy(const WorldState& world, std::uint32_t slot, const LoadSample& sample) {
    const Joint& joint = world.joints[slot];
    const LoadReading reading = joint.window.with(sample);
    if (!reading.isReady)
        return {};
    JointOverload overload = judge(joint, reading);
    if (!(overload.ratio > 1))
        return {};
    overload.joint = slot;
    return overload;
}

std::optional<JointOverload> overloadOf(const WorldState& world, std::size_t active, Real dt, Real h) {
    const std::uint32_t slot = world.solve.joints.active[active];
    const Joint& joint = world.joints[slot];
    if (!joint.traits.mayBreak || joint.nextBreakTime > world.clock.time)
        return {};
    return overloadBy(world, slot, actedBy(world, active, dt, h));
}

// Joints of deformable bodies were solved before. One that breaks has acted for the last time.
void findFleshOverloads(WorldState& world) {
    if (!world.fleshJoints.areLoadsNews)
        return;
    for (const FleshJointLoad& load : world.fleshJoints.loads) {
        const Joint& joint = world.joints[load.joint];
        if (!joint.alive || !mayBreak(joint.def) || joint.nextBreakTime > world.clock.time)
            continue;
        if (const std::optional<JointOverload> overload = overloadBy(world, load.joint, load.sample))
            world.overloads.joints.push_back(*overload);
    }
}

void keepFleshLoads(WorldState& world) {
    if (!world.fleshJoints.areLoadsNews)
        return;
    for (const FleshJointLoad& load : world.fleshJoints.loads)
        if (Joint& joint = world.joints[load.joint]; joint.alive && mayBreak(joint.def))
            joint.window.add(load.sample);
    world.fleshJoints.areLoadsNews = false;
}

// Energy (J) stored in the elastic rows of a joint: the sum of (lambda / h)^2 / 2k.
double springEnergy(const WorldState& world, std::size_t active, Real h) {
    const auto [isBall, index] = world.solve.joints.solver.place(active);
    if (isBall)
        return 0;
    const dynamics::JointConstraint& constraint = world.solve.joints.solver.constraint(index);
    double energy = 0;
    for (int i = 0; i < constraint.rowCount; ++i) {
        const dynamics::JointRow& row = constraint.rows[i];
        if (row.rigid)
            continue;
        const dynamics::Spring spring = dynamics::springOf(row, h);
        if (spring.stiffness > 0) {
            const double force = double(constraint.impulse[row.slot]) / double(h);
            energy += force * force / (2 * double(spring.stiffness));
        }
    }
    return energy;
}

// Energy (J) in the springs of a joint under the mean force of a blow that lasts kBlowTime.
double blowStretch(const Joint& joint, const Vec3& blow, const Vec3& angularBlow) {
    const double k = joint.def.stiffness, time = fracture::kBlowTime;
    const double squares = double(lengthSquared(blow)) + double(lengthSquared(angularBlow));
    return k > 0 ? squares / (2 * k * time * time) : 0;
}

// Groups of joints that dynamic bodies connect.
class JointGroups {
public:
    explicit JointGroups(const WorldState& world) : world_(world), joined_(world.bodies.size()) {
        for (const Joint& joint : world.joints)
            if (joint.alive && moves(joint.def.a) && moves(joint.def.b))
                joined_.join(joint.def.a.index, joint.def.b.index);
    }
    std::uint32_t of(const Joint& joint) { return joined_.root(moves(joint.def.a) ? joint.def.a.index : joint.def.b.index); }
    // Mass of a body over the mass of all bodies that joints connect to it; 0 where one of those joints is attached to a body
    // that no blow moves.
    double shareOf(BodyId id) {
        if (!moves(id))
            return 0;
        if (masses_.empty())
            weigh();
        return double(world_.bodies[id.index].mass) / masses_[joined_.root(id.index)];
    }

private:
    bool moves(BodyId id) const { return !id.isNull() && world_.bodies[id.index].motion == Motion::Dynamic; }
    void weigh() {
        masses_.assign(joined_.size(), 0);
        for (std::uint32_t i = 0; i < joined_.size(); ++i)
            if (world_.bodies[i].alive)
                masses_[joined_.root(i)] += double(world_.bodies[i].mass);
        for (const Joint& joint : world_.joints)
            if (joint.alive && moves(joint.def.a) != moves(joint.def.b))
                masses_[of(joint)] = double(kInfinity);
    }

    const WorldState& world_;
    UnionFind joined_;
    std::vector<double> masses_;  // by root
};

// Of joints with a break interval, only the most overloaded one of each group breaks; the group's next break is at least the
// interval later.
void limitRate(WorldState& world) {
    std::vector<JointOverload>& found = world.overloads.joints;
    const auto isLimited = [&](const JointOverload& overload) { return world.joints[overload.joint].def.breakInterval > 0; };
    if (std::none_of(found.begin(), found.end(), isLimited))
        return;
    JointGroups groups(world);
    const auto groupOf = [&](const JointOverload& overload) { return groups.of(world.joints[overload.joint]); };
    std::vector<JointOverload> kept;
    for (const JointOverload& overload : found) {
        if (!isLimited(overload)) {
            kept.push_back(overload);
            continue;
        }
        const auto known = std::find_if(kept.begin(), kept.end(), [&](const JointOverload& other) {
            return isLimited(other) && groupOf(other) == groupOf(overload);
        });
        if (known == kept.end())
            kept.push_back(overload);
        else if (overload.ratio > known->ratio)
            *known = overload;
    }
    for (const JointOverload& overload : kept)
        if (isLimited(overload))
            for (Joint& joint : world.joints)
                if (joint.alive && joint.def.breakInterval > 0 && groups.of(joint) == groupOf(overload))
                    joint.nextBreakTime = world.clock.time + double(joint.def.breakInterval);
    found = std::move(kept);
}

// The release of a joint, except for the energy that a blow adds.
Release releaseOf(WorldState& world, const Joint& joint, const JointOverload& overload) {
    Release release;
    release.a = joint.def.a;
    release.b = joint.def.b;
    release.pointInA = joint.frameA.position;
    release.pointInB = joint.frameB.position;
    release.force = overload.force;
    release.torque = overload.torque;
    const auto center = [&](BodyId id, const Pose& frame) {
        return id.isNull() ? toWorldPoint(frame.position) : world.bodies[id.index].center;
    };
    release.towardsB = center(joint.def.b, joint.frameB) - center(joint.def.a, joint.frameA);
    release.seed = world.def.release.seed ^ ++world.overloads.count << 32;
    // The joint breaks when its strength is reached, so it never carries more than that.
    const double atBreak = 1 / double(overload.ratio);
    release.stored =
        atBreak * atBreak * (overload.isImpact ? blowStretch(joint, overload.force, overload.torque) : overload.springEnergy);
    return release;
}

// The sum of the blows on one body.
struct BodyBlow {
    std::uint32_t body = 0;
    Vec3 impulse, angularImpulse;
};

void addBlow(std::vector<BodyBlow>& blows, std::uint32_t body, const Vec3& impulse, const Vec3& angularImpulse) {
    auto known = std::find_if(blows.begin(), blows.end(), [&](const BodyBlow& blow) { return blow.body == body; });
    if (known == blows.end())
        known = blows.insert(blows.end(), {body, {}, {}});
    known->impulse += impulse;
    known->angularImpulse += angularImpulse;
}

// Adds the energy of the blows that broke joints: lambda J M^-1 J^T lambda / 2 of each joint. The sum is limited to the energy
// of all blows together, which is smaller where blows on a light body between two joints nearly cancel.
void addBlowEnergies(const WorldState& world, const std::vector<JointOverload>& found, std::vector<Release>& releases) {
    JointGroups groups(world);
    std::vector<BodyBlow> blows;
    std::vector<double> energies(found.size());
    double sum = 0, most = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i].isImpact)
            continue;
        const Release& release = releases[i];
        const Real atBreak = 1 / found[i].ratio;
        const Vec3 blow = found[i].force * atBreak, turn = found[i].torque * atBreak;
        energies[i] = blowEnergyOf(world, release, blow, turn, groups.shareOf(release.a), groups.shareOf(release.b));
        sum += energies[i];
        for (const bool isB : {false, true}) {
            const BodyId id = isB ? release.b : release.a;
            if (id.isNull())
                continue;
            const Body& body = world.bodies[id.index];
            const WorldPoint point =
                userPosition(body) + rotate(userOrientation(body), toVec3(isB ? release.pointInB : release.pointInA));
            const Vec3 given = isB ? blow : -blow;
            addBlow(blows, id.index, given, (isB ? turn : -turn) + cross(point - body.center, given));
        }
    }
    for (const BodyBlow& blow : blows) {
        const Body& body = world.bodies[blow.body];
        most += blowEnergyOf(body, blow.impulse, blow.angularImpulse) * groups.shareOf({blow.body, body.generation});
    }
    for (std::size_t i = 0; i < found.size(); ++i)
        releases[i].stored += energies[i] * (sum > most ? most / sum : 1);
}

JointEvent brokenEvent(const Joint& joint, const JointOverload& overload) {
    JointEvent event = jointEventOf(joint, overload.joint, JointEventKind::Broken);
    const Real time = overload.isImpact ? fracture::kBlowTime : Real(1);
    event.force = overload.force / time;
    event.torque = overload.torque / time;
    event.isImpact = overload.isImpact;
    return event;
}

}  // namespace

void findJointOverloads(WorldState& world, Real dt, Real h) {
    world.overloads.joints.clear();
    const std::vector<std::uint32_t>& active = world.solve.joints.active;
    const bool any = anyInRanges(*world.tasks, active.size(), kBreakingJointsPerTask,
                                 [&](std::size_t i) { return overloadOf(world, i, dt, h).has_value(); });
    for (std::size_t i = 0; any && i < active.size(); ++i)
        if (std::optional<JointOverload> overload = overloadOf(world, i, dt, h)) {
            overload->springEnergy = springEnergy(world, i, h);
            world.overloads.joints.push_back(*overload);
        }
    findFleshOverloads(world);
}

bool breakJointOverloads(WorldState& world) {
    if (world.overloads.joints.empty())
        return false;
    limitRate(world);
    const std::vector<JointOverload> found = std::move(world.overloads.joints);
    world.overloads.joints.clear();
    std::vector<Release> releases;
    std::vector<Real> alphas;
    const std::size_t first = world.events.nextJoints.size();
    for (const JointOverload& overload : found) {
        const Joint& joint = world.joints[overload.joint];
        releases.push_back(releaseOf(world, joint, overload));
        alphas.push_back(joint.def.alpha);
        world.events.nextJoints.push_back(brokenEvent(joint, overload));
    }
    for (const JointOverload& overload : found)
        commitRemoveJoint(world, overload.joint);
    addBlowEnergies(world, found, releases);
    for (std::size_t i = 0; i < found.size(); ++i) {
        Release& release = releases[i];
        release.energy = double(alphas[i]) * release.stored;
        world.events.nextJoints[first + i].storedEnergy = release.stored;
        releaseEnergy(world, release);
    }
    return true;
}

void keepJointLoads(WorldState& world, Real dt, Real h) {
    runRanges(*world.tasks, world.solve.joints.active.size(), kBreakingJointsPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (Joint& joint = world.joints[world.solve.joints.active[i]]; joint.traits.mayBreak)
                joint.window.add(actedBy(world, i, dt, h));
    });
    for (const std::uint32_t slot : world.solve.joints.active)
        if (Joint& joint = world.joints[slot]; joint.def.yieldForce)
            flow(world.bodies, joint);
    keepFleshLoads(world);
}

}  // namespace sunder::world
