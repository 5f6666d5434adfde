// Between constraints and blocks: four neighbouring numbers of kLanes constraints at a time. Part of wide_kernels.inl.

constexpr int kConstraintStride = sizeof(ContactConstraint) / sizeof(Real);  // numbers from one constraint to the next
static_assert(sizeof(ContactConstraint) % sizeof(Real) == 0);

SUNDER_WIDE WideVec3 onlyWhere(const Mask& mask, const Wide (&v)[4]) {
    return {onlyWhere(mask, v[0]), onlyWhere(mask, v[1]), onlyWhere(mask, v[2])};
}

void gatherBlock(WideContact& stored, const ContactConstraint* constraints) {
    Block& block = reinterpret_cast<Block&>(stored);
    const std::uint32_t* index = block.constraint;
    const Mask inUse = presentAt(block, 0);
    Wide a[4], b[4], c[4];
    gatherFour(&constraints->normal.x, kConstraintStride, index, a);
    gatherFour(&constraints->tangent1.x, kConstraintStride, index, b);
    block.normal = onlyWhere(inUse, a);
    block.tangent1 = onlyWhere(inUse, b);
    gatherFour(&constraints->centerOffset.x, kConstraintStride, index, a);
    gatherFour(&constraints->material.surfaceVelocity.x, kConstraintStride, index, b);
    block.centerOffset = onlyWhere(inUse, a);
    block.pointOnB = onlyWhere(inUse, a[3]);
    block.friction = onlyWhere(inUse, b[3]);
    for (int i = 0; i < block.pointCount; ++i) {
        const Mask present = presentAt(block, i);
        const ConstraintPoint& first = constraints->points[i];
        gatherFour(&first.anchorA.x, kConstraintStride, index, a);
        gatherFour(&first.anchorB.x, kConstraintStride, index, b);
        gatherFour(&first.normalImpulse, kConstraintStride, index, c);
        block.anchors[i] = {onlyWhere(present, a), onlyWhere(present, b)};
        BlockPoint<Wide>& point = block.points[i];
        const Wide zero = all(0);
        point.x = point.y = point.z = point.separation = point.normalMass = zero;
        point.normalImpulse = onlyWhere(present, c[0]);
        point.tangentImpulse1 = onlyWhere(present, c[1]);
        point.tangentImpulse2 = onlyWhere(present, c[2]);
        point.totalNormalImpulse = point.totalTangentImpulse1 = point.totalTangentImpulse2 = zero;
    }
}

// The thirteen consecutive numbers of a ConstraintPoint as four vectors; the last overlaps the one before.
constexpr bool liesAt(std::size_t field, int place) { return field == offsetof(ConstraintPoint, armA) + place * sizeof(Real); }
static_assert(liesAt(offsetof(ConstraintPoint, armB), 3) && liesAt(offsetof(ConstraintPoint, separation), 6) &&
              liesAt(offsetof(ConstraintPoint, normalImpulse), 7) && liesAt(offsetof(ConstraintPoint, totalNormalImpulse), 10) &&
              liesAt(offsetof(ConstraintPoint, totalTangentImpulse2), 12));

std::uint32_t finishBlock(const WideContact& stored, const SolverBody* bodies, ContactConstraint* constraints) {
    const Block& block = reinterpret_cast<const Block&>(stored);
    const WideAxes axes = axesOf(block);
    const WidePlane plane = planeOf(block, axes, loadPose(bodies, block.bodyA), loadPose(bodies, block.bodyB));
    std::uint32_t pushed = 0;
    for (int i = 0; i < block.pointCount; ++i) {
        const BlockPoint<Wide>& p = block.points[i];
        const WideVec3 side = axes.tangent1 * plane.x[i] + axes.tangent2 * plane.y[i] + axes.normal * plane.z[i];
        const WideVec3 a = plane.armA + side, b = plane.armB + side;
        const Wide rows[4][4] = {{a.x, a.y, a.z, b.x},
                                 {b.y, b.z, plane.separation[i], p.normalImpulse},
                                 {p.tangentImpulse1, p.tangentImpulse2, p.totalNormalImpulse, p.totalTangentImpulse1},
                                 {p.tangentImpulse2, p.totalNormalImpulse, p.totalTangentImpulse1, p.totalTangentImpulse2}};
        const std::uint32_t lanes = laneBits(presentAt(block, i));
        Real* first = &constraints->points[i].armA.x;
        scatterFour(first, kConstraintStride, block.constraint, lanes, rows[0]);
        scatterFour(first + 4, kConstraintStride, block.constraint, lanes, rows[1]);
        scatterFour(first + 8, kConstraintStride, block.constraint, lanes, rows[2]);
        scatterFour(first + 9, kConstraintStride, block.constraint, lanes, rows[3]);
        pushed |= laneBits(p.totalNormalImpulse > all(0)) & lanes;
    }
    return pushed;
}
