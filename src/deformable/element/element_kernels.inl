// Included by one file per instruction set, inside an anonymous namespace.
//   [Parker09] 3: F = D_x beta, F = Q A by polar decomposition; by QR below 6 % of the rest volume
//   strain = sym((Q^T D_x - D_u) beta_c), which is zero under every rigid motion, with a clamped beta_c too
//   stress = lambda tr(strain - plastic) I + 2 mu (strain - plastic); f_i = -V Q stress g_i with g_i = grad N_i
// Matrices by rows: m[3 * row + column].

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

// The element's rotation.
SUNDER_WIDE void rotationOf(const Wide (&edges)[9], const TetBlock& block, int qrOrder, LaneMask& usesQr, Wide (&q)[9]) {
    Wide beta[9], f[9], cofactors[9], byQr[9];
    loadNine(block.beta, beta);
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

SUNDER_WIDE void strainOf(const Wide (&edges)[9], const TetBlock& block, const Wide (&q)[9], Wide (&strain)[6]) {
    Wide turned[9], g[9], rest[9], clamped[9];
    loadNine(block.edges, rest);
    loadNine(block.clamped, clamped);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            turned[3 * i + j] = q[i] * edges[j] + q[3 + i] * edges[3 + j] + q[6 + i] * edges[6 + j] - rest[3 * i + j];
    multiplyMatrices(turned, clamped, g);
    const Wide half = all(Real(0.5));
    strain[0] = g[0], strain[1] = g[4], strain[2] = g[8];
    strain[3] = half * (g[1] + g[3]), strain[4] = half * (g[2] + g[6]), strain[5] = half * (g[5] + g[7]);
}

SUNDER_WIDE void writeRecords(const TetBlock& block, const Wide (&turn)[9], const Wide (&stress)[9], TetRecord* records,
                              int count) {
    std::uint32_t index[kLanes];
    for (int lane = 0; lane < kLanes; ++lane)
        index[lane] = static_cast<std::uint32_t>(lane);
    const std::uint32_t lanes = count >= 32 ? ~0u : (1u << count) - 1;
    constexpr int kStride = sizeof(TetRecord) / sizeof(Real);
    Real* numbers = reinterpret_cast<Real*>(records);
    Wide piola[9];
    multiplyMatrices(turn, stress, piola);
    Wide g[9];
    loadNine(block.clamped, g);
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

void deform(const TetBlock& block, const Four* positions, const ElementSettings& settings, LaneMask& usesQr,
            StrainBlock* plastic, TetRecord* records, int count) {
    Wide p[4][4], edges[9], q[9], strain[6], turn[9];
    for (int node = 0; node < 4; ++node)
        gatherFour(reinterpret_cast<const Real*>(positions), 4, block.node[node], p[node]);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            edges[3 * i + j] = p[j + 1][i] - p[0][i];
    rotationOf(edges, block, settings.qrOrder, usesQr, q);
    strainOf(edges, block, q, strain);
    if (plastic != nullptr) {
        flow(strain, settings, *plastic);
        for (int k = 0; k < 6; ++k)
            strain[k] = strain[k] - reinterpret_cast<const Wide&>(plastic->strain[k]);
    }
    const Wide twoMu = all(2 * settings.lame.mu);
    const Wide pressure = all(settings.lame.lambda) * (strain[0] + strain[1] + strain[2]);
    const Wide xy = twoMu * strain[3], xz = twoMu * strain[4], yz = twoMu * strain[5];
    const Wide stress[9] = {pressure + twoMu * strain[0], xy, xz, xy, pressure + twoMu * strain[1], yz, xz, yz,
                            pressure + twoMu * strain[2]};
    const Mat3& r = settings.worldFromBody;
    const Wide world[9] = {all(r.row0.x), all(r.row0.y), all(r.row0.z), all(r.row1.x), all(r.row1.y),
                           all(r.row1.z), all(r.row2.x), all(r.row2.y), all(r.row2.z)};
    multiplyMatrices(world, q, turn);
    writeRecords(block, turn, stress, records, count);
}
