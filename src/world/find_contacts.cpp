#include "world/find_contacts.h"

#include <algorithm>

#include "collision/narrow_phase/collide.h"
#include "core/stopwatch.h"
#include "dynamics/contact/inherit.h"
#include "world/events.h"

namespace sunder::world {

namespace {

constexpr int kPairsPerBlock = 32;
constexpr int kProxiesPerBlock = 32;

// Surfaces this close are in contact even when nothing moves (m), less for small shapes.
constexpr Real kContactMargin = Real(0.02);
constexpr Real kContactMarginShare = Real(0.2);  // of the thinner body's inner radius
// A pair that meets later in the step is looked at again where it will be; this often at most.
constexpr int kMaxAdvances = 3;

// Where a body is expected to be during the step if nothing stops it.
struct Flight {
    const Body* body;
    Vec3 velocity, angularVelocity;
};

Flight flightOf(const WorldState& world, const Body& body, Real dt) {
    const Vec3 gain = body.motion == Motion::Dynamic ? world.solverConstants[body.solverIndex].acceleration * dt : Vec3{};
    return {&body, body.velocity + gain, body.angularVelocity};
}

// Relative to the body's own centre at the start of the step.
Pose shapePoseAt(const Flight& flight, Real time) {
    if (time == 0)
        return shapePose(*flight.body, flight.body->orientation);
    const Quat turned = quatFromRotationVector(flight.angularVelocity * time) * flight.body->orientation;
    Pose pose = shapePose(*flight.body, turned);
    pose.position += flight.velocity * time;
    return pose;
}

void updateProxies(WorldState& world, Real dt) {
    // Bounds are swept by the expected motion, so that a pair that will meet is found before it does.
    for (const std::uint32_t slot : world.moving) {
        Body& body = world.bodies[slot];
        if (body.quarantined)
            continue;
        const Flight flight = flightOf(world, body, dt);
        Pose start = shapePoseAt(flight, 0);
        start.position = toVec3(body.center + start.position);
        const Bounds now = collision::worldBounds(*body.shape, start);
        const Vec3 motion = flight.velocity * dt;
        const Real turn = length(flight.angularVelocity) * dt * body.shape->boundingRadius;
        const Bounds later{now.low + motion, now.high + motion};
        const Bounds swept = expand(unite(now, later), kContactMargin + min(turn, 2 * body.shape->boundingRadius));
        world.broadPhase.move(body.proxy, swept, motion);
    }
}

bool mayTouch(const Body& a, const Body& b) {
    return (a.motion == Motion::Dynamic || b.motion == Motion::Dynamic) && (a.layer & b.mask) && (b.layer & a.mask);
}

void updatePairs(WorldState& world) {
    std::erase_if(world.pairs, [&](const ContactPair& pair) {
        const Body &a = world.bodies[pair.bodyA], &b = world.bodies[pair.bodyB];
        if (!a.quarantined && !b.quarantined && world.broadPhase.overlap(a.proxy, b.proxy))
            return false;
        if (pair.touching)
            noteEnd(world, pair);
        world.pairSet.erase(collision::pairKey(pair.bodyA, pair.bodyB));
        return true;
    });
    const auto moved = world.broadPhase.movedProxies();
    const int blocks = (static_cast<int>(moved.size()) + kProxiesPerBlock - 1) / kProxiesPerBlock;
    if (static_cast<int>(world.pairBuffers.size()) < blocks)
        world.pairBuffers.resize(blocks);
    runTasks(*world.tasks, blocks, [&](int block) {
        const std::size_t begin = std::size_t(block) * kProxiesPerBlock;
        world.pairBuffers[block].clear();
        world.broadPhase.findPairs(moved.subspan(begin, std::min<std::size_t>(kProxiesPerBlock, moved.size() - begin)),
                                   world.pairSet, world.pairBuffers[block]);
    });
    world.newPairs.clear();
    for (int block = 0; block < blocks; ++block)
        world.newPairs.insert(world.newPairs.end(), world.pairBuffers[block].begin(), world.pairBuffers[block].end());
    world.broadPhase.finishPairs(world.newPairs);
    for (const std::uint64_t key : world.newPairs) {
        const std::uint32_t a = collision::lowBody(key), b = collision::highBody(key);
        if (!mayTouch(world.bodies[a], world.bodies[b]) || world.bodies[a].quarantined || world.bodies[b].quarantined)
            continue;
        world.pairSet.insert(key);
        world.pairs.push_back({a, b, 0, 0, false});
    }
}

Real deepest(const collision::ManifoldList& manifolds) {
    Real least = kInfinity;
    for (const collision::ContactManifold& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i)
            least = min(least, manifold.points[i].separation);
    return least;
}

void collideAt(const Flight& a, const Flight& b, const Vec3& offset, Real time, Real margin, collision::ManifoldList& out) {
    out.clear();
    Pose poseB = shapePoseAt(b, time);
    poseB.position += offset;
    collision::collide(*a.body->shape, shapePoseAt(a, time), *b.body->shape, poseB, margin, out);
}

// The manifolds of a pair, and the time within the step at which the bodies were looked at: now where they are already
// close; where and when they will meet, if they meet later in the step. Points are relative to A's centre at the start.
Real collidePair(const Flight& a, const Flight& b, Real dt, collision::ManifoldList& manifolds,
                 collision::ManifoldList& ahead) {
    const Vec3 offset = b.body->center - a.body->center;
    const Vec3 approach = b.velocity - a.velocity;
    const BuiltShape &shapeA = *a.body->shape, &shapeB = *b.body->shape;
    const Real turning = length(a.angularVelocity) * shapeA.boundingRadius + length(b.angularVelocity) * shapeB.boundingRadius;
    const Real close = min(kContactMargin, kContactMarginShare * min(shapeA.innerRadius, shapeB.innerRadius));
    // Either may be stopped by something else during the step, so that their own speeds count, not only the relative one.
    const Real reach = (length(a.velocity) + length(b.velocity) + turning) * dt + close;
    collideAt(a, b, offset, 0, reach, manifolds);
    Real time = 0;
    for (int advance = 0; advance < kMaxAdvances; ++advance) {
        const Real gap = deepest(manifolds);
        if (gap <= close || manifolds.empty())
            break;
        // They cannot meet before the gap is closed at full speed along the line between them.
        Real closing = 0;
        for (const collision::ContactManifold& manifold : manifolds)
            closing = max(closing, turning - dot(approach, manifold.normal));
        const Real next = closing > 0 ? time + (gap - Real(0.5) * close) / closing : kInfinity;
        if (!(next < dt))
            break;
        collideAt(a, b, offset, next, max(close, reach * (1 - next / dt)), ahead);
        if (ahead.empty())  // they pass each other if nothing else moves them; what was seen before may still be needed
            break;
        std::swap(manifolds, ahead);
        time = next;
    }
    return time;
}

Vec3 mixedSurfaceVelocity(const Body& a, const Body& b, const Vec3& normal) {
    const Vec3 relative = rotate(userOrientation(a), a.surfaceVelocity) - rotate(userOrientation(b), b.surfaceVelocity);
    return relative - normal * dot(relative, normal);
}

// Round bodies roll under their contacts.
dynamics::AnchorFrame anchorFrame(const Flight& flight, Real time) {
    const Body& body = *flight.body;
    if (body.motion == Motion::Static || body.centerOverride)
        return {};
    if (body.shape->type == ShapeType::Sphere)
        return {dynamics::AnchorMotion::Stays, {}, {}};
    if (body.shape->type != ShapeType::Capsule && body.shape->type != ShapeType::Cylinder)
        return {};
    const Vec3 axis = inverseRotate(body.bodyFromPrincipal.orientation, {0, 1, 0});
    const Quat turned = quatFromRotationVector(flight.angularVelocity * time) * body.orientation;
    return {dynamics::AnchorMotion::Swings, axis, rotate(turned, axis)};
}

// A point of the surface, from the body's centre, in the frame that moves with it.
Vec3 anchorOn(const Flight& flight, const dynamics::AnchorFrame& frame, const Vec3& pointFromCenterAtStart, Real time) {
    if (flight.body->motion == Motion::Static)
        return pointFromCenterAtStart;
    const Vec3 arm = pointFromCenterAtStart - flight.velocity * time;
    if (frame.motion != dynamics::AnchorMotion::Turns)
        return arm;
    if (time == 0)
        return inverseRotate(flight.body->orientation, arm);
    return inverseRotate(quatFromRotationVector(flight.angularVelocity * time) * flight.body->orientation, arm);
}

// Where a contact lies while the bodies slide: it goes with the smaller body, whose corners it is made of.
Real shareOfB(const Body& a, const Body& b) {
    constexpr Real kClearlySmaller = Real(1.5);
    if (a.motion != Motion::Dynamic || a.shape->boundingRadius > kClearlySmaller * b.shape->boundingRadius)
        return 1;
    if (b.motion != Motion::Dynamic || b.shape->boundingRadius > kClearlySmaller * a.shape->boundingRadius)
        return 0;
    return Real(0.5);
}

dynamics::ContactConstraint makeConstraint(const Flight& a, const Flight& b, Real time,
                                           const collision::ContactManifold& manifold) {
    const Body &bodyA = *a.body, &bodyB = *b.body;
    dynamics::ContactConstraint constraint;
    constraint.bodyA = bodyA.motion == Motion::Static ? dynamics::kFixedBody : bodyA.solverIndex;
    constraint.bodyB = bodyB.motion == Motion::Static ? dynamics::kFixedBody : bodyB.solverIndex;
    constraint.key = manifold.key;
    constraint.count = manifold.count;
    constraint.normal = manifold.normal;
    constraint.tangent1 = anyPerpendicular(manifold.normal);
    constraint.tangent2 = cross(manifold.normal, constraint.tangent1);
    constraint.centerOffset = bodyB.center - bodyA.center;
    constraint.pointOnB = shareOfB(bodyA, bodyB);
    constraint.surfaceVelocity = mixedSurfaceVelocity(bodyA, bodyB, manifold.normal);
    const Material &x = bodyA.material, &y = bodyB.material;
    constraint.friction = std::sqrt(x.friction * y.friction);
    constraint.restitution = max(x.restitution, y.restitution);
    constraint.rollingFriction = std::sqrt(x.rollingFriction * y.rollingFriction);
    constraint.spinningFriction = std::sqrt(x.spinningFriction * y.spinningFriction);
    constraint.frameA = anchorFrame(a, time);
    constraint.frameB = anchorFrame(b, time);
    for (int i = 0; i < manifold.count; ++i) {
        const collision::ContactPoint& from = manifold.points[i];
        dynamics::ConstraintPoint& to = constraint.points[i];
        to.anchorA = anchorOn(a, constraint.frameA, from.onA, time);
        to.anchorB = anchorOn(b, constraint.frameB, from.onB - constraint.centerOffset, time);
        to.feature = from.feature;
    }
    return constraint;
}

void collideBlock(WorldState& world, int block, Real dt, Real impulseScale) {
    NarrowPhaseBlock& out = world.narrowPhaseBlocks[block];
    out.constraints.clear();
    const std::size_t begin = std::size_t(block) * kPairsPerBlock;
    const std::size_t end = std::min(begin + kPairsPerBlock, world.pairs.size());
    for (std::size_t i = begin; i < end; ++i) {
        ContactPair& pair = world.pairs[i];
        const Flight a = flightOf(world, world.bodies[pair.bodyA], dt), b = flightOf(world, world.bodies[pair.bodyB], dt);
        const Real time = collidePair(a, b, dt, out.scratch, out.ahead);
        const std::span<const dynamics::ContactConstraint> old{world.previousConstraints.data() + pair.firstManifold,
                                                               pair.manifoldCount};
        pair.firstManifold = static_cast<std::uint32_t>(out.constraints.size());  // within the block; made global below
        pair.manifoldCount = static_cast<std::uint32_t>(out.scratch.size());
        pair.sensorTouches = false;
        if (a.body->sensor || b.body->sensor) {
            pair.sensorTouches = time == 0 && deepest(out.scratch) <= 0;
            pair.manifoldCount = 0;
            continue;
        }
        for (const collision::ContactManifold& manifold : out.scratch) {
            out.constraints.push_back(makeConstraint(a, b, time, manifold));
            dynamics::inheritImpulses(out.constraints.back(), old, impulseScale);
        }
    }
}

// Lays the blocks' results end to end, in the order of the pairs whatever thread made them.
void gatherBlocks(WorldState& world, int blocks) {
    std::vector<std::size_t>& offsets = world.blockOffsets;
    offsets.assign(blocks + 1, 0);
    for (int block = 0; block < blocks; ++block)
        offsets[block + 1] = offsets[block] + world.narrowPhaseBlocks[block].constraints.size();
    world.constraints.resize(offsets[blocks]);
    runTasks(*world.tasks, blocks, [&](int block) {
        const auto& found = world.narrowPhaseBlocks[block].constraints;
        std::copy(found.begin(), found.end(), world.constraints.begin() + offsets[block]);
        const std::size_t begin = std::size_t(block) * kPairsPerBlock;
        const std::size_t end = std::min(begin + kPairsPerBlock, world.pairs.size());
        for (std::size_t i = begin; i < end; ++i)
            world.pairs[i].firstManifold += static_cast<std::uint32_t>(offsets[block]);
    });
}

}  // namespace

void findContacts(WorldState& world, Real dt, Real impulseScale) {
    const Stopwatch broadPhaseTime;
    updateProxies(world, dt);
    updatePairs(world);
    world.stepStats.broadPhaseMs = broadPhaseTime.milliseconds();

    const Stopwatch collideTime;
    std::swap(world.constraints, world.previousConstraints);
    const int blocks = (static_cast<int>(world.pairs.size()) + kPairsPerBlock - 1) / kPairsPerBlock;
    if (static_cast<int>(world.narrowPhaseBlocks.size()) < blocks)
        world.narrowPhaseBlocks.resize(blocks);
    runTasks(*world.tasks, blocks, [&](int block) { collideBlock(world, block, dt, impulseScale); });
    gatherBlocks(world, blocks);
    world.stepStats.collideMs = collideTime.milliseconds();
}

}  // namespace sunder::world
