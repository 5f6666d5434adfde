#include "collision/narrow_phase/level_set/particle_probe.h"

#include "collision/narrow_phase/level_set/facing.h"

namespace sunder::collision {
namespace {

// Whether the surfaces face each other. ByOwnNormal: they do if the particle's normal replaces an edge's gradient. Unknown:
// only the position of the particle's body can tell.
enum class Sides { Facing, ByOwnNormal, Apart, Unknown };

Sides sidesOf(const Vec3& normal, const ProbedParticle& particle) {
    const bool isSmooth = particle.feature == geometry::SurfaceFeature::Smooth;
    const Real facing = dot(normal, particle.normal);
    const bool isShallow = particle.reading == Reading::Shallow;
    if (isSmooth ? facing <= kOpposite : facing < (isShallow ? kShallowFacing : kFeatureFacing))
        return Sides::Facing;
    if (isSmooth && particle.reading != Reading::Apart && facing < kFacing)
        return Sides::ByOwnNormal;
    return isShallow || particle.reading == Reading::Deep ? Sides::Unknown : Sides::Apart;
}

// The mean normal at the tip of a sliver says little, and a sliver that got in stays. The way out must lead to where its body
// is.
bool leadsToBody(const Vec3& normal, const ProbedParticle& particle) {
    const bool isShallow = particle.reading == Reading::Shallow;
    return dot(normal, particle.arm) < (isShallow ? kBodyOutsideShallow : kBodyOutside) * length(particle.arm);
}

}  // namespace

std::vector<NearCluster>& nearClusters() {
    thread_local std::vector<NearCluster> clusters;
    return clusters;
}

bool chooseNormal(const Vec3& gradient, const ProbedParticle& particle, Vec3& normal) {
    const Real squared = lengthSquared(gradient);
    if (squared < square(kWeakGradient)) {
        normal = -particle.normal;
        return particle.feature == geometry::SurfaceFeature::Smooth;
    }
    normal = gradient / std::sqrt(squared);
    const Sides sides = sidesOf(normal, particle);
    if (sides == Sides::ByOwnNormal && !particle.isOverFace)
        normal = -particle.normal;
    return sides == Sides::Unknown ? leadsToBody(normal, particle) : sides != Sides::Apart;
}

bool facesPlane(const Vec3& normal, const ProbedParticle& particle) {
    const Sides sides = sidesOf(normal, particle);
    return sides == Sides::Unknown ? leadsToBody(normal, particle) : sides != Sides::Apart;
}

}  // namespace sunder::collision
