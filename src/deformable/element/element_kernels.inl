// Included by one file per instruction set, inside an anonymous namespace.
//   [Parker09] 3: F = D_x beta, F = Q A by polar decomposition; by QR below 6 % of the rest volume
//   strain = sym((Q^T D_x - D_u) beta_c), which is zero under every rigid motion, with a clamped beta_c too
//   stress = lambda tr(strain - plastic) I + 2 mu (strain - plastic); f_i = -V Q stress g_i with g_i = grad N_i
// Multiplicative plasticity [BWHT07]: what flows changes the rest shape. F A = Q S with A the inverse of the plastic part of F,
// det A = 1; rest edges A^-1 D_u, their inverse beta A. For an isotropic solid any A with A A^T = I + B will do: B is
// remembered. Matrices by rows: m[3 * row + column].

using namespace sunder::wide;

// Shares of the rest volume below which QR begins, and above which it ends.
constexpr Real kQrBelow = Real(0.06), kQrEnds = Real(0.10);
constexpr int kMostPolarSteps = 12;
constexpr int kScaledPolarSteps = 4;  // the first steps are scaled; near the end that would only add rounding
constexpr Real kPolarDone = Real(64) * Real(64) * std::numeric_limits<Real>::epsilon() * std::numeric_limits<Real>::epsilon();
constexpr Real kTiny = Real(1e-20);

SUNDER_WIDE void loadNine(const Lanes (&lanes)[9], Wide (&out)[9]) {
    for (int k = 0; k < 9; ++k)
        out[k] = *reinterpret_cast<const Wide*>(&lanes[k]);
}

SUNDER_WIDE void multiplyMatrices(const Wide (&a)[9], const Wide (&b)[9], Wide (&out)[9]) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

// Rows of cofactors: the inverse, transposed, times the determinant.
SUNDER_WIDE void cofactorsOf(const Wide (&m)[9], Wide (&out)[9]) {
    for (int i = 0; i < 3; ++i) {
        const int r1 = 3 * ((i + 1) % 3), r2 = 3 * ((i + 2) % 3);
        for (int j = 0; j < 3; ++j) {
            const int c1 = (j + 1) % 3, c2 = (j + 2) % 3;
            out[3 * i + j] = m[r1 + c1] * m[r2 + c2] - m[r1 + c2] * m[r2 + c1];
        }
    }
}

SUNDER_WIDE Wide normSquared(const Wide (&m)[9]) {
    Wide sum = m[0] * m[0];
    for (int k = 1; k < 9; ++k)
        sum = sum + m[k] * m[k];
    return sum;
}

// Newton's iteration for the nearest rotation [Higham 1986]; lanes that are not to be used hold the identity.
SUNDER_WIDE void findRotation(Wide (&q)[9]) {
    Mask goesOn = all(1) > all(0);  // a lane stops by itself, so that its bits do not depend on its neighbours
    for (int step = 0; step < kMostPolarSteps; ++step) {
        Wide cofactors[9];
        cofactorsOf(q, cofactors);
        const Wide inverse = all(1) / (q[0] * cofactors[0] + q[1] * cofactors[1] + q[2] * cofactors[2]);
        Wide scale = all(1);
        if (step < kScaledPolarSteps)
            scale = squareRoot(squareRoot(normSquared(cofactors) * inverse * inverse / normSquared(q)));
        const Wide own = all(Real(0.5)) * scale, other = all(Real(0.5)) * inverse / scale;
        Wide change = all(0);
        for (int k = 0; k < 9; ++k) {
            const Wide next = own * q[k] + other * cofactors[k];
            change = change + (next - q[k]) * (next - q[k]);
            q[k] = select(goesOn, next, q[k]);
        }
        goesOn &= change > all(kPolarDone);
        if (!any(goesOn))
            break;
    }
}

