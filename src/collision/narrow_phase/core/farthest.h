// Searches through the vertices or faces of a polyhedron, four at a time in Real. What comes out is what a loop in double would
// find: those that rounding cannot tell apart are compared once more.
#pragma once

#include <cmath>

#include "geometry/polyhedron.h"
#include "math/quads.h"
#include "math/vec3d.h"

#if defined(__aarch64__) && !SUNDER_DOUBLE
#include <arm_neon.h>
#endif

namespace sunder::collision {

// Bit i is that of lane i.
inline std::uint64_t laneBits(QuadMask mask) {
#if defined(__aarch64__) && !SUNDER_DOUBLE
    return vaddvq_u32((uint32x4_t)(mask & QuadMask{1, 2, 4, 8}));
#else
    return bitsOf(mask);
#endif
}

// The largest lane, without a branch that no processor can foresee.
inline Real largestOf(Quad a) {
    a = greaterOf(a, __builtin_shufflevector(a, a, 2, 3, 0, 1));
    return greaterOf(a, __builtin_shufflevector(a, a, 1, 0, 3, 2))[0];
}

inline int lowestBit(std::uint64_t bits) { return __builtin_ctzll(bits); }

// A direction as the lanes see it. extent: no component of what is compared along it is larger. slack: exceeds the rounding of
// a sum of three products in Real.
struct LaneDirection {
    Quad x, y, z;
    Real slack;

    LaneDirection(const Vec3d& d, double extent)
        : x(quadOf(Real(d.x))),
          y(quadOf(Real(d.y))),
          z(quadOf(Real(d.z))),
          slack(8 * kEpsilon * Real((std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z)) * extent)) {}
    Quad reach(const Real* quad) const { return x * loadQuad(quad) + y * loadQuad(quad + 4) + z * loadQuad(quad + 8); }
};

// Bits of those among the first four times count that reach farthest, as far as Real can tell. most: room for so many.
template <int quadSize, int most>
[[gnu::always_inline]] inline std::uint64_t farthestAmong(const Real* quads, int count, const LaneDirection& direction) {
    Quad reach[most];
    Quad farthest = reach[0] = direction.reach(quads);
    for (int k = 1; k < count; ++k) {
        reach[k] = direction.reach(quads + k * quadSize);
        farthest = greaterOf(farthest, reach[k]);
    }
    const Quad threshold = quadOf(largestOf(farthest) - direction.slack);
    std::uint64_t bits = 0;
    for (int k = 0; k < count; ++k)
        bits |= laneBits(reach[k] >= threshold) << (4 * k);
    return bits;
}

template <int quadSize>
inline std::uint64_t farthestBits(const Real* quads, int quadCount, const LaneDirection& direction) {
    switch (quadCount) {  // the usual hulls in registers
        case 1: return farthestAmong<quadSize, 1>(quads, 1, direction);
        case 2: return farthestAmong<quadSize, 2>(quads, 2, direction);
        case 3: return farthestAmong<quadSize, 3>(quads, 3, direction);
        case 4: return farthestAmong<quadSize, 4>(quads, 4, direction);
        case 5: return farthestAmong<quadSize, 5>(quads, 5, direction);
        case 6: return farthestAmong<quadSize, 6>(quads, 6, direction);
        default: return farthestAmong<quadSize, 16>(quads, quadCount, direction);
    }
}

// The first of those that reach farthest along the direction, which need not be a unit vector. quads: as in Polyhedron, so many
// numbers for each four. exact(i): how far i reaches, in double.
template <int quadSize, class Exact>
inline int findFarthest(const Real* quads, int count, const Vec3d& direction, double extent, Exact exact) {
    constexpr int kChunk = 64;
    const LaneDirection lanes(direction, extent);
    int best = 0;
    double bestReach = -1e300;
    for (int begin = 0; begin < count; begin += kChunk) {
        const int inChunk = count - begin < kChunk ? count - begin : kChunk;
        std::uint64_t near = farthestBits<quadSize>(quads + begin / 4 * quadSize, (inChunk + 3) / 4, lanes);
        near &= ~std::uint64_t(0) >> (kChunk - inChunk);
        if (count <= kChunk && near != 0 && (near & (near - 1)) == 0)
            return lowestBit(near);
        for (; near != 0; near &= near - 1) {
            const int i = begin + lowestBit(near);
            if (const double exactReach = exact(i); exactReach > bestReach) {
                best = i;
                bestReach = exactReach;
            }
        }
    }
    return best;
}

// How far the point is above each face's plane (m). heights: room for the number of faces rounded up to a multiple of four.
// Returns the face that it is highest above.
inline int findHeights(const Real* faceQuads, int faceCount, const Vec3& point, Real* heights) {
    const Quad x = quadOf(point.x), y = quadOf(point.y), z = quadOf(point.z);
    Quad most = quadOf(-kInfinity);
    for (int i = 0; i < faceCount; i += 4, faceQuads += geometry::Polyhedron::kFaceQuad) {
        const Quad height =
            x * loadQuad(faceQuads) + y * loadQuad(faceQuads + 4) + z * loadQuad(faceQuads + 8) - loadQuad(faceQuads + 12);
        most = greaterOf(most, height);
        storeQuad(height, heights + i);
    }
    const Quad highest = quadOf(largestOf(most));
    for (int i = 0; i < faceCount; i += 4)
        if (const std::uint64_t bits = laneBits(loadQuad(heights + i) >= highest); bits != 0)
            return i + lowestBit(bits);
    return 0;
}

}  // namespace sunder::collision
