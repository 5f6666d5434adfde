// The particles of a level set against a signed distance: culled by clusters, then four at a time without branches.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "collision/built_shape.h"
#include "collision/narrow_phase/level_set_manifolds.h"
#include "math/mat3.h"

namespace sunder::collision {

// Frames of one level set (own) and the shape that its particles are held against (other).
struct ProbeFrames {
    Mat3 rotation;  // otherFromOwn
    Vec3 offset;

    ProbeFrames(const Pose& poseOwn, const Pose& poseOther) {
        const Quat turn = conjugate(poseOther.orientation) * poseOwn.orientation;
        rotation = toMatrix(turn);
        offset = inverseTransformPoint(poseOther, poseOwn.position);
    }
    void toOther(const LevelSetShape::FourPoints& __restrict p, geometry::PointBlock& __restrict out) const {
        const Vec3 r0 = rotation.row0, r1 = rotation.row1, r2 = rotation.row2, o = offset;
        for (int i = 0; i < geometry::kSampleLanes; ++i) {
            out.x[i] = r0.x * p.x[i] + r0.y * p.y[i] + r0.z * p.z[i] + o.x;
            out.y[i] = r1.x * p.x[i] + r1.y * p.y[i] + r1.z * p.z[i] + o.y;
            out.z[i] = r2.x * p.x[i] + r2.y * p.y[i] + r2.z * p.z[i] + o.z;
        }
    }
};

// How far each of four points is outside the box.
inline void distanceToBox(const Bounds& box, const geometry::PointBlock& p,
                          Real (&__restrict distance)[geometry::kSampleLanes]) {
    const Vec3 low = box.low, high = box.high;
    Real squared[geometry::kSampleLanes];
    for (int i = 0; i < geometry::kSampleLanes; ++i) {
        const Real x = max(max(low.x - p.x[i], p.x[i] - high.x), 0);
        const Real y = max(max(low.y - p.y[i], p.y[i] - high.y), 0);
        const Real z = max(max(low.z - p.z[i], p.z[i] - high.z), 0);
        squared[i] = x * x + y * y + z * z;
    }
    for (int i = 0; i < geometry::kSampleLanes; ++i)
        distance[i] = std::sqrt(squared[i]);
}

struct NearCluster {
    Real bound;
    int cluster;
};
// Of the calling thread, kept for their memory. (Not in the header: variables of threads would reach files that are compiled
// once for all kinds of programs.)
std::vector<NearCluster>& nearClusters();

// Calls found(particle, pointInOther, sample) for every particle closer than margin to the other's surface. `found` may make
// the margin less: what is probably nearest comes first. Other has bounds, boundFour(points, least), which is cheap, and
// sampleFour(points, samples). Returns the least distance of any particle, or a lower bound of it beyond margin.
template <class Other, class Found>
class ParticleProbe {
public:
    ParticleProbe(const LevelSetShape& own, const ProbeFrames& frames, const Other& other, const Real& margin, Found& found)
        : own_(own), frames_(frames), other_(other), margin_(margin), found_(found) {}

    Real run() {
        std::vector<NearCluster>& near = nearClusters();
        near.clear();
        int cluster = 0;
        std::size_t nearest = 0;
        for (const LevelSetShape::FourClusters& four : own_.clusters) {
            Real bound[kLanes];
            geometry::PointBlock points;
            frames_.toOther(four.centers, points);
            findBounds(points, four.radii, bound);
            for (int i = 0; i < four.count; ++i, ++cluster) {
                if (bound[i] > margin_) {
                    least_ = min(least_, bound[i]);
                    continue;
                }
                if (!near.empty() && bound[i] < near[nearest].bound)
                    nearest = near.size();
                near.push_back({bound[i], cluster});
            }
        }
        if (!near.empty())
            std::swap(near[0], near[nearest]);
        for (const NearCluster& next : near) {
            if (next.bound > margin_)
                least_ = min(least_, next.bound);
            else
                probeCluster(next.cluster);
        }
        return least_;
    }

private:
    static constexpr int kLanes = geometry::kSampleLanes;

    // Of the distance between the other surface and balls about the points.
    void findBounds(const geometry::PointBlock& points, const Real (&radii)[kLanes], Real (&bound)[kLanes]) const {
        distanceToBox(other_.bounds, points, bound);
        bool anyNear = false;
        for (int i = 0; i < kLanes; ++i)
            anyNear |= bound[i] - radii[i] <= margin_;
        Real inField[kLanes] = {};
        if (anyNear)
            other_.boundFour(points, inField);
        for (int i = 0; i < kLanes; ++i)
            bound[i] = max(bound[i], inField[i]) - radii[i];
    }

    void probeCluster(int cluster) {
        const LevelSetShape::FourClusters& runs = own_.runs[std::size_t(cluster)];
        Real bound[kLanes];
        geometry::PointBlock centers;
        frames_.toOther(runs.centers, centers);
        findBounds(centers, runs.radii, bound);
        const int first = cluster * LevelSetShape::kClusterSize;
        const int end = std::min(first + LevelSetShape::kClusterSize, int(own_.particleCount()));
        for (int run = 0; run < runs.count; ++run) {
            if (bound[run] > margin_) {
                least_ = min(least_, bound[run]);
                continue;
            }
            const int particle = first + run * kLanes;
            geometry::PointBlock points;
            frames_.toOther(own_.particles[std::size_t(particle / kLanes)], points);
            sampleFour(points, particle, std::min(particle + kLanes, end));
        }
    }

    void sampleFour(const geometry::PointBlock& points, int first, int end) {
        geometry::SampleBlock samples;
        other_.sampleFour(points, samples);
        for (int lane = 0; first + lane < end; ++lane) {
            least_ = min(least_, samples.distance[lane]);
            if (samples.distance[lane] < margin_)
                found_(first + lane, Vec3{points.x[lane], points.y[lane], points.z[lane]},
                       geometry::FieldSample{samples.distance[lane],
                                             {samples.gradientX[lane], samples.gradientY[lane], samples.gradientZ[lane]}});
        }
    }

    const LevelSetShape& own_;
    const ProbeFrames& frames_;
    const Other& other_;
    const Real& margin_;
    Found& found_;
    Real least_ = kInfinity;
};

template <class Other, class Found>
Real probeParticles(const LevelSetShape& own, const ProbeFrames& frames, const Other& other, const Real& margin,
                    Found&& found) {
    return ParticleProbe<Other, std::remove_reference_t<Found>>(own, frames, other, margin, found).run();
}

// A particle in the field of another shape. Shallow: so little inside that it cannot have come through from the far side. Deep:
// inside by more than that.
enum class Reading { Apart, Touching, Shallow, Deep };
struct ProbedParticle {
    Vec3 normal;  // its own, in the frame of the gradient
    Vec3 arm;     // to it from where its body is thickest
    geometry::SurfaceFeature feature;
    Reading reading;
    bool isOverFace;  // the other surface is smooth there: its gradient is no edge's
};

// The direction of a contact, out of the other shape: its own gradient, or against the particle's normal. False where the two
// surfaces do not face each other, so that they cannot touch there: beside an edge, on the far side of a thin part, or, where
// they are not touching yet, anywhere but where they are nearest.
bool chooseNormal(const Vec3& gradient, const ProbedParticle& particle, Vec3& normal);

}  // namespace sunder::collision
