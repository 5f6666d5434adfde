#include "world/query/measure.h"

#include "core/hash.h"
#include "sunder/describe.h"
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

void hashWindow(Hasher& hash, const fracture::LoadWindow& window) {
    for (const fracture::LoadSample& sample : window.recent) {
        hash.addBits(sample.impulse);
        hash.addBits(sample.angularImpulse);
    }
    hash.addBits(window.meanForce);
    hash.addBits(window.meanTorque);
}

void hashBonds(Hasher& hash, const BodyBonds& bonds) {
    for (const Bond& bond : bonds.def.bonds)
        hash.add(std::uint64_t(bond.a) << 32 | bond.b);
    for (const PieceLoad& load : bonds.loads) {
        hash.add(load.piece);
        hashWindow(hash, load.window);
    }
    for (const GivenLoad& load : bonds.given) {
        hash.add(load.piece);
        hash.addBits(load.impulse);
        hash.addBits(load.angularImpulse);
        hash.addBits(load.force);
        hash.addBits(load.torque);
    }
    hashWindow(hash, bonds.clock);
    hash.add(bonds.isKnown);
    hash.addBits(bonds.quietUntil);
}

void hashBody(Hasher& hash, const Body& body) {
    hash.add(body.generation);
    hash.add(body.serial);
    hash.add(std::uint64_t(body.motion) | std::uint64_t(body.lockedAxes) << 8 | std::uint64_t(body.sensor) << 16 |
             std::uint64_t(body.quarantined) << 17 | std::uint64_t(body.allowSleep) << 18 | std::uint64_t(body.island) << 32);
    hash.addBits(body.center);
    hash.addBits(body.orientation);
    hash.addBits(body.velocity);
    hash.addBits(body.angularVelocity);
    hash.addBits(body.force);
    hash.addBits(body.torque);
    hash.addBits(body.mass);
    hash.addBits(body.principalInertia);
    hash.addBits(body.bodyFromPrincipal);
    hash.addBits(body.material);
    hash.addBits(body.surfaceVelocity);
    hash.addBits(body.linearDamping);
    hash.addBits(body.angularDamping);
    hash.addBits(body.gravityFactor);
    hash.add(std::uint64_t(body.layer) << 32 | body.mask);
    hash.add(std::uint64_t(body.shape->type));
    hash.addBits(body.shape->localBounds);
    hash.addBits(body.shape->massProperties.volume);
    if (body.birth > 0)
        hash.add(body.birth);
    if (body.fracture) {
        hash.addBits(thresholdOf(body));
        hash.add(std::uint64_t(body.fracture->def.generations));
        hash.addBits(body.fracture->damage);
    }
    if (body.bonds)
        hashBonds(hash, *body.bonds);
    for (const Keyframe& key : body.keyframes)
        hash.addBits(key);
    hash.addBits(body.restTime);
    hash.addBits(body.placeTime);
    hash.addBits(body.placeCenter);
    hash.addBits(body.meanCenter);
    hash.addBits(body.placeOrientation);
    hash.addBits(body.meanOrientation);
    hash.add(body.target ? 1 : 0);
    if (body.target)
        hash.addBits(*body.target);
}

void hashConstraint(Hasher& hash, const dynamics::ContactConstraint& constraint) {
    hash.add(std::uint64_t(constraint.bodyA) << 32 | constraint.bodyB);
    hash.add(std::uint64_t(constraint.key) << 8 | std::uint64_t(constraint.count));
    hash.addBits(constraint.normal);
    hash.addBits(constraint.rollingImpulse1);
    hash.addBits(constraint.rollingImpulse2);
    hash.addBits(constraint.spinningImpulse);
    for (int i = 0; i < constraint.count; ++i) {
        const dynamics::ConstraintPoint& point = constraint.points[i];
        hash.add(point.feature);
        hash.addBits(point.anchorA);
        hash.addBits(point.anchorB);
        hash.addBits(point.normalImpulse);
        hash.addBits(point.tangentImpulse1);
        hash.addBits(point.tangentImpulse2);
    }
}

