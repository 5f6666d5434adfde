#include "dynamics/joints/bundle/joint_bundle.h"

#include <algorithm>

#include "dynamics/joints/row/joint_rows.h"
#include "math/trigonometry.h"

namespace sunder::dynamics {

namespace {

constexpr int kPointRows = 3;  // that hold the joint's point; they come first

using wide::fill, wide::take;

bool isLimit(const JointRow& row) { return row.bounded && row.rigid && (row.low == 0) != (row.high == 0); }

TurnKind kindOf(const JointSpec& spec, const JointRow& row) {
    if (row.slot == kConeSlot)
        return spec.hasConeZ ? TurnKind::OvalCone : TurnKind::Cone;
    if (isLimit(row))
        return spec.type == JointType::ConeTwist ? TurnKind::Twist : TurnKind::Walls;
    if (row.bounded && row.rate == 0)
        return TurnKind::Driven;
    return spec.type == JointType::Hinge && row.slot < kLimitSlot ? TurnKind::Aligned : TurnKind::Followed;
}

// The nearer limit is the upper one: its impulses are negative, and its error counts from there.
bool isUpper(const JointRow& row) { return isLimit(row) && row.high == 0; }

void fillRow(WideTurnRow& out, int lane, const JointSpec& spec, const JointRow& row, Real impulse, const SolverBody& a,
             const JointSettings& settings) {
    const TurnKind kind = kindOf(spec, row);
    const bool stops = isLimit(row), isHeld = row.rigid && !row.bounded, isDriven = kind == TurnKind::Driven;
    const Real half = stops && row.slot != kConeSlot ? (spec.limits.high - spec.limits.low) / 2 : Real(0);
    fill(out.axis, lane, inverseRotate(a.orientation, row.angularA));
    out.kind[lane] = Real(static_cast<int>(kind));
    out.half[lane] = half;
    out.excludes[lane] = stops || (isDriven && spec.type == JointType::Hinge) ? Real(1) : Real(0);
    out.error[lane] = isDriven ? row.bias : row.error + (isUpper(row) ? half : -half);
    out.rate[lane] = isDriven ? Real(1) : row.rate;
    out.rateAhead[lane] = stops ? settings.inverseH : out.rate[lane];
    out.fastest[lane] = row.rigid && !isDriven ? settings.recoverySpeed : kInfinity;
    out.fastestAhead[lane] = isHeld ? settings.recoverySpeed : kInfinity;
    out.low[lane] = stops ? Real(0) : row.low;
    out.high[lane] = stops ? kInfinity : row.high;
    out.softness[lane] = row.softness;
    out.side[lane] = isUpper(row) ? Real(-1) : Real(1);
    out.impulse[lane] = impulse * out.side[lane];
}

// A row that gets no impulse.
void clearRow(WideTurnRow& out, int lane) {
    fill(out.axis, lane, Vec3{});
    for (wide::Lanes* number : {&out.error, &out.kind, &out.half, &out.excludes, &out.rate, &out.rateAhead, &out.fastest,
                                &out.fastestAhead, &out.low, &out.high, &out.softness, &out.impulse, &out.side})
        (*number)[lane] = 0;
}

void clearJoint(WideBundleJoint& out, int lane) {
    out.bodyA[lane] = out.bodyB[lane] = kFixedBody;
    for (wide::Vec3Of<wide::Lanes>* v : {&out.anchorA, &out.anchorB, &out.centerOffset, &out.impulse, &out.rub})
        fill(*v, lane, Vec3{});
    for (wide::QuatOf<wide::Lanes>* q : {&out.frameA, &out.frameB})
        fill(*q, lane, Quat{});
    for (wide::Lanes* number :
         {&out.rate, &out.fastest, &out.softness, &out.coneSine, &out.coneCosine, &out.perSwingY, &out.perSwingZ,
          &out.middleSine, &out.middleCosine, &out.wallSine, &out.wallCosine, &out.stopFriction, &out.bearing})
        (*number)[lane] = 0;
    out.tolerance[lane] = kInfinity;
}

void fillSinCos(wide::Lanes& sine, wide::Lanes& cosine, int lane, Real angle) {
    const SinCos at = sinCos(angle);
    sine[lane] = at.sin;
    cosine[lane] = at.cos;
}

void fillJoint(WideBundleJoint& out, int lane, const JointConstraint& joint, std::span<const SolverBodyConstants> bodies,
               const JointSettings& settings) {
    const JointRow& row = joint.rows[0];
    out.bodyA[lane] = joint.bodyA;
    out.bodyB[lane] = joint.bodyB;
    out.movesA |= 1u << lane;
    out.movesB |= 1u << lane;
    fill(out.anchorA, lane, joint.frameA.position);
    fill(out.anchorB, lane, joint.frameB.position);
    fill(out.centerOffset, lane, joint.centerOffset);
    fill(out.impulse, lane, Vec3{joint.impulse[kLinearSlot], joint.impulse[kLinearSlot + 1], joint.impulse[kLinearSlot + 2]});
    const bool isRough = joint.spec.rubs;  // the impulse is kept in friction's slots
    const Real* const rub = &joint.impulse[kFrictionSlot];
    fill(out.rub, lane, isRough ? Vec3{rub[0], rub[1], rub[2]} : Vec3{});
    out.stopFriction[lane] = isRough ? kStopFriction : Real(0);
    out.bearing[lane] = isRough ? kBearingShare * min(bodies[joint.bodyA].radius, bodies[joint.bodyB].radius) : Real(0);
    fill(out.frameA, lane, joint.frameA.orientation);
    fill(out.frameB, lane, joint.frameB.orientation);
    const Interval& limits = joint.spec.limits;
    fillSinCos(out.coneSine, out.coneCosine, lane, joint.spec.cone);
    out.perSwingY[lane] = joint.spec.hasConeZ ? 1 / joint.spec.cone : Real(0);
    out.perSwingZ[lane] = joint.spec.hasConeZ ? 1 / joint.spec.coneZ : Real(0);
    fillSinCos(out.middleSine, out.middleCosine, lane, (limits.low + limits.high) / 4);
    fillSinCos(out.wallSine, out.wallCosine, lane, (limits.high - limits.low) / 4);
    out.rate[lane] = row.rate;
    out.fastest[lane] = row.rigid ? settings.recoverySpeed : kInfinity;
    out.softness[lane] = row.softness;
    out.tolerance[lane] = kBundleTolerance * settings.inverseH * (bodies[joint.bodyA].radius + bodies[joint.bodyB].radius);
}

}  // namespace

void JointBundles::plan(std::span<const JointTree> trees, std::span<const JointLink> links) {
    bundles_.clear();
    std::uint32_t constraint = 0, joint = 0, row = 0, node = 0;
    for (std::size_t first = 0, end = 0; first < trees.size(); first = end) {
        const std::vector<JointTree::Branch>& branches = trees[first].branches;
        while (end < trees.size() && end - first < wide::kLanes && areAlike(trees[first], trees[end]))
            ++end;
        Bundle bundle{.firstJoint = joint,
                      .jointCount = static_cast<std::uint32_t>(branches.size()),
                      .firstRow = row,
                      .firstNode = node,
                      .lanes = static_cast<std::uint32_t>(end - first),
                      .firstConstraint = constraint};
        constraint += bundle.jointCount * bundle.lanes;
        node += bundle.jointCount + 1;
        joints_.resize(joint + bundle.jointCount);
        for (std::size_t k = 0; k < branches.size(); ++k, ++joint) {
            joints_[joint].firstRow = static_cast<std::int32_t>(row - bundle.firstRow);
            joints_[joint].parent = static_cast<std::int32_t>(branches[k].parent);
            joints_[joint].outerIsB = branches[k].outerIsB;
            std::uint32_t rows = 0;
            for (std::size_t lane = first; lane < end; ++lane)
                rows = std::max<std::uint32_t>(rows, links[trees[lane].branches[k].joint].turnRows);
            row += rows;
        }
        bundles_.push_back(bundle);
    }
    joints_.resize(joint);
    rows_.resize(row);
    nodes_.resize(node);
}

void JointBundles::pack(int index, std::span<JointConstraint> joints, std::span<const SolverBody> bodies,
                        std::span<const SolverBodyConstants> constants, const JointSettings& settings) {
    const Bundle& bundle = bundles_[index];
    for (std::uint32_t k = 0; k < bundle.jointCount; ++k) {
        WideBundleJoint& out = joints_[bundle.firstJoint + k];
        WideTurnRow* rows = rows_.data() + bundle.firstRow + out.firstRow;
        out.movesA = out.movesB = 0;
        out.rowCount = 0;
        for (int lane = 0; lane < wide::kLanes; ++lane) {
            fill(out.total, lane, Vec3{});
            fill(out.totalTurn, lane, Vec3{});
            int count = 0;
            if (std::uint32_t(lane) < bundle.lanes) {
                JointConstraint& joint = joints[bundle.firstConstraint + std::uint32_t(lane) * bundle.jointCount + k];
                makeRows(joint, bodies[joint.bodyA], bodies[joint.bodyB], settings);
                fillJoint(out, lane, joint, constants, settings);
                for (; kPointRows + count < joint.rowCount; ++count) {
                    const JointRow& row = joint.rows[kPointRows + count];
                    fillRow(rows[count], lane, joint.spec, row, joint.impulse[row.slot], bodies[joint.bodyA], settings);
                }
            } else {
                clearJoint(out, lane);
            }
            // Rows that this lane lacks and earlier lanes have; and rows that earlier lanes lack, where this lane is the first
            // to have them.
            for (int row = count; row < out.rowCount; ++row)
                clearRow(rows[row], lane);
            for (; out.rowCount < count; ++out.rowCount)
                for (int before = 0; before < lane; ++before)
                    clearRow(rows[out.rowCount], before);
        }
    }
}

void JointBundles::unpack(int index, std::span<JointConstraint> joints) const {
    const Bundle& bundle = bundles_[index];
    for (std::uint32_t lane = 0; lane < bundle.lanes; ++lane)
        for (std::uint32_t k = 0; k < bundle.jointCount; ++k) {
            const WideBundleJoint& from = joints_[bundle.firstJoint + k];
            const WideTurnRow* rows = rows_.data() + bundle.firstRow + from.firstRow;
            JointConstraint& joint = joints[bundle.firstConstraint + lane * bundle.jointCount + k];
            const int l = static_cast<int>(lane);
            const Vec3 force = take(from.impulse, l);
            Vec3 turn = take(from.rub, l);
            joint.impulse = {};
            for (int i = 0; i < 3; ++i) {
                joint.impulse[kLinearSlot + i] = component(force, i);
                joint.impulse[kFrictionSlot + i] = component(turn, i);
            }
            for (int i = kPointRows; i < joint.rowCount; ++i) {
                const WideTurnRow& row = rows[i - kPointRows];
                turn += take(row.world, l) * row.impulse[l];
                joint.impulse[joint.rows[i].slot] = row.impulse[l] * row.side[l];
            }
            joint.armA = take(from.armA, l);
            joint.armB = take(from.armB, l);
            joint.given = {force, cross(joint.armA, force) + turn, cross(joint.armB, force) + turn};
            joint.totalForce = take(from.total, l);
            joint.totalTorque = take(from.totalTurn, l);
        }
}

BundleView JointBundles::view(int index) {
    const Bundle& bundle = bundles_[index];
    return {joints_.data() + bundle.firstJoint, static_cast<int>(bundle.jointCount), rows_.data() + bundle.firstRow,
            nodes_.data() + bundle.firstNode};
}

}  // namespace sunder::dynamics
