// Shared by the contacts of level sets with level sets, convex shapes and meshes. A is the level set.
#pragma once

#include <optional>

#include "collision/narrow_phase/level_set/particle_probe.h"

namespace sunder::collision {

// Features of contacts: particles of A are even, of B odd, points of convex shapes and meshes have the highest bit.
constexpr std::uint32_t particleFeature(int particle, bool onB) { return 2 * std::uint32_t(particle) + (onB ? 1 : 0); }
inline constexpr std::uint32_t kOtherFeature = 0x80000000u;

// Share of the particle's own grid cell: nearer surfaces touch.
inline constexpr Real kTouchingCells = Real(0.5);
// Share of the other's inner radius: a particle that is no deeper came in where it is, not through from the far side.
inline constexpr Real kShallowShare = Real(0.5);

inline Reading readingOf(Real distance, Real touching, Real innerRadius) {
    if (!(distance < touching))
        return Reading::Apart;
    if (!(distance < 0))
        return Reading::Touching;
    return -distance < kShallowShare * innerRadius ? Reading::Shallow : Reading::Deep;
}

// Particle number `particle` of `own`, in own's frame.
inline ProbedParticle probed(const LevelSetShape& own, std::size_t particle, Reading reading, bool isOverFace) {
    const geometry::SurfaceParticles& particles = own.solid->particles;
    return {particles.normals[particle], particles.positions[particle] - own.innerCenter, particles.features[particle], reading,
            isOverFace};
}

// Finds the contacts of own's particles with `other`. ownIsB: own is B of the pair. Returns what probeParticles returns, and
// narrows the margin to what the spread leaves of it.
template <class Other>
Real addParticleContacts(const LevelSetShape& own, const Pose& poseOwn, const ProbeFrames& frames, const Other& other,
                         Range& range, bool ownIsB, std::vector<ParticleContact>& contacts) {
    const Real touching = kTouchingCells * own.field().grid.cell;
    const Mat3 turn = toMatrix(poseOwn.orientation);
    return probeParticles(own, frames, other, range.margin, [&](int i, const Vec3& point, const geometry::FieldSample& sample) {
        const std::size_t index = std::size_t(i);
        const Reading reading = readingOf(sample.distance, touching, other.innerRadius);
        Vec3 normal;
        if (!chooseNormal(transposeTimes(frames.rotation, sample.gradient),
                          probed(own, index, reading, other.isOverFace(point, sample.distance)), normal))
            return;
        const Vec3 out = turn * normal;
        contacts.push_back({turn * own.solid->particles.positions[index] + poseOwn.position, ownIsB ? out : -out,
                            sample.distance, particleFeature(i, ownIsB), ownIsB});
        range.margin = min(range.margin, sample.distance + range.spread);
    });
}

// addParticleContacts where the other is a level set.
Real addParticlesInField(const LevelSetShape& own, const Pose& poseOwn, const ProbeFrames& frames, const LevelSetShape& other,
                         Range& range, bool ownIsB, std::vector<ParticleContact>& contacts);

// A point of another shape's edge, corner or core in the frame of the level set.
struct EdgeSample {
    Vec3 point, normal;  // normal: the mean of the faces that meet there, zero for a core
    Real rounding = 0;   // m about the point
    std::uint32_t feature = 0;
};
void addSampleContact(const LevelSetShape& own, const Pose& poseOwn, const EdgeSample& sample, Real margin,
                      std::vector<ParticleContact>& contacts);

// Finds contacts at points of an edge from p to q, in the frame of the level set. The positions on the edge stay the same from
// step to step: their features carry the warm start.
void addEdgeContacts(const LevelSetShape& own, const Pose& poseOwn, const Vec3& p, const Vec3& q, const Vec3& normal,
                     std::uint32_t feature, Real margin, std::vector<ParticleContact>& contacts);

Real collideWithConvex(const LevelSetShape& own, const Pose& poseOwn, const BuiltShape& convex, const Pose& poseConvex,
                       Range range, std::vector<ParticleContact>& contacts);
// A face of a box when the level set can reach no other.
struct BoxFace {
    int axis = 0;
    Real sign = 1;    // of the face along its axis
    Real height = 0;  // m: half the box's extent along its axis
};
std::optional<BoxFace> faceBelow(const LevelSetShape& own, const ProbeFrames& boxFromOwn, const BuiltShape& box, Real margin);
// As addParticleContacts; contacts are in the frame of the box.
Real collideWithFace(const LevelSetShape& own, const ProbeFrames& boxFromOwn, const BuiltShape& box, const BoxFace& face,
                     Range range, std::vector<ParticleContact>& contacts);

Real collideWithMesh(const LevelSetShape& own, const Pose& poseOwn, const geometry::TriangleMesh& mesh, const Pose& poseMesh,
                     Real margin, std::vector<ParticleContact>& contacts);

}  // namespace sunder::collision
