// All rows of a tree of joints at once, one tree in each lane. Part of joints/bundle/wide_bundle.inl.
//
//     M dv = sum J^T x        J dv + softness x = -r,   r the errors of the rows
//
// Bodies are eliminated from the outermost inwards. With joint k between body c and its inner neighbour p, and M_c the inertia of
// c with all bodies beyond it,
//     M_c = L L^T    Y = L^-1 J_c^T    Y^T Y + softness = G G^T    e = r + Y^T L^-1 f_c    u = G^-1 e    W = G^-1 J_p
//     M_p += W^T W    f_p -= W^T u
// and outwards again
//     x = -G^-T (u + W dv_p)    dv_c = L^-T (L^-1 f_c + Y x)

// Share of a row's diagonal that is added to it, so that redundant rows have a solution.
constexpr Real kTreeYield = Real(1e-5);

SUNDER_WIDE void put(Wide (&to)[6], const WideVec3& linear, const WideVec3& angular) {
    to[0] = linear.x;
    to[1] = linear.y;
    to[2] = linear.z;
    to[3] = angular.x;
    to[4] = angular.y;
    to[5] = angular.z;
}

// The lower triangle of a symmetric positive matrix becomes that of its factor, with inverse diagonals.
template <int kStride>
SUNDER_WIDE void factorLower(Wide (*a)[kStride], int size) {
    for (int j = 0; j < size; ++j) {
        Wide pivot = a[j][j];
        for (int k = 0; k < j; ++k)
            pivot = pivot - a[j][k] * a[j][k];
        const Wide inverse = onlyWhere(pivot > all(0), all(1) / squareRoot(pivot));
        a[j][j] = inverse;
        for (int i = j + 1; i < size; ++i) {
            Wide sum = a[i][j];
            for (int k = 0; k < j; ++k)
                sum = sum - a[i][k] * a[j][k];
            a[i][j] = sum * inverse;
        }
    }
}
template <int kStride>
SUNDER_WIDE void solveLower(const Wide (*factor)[kStride], int size, Wide* x) {
    for (int i = 0; i < size; ++i) {
        for (int k = 0; k < i; ++k)
            x[i] = x[i] - factor[i][k] * x[k];
        x[i] = x[i] * factor[i][i];
    }
}
template <int kStride>
SUNDER_WIDE void solveUpper(const Wide (*factor)[kStride], int size, Wide* x) {
    for (int i = size - 1; i >= 0; --i) {
        for (int k = i + 1; k < size; ++k)
            x[i] = x[i] - factor[k][i] * x[k];
        x[i] = x[i] * factor[i][i];
    }
}

SUNDER_WIDE void weigh(TreeNode<Wide>& node, const WideBody& body) {
    const WideSym3 inertia = inverseOf(body.inverseInertia);
    const Wide zero = all(0);
    const auto inverse = [](const Wide& x) __attribute__((always_inline)) {
        return onlyWhere(x > all(0), all(1) / x);
    };
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j)
            node.inertia[i][j] = zero;
        node.force[i] = zero;
    }
    node.inertia[0][0] = inverse(body.inverseMass.x);
    node.inertia[1][1] = inverse(body.inverseMass.y);
    node.inertia[2][2] = inverse(body.inverseMass.z);
    node.inertia[3][3] = inertia.xx;
    node.inertia[4][4] = inertia.yy;
    node.inertia[5][5] = inertia.zz;
    node.inertia[4][3] = inertia.xy;
    node.inertia[5][3] = inertia.xz;
    node.inertia[5][4] = inertia.yz;
}

// Chooses the rows whose impulse is not at a bound; of those that would contradict each other, the first.
SUNDER_WIDE void chooseRows(TurnRow<Wide>* rows, int count) {
    Mask isTaken = all(1) < all(0);
    for (int i = 0; i < count; ++i) {
        TurnRow<Wide>& row = rows[i];
        const Mask isInside = (row.low < row.impulse) & (row.impulse < row.high);
        const Mask isMet = isInside & ~(isTaken & isOf(row, TurnKind::Driven));
        row.isMet = onlyWhere(isMet, all(1));
        isTaken |= isMet & (row.excludes > all(0));
    }
}

// Rows of a joint as they act on a body at `arm`.
SUNDER_WIDE void fillRows(const BundleJoint<Wide>& joint, const TurnRow<Wide>* rows, const WideVec3& arm, Wide sign,
                          Wide (*out)[6]) {
    const Wide zero = all(0);
    put(out[0], {sign, zero, zero}, WideVec3{zero, arm.z, -arm.y} * sign);
    put(out[1], {zero, sign, zero}, WideVec3{-arm.z, zero, arm.x} * sign);
    put(out[2], {zero, zero, sign}, WideVec3{arm.y, -arm.x, zero} * sign);
    for (int i = 0; i < joint.rowCount; ++i)
        put(out[3 + i], {zero, zero, zero}, rows[i].world * (sign * rows[i].isMet));
}

// Errors of the rows, of the outer body relative to the inner one.
SUNDER_WIDE void findErrors(const BundleJoint<Wide>& joint, const TurnRow<Wide>* rows, const WideBody& a, const WideBody& b,
                            const Wide& halfStep, Wide* error) {
    const WideVec3 off = pointError(joint, a, b, halfStep);
    const Wide sign = all(joint.outerIsB ? Real(1) : Real(-1));
    error[0] = off.x * sign;
    error[1] = off.y * sign;
    error[2] = off.z * sign;
    for (int i = 0; i < joint.rowCount; ++i)
        error[3 + i] = turnError(rows[i], a, b) * (sign * rows[i].isMet);
}