// The rotation that takes one axis to its column of F, and a second one into the plane of its own and the first column. Which
// they are changes from step to step: with always the same, some inverted shapes are in balance.
SUNDER_WIDE void findQr(const Wide (&f)[9], int order, Wide (&q)[9]) {
    const int i = order % 3, j = (i + 1 + order / 3) % 3, k = 3 - i - j;
    const WideVec3 a{f[i], f[3 + i], f[6 + i]}, b{f[j], f[3 + j], f[6 + j]};
    const Wide lengthA = dot(a, a);
    const WideVec3 axisX{all(1), all(0), all(0)};
    const WideVec3 q1 = select(lengthA > all(kTiny), a * (all(1) / squareRoot(max(lengthA, all(kTiny)))), axisX);
    const WideVec3 normal = cross(q1, b);
    const Wide lengthN = dot(normal, normal);
    // Where both columns are parallel, any direction perpendicular to the first.
    const WideVec3 other = select((q1.x * q1.x) < all(Real(0.5)), axisX, WideVec3{all(0), all(1), all(0)});
    const WideVec3 anyNormal = cross(q1, other);
    const WideVec3 chosen = select(lengthN > all(kTiny), normal, anyNormal);
    const WideVec3 q3 = chosen * (all(1) / squareRoot(dot(chosen, chosen)));
    const WideVec3 q2 = cross(q3, q1);
    q[i] = q1.x, q[3 + i] = q1.y, q[6 + i] = q1.z;
    q[j] = q2.x, q[3 + j] = q2.y, q[6 + j] = q2.z;
    const Wide hand = all(order < 3 ? Real(1) : Real(-1));
    q[k] = hand * q3.x, q[3 + k] = hand * q3.y, q[6 + k] = hand * q3.z;
}

// Flow of the deviatoric strain beyond the yield, up to a cap.
SUNDER_WIDE void flow(const Wide (&strain)[6], const ElementSettings& settings, StrainBlock& plastic) {
    Wide p[6], e[6];
    for (int k = 0; k < 6; ++k) {
        p[k] = reinterpret_cast<const Wide&>(plastic.strain[k]);
        e[k] = strain[k] - p[k];
    }
    const Wide mean = (e[0] + e[1] + e[2]) * all(Real(1) / 3);
    for (int k = 0; k < 3; ++k)
        e[k] = e[k] - mean;
    const Wide two = all(2);
    const Wide size = squareRoot(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + two * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5]));
    const Wide yield = all(settings.yieldStrain);
    const Wide share = onlyWhere(size > yield, all(settings.creepShare) * (size - yield) / max(size, all(kTiny)));
    for (int k = 0; k < 6; ++k)
        p[k] = p[k] + share * e[k];
    const Wide norm = squareRoot(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + two * (p[3] * p[3] + p[4] * p[4] + p[5] * p[5]));
    const Wide most = all(settings.largestPlastic);
    const Wide scale = select(norm > most, most / max(norm, all(kTiny)), all(1));
    for (int k = 0; k < 6; ++k)
        reinterpret_cast<Wide&>(plastic.strain[k]) = p[k] * scale;
}

// The lower triangle A with A A^T = I + B, and its inverse.
SUNDER_WIDE void factorOf(const StrainBlock& plastic, Wide (&a)[9], Wide (&inverse)[9]) {
    Wide b[6];
    for (int k = 0; k < 6; ++k)
        b[k] = reinterpret_cast<const Wide&>(plastic.strain[k]);
    const Wide zero = all(0), one = all(1), tiny = all(kTiny);
    const Wide xx = squareRoot(max(one + b[0], tiny)), inverseX = one / xx;
    const Wide yx = b[3] * inverseX, zx = b[4] * inverseX;
    const Wide yy = squareRoot(max(one + b[1] - yx * yx, tiny)), inverseY = one / yy;
    const Wide zy = (b[5] - zx * yx) * inverseY;
    const Wide zz = squareRoot(max(one + b[2] - zx * zx - zy * zy, tiny)), inverseZ = one / zz;
    const Wide lower[9] = {xx, zero, zero, yx, yy, zero, zx, zy, zz};
    const Wide inverted[9] = {inverseX,
                              zero,
                              zero,
                              zero - yx * inverseX * inverseY,
                              inverseY,
                              zero,
                              (yx * zy - zx * yy) * inverseX * inverseY * inverseZ,
                              zero - zy * inverseY * inverseZ,
                              inverseZ};
    for (int k = 0; k < 9; ++k) {
        a[k] = lower[k];
        inverse[k] = inverted[k];
    }
}

