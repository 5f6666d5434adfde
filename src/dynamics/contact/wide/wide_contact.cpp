#include "dynamics/contact/wide/wide_contact.h"

#include <cstddef>
#include <cstring>

namespace sunder::dynamics {

namespace {

void setLane(wide::Vec3Of<wide::Lanes>& to, int lane, const Vec3& from) {
    to.x[lane] = from.x;
    to.y[lane] = from.y;
    to.z[lane] = from.z;
}

void setFrame(BlockFrame<wide::Lanes, wide::LaneMask>& to, int lane, const AnchorFrame& from) {
    to.turns.set(lane, from.motion == AnchorMotion::Turns);
    to.swings.set(lane, from.motion == AnchorMotion::Swings);
    setLane(to.center, lane, from.center);
    setLane(to.axis, lane, from.axis);
    setLane(to.startAxis, lane, from.startAxis);
}

Vec3 laneOf(const wide::Vec3Of<wide::Lanes>& v, int lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }

void takeImpulses(ConstraintPoint& to, const StoredPoint& from, int lane) {
    to.normalImpulse = from.normalImpulse[lane];
    to.tangentImpulse1 = from.tangentImpulse1[lane];
    to.tangentImpulse2 = from.tangentImpulse2[lane];
    to.totalNormalImpulse = from.totalNormalImpulse[lane];
    to.totalTangentImpulse1 = from.totalTangentImpulse1[lane];
    to.totalTangentImpulse2 = from.totalTangentImpulse2[lane];
}

void takeImpulses(ContactConstraint& to, const WideContact& from, int lane) {
    const StoredRare* rare = from.rare;
    to.angular.spinning = rare ? rare->spinningImpulse[lane] : Real(0);
    to.angular.rolling1 = rare ? rare->rollingImpulse1[lane] : Real(0);
    to.angular.rolling2 = rare ? rare->rollingImpulse2[lane] : Real(0);
}

void packRare(WideContact& block, std::span<const ContactConstraint> constraints, const std::uint32_t* index, int count) {
    StoredRare& rare = *block.rare;
    std::memset(static_cast<void*>(&rare), 0, sizeof rare);
    for (int lane = 0; lane < count; ++lane) {
        const ContactConstraint& from = constraints[index[lane]];
        block.drives = block.drives || !(from.material.surfaceVelocity == Vec3{});
        setLane(rare.surfaceVelocity, lane, from.material.surfaceVelocity);
        if (from.material.spinningFriction > 0 || from.material.rollingFriction > 0) {
            block.hasRotationalFriction = true;
            rare.spinningFriction[lane] = from.material.spinningFriction;
            rare.rollingFriction[lane] = from.material.rollingFriction;
            rare.spinningImpulse[lane] = from.angular.spinning;
            rare.rollingImpulse1[lane] = from.angular.rolling1;
            rare.rollingImpulse2[lane] = from.angular.rolling2;
        }
        block.allTurn = block.allTurn && anchorsTurn(from);
        setFrame(rare.frameA, lane, from.frameA);
        setFrame(rare.frameB, lane, from.frameB);
    }
}

void describeLane(WideContact& block, int lane, std::uint32_t index, const PackSource& from) {
    const ContactLink& link = from.links[index];
    const int points = link.pointCount;
    block.count[lane] = Real(points);
    block.bodyA[lane] = link.bodyA;
    block.bodyB[lane] = link.bodyB;
    block.movesA |= std::uint32_t(from.isMoving[link.bodyA]) << lane;
    block.movesB |= std::uint32_t(from.isMoving[link.bodyB]) << lane;
    block.pointCount = points > block.pointCount ? points : block.pointCount;
    block.young.set(lane, link.isYoung);
    block.firm.set(lane, link.isFirm);
    block.hasRestitution = block.hasRestitution || link.hasRestitution;
}

}  // namespace

void pack(WideContact& block, const PackSource& from, const std::uint32_t* index, int count, const WideKernels& kernels) {
    // Clears everything behind the pointers to the block's memory; what is needed there is filled in below.
    std::memset(static_cast<void*>(&block.bodyA), 0, sizeof(WideContact) - offsetof(WideContact, bodyA));
    block.lanes = count;
    block.allTurn = true;
    for (int lane = 0; lane < wide::kLanes; ++lane)
        block.constraint[lane] = index[lane < count ? lane : 0];
    for (int lane = 0; lane < count; ++lane)
        describeLane(block, lane, index[lane], from);
    kernels.gather(block, from.constraints.data());
    if (block.rare)
        packRare(block, from.constraints, index, count);
}

void beginSpare(WideContact& block) {
    std::memset(static_cast<void*>(&block.bodyA), 0, sizeof(WideContact) - offsetof(WideContact, bodyA));
    std::memset(static_cast<void*>(block.points), 0, collision::kMaxManifoldPoints * sizeof(StoredPoint));
    std::memset(static_cast<void*>(block.anchors), 0, collision::kMaxManifoldPoints * sizeof(StoredAnchors));
    block.allTurn = true;
}

void addLane(WideContact& block, std::uint32_t index, const PackSource& from) {
    const ContactConstraint& constraint = from.constraints[index];
    const int lane = block.lanes++;
    for (int other = lane; other < wide::kLanes; ++other)
        block.constraint[other] = index;
    describeLane(block, lane, index, from);
    setLane(block.normal, lane, constraint.normal);
    setLane(block.tangent1, lane, constraint.tangent1);
    setLane(block.centerOffset, lane, constraint.centerOffset);
    block.pointOnB[lane] = constraint.pointOnB;
    block.friction[lane] = constraint.material.friction;
    for (int i = 0; i < constraint.count; ++i) {
        setLane(block.anchors[i].a, lane, constraint.points[i].anchorA);
        setLane(block.anchors[i].b, lane, constraint.points[i].anchorB);
    }
    block.slack[lane] = -1;  // makes the first pass lay the frame
}

void fetchConstraints(const WideContact& block, std::span<const ContactConstraint> constraints) {
    constexpr std::size_t kCacheLine = 64;  // bytes
    for (int lane = 0; lane < block.lanes; ++lane) {
        const char* first = reinterpret_cast<const char*>(&constraints[block.constraint[lane]]);
        for (std::size_t at = offsetof(ContactConstraint, material.friction); at < sizeof(ContactConstraint); at += kCacheLine)
            __builtin_prefetch(first + at);
    }
}

void unpackLane(const WideContact& block, int lane, ContactConstraint& constraint) {
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& to = constraint.points[i];
        const StoredPoint& from = block.points[i];
        takeImpulses(to, from, lane);
        const Vec3 side =
            constraint.tangent1 * from.x[lane] + constraint.tangent2 * from.y[lane] + constraint.normal * from.z[lane];
        to.armA = laneOf(block.armA, lane) + side;  // the arms at which the impulses act
        to.armB = laneOf(block.armB, lane) + side;
    }
    takeImpulses(constraint, block, lane);
}