void hashPairs(Hasher& hash, std::span<const ContactPair> pairs, std::span<const dynamics::ContactConstraint> constraints) {
    for (const ContactPair& pair : pairs) {
        hash.add(std::uint64_t(pair.bodyA) << 32 | std::uint64_t(pair.touching) << 31 | pair.bodyB);
        hash.addBits(pair.seen.place);
        hash.addBits(pair.seen.turn);
        hash.addBits(pair.seen.larger);
        hash.addBits(pair.seen.reach);
        hash.addBits(pair.seen.distance);
        if (pair.load != 0 || pair.restDepth != 0) {
            hash.addBits(pair.load);
            hash.addBits(pair.restDepth);
        }
    }
    for (const dynamics::ContactConstraint& constraint : constraints)
        hashConstraint(hash, constraint);
}

void hashSleep(Hasher& hash, const SleepState& sleep) {
    for (const SleepingIsland& island : sleep.islands) {
        hash.add(island.bodies.size());
        for (const std::uint32_t slot : island.bodies)
            hash.add(slot);
        hashPairs(hash, island.pairs, island.constraints);
        hash.addBits(island.substep);
    }
    for (const std::uint32_t island : sleep.freeIslands)
        hash.add(island);
}

void hashBreaking(Hasher& hash, const BreakingState& breaking) {
    if (breaking.count > 0)
        hash.add(breaking.count);
    for (const BreakRequest& request : breaking.waiting) {
        hash.add(std::uint64_t(request.body.generation) << 32 | request.body.index);
        hash.addBits(request.point);
        hash.addBits(request.normal);
        hash.addBits(request.push);
    }
    for (const DebrisPiece& piece : breaking.debris)
        hash.addBits(piece.due);
    for (const Explosion& explosion : breaking.explosions)
        hash.addBits(explosion.impulse);
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

void hashField(Hasher& hash, const auto& value) { hash.addBits(value); }
void hashField(Hasher&, const std::string&) {}
template <class T>
void hashField(Hasher& hash, const std::optional<T>& value) {
    hash.add(value ? 1 : 0);
    if (value)
        hash.addBits(*value);
}

void hashJoint(Hasher& hash, const Joint& joint) {
    hash.add(joint.generation);
    hash.add(joint.serial);
    hash.addBits(joint.def.a);
    hash.addBits(joint.def.b);
    hash.addBits(joint.frameA);
    hash.addBits(joint.frameB);
    hash.addBits(joint.impulse);
    if (joint.window.hasBegun)
        hashWindow(hash, joint.window);
    if (joint.quietUntil > 0)
        hash.addBits(joint.quietUntil);
    visitFields(joint.def, [&](const FieldInfo&, const auto& member) { hashField(hash, member); });
}

}  // namespace

WorldStats measure(const WorldState& world) {
    WorldStats stats = world.stepStats;
    stats.step = world.stepCount;
    stats.time = world.time;
    for (const Body& body : world.bodies) {
        stats.bodies += body.alive;
        stats.pieces += body.alive && body.birth > 0;
        if (body.alive && body.bonds)
            stats.bonds += static_cast<int>(body.bonds->def.bonds.size());
    }
    stats.waitingBreaks = static_cast<int>(world.breaking.waiting.size());
    for (const std::uint32_t slot : world.moving) {
        const Body& body = world.bodies[slot];
        stats.awake += !body.quarantined;
        if (body.motion == Motion::Dynamic && !body.quarantined)
            addBody(stats, body, world.def.gravity);
    }
    for (const Joint& joint : world.joints) {
        stats.joints += joint.alive;
        if (joint.alive && (joint.isActive || !joint.known))
            stats.elasticEnergy += stateOf(world, joint).elasticEnergy;
    }
    for (const JointEvent& event : world.jointEvents)
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

std::uint64_t hashState(const WorldState& world) {
    Hasher hash;
    hash.add(world.stepCount);
    hash.addBits(world.time);
    hash.addBits(world.lastSubstep);
    hash.add(static_cast<std::uint64_t>(world.stepStats.searches));
    hash.addBits(world.def.gravity);
    hash.add(world.bodies.size());
    for (std::size_t slot = 0; slot < world.bodies.size(); ++slot) {
        if (!world.bodies[slot].alive)
            continue;
        hash.add(slot);
        hashBody(hash, world.bodies[slot]);
    }
    for (std::size_t slot = 0; slot < world.joints.size(); ++slot)
        if (world.joints[slot].alive) {
            hash.add(slot);
            hashJoint(hash, world.joints[slot]);
        }
    hashPairs(hash, world.pairs, world.constraints);
    hashSleep(hash, world.sleep);
    hashBreaking(hash, world.breaking);
    for (const Release& release : world.overloads.releases)
        hash.addBits(release.energy);
    return hash.value();
}

}  // namespace sunder::world