// d^(-1/3) by Newton's iteration, for d from 1/8 to 27/8.
SUNDER_WIDE Wide inverseCubeRoot(const Wide& d) {
    Wide y = all(2) / (all(1) + d);
    for (int step = 0; step < 6; ++step)
        y = y * (all(4) - d * y * y * y) * all(Real(1) / 3);
    return y;
}

// Strain that counts as permanent: the root of the sum of sinh^2 of the logarithmic strains, the same for C = (I + B)^-1 and
// its inverse. tr C + tr C^-1 - 6 = |B|^2 - (tr B)^2 - 3 det B where det C = 1.
SUNDER_WIDE Wide permanentStrain(const Wide (&b)[6]) {
    const Wide trace = b[0] + b[1] + b[2];
    const Wide square = b[0] * b[0] + b[1] * b[1] + b[2] * b[2] + all(2) * (b[3] * b[3] + b[4] * b[4] + b[5] * b[5]);
    const Wide det =
        b[0] * (b[1] * b[2] - b[5] * b[5]) - b[3] * (b[3] * b[2] - b[5] * b[4]) + b[4] * (b[3] * b[5] - b[1] * b[4]);
    return squareRoot(max(all(Real(0.25)) * (square - trace * trace - all(3) * det), all(0)));
}

// A M / det^(1/3) and the B of it, with M = I - share N.
SUNDER_WIDE Wide flowBy(const Wide (&a)[9], const Wide (&n)[9], const Wide& share, Wide (&m)[9], Wide (&b)[6]) {
    Wide w[9], cofactors[9];
    for (int k = 0; k < 9; ++k)
        m[k] = (k % 4 == 0 ? all(1) : all(0)) - share * n[k];
    multiplyMatrices(a, m, w);
    cofactorsOf(w, cofactors);
    const Wide scale = inverseCubeRoot(w[0] * cofactors[0] + w[1] * cofactors[1] + w[2] * cofactors[2]);
    for (int k = 0; k < 9; ++k)
        w[k] = w[k] * scale;
    const auto entry = [&](int i, int j) {
        return w[3 * i] * w[3 * j] + w[3 * i + 1] * w[3 * j + 1] + w[3 * i + 2] * w[3 * j + 2];
    };
    b[0] = entry(0, 0) - all(1), b[1] = entry(1, 1) - all(1), b[2] = entry(2, 2) - all(1);
    b[3] = entry(0, 1), b[4] = entry(0, 2), b[5] = entry(1, 2);
    return scale;
}

// Flow of the deviatoric strain e' beyond the yield: S becomes S - share e', so A becomes A M with M = I - share S^-1 e', which
// commutes with S: the rotation stays. Volume is kept by det M = 1, and what would go beyond the cap is shortened. Elements
// that are crushed below the bounds of QR do not flow: they have no shape to keep. a: becomes that of the new rest shape.
SUNDER_WIDE void reshape(const ElementSettings& settings, const Mask& isCrushed, Wide (&strain)[6], Wide (&a)[9],
                         StrainBlock& plastic) {
    constexpr Real kMostChange = Real(0.5);  // of N times the share: keeps M far from singular
    const Wide mean = (strain[0] + strain[1] + strain[2]) * all(Real(1) / 3), one = all(1);
    const Wide e[6] = {strain[0] - mean, strain[1] - mean, strain[2] - mean, strain[3], strain[4], strain[5]};
    const Wide size = squareRoot(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + all(2) * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5]));
    const Wide yield = all(settings.yieldStrain);
    const Mask flows = (size > yield) & ~isCrushed;
    if (!(settings.creepShare > 0) || !any(flows))
        return;
    const Wide stretch[9] = {one + strain[0], strain[3], strain[4], strain[3],      one + strain[1],
                             strain[5],       strain[4], strain[5], one + strain[2]};
    const Wide deviator[9] = {e[0], e[3], e[4], e[3], e[1], e[5], e[4], e[5], e[2]};
    Wide cofactors[9], n[9], m[9], b[6], before[6];
    cofactorsOf(stretch, cofactors);  // symmetric
    const Wide det = stretch[0] * cofactors[0] + stretch[1] * cofactors[1] + stretch[2] * cofactors[2];
    const Wide inverse = one / max(det, all(Real(0.01)));
    multiplyMatrices(cofactors, deviator, n);
    for (int k = 0; k < 9; ++k)
        n[k] = onlyWhere(flows, n[k] * inverse);
    const Wide change = squareRoot(normSquared(n));
    Wide share = all(settings.creepShare) * (size - yield) / max(size, all(kTiny));
    share = onlyWhere(flows, min(share, all(kMostChange) / max(change, all(kTiny))));
    for (int k = 0; k < 6; ++k)
        before[k] = reinterpret_cast<const Wide&>(plastic.strain[k]);
    Wide scale = flowBy(a, n, share, m, b);
    const Wide was = permanentStrain(before), is = permanentStrain(b), most = all(settings.largestPlastic);
    if (const Mask isBeyond = flows & (is > most); any(isBeyond)) {
        const Wide left = max(most - was, all(0)) / max(is - was, all(kTiny));
        share = select(isBeyond, share * min(left, one), share);
        scale = flowBy(a, n, share, m, b);
    }
    Wide next[9];
    multiplyMatrices(a, m, next);
    for (int k = 0; k < 9; ++k)
        a[k] = select(flows, next[k] * scale, a[k]);
    for (int k = 0; k < 6; ++k) {
        reinterpret_cast<Wide&>(plastic.strain[k]) = select(flows, b[k], before[k]);
        const Wide identity = all(k < 3 ? Real(1) : Real(0));
        strain[k] = select(flows, scale * (identity + strain[k] - share * e[k]) - identity, strain[k]);
    }
}

