// The kernels of field_kernels.h. Included by one file per instruction set, inside its own unnamed namespace.
using namespace wide;

typedef std::int32_t NativeInteger __attribute__((vector_size(kNativeLanes * 4)));

constexpr Real kBeyondAll = Real(__builtin_huge_val());

SUNDER_WIDE Native same(Real x) { return Native{} + x; }
SUNDER_WIDE Native greaterOf(Native a, Native b) { return a > b ? a : b; }
SUNDER_WIDE Native lesserOf(Native a, Native b) { return a < b ? a : b; }
SUNDER_WIDE NativeInteger truncated(Native x) { return __builtin_convertvector(x, NativeInteger); }
SUNDER_WIDE Native toNumber(NativeInteger x) { return __builtin_convertvector(x, Native); }
SUNDER_WIDE Native rootOf(Native x) {
#if SUNDER_NATIVE_LANES == 16
    return (Native)_mm512_sqrt_ps((__m512)x);
#elif SUNDER_NATIVE_LANES == 8
    return (Native)_mm256_sqrt_ps((__m256)x);
#elif SUNDER_WIDE_WASM
    return (Native)wasm_f32x4_sqrt((v128_t)x);
#elif defined(__SSE__) && !SUNDER_DOUBLE
    return (Native)_mm_sqrt_ps((__m128)x);
#else
    for (int i = 0; i < kNativeLanes; ++i)
        x[i] = sizeof(Real) == 4 ? Real(__builtin_sqrtf(float(x[i]))) : Real(__builtin_sqrt(double(x[i])));
    return x;
#endif
}

// Bit i is that of lane i.
SUNDER_WIDE std::uint32_t bitsOf(NativeMask mask) {
#if SUNDER_NATIVE_LANES == 16
    return _mm512_movepi32_mask((__m512i)mask);
#elif SUNDER_NATIVE_LANES == 8
    return (std::uint32_t)_mm256_movemask_ps((__m256)mask);
#elif defined(__SSE__) && !SUNDER_DOUBLE
    return (std::uint32_t)_mm_movemask_ps((__m128)mask);
#else
    std::uint32_t bits = 0;
    for (int i = 0; i < kNativeLanes; ++i)
        bits |= (std::uint32_t)(mask[i] != 0) << i;
    return bits;
#endif
}

// Loads four numbers each from as many places as a register holds.
template <class Place>
SUNDER_WIDE Native loadFours(const Place& at) {
#if SUNDER_NATIVE_LANES == 16
    const __m256 low = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(at(0))), _mm_loadu_ps(at(1)), 1);
    const __m256 high = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(at(2))), _mm_loadu_ps(at(3)), 1);
    return (Native)_mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
#elif SUNDER_NATIVE_LANES == 8
    return (Native)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(at(0))), _mm_loadu_ps(at(1)), 1);
#else
    return (Native) * reinterpret_cast<const QuadAnywhere*>(at(0));
#endif
}
// Loads row `row` of as many groups as a register holds.
SUNDER_WIDE Native loadRow(FoursAt fours, const std::uint32_t* which, int row) {
    return loadFours([&](int i) __attribute__((always_inline)) {
        return fours.first + std::size_t(which[i]) * std::size_t(fours.stride) + 4 * row;
    });
}