// Eliminates the outer body of a joint: adds its inertia and force, as seen through the joint, to the inner one.
SUNDER_WIDE void eliminate(const BundleJoint<Wide>& joint, const TurnRow<Wide>* rows, TreeNode<Wide>& node,
                           TreeNode<Wide>& parent) {
    const int size = 3 + joint.rowCount;
    factorLower(node.inertia, 6);
    solveLower(node.inertia, 6, node.force);
    fillRows(joint, rows, joint.outerIsB ? joint.armB : joint.armA, all(1), node.reach);
    fillRows(joint, rows, joint.outerIsB ? joint.armA : joint.armB, all(-1), node.inner);
    for (int i = 0; i < size; ++i) {
        solveLower(node.inertia, 6, node.reach[i]);
        for (int j = 0; j <= i; ++j) {
            Wide sum = node.reach[i][0] * node.reach[j][0];
            for (int k = 1; k < 6; ++k)
                sum = sum + node.reach[i][k] * node.reach[j][k];
            node.factor[i][j] = sum;
        }
        const Wide softness = i < 3 ? joint.softness : rows[i - 3].softness;
        const Wide own = node.factor[i][i];
        node.factor[i][i] = select(own > all(0), own * all(1 + kTreeYield) + softness, all(1));
        for (int k = 0; k < 6; ++k)
            node.error[i] = node.error[i] + node.reach[i][k] * node.force[k];
    }
    factorLower(node.factor, size);
    solveLower(node.factor, size, node.error);
    for (int k = 0; k < 6; ++k) {
        Wide column[kMostTreeRows];
        for (int i = 0; i < size; ++i)
            column[i] = node.inner[i][k];
        solveLower(node.factor, size, column);
        for (int i = 0; i < size; ++i) {
            node.inner[i][k] = column[i];
            parent.force[k] = parent.force[k] - column[i] * node.error[i];
        }
    }
    for (int r = 0; r < size; ++r)
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j <= i; ++j)
                parent.inertia[i][j] = parent.inertia[i][j] + node.inner[r][i] * node.inner[r][j];
}

// Finds the impulses of a joint, and from the motion of its inner body that of its outer one, which replaces `force`.
SUNDER_WIDE void findImpulses(const BundleJoint<Wide>& joint, TreeNode<Wide>& node, const TreeNode<Wide>& parent) {
    const int size = 3 + joint.rowCount;
    for (int i = 0; i < size; ++i)
        for (int k = 0; k < 6; ++k)
            node.error[i] = node.error[i] + node.inner[i][k] * parent.force[k];
    solveUpper(node.factor, size, node.error);
    for (int i = 0; i < size; ++i) {
        node.error[i] = -node.error[i];
        for (int k = 0; k < 6; ++k)
            node.force[k] = node.force[k] + node.reach[i][k] * node.error[i];
    }
    solveUpper(node.inertia, 6, node.force);
}

SUNDER_WIDE void applyImpulses(BundleJoint<Wide>& joint, TurnRow<Wide>* rows, const TreeNode<Wide>& node, SolverBody* bodies,
                               const Mask& isOpen) {
    WideBody a = loadBody(bodies, joint.bodyA), b = loadBody(bodies, joint.bodyB);
    const Wide sign = onlyWhere(isOpen, all(joint.outerIsB ? Real(1) : Real(-1)));
    const WideVec3 change = WideVec3{node.error[0], node.error[1], node.error[2]} * sign;
    joint.impulse = joint.impulse + change;
    applyAt(a, b, joint.armA, joint.armB, change);
    for (int i = 0; i < joint.rowCount; ++i) {
        TurnRow<Wide>& row = rows[i];
        const Wide next = max(min(row.impulse + node.error[3 + i] * sign, row.high), row.low);
        applyTurn(a, b, row.world * (next - row.impulse));
        row.impulse = next;
    }
    storeVelocity(bodies, joint.bodyA, joint.movesA, a);
    storeVelocity(bodies, joint.bodyB, joint.movesB, b);
}

void solveTree(BundleJoint<Wide>* joints, int count, TurnRow<Wide>* rows, TreeNode<Wide>* nodes, SolverBody* bodies,
               const Mask& isOpen, const Wide& halfStep) {
    for (int i = 0; i < count; ++i) {
        const BundleJoint<Wide>& joint = joints[i];
        const WideBody a = loadBody(bodies, joint.bodyA), b = loadBody(bodies, joint.bodyB);
        if (joint.parent == 0)
            weigh(nodes[0], joint.outerIsB ? a : b);
        weigh(nodes[i + 1], joint.outerIsB ? b : a);
        chooseRows(rows + joint.firstRow, joint.rowCount);
        findErrors(joint, rows + joint.firstRow, a, b, halfStep, nodes[i + 1].error);
    }
    for (int i = count - 1; i >= 0; --i)
        eliminate(joints[i], rows + joints[i].firstRow, nodes[i + 1], nodes[joints[i].parent]);
    factorLower(nodes[0].inertia, 6);
    solveLower(nodes[0].inertia, 6, nodes[0].force);
    solveUpper(nodes[0].inertia, 6, nodes[0].force);
    for (int i = 0; i < count; ++i) {
        findImpulses(joints[i], nodes[i + 1], nodes[joints[i].parent]);
        applyImpulses(joints[i], rows + joints[i].firstRow, nodes[i + 1], bodies, isOpen);
    }
}