// The element's rotation.
SUNDER_WIDE void rotationOf(const Wide (&edges)[9], const Wide (&beta)[9], int qrOrder, LaneMask& usesQr, Wide (&q)[9]) {
    Wide f[9], cofactors[9], byQr[9];
    multiplyMatrices(edges, beta, f);
    cofactorsOf(f, cofactors);
    const Wide volume = f[0] * cofactors[0] + f[1] * cofactors[1] + f[2] * cofactors[2];  // share of the rest volume
    Mask& isQr = reinterpret_cast<Mask&>(usesQr);
    isQr = (isQr & ~(volume > all(kQrEnds))) | ~(volume > all(kQrBelow));
    for (int k = 0; k < 9; ++k)
        q[k] = select(isQr, all(k % 4 == 0 ? Real(1) : Real(0)), f[k]);
    findRotation(q);
    if (!any(isQr))
        return;
    findQr(f, qrOrder, byQr);
    for (int k = 0; k < 9; ++k)
        q[k] = select(isQr, byQr[k], q[k]);
}

SUNDER_WIDE void strainOf(const Wide (&edges)[9], const Wide (&rest)[9], const Wide (&clamped)[9], const Wide (&q)[9],
                          Wide (&strain)[6]) {
    Wide turned[9], g[9];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            turned[3 * i + j] = q[i] * edges[j] + q[3 + i] * edges[3 + j] + q[6 + i] * edges[6 + j] - rest[3 * i + j];
    multiplyMatrices(turned, clamped, g);
    const Wide half = all(Real(0.5));
    strain[0] = g[0], strain[1] = g[4], strain[2] = g[8];
    strain[3] = half * (g[1] + g[3]), strain[4] = half * (g[2] + g[6]), strain[5] = half * (g[5] + g[7]);
}

// g: rows are the gradients of the last three nodes.
SUNDER_WIDE void writeRecords(const TetBlock& block, const Wide (&turn)[9], const Wide (&g)[9], const Wide (&stress)[9],
                              TetRecord* records, int count) {
    std::uint32_t index[kLanes];
    for (int lane = 0; lane < kLanes; ++lane)
        index[lane] = static_cast<std::uint32_t>(lane);
    const std::uint32_t lanes = count >= 32 ? ~0u : (1u << count) - 1;
    constexpr int kStride = sizeof(TetRecord) / sizeof(Real);
    Real* numbers = reinterpret_cast<Real*>(records);
    Wide piola[9];
    multiplyMatrices(turn, stress, piola);
    const Wide rootVolume = reinterpret_cast<const Wide&>(block.rootVolume);
    const Wide minusVolume = -(rootVolume * rootVolume);
    Wide firstGradient[4] = {all(0), all(0), all(0), all(0)}, firstForce[4] = {all(0), all(0), all(0), all(0)};
    for (int node = 1; node < 4; ++node) {
        const int row = 3 * (node - 1);
        Wide gradient[4], force[4];
        for (int i = 0; i < 3; ++i) {
            gradient[i] = rootVolume * (turn[3 * i] * g[row] + turn[3 * i + 1] * g[row + 1] + turn[3 * i + 2] * g[row + 2]);
            force[i] = minusVolume * (piola[3 * i] * g[row] + piola[3 * i + 1] * g[row + 1] + piola[3 * i + 2] * g[row + 2]);
            firstGradient[i] = firstGradient[i] - gradient[i];
            firstForce[i] = firstForce[i] - force[i];
        }
        gradient[3] = force[3] = all(0);
        scatterFour(numbers + 4 * node, kStride, index, lanes, gradient);
        scatterFour(numbers + 16 + 4 * node, kStride, index, lanes, force);
    }
    scatterFour(numbers, kStride, index, lanes, firstGradient);
    scatterFour(numbers + 16, kStride, index, lanes, firstForce);
}