struct Points {
    Native x, y, z;
};
SUNDER_WIDE Points loadPoints(FoursAt fours, const std::uint32_t* which) {
    return {loadRow(fours, which, 0), loadRow(fours, which, 1), loadRow(fours, which, 2)};
}
SUNDER_WIDE Native dot(const Points& a, const Points& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SUNDER_WIDE Points operator-(const Points& a, const Real (&b)[3]) { return {a.x - b[0], a.y - b[1], a.z - b[2]}; }
SUNDER_WIDE Points operator+(const Points& a, const Real (&b)[3]) { return {a.x + b[0], a.y + b[1], a.z + b[2]}; }
SUNDER_WIDE Points operator*(const Real (&rows)[3][3], const Points& p) {
    const auto along = [&](const Real(&row)[3]) __attribute__((always_inline)) {
        return row[0] * p.x + row[1] * p.y + row[2] * p.z;
    };
    return {along(rows[0]), along(rows[1]), along(rows[2])};
}
SUNDER_WIDE Points transposeTimes(const Real (&rows)[3][3], const Points& p) {
    const auto along = [&](int i) __attribute__((always_inline)) {
        return rows[0][i] * p.x + rows[1][i] * p.y + rows[2][i] * p.z;
    };
    return {along(0), along(1), along(2)};
}
SUNDER_WIDE Points toField(const FieldInFrame& field, FoursAt fours, const std::uint32_t* which) {
    return field.rotation * loadPoints(fours, which) + field.offset;
}

// Loads two neighbouring values per place into one number, the first in its lower half.
SUNDER_WIDE NativeInteger loadPairs(const std::int16_t* values, NativeInteger place) {
#if SUNDER_NATIVE_LANES == 16
    return (NativeInteger)_mm512_i32gather_epi32((__m512i)place, values, 2);
#elif SUNDER_NATIVE_LANES == 8 && defined(__AVX2__)
    return (NativeInteger)_mm256_i32gather_epi32((const int*)values, (__m256i)place, 2);
#else
    NativeInteger pairs;
    for (int i = 0; i < kNativeLanes; ++i) {
        std::int32_t pair;
        __builtin_memcpy(&pair, values + place[i], sizeof pair);
        pairs[i] = pair;
    }
    return pairs;
#endif
}
SUNDER_WIDE NativeInteger firstOf(NativeInteger pairs) { return (pairs << 16) >> 16; }
SUNDER_WIDE NativeInteger secondOf(NativeInteger pairs) { return pairs >> 16; }

SUNDER_WIDE Native distanceToBounds(const FieldInFrame& field, const Points& p) {
    const auto along = [&](int i, Native x) __attribute__((always_inline)) {
        return greaterOf(greaterOf(field.low[i] - x, x - field.high[i]), same(0));
    };
    const Native x = along(0, p.x), y = along(1, p.y), z = along(2, p.z);
    return rootOf(x * x + y * y + z * z);
}

// Equals geometry::boundFour.
SUNDER_WIDE Native boundOf(const FieldInFrame& field, const Points& p) {
    constexpr Real kRoundedUp = Real(1.0001);  // keeps a bound a bound under rounding
    Native squared = same(0);
    const auto nearestAlong = [&](int i, Native coordinate) __attribute__((always_inline)) {
        const Native u = (coordinate - field.origin[i]) * field.inverseCell;
        const Native c = lesserOf(greaterOf(u, same(0)), same(Real(field.nodes[i] - 1)));
        const NativeInteger node = truncated(c + Real(0.5));
        const Native way = c - toNumber(node);
        squared += way * way;
        return node;
    };
    const std::int32_t row = field.nodes[0], slice = row * field.nodes[1];
    const NativeInteger x = nearestAlong(0, p.x), y = nearestAlong(1, p.y), z = nearestAlong(2, p.z);
    const NativeInteger node = x + row * y + slice * z;
    // Loads the pair that ends with the node: no pair begins with the last node.
    const NativeInteger isFirst = node == 0, pairs = loadPairs(field.values, node - 1 - isFirst);
    const NativeInteger value = isFirst ? firstOf(pairs) : secondOf(pairs);
    return toNumber(value) * field.step - rootOf(squared) * (kRoundedUp * field.cell);
}

struct Axis {
    Native fraction, beyond;
    NativeInteger cell;
};
SUNDER_WIDE Axis axisOf(const FieldInFrame& field, int i, Native coordinate) {
    const Native u = (coordinate - field.origin[i]) * field.inverseCell;
    const Native c = lesserOf(greaterOf(u, same(0)), same(Real(field.nodes[i] - 1)));
    const NativeInteger cell = truncated(lesserOf(c, same(Real(field.nodes[i] - 2))));
    return {c - toNumber(cell), u - c, cell};
}

struct Reading {
    Native distance, gradientX, gradientY, gradientZ;
};
// Equals geometry::sampleFour.
SUNDER_WIDE Reading read(const FieldInFrame& field, const Points& p) {
    const Axis x = axisOf(field, 0, p.x), y = axisOf(field, 1, p.y), z = axisOf(field, 2, p.z);
    const std::int32_t row = field.nodes[0], slice = row * field.nodes[1];
    const NativeInteger node = x.cell + row * y.cell + slice * z.cell;
    Native v[8];  // bit 0 of the corner: x, bit 1: y, bit 2: z
    SUNDER_UNROLL
    for (int k = 0; k < 4; ++k) {
        const NativeInteger pairs = loadPairs(field.values + (k & 1) * std::size_t(row) + (k >> 1) * std::size_t(slice), node);
        v[2 * k] = toNumber(firstOf(pairs));
        v[2 * k + 1] = toNumber(secondOf(pairs));
    }
    const Real scale = field.step * field.inverseCell;
    const Native fx = x.fraction, fy = y.fraction, fz = z.fraction;
    const Native d0 = v[1] - v[0], d1 = v[3] - v[2], d2 = v[5] - v[4], d3 = v[7] - v[6];
    const Native x0 = v[0] + fx * d0, x1 = v[2] + fx * d1, x2 = v[4] + fx * d2, x3 = v[6] + fx * d3;
    const Native e0 = x1 - x0, e1 = x3 - x2;
    const Native y0 = x0 + fy * e0, y1 = x2 + fy * e1;
    const Native slopeX0 = d0 + fy * (d1 - d0), slopeX1 = d2 + fy * (d3 - d2);
    const Native d = (y0 + fz * (y1 - y0)) * field.step;
    const Native slopeX = (slopeX0 + fz * (slopeX1 - slopeX0)) * scale, slopeY = (e0 + fz * (e1 - e0)) * scale,
                 slopeZ = (y1 - y0) * scale;

    const Native bx = x.beyond * field.cell, by = y.beyond * field.cell, bz = z.beyond * field.cell;
    const Native outside = bx * bx + by * by + bz * bz;
    const NativeMask isBeyond = outside > same(0);
    if (bitsOf(isBeyond) == 0)
        return {d, slopeX, slopeY, slopeZ};
    const Native reach = rootOf(d * d + outside);
    const Native inverseReach = 1 / (isBeyond ? reach : same(1));
    return {isBeyond ? reach : d, isBeyond ? (d * slopeX + bx) * inverseReach : slopeX,
            isBeyond ? (d * slopeY + by) * inverseReach : slopeY, isBeyond ? (d * slopeZ + bz) * inverseReach : slopeZ};
}

SUNDER_WIDE Native& nativeOf(Lanes& lanes, int native) { return reinterpret_cast<Native*>(&lanes)[native]; }
SUNDER_WIDE Native nativeOf(const Lanes& lanes, int native) { return reinterpret_cast<const Native*>(&lanes)[native]; }
SUNDER_WIDE Real leastOf(Native lanes) {
    Real least = lanes[0];
    for (int i = 1; i < kNativeLanes; ++i)
        least = lanes[i] < least ? lanes[i] : least;
    return least;
}

constexpr int kFours = kNativeLanes / 4;  // groups of four per register

// Bits of the lanes that hold the first `fours` groups.
SUNDER_WIDE std::uint32_t lanesOf(int fours) { return fours < kFours ? (1u << (4 * fours)) - 1 : (1u << kNativeLanes) - 1; }

Real boundSpheres(const FieldInFrame& field, FoursAt spheres, const std::uint32_t* which, int fours, Real margin,
                  SphereBounds* out) {
    Native least = same(kBeyondAll);
    for (int block = 0; fours > 0; ++block, which += kFoursPerBlock) {
        out[block].near = 0;
        SUNDER_UNROLL
        for (int native = 0; native < kNatives && fours > 0; ++native, fours -= kFours) {
            const Points centers = toField(field, spheres, which + native * kFours);
            const Native bound = greaterOf(distanceToBounds(field, centers), boundOf(field, centers)) -
                                 loadRow(spheres, which + native * kFours, 3);
            const NativeMask isFar = bound > same(margin);
            least = lesserOf(least, isFar ? bound : same(kBeyondAll));
            nativeOf(out[block].bound, native) = bound;
            out[block].near |= (bitsOf(~isFar) & lanesOf(fours)) << (native * kNativeLanes);
        }
    }
    return leastOf(least);
}

Real readParticles(const FieldInFrame& field, FoursAt particles, const std::uint32_t* which, int fours, Real margin,
                   FieldReadings* out) {
    Native least = same(kBeyondAll);
    for (int block = 0; fours > 0; ++block, which += kFoursPerBlock) {
        out[block].near = 0;
        SUNDER_UNROLL
        for (int native = 0; native < kNatives && fours > 0; ++native, fours -= kFours) {
            const Reading reading = read(field, toField(field, particles, which + native * kFours));
            least = lesserOf(least, reading.distance);
            nativeOf(out[block].distance, native) = reading.distance;
            nativeOf(out[block].gradientX, native) = reading.gradientX;
            nativeOf(out[block].gradientY, native) = reading.gradientY;
            nativeOf(out[block].gradientZ, native) = reading.gradientZ;
            out[block].near |= (bitsOf(reading.distance < same(margin)) & lanesOf(fours)) << (native * kNativeLanes);
        }
    }
    return leastOf(least);
}

SUNDER_WIDE Points loadNormals(const ParticlesInFrame& own, const std::uint32_t* which) {
    const auto load = [&](int row) __attribute__((always_inline)) {
        return loadFours([&](int i) __attribute__((always_inline)) {
            return (which[i] < own.wholeFours ? own.normals + std::size_t(which[i]) * 12 : own.lastNormals) + 4 * row;
        });
    };
    Points normals{load(0), load(1), load(2)};
    separate(normals.x, normals.y, normals.z);
    return normals;
}
SUNDER_WIDE NativeMask areSmooth(const ParticlesInFrame& own, const std::uint32_t* which) {
    const auto four = [&](int i) __attribute__((always_inline)) {
        int bytes;
        __builtin_memcpy(&bytes, which[i] < own.wholeFours ? own.features + std::size_t(which[i]) * 4 : own.lastFeatures, 4);
        return bytes;
    };
#if SUNDER_NATIVE_LANES == 16
    return (NativeMask)_mm512_cvtepu8_epi32(_mm_set_epi32(four(3), four(2), four(1), four(0))) == 0;
#elif SUNDER_NATIVE_LANES == 8 && defined(__AVX2__)
    return (NativeMask)_mm256_cvtepu8_epi32(_mm_set_epi32(0, 0, four(1), four(0))) == 0;
#else
    NativeMask features;
    for (int i = 0; i < kNativeLanes; ++i)
        features[i] = four(i / 4) >> (i % 4 * 8) & 255;
    return features == 0;
#endif
}

struct Facing {
    Points normal;
    NativeMask isFacing;
};
// Equals chooseNormal.
SUNDER_WIDE Facing faceSurface(const ParticlesInFrame& own, const Points& gradient, Native distance, const Points& ownNormal,
                               NativeMask isSmooth, const Points& position) {
    const NativeMask isNear = distance < same(own.touching), isInside = isNear & (distance < same(0)),
                     isShallow = isInside & (-distance < same(own.shallow));
    const Native squared = dot(gradient, gradient);
    const NativeMask isWeak = squared < same(kWeakGradient * kWeakGradient);
    const Native length = rootOf(isWeak ? same(1) : squared);
    const Points normal{gradient.x / length, gradient.y / length, gradient.z / length};
    const Native cosine = dot(normal, ownNormal);
    const NativeMask isOpposite = cosine <= same(kOpposite),
                     facesFeature = cosine < (isShallow ? same(kShallowFacing) : same(kFeatureFacing));
    const NativeMask isFacing = (isSmooth & isOpposite) | (~isSmooth & facesFeature);
    const NativeMask byOwnNormal = ~isFacing & isSmooth & isNear & (cosine < same(kFacing));
    NativeMask leadsToBody = ~isFacing & ~byOwnNormal & isInside;
    if (bitsOf(leadsToBody) != 0) {
        const Points arm = position - own.thickest;
        const Native leading = (isShallow ? same(kBodyOutsideShallow) : same(kBodyOutside)) * rootOf(dot(arm, arm));
        leadsToBody &= dot(normal, arm) < leading;
    }
    const NativeMask turnsBack = isWeak | byOwnNormal;
    return {{turnsBack ? -ownNormal.x : normal.x, turnsBack ? -ownNormal.y : normal.y, turnsBack ? -ownNormal.z : normal.z},
            (isWeak & isSmooth) | (~isWeak & (isFacing | byOwnNormal | leadsToBody))};
}

SUNDER_WIDE void store(const Points& p, Vec3Of<Lanes>& lanes, int native) {
    nativeOf(lanes.x, native) = p.x;
    nativeOf(lanes.y, native) = p.y;
    nativeOf(lanes.z, native) = p.z;
}

void chooseNormals(const FieldInFrame& field, const ParticlesInFrame& own, const std::uint32_t* which, int fours,
                   const FieldReadings* readings, FacingParticles* out) {
    for (int block = 0; fours > 0; ++block, which += kFoursPerBlock, fours -= kFoursPerBlock) {
        const FieldReadings& read = readings[block];
        out[block].facing = 0;
        for (int native = 0; native < kNatives; ++native) {
            const std::uint32_t near = read.near >> (native * kNativeLanes) & lanesOf(kFours);
            if (near == 0)
                continue;
            const std::uint32_t* four = which + native * kFours;
            const Points gradient{nativeOf(read.gradientX, native), nativeOf(read.gradientY, native), nativeOf(read.gradientZ, native)};
            const Points position = loadPoints(own.positions, four);
            const Facing facing = faceSurface(own, transposeTimes(field.rotation, gradient), nativeOf(read.distance, native),
                                              loadNormals(own, four), areSmooth(own, four), position);
            const std::uint32_t bits = bitsOf(facing.isFacing) & near;
            if (bits == 0)
                continue;
            out[block].facing |= bits << (native * kNativeLanes);
            const Points normal = own.rotation * facing.normal;
            store({normal.x * own.sign, normal.y * own.sign, normal.z * own.sign}, out[block].normal, native);
            store(own.rotation * position + own.offset, out[block].point, native);
        }
    }
}
