// The particles of a level set against a signed distance: culled by clusters, then four at a time without branches.
#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>
#include <vector>

#include "collision/built_shape.h"
#include "collision/narrow_phase/level_set/level_set_manifolds.h"
#include "math/mat3.h"

namespace sunder::collision {

// Frames of a level set (own) and of the shape that its particles are tested against (other).
struct ProbeFrames {
    Mat3 rotation;  // otherFromOwn
    Vec3 offset;

    ProbeFrames(const Pose& poseOwn, const Pose& poseOther) {
        const Quat turn = conjugate(poseOther.orientation) * poseOwn.orientation;
        rotation = toMatrix(turn);
        offset = inverseTransformPoint(poseOther, poseOwn.position);
    }
    geometry::PointBlock toOther(const LevelSetShape::FourPoints& points) const {
        const Quad x = loadQuad(points.x), y = loadQuad(points.y), z = loadQuad(points.z);
        const Vec3 &r0 = rotation.row0, &r1 = rotation.row1, &r2 = rotation.row2;
        return {r0.x * x + r0.y * y + r0.z * z + offset.x, r1.x * x + r1.y * y + r1.z * z + offset.y,
                r2.x * x + r2.y * y + r2.z * z + offset.z};
    }
};

// m: distance of each of four points outside the box.
inline Quad distanceToBox(const Bounds& box, const geometry::PointBlock& p) {
    const auto along = [](Real low, Real high, Quad x) { return greaterOf(greaterOf(low - x, x - high), quadOf(0)); };
    const Quad x = along(box.low.x, box.high.x, p.x), y = along(box.low.y, box.high.y, p.y),
               z = along(box.low.z, box.high.z, p.z);
    return rootOf(x * x + y * y + z * z);
}

struct NearCluster {
    Real bound;
    int cluster;
};
// Per thread, kept to reuse its memory. (Not in the header: thread-local variables would reach files that are compiled for
// several instruction sets.)
std::vector<NearCluster>& nearClusters();

// Calls found(particle, pointInOther, sample) for every particle closer than margin to the other's surface. `found` may reduce
// the margin, so probable nearest particles come first. Other has bounds, boundFour(points), which is cheap, and
// sampleFour(points, samples). Returns the least distance of any particle, or a lower bound of it beyond the margin.
template <class Other, class Found>
class ParticleProbe {
public:
    ParticleProbe(const LevelSetShape& own, const ProbeFrames& frames, const Other& other, const Real& margin, Found& found)
        : own_(own), frames_(frames), other_(other), margin_(margin), found_(found) {}

    Real run() {
        std::vector<NearCluster>& near = nearClusters();
        near.clear();
        std::size_t nearest = 0;
        for (std::size_t i = 0; i < own_.clusters.size(); ++i) {
            const LevelSetShape::FourClusters& four = own_.clusters[i];
            const Quad bound = boundsOf(four);
            for (unsigned bits = nearOnes(bound, four.count); bits != 0; bits &= bits - 1) {
                const int lane = std::countr_zero(bits);
                if (!near.empty() && bound[lane] < near[nearest].bound)
                    nearest = near.size();
                near.push_back({bound[lane], int(i) * kLanes + lane});
            }
        }
        if (!near.empty())
            std::swap(near[0], near[nearest]);
        for (const NearCluster& next : near) {
            if (next.bound > margin_)
                least_ = lesserOf(least_, quadOf(next.bound));
            else
                probeCluster(next.cluster);
        }
        return leastOf(least_);
    }

private:
    static constexpr int kLanes = geometry::kSampleLanes;

    // Lower bounds of the distance between the other surface and four balls.
    Quad boundsOf(const LevelSetShape::FourClusters& balls) const {
        const geometry::PointBlock centers = frames_.toOther(balls.centers);
        const Quad radii = loadQuad(balls.radii), toBox = distanceToBox(other_.bounds, centers);
        if (bitsOf(toBox - radii <= quadOf(margin_)) == 0)
            return toBox - radii;
        return greaterOf(toBox, other_.boundFour(centers)) - radii;
    }
    // Bits of those within the margin; the others only lower `least_`.
    unsigned nearOnes(Quad bound, int count) {
        const QuadMask isFar = bound > quadOf(margin_);
        least_ = lesserOf(least_, select(isFar, bound, quadOf(kInfinity)));
        return ~bitsOf(isFar) & ((1u << count) - 1);
    }

    void probeCluster(int cluster) {
        const LevelSetShape::FourClusters& runs = own_.runs[std::size_t(cluster)];
        const int first = cluster * LevelSetShape::kClusterSize;
        const int end = std::min(first + LevelSetShape::kClusterSize, int(own_.particleCount()));
        const Quad bound = boundsOf(runs);
        for (int run = 0; run < runs.count; ++run) {
            if (bound[run] > margin_) {
                least_ = lesserOf(least_, quadOf(bound[run]));
                continue;
            }
            const int particle = first + run * kLanes;
            sampleFour(frames_.toOther(own_.particles[std::size_t(particle / kLanes)]), particle,
                       std::min(particle + kLanes, end));
        }
    }

    void sampleFour(const geometry::PointBlock& points, int first, int end) {
        geometry::SampleBlock samples;
        other_.sampleFour(points, samples);
        least_ = lesserOf(least_, samples.distance);
        const unsigned near = bitsOf(samples.distance < quadOf(margin_)) & ((1u << (end - first)) - 1);
        for (unsigned bits = near; bits != 0; bits &= bits - 1) {
            const int lane = std::countr_zero(bits);
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
    Quad least_ = quadOf(kInfinity);  // in any order of the lanes
};

template <class Other, class Found>
Real probeParticles(const LevelSetShape& own, const ProbeFrames& frames, const Other& other, const Real& margin,
                    Found&& found) {
    return ParticleProbe<Other, std::remove_reference_t<Found>>(own, frames, other, margin, found).run();
}

// Where a particle is in the field of another shape. Shallow: so little inside that it cannot have come through from the far
// side. Deep: inside by more than that.
enum class Reading { Apart, Touching, Shallow, Deep };
struct ProbedParticle {
    Vec3 normal;  // its own, in the frame of the gradient
    Vec3 arm;     // from where its body is thickest to the particle
    geometry::SurfaceFeature feature;
    Reading reading;
    bool isOverFace;  // the other surface is smooth there: its gradient is not an edge's
};

// Chooses the contact's direction out of the other shape: its gradient, or the opposite of the particle's normal. False where
// the surfaces do not face each other, so that they cannot touch there: beside an edge, on the far side of a thin part, or,
// while still apart, anywhere but where they are nearest.
bool chooseNormal(const Vec3& gradient, const ProbedParticle& particle, Vec3& normal);
// chooseNormal for a flat surface of the given normal: whether the two face each other.
bool facesPlane(const Vec3& normal, const ProbedParticle& particle);

}  // namespace sunder::collision
