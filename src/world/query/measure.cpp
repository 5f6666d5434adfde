#include "world/query/measure.h"

#include "world/query/joint_state.h"

namespace sunder::world {

namespace {

void addBody(WorldStats& stats, const Body& body, const Vec3& gravity) {
    const double m = body.mass;
    const double p[3] = {body.center.x, body.center.y, body.center.z};
    const double v[3] = {body.velocity.x, body.velocity.y, body.velocity.z};
    const Vec3 w = inverseRotate(body.orientation, body.angularVelocity);
    const Vec3& I = body.principalInertia;
    stats.kineticEnergy += 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
                           0.5 * (double(I.x) * w.x * w.x + double(I.y) * w.y * w.y + double(I.z) * w.z * w.z);
    stats.potentialEnergy -= m * (gravity.x * p[0] + gravity.y * p[1] + gravity.z * p[2]) * double(body.gravityFactor);
    const Vec3 spin = rotate(body.orientation, multiply(I, w));
    const double L[3] = {spin.x, spin.y, spin.z};
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        stats.linearMomentum[i] += m * v[i];
        stats.angularMomentum[i] += L[i] + m * (p[j] * v[k] - p[k] * v[j]);
    }
}

void addContacts(WorldStats& stats, std::span<const ContactPair> pairs,
                 std::span<const dynamics::ContactConstraint> constraints) {
    stats.pairs += static_cast<int>(pairs.size());
    for (const ContactPair& pair : pairs)
        for (std::uint32_t k = 0; k < pair.manifoldCount; ++k) {
            const dynamics::ContactConstraint& constraint = constraints[pair.firstManifold + k];
            int touching = 0;
            for (int i = 0; i < constraint.count; ++i) {
                const dynamics::ConstraintPoint& point = constraint.points[i];
                touching += point.separation <= 0 || point.totalNormalImpulse > 0;
                stats.maxPenetration = std::max(stats.maxPenetration, -double(point.separation));
            }
            stats.contacts += touching;
            stats.manifolds += touching > 0;
        }
}

}  // namespace

WorldStats measure(const WorldState& world) {
    WorldStats stats = world.stepStats;
    stats.step = world.clock.steps;
    stats.time = world.clock.time;
    for (const Body& body : world.bodies) {
        stats.bodies += body.alive;
        stats.pieces += body.alive && body.birth > 0;
        if (body.alive && body.bonds)
            stats.bonds += static_cast<int>(body.bonds->def.bonds.size());
    }
    stats.waitingBreaks = static_cast<int>(world.breaking.waiting.size());
    for (const std::uint32_t slot : world.roster.moving) {
        const Body& body = world.bodies[slot];
        stats.awake += !body.quarantined;
        if (body.motion == Motion::Dynamic && !body.quarantined)
            addBody(stats, body, world.def.gravity);
    }
    for (const Joint& joint : world.joints) {
        stats.joints += joint.alive;
        if (joint.alive && (joint.traits.isActive || !joint.traits.known))
            stats.elasticEnergy += stateOf(world.bodies, joint).elasticEnergy;
    }
    for (const JointEvent& event : world.events.joints)
        stats.breaks += event.kind == JointEventKind::Broken;
    addContacts(stats, world.pairs, world.constraints);
    for (const SleepingIsland& island : world.sleep.islands) {
        stats.asleep += static_cast<int>(island.bodies.size());
        for (const std::uint32_t slot : island.bodies)
            addBody(stats, world.bodies[slot], world.def.gravity);
        addContacts(stats, island.pairs, island.constraints);
    }
    return stats;
}

}  // namespace sunder::world