void repackLane(WideContact& block, int lane, const ContactConstraint& constraint) {
    for (int i = 0; i < constraint.count; ++i) {
        const ConstraintPoint& from = constraint.points[i];
        StoredPoint& to = block.points[i];
        to.normalImpulse[lane] = from.normalImpulse;
        to.tangentImpulse1[lane] = from.tangentImpulse1;
        to.tangentImpulse2[lane] = from.tangentImpulse2;
        to.totalNormalImpulse[lane] = from.totalNormalImpulse;
        to.totalTangentImpulse1[lane] = from.totalTangentImpulse1;
        to.totalTangentImpulse2[lane] = from.totalTangentImpulse2;
    }
    if (!block.rare)
        return;
    block.rare->spinningImpulse[lane] = constraint.angular.spinning;
    block.rare->rollingImpulse1[lane] = constraint.angular.rolling1;
    block.rare->rollingImpulse2[lane] = constraint.angular.rolling2;
}

std::uint32_t unpack(const WideContact& block, std::span<const SolverBody> bodies, std::span<ContactConstraint> constraints,
                     const WideKernels& kernels) {
    // For every lane, whether or not the block has rare fields: that depends on the lane's neighbours.
    for (int lane = 0; lane < block.lanes; ++lane)
        takeImpulses(constraints[block.constraint[lane]], block, lane);
    return kernels.finish(block, bodies.data(), constraints.data());
}

}  // namespace sunder::dynamics
