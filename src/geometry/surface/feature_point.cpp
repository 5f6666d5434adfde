// Loops treat all eight corners alike, for vectorisation; sums are taken in a fixed tree, for equal bits.
#include "geometry/surface/feature_point.h"

#include <cmath>

#include "math/mat3.h"

namespace sunder::geometry {
namespace {

// Cells: a plane farther than this from the crossings belongs to another sheet of the surface.
constexpr Real kNearPlane = Real(0.75);
// A third plane within 20 degrees of the edge's planes does not fix a direction.
constexpr Real kCornerSine = Real(0.34);
// Cells: planes that meet farther from the cell than this are not its own.
constexpr Real kLeaveCell = 1;

using EightReals = Real[8];

Real sum(const EightReals& a) { return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7])); }

Real weightedSum(const EightReals& w, const EightReals& a) {
    EightReals product;
    for (int i = 0; i < 8; ++i)
        product[i] = w[i] * a[i];
    return sum(product);
}

struct Planes {
    EightReals x, y, z, offset, weight;  // offset from the mean crossing; weight 0 where a plane does not count

    Planes(const CornerPlanes& planes, const Vec3& mean) {
        for (int i = 0; i < 8; ++i) {
            x[i] = planes.x[i];
            y[i] = planes.y[i];
            z[i] = planes.z[i];
            offset[i] = planes.offset[i];
            weight[i] = planes.weight[i];
        }
        for (int i = 0; i < 8; ++i) {
            const Real cornerX = Real(i & 1), cornerY = Real(i >> 1 & 1), cornerZ = Real(i >> 2);
            offset[i] += x[i] * (cornerX - mean.x) + y[i] * (cornerY - mean.y) + z[i] * (cornerZ - mean.z);
            weight[i] = std::fabs(offset[i]) <= kNearPlane ? weight[i] : Real(0);
        }
    }
    Vec3 normal(int i) const { return {x[i], y[i], z[i]}; }

    int heaviest() const {
        int best = 0;
        for (int i = 1; i < 8; ++i)
            best = weight[i] > weight[best] ? i : best;
        return best;
    }
    // The plane whose normal has the smallest or largest |cosine| to the direction, and that cosine.
    template <class IsBetter>
    Real extremeCosine(const Vec3& direction, Real start, const IsBetter& isBetter, int& which) const {
        EightReals cosine;
        for (int i = 0; i < 8; ++i) {
            const Real c = std::fabs(x[i] * direction.x + y[i] * direction.y + z[i] * direction.z);
            cosine[i] = weight[i] > 0 ? c : start;
        }
        Real best = start;
        for (int i = 0; i < 8; ++i) {
            which = isBetter(cosine[i], best) ? i : which;
            best = isBetter(cosine[i], best) ? cosine[i] : best;
        }
        return best;
    }

    // Least squares over n . x = offset; along an edge, which the planes leave open, x stays at the mean crossing.
    Vec3 intersect(const Vec3& alongEdge) const {
        EightReals wx, wy, wz;
        for (int i = 0; i < 8; ++i) {
            wx[i] = weight[i] * x[i];
            wy[i] = weight[i] * y[i];
            wz[i] = weight[i] * z[i];
        }
        const Vec3& t = alongEdge;
        const Sym3 A{weightedSum(wx, x) + t.x * t.x, weightedSum(wy, y) + t.y * t.y, weightedSum(wz, z) + t.z * t.z,
                     weightedSum(wx, y) + t.x * t.y, weightedSum(wx, z) + t.x * t.z, weightedSum(wy, z) + t.y * t.z};
        return solve(A, {weightedSum(wx, offset), weightedSum(wy, offset), weightedSum(wz, offset)});
    }
    // Moves the point onto its nearest plane; also gives that plane's normal.
    Vec3 projectToNearest(const Vec3& p, Vec3& normalThere) const {
        int best = 0;
        Real bestSize = kInfinity, bestMove = 0;
        for (int i = 0; i < 8; ++i) {
            const Real move = offset[i] - (x[i] * p.x + y[i] * p.y + z[i] * p.z);
            const bool isNearer = weight[i] > 0 && std::fabs(move) < bestSize;
            best = isNearer ? i : best;
            bestMove = isNearer ? move : bestMove;
            bestSize = isNearer ? std::fabs(move) : bestSize;
        }
        normalThere = normal(best);
        return p + normalThere * bestMove;
    }
    Vec3 meanNormal() const { return {weightedSum(weight, x), weightedSum(weight, y), weightedSum(weight, z)}; }
};

Vec3 clampToCell(const Vec3& p) { return max(min(p, Vec3{1, 1, 1}), Vec3{}); }

}  // namespace

FeaturePoint featurePoint(const CornerPlanes& corners, const Vec3& mean) {
    const Planes planes(corners, mean);
    const int first = planes.heaviest();
    int second = first, third = first;
    const Real cosine = planes.extremeCosine(
        planes.normal(first), 1, [](Real a, Real b) { return a < b; }, second);
    if (cosine > kParallelCosine)  // as in makeEdges
        return {};
    const Vec3 edge = normalizeOr(cross(planes.normal(first), planes.normal(second)), {1, 0, 0});
    const Real sine = planes.extremeCosine(
        edge, 0, [](Real a, Real b) { return a > b; }, third);
    const bool isCorner = sine > kCornerSine;
    const Vec3 position = mean + planes.intersect(isCorner ? Vec3{} : edge);
    const Vec3 inCell = clampToCell(position);
    const Real leaves = lengthSquared(position - inCell);
    if (!(leaves <= kLeaveCell * kLeaveCell))
        return {};
    FeaturePoint result;
    result.normal = normalizeOr(planes.meanNormal(), planes.normal(first));
    result.feature = isCorner ? SurfaceFeature::Corner : SurfaceFeature::Edge;
    result.isOutside = leaves > kSlack * kSlack;
    result.position = result.isOutside ? position : inCell;
    result.inCell = result.isOutside ? clampToCell(planes.projectToNearest(inCell - mean, result.inCellNormal) + mean) : inCell;
    return result;
}

QuadMask makeEdges(const FourCornerPlanes& planes, const QuadVec3& means) {
    const Quad none{};
    Quad weight[8], heaviest = none;
    QuadVec3 first{planes.x[0], planes.y[0], planes.z[0]};
    for (int i = 0; i < 8; ++i) {
        const Quad alongX = Real(i & 1) - means.x, alongY = Real(i >> 1 & 1) - means.y, alongZ = Real(i >> 2) - means.z;
        const Quad offset = planes.offset[i] + (planes.x[i] * alongX + planes.y[i] * alongY + planes.z[i] * alongZ);
        weight[i] = absolute(offset) <= kNearPlane ? planes.weight[i] : none;
        const QuadMask isHeavier = weight[i] > heaviest;
        heaviest = isHeavier ? weight[i] : heaviest;
        first = {isHeavier ? planes.x[i] : first.x, isHeavier ? planes.y[i] : first.y, isHeavier ? planes.z[i] : first.z};
    }
    QuadMask areAcross{};
    for (int i = 0; i < 8; ++i) {
        const Quad cosine = absolute(planes.x[i] * first.x + planes.y[i] * first.y + planes.z[i] * first.z);
        areAcross |= (weight[i] > none) & (cosine <= kParallelCosine);
    }
    return areAcross;
}

}  // namespace sunder::geometry
