#include "dynamics/contact/wide_contact.h"

#include "dynamics/contact/wide_kernels.h"

namespace sunder::dynamics {

namespace {

void setLane(wide::WideVec3& to, int lane, const Vec3& from) {
    to.x[lane] = from.x;
    to.y[lane] = from.y;
    to.z[lane] = from.z;
}

void setFrame(WideFrame& to, int lane, const AnchorFrame& from) {
    to.turns[lane] = from.motion == AnchorMotion::Turns ? -1 : 0;
    to.swings[lane] = from.motion == AnchorMotion::Swings ? -1 : 0;
    setLane(to.axis, lane, from.axis);
    setLane(to.startAxis, lane, from.startAxis);
}

void setPoint(WidePoint& to, int lane, const ConstraintPoint& from) {
    setLane(to.anchorA, lane, from.anchorA);
    setLane(to.anchorB, lane, from.anchorB);
    to.present[lane] = -1;
    to.normalImpulse[lane] = from.normalImpulse;
    to.tangentImpulse1[lane] = from.tangentImpulse1;
    to.tangentImpulse2[lane] = from.tangentImpulse2;
}

}  // namespace

const WideKernels& wideKernels() {
#if defined(SUNDER_HAS_AVX2_KERNELS)
    static const bool hasAvx2 = __builtin_cpu_supports("avx2");
    if (hasAvx2)
        return kAvx2Kernels;
#endif
    return kBaselineKernels;
}

void pack(WideContact& block, std::span<const ContactConstraint> constraints, const std::uint32_t* index, int count,
          std::span<const SolverBodyConstants> bodies) {
    block = WideContact();
    block.lanes = count;
    block.allTurn = true;
    for (int lane = 0; lane < count; ++lane) {
        const ContactConstraint& from = constraints[index[lane]];
        block.constraint[lane] = index[lane];
        block.bodyA[lane] = from.bodyA;
        block.bodyB[lane] = from.bodyB;
        block.movesA |= std::uint32_t(bodies[from.bodyA].isDynamic) << lane;
        block.movesB |= std::uint32_t(bodies[from.bodyB].isDynamic) << lane;
        block.pointCount = from.count > block.pointCount ? from.count : block.pointCount;
        setLane(block.normal, lane, from.normal);
        setLane(block.tangent1, lane, from.tangent1);
        setLane(block.tangent2, lane, from.tangent2);
        setLane(block.centerOffset, lane, from.centerOffset);
        setLane(block.surfaceVelocity, lane, from.surfaceVelocity);
        block.young[lane] = from.age < kYoung ? -1 : 0;
        block.pointOnB[lane] = from.pointOnB;
        block.friction[lane] = from.friction;
        block.hasRestitution = block.hasRestitution || from.restitution > 0;
        if (from.spinningFriction > 0 || from.rollingFriction > 0) {
            block.hasRotationalFriction = true;
            block.spinningFriction[lane] = from.spinningFriction;
            block.rollingFriction[lane] = from.rollingFriction;
            block.spinningImpulse[lane] = from.spinningImpulse;
            block.rollingImpulse1[lane] = from.rollingImpulse1;
            block.rollingImpulse2[lane] = from.rollingImpulse2;
        }
        if (from.frameA.motion != AnchorMotion::Turns || from.frameB.motion != AnchorMotion::Turns)
            block.allTurn = false;
        for (int i = 0; i < from.count; ++i)
            setPoint(block.points[i], lane, from.points[i]);
    }
    if (!block.allTurn)
        for (int lane = 0; lane < count; ++lane) {
            setFrame(block.frameA, lane, constraints[index[lane]].frameA);
            setFrame(block.frameB, lane, constraints[index[lane]].frameB);
        }
}

void unpackLane(const WideContact& block, int lane, ContactConstraint& constraint) {
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& to = constraint.points[i];
        const WidePoint& from = block.points[i];
        to.armA = {from.armA.x[lane], from.armA.y[lane], from.armA.z[lane]};
        to.armB = {from.armB.x[lane], from.armB.y[lane], from.armB.z[lane]};
        to.normalMass = from.normalMass[lane];
        to.tangentMass11 = from.tangentMass11[lane];
        to.tangentMass12 = from.tangentMass12[lane];
        to.tangentMass22 = from.tangentMass22[lane];
        to.slidingMass = from.slidingMass[lane];
        to.normalImpulse = from.normalImpulse[lane];
        to.tangentImpulse1 = from.tangentImpulse1[lane];
        to.tangentImpulse2 = from.tangentImpulse2[lane];
        to.totalNormalImpulse = from.totalNormalImpulse[lane];
        to.totalTangentImpulse1 = from.totalTangentImpulse1[lane];
        to.totalTangentImpulse2 = from.totalTangentImpulse2[lane];
    }
    constraint.spinningImpulse = block.spinningImpulse[lane];
    constraint.rollingImpulse1 = block.rollingImpulse1[lane];
    constraint.rollingImpulse2 = block.rollingImpulse2[lane];
}

void repackLane(WideContact& block, int lane, const ContactConstraint& constraint) {
    for (int i = 0; i < constraint.count; ++i) {
        const ConstraintPoint& from = constraint.points[i];
        WidePoint& to = block.points[i];
        to.normalImpulse[lane] = from.normalImpulse;
        to.tangentImpulse1[lane] = from.tangentImpulse1;
        to.tangentImpulse2[lane] = from.tangentImpulse2;
        to.totalNormalImpulse[lane] = from.totalNormalImpulse;
        to.totalTangentImpulse1[lane] = from.totalTangentImpulse1;
        to.totalTangentImpulse2[lane] = from.totalTangentImpulse2;
    }
    block.spinningImpulse[lane] = constraint.spinningImpulse;
    block.rollingImpulse1[lane] = constraint.rollingImpulse1;
    block.rollingImpulse2[lane] = constraint.rollingImpulse2;
}

void unpack(const WideContact& block, std::span<ContactConstraint> constraints) {
    for (int lane = 0; lane < block.lanes; ++lane)
        unpackLane(block, lane, constraints[block.constraint[lane]]);
}

}  // namespace sunder::dynamics
