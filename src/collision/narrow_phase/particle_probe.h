// The particles of a level set against a signed distance: culled by clusters, then four at a time without branches.
#pragma once

#include "collision/built_shape.h"
#include "collision/narrow_phase/level_set_manifolds.h"
#include "math/mat3.h"

namespace sunder::collision {

// Trilinear interpolation may overestimate a distance by this much, in cells.
inline constexpr Real kFieldSlack = Real(0.1);

// Frames of one level set (own) and the shape that its particles are held against (other).
struct ProbeFrames {
    Mat3 rotation;  // otherFromOwn
    Vec3 offset;

    ProbeFrames(const Pose& poseOwn, const Pose& poseOther) {
        const Quat turn = conjugate(poseOther.orientation) * poseOwn.orientation;
        rotation = toMatrix(turn);
        offset = inverseTransformPoint(poseOther, poseOwn.position);
    }
    void toOther(const LevelSetShape::FourPoints& p, geometry::PointBlock& out) const {
        const auto& [r0, r1, r2] = rotation;
        for (int i = 0; i < geometry::kSampleLanes; ++i) {
            out.x[i] = r0.x * p.x[i] + r0.y * p.y[i] + r0.z * p.z[i] + offset.x;
            out.y[i] = r1.x * p.x[i] + r1.y * p.y[i] + r1.z * p.z[i] + offset.y;
            out.z[i] = r2.x * p.x[i] + r2.y * p.y[i] + r2.z * p.z[i] + offset.z;
        }
    }
};

// How far each of four points is outside the box.
inline void distanceToBox(const Bounds& box, const geometry::PointBlock& p, Real (&distance)[geometry::kSampleLanes]) {
    for (int i = 0; i < geometry::kSampleLanes; ++i) {
        const Real x = max(max(box.low.x - p.x[i], p.x[i] - box.high.x), 0);
        const Real y = max(max(box.low.y - p.y[i], p.y[i] - box.high.y), 0);
        const Real z = max(max(box.low.z - p.z[i], p.z[i] - box.high.z), 0);
        distance[i] = std::sqrt(x * x + y * y + z * z);
    }
}

// Calls found(particle, pointInOther, sample) for every particle closer than margin to the other's surface. Other has bounds,
// slack (m: what its distances may be too large by) and sampleFour(points, samples). Returns the least distance of any
// particle, or a lower bound of it beyond margin.
template <class Other, class Found>
Real probeParticles(const LevelSetShape& own, const ProbeFrames& frames, const Other& other, Real margin, Found&& found) {
    using namespace geometry;
    constexpr int kFoursPerCluster = LevelSetShape::kClusterSize / kSampleLanes;
    const int particleCount = int(own.particleCount());
    Real least = kInfinity;
    PointBlock points;
    SampleBlock samples;
    int cluster = 0;
    for (const LevelSetShape::FourClusters& four : own.clusters) {
        frames.toOther(four.centers, points);
        Real bound[kSampleLanes];
        distanceToBox(other.bounds, points, bound);
        bool anyNear = false;
        for (int i = 0; i < kSampleLanes; ++i) {
            bound[i] -= four.radii[i];
            anyNear |= bound[i] < margin;
        }
        if (anyNear) {
            other.sampleFour(points, samples);
            for (int i = 0; i < kSampleLanes; ++i)
                bound[i] = max(bound[i], samples.distance[i] - four.radii[i] - other.slack);
        }
        for (int i = 0; i < four.count; ++i, ++cluster) {
            if (!(bound[i] < margin)) {
                least = min(least, bound[i]);
                continue;
            }
            const int first = cluster * LevelSetShape::kClusterSize;
            for (int k = 0; k < kFoursPerCluster && first + k * kSampleLanes < particleCount; ++k) {
                PointBlock at;
                SampleBlock there;
                frames.toOther(own.particles[std::size_t(first) / kSampleLanes + std::size_t(k)], at);
                other.sampleFour(at, there);
                for (int lane = 0; lane < kSampleLanes && first + k * kSampleLanes + lane < particleCount; ++lane) {
                    least = min(least, there.distance[lane]);
                    if (there.distance[lane] < margin)
                        found(first + k * kSampleLanes + lane, Vec3{at.x[lane], at.y[lane], at.z[lane]},
                              FieldSample{there.distance[lane],
                                          {there.gradientX[lane], there.gradientY[lane], there.gradientZ[lane]}});
                }
            }
        }
    }
    return least;
}

// The direction of a contact, out of the other shape: its own gradient, or against the particle's normal. False where the two
// surfaces do not face each other, so that they cannot touch there: beside an edge, or on the far side of a thin part.
// ownNormal in the frame of the gradient.
bool chooseNormal(const Vec3& gradient, const Vec3& ownNormal, geometry::SurfaceFeature feature, Vec3& normal);

}  // namespace sunder::collision