SUNDER_WIDE void edgesOf(const TetBlock& block, const Four* positions, Wide (&edges)[9]) {
    Wide p[4][4];
    for (int node = 0; node < 4; ++node)
        gatherFour(reinterpret_cast<const Real*>(positions), 4, block.node[node], p[node]);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            edges[3 * i + j] = p[j + 1][i] - p[0][i];
}

// Stress of an elastic strain, and what the step needs of it. g: as in writeRecords.
SUNDER_WIDE void record(const TetBlock& block, const ElementSettings& settings, const Wide (&q)[9], const Wide (&g)[9],
                        const Wide (&strain)[6], TetRecord* records, int count) {
    const Wide twoMu = all(2 * settings.lame.mu);
    const Wide pressure = all(settings.lame.lambda) * (strain[0] + strain[1] + strain[2]);
    const Wide xy = twoMu * strain[3], xz = twoMu * strain[4], yz = twoMu * strain[5];
    const Wide stress[9] = {pressure + twoMu * strain[0], xy, xz, xy, pressure + twoMu * strain[1], yz, xz, yz,
                            pressure + twoMu * strain[2]};
    const Mat3& r = settings.worldFromBody;
    const Wide world[9] = {all(r.row0.x), all(r.row0.y), all(r.row0.z), all(r.row1.x), all(r.row1.y),
                           all(r.row1.z), all(r.row2.x), all(r.row2.y), all(r.row2.z)};
    Wide turn[9];
    multiplyMatrices(world, q, turn);
    writeRecords(block, turn, g, stress, records, count);
}

void deform(const TetBlock& block, const Four* positions, const ElementSettings& settings, LaneMask& usesQr,
            StrainBlock* plastic, TetRecord* records, int count) {
    Wide edges[9], beta[9], rest[9], clamped[9], q[9], strain[6];
    edgesOf(block, positions, edges);
    loadNine(block.beta, beta);
    loadNine(block.edges, rest);
    loadNine(block.clamped, clamped);
    rotationOf(edges, beta, settings.qrOrder, usesQr, q);
    strainOf(edges, rest, clamped, q, strain);
    if (plastic != nullptr) {
        flow(strain, settings, *plastic);
        for (int k = 0; k < 6; ++k)
            strain[k] = strain[k] - reinterpret_cast<const Wide&>(plastic->strain[k]);
    }
    record(block, settings, q, clamped, strain, records, count);
}

void deformReshaped(const TetBlock& block, const Four* positions, const ElementSettings& settings, LaneMask& usesQr,
                    StrainBlock* plastic, TetRecord* records, int count) {
    Wide edges[9], given[9], a[9], inverse[9], beta[9], rest[9], clamped[9], q[9], strain[6];
    edgesOf(block, positions, edges);
    factorOf(*plastic, a, inverse);
    loadNine(block.beta, given);
    multiplyMatrices(given, a, beta);
    loadNine(block.edges, given);
    multiplyMatrices(inverse, given, rest);
    loadNine(block.clamped, given);
    multiplyMatrices(given, a, clamped);
    rotationOf(edges, beta, settings.qrOrder, usesQr, q);
    strainOf(edges, rest, clamped, q, strain);
    reshape(settings, reinterpret_cast<const Mask&>(usesQr), strain, a, *plastic);
    multiplyMatrices(given, a, clamped);
    record(block, settings, q, clamped, strain, records, count);
}
