#include "collision/narrow_phase/particle_probe.h"

namespace sunder::collision {
namespace {

// Cosines between the particle's normal and the other surface's. Two smooth surfaces in contact have opposite normals; where
// they do not, the gradient is that of an edge, and the smooth one of the two decides.
constexpr Real kOpposite = Real(-0.9), kFacing = Real(-0.3);
// The normal of an edge or corner is the mean of its faces: it stands at 55 degrees to the faces of a cube.
constexpr Real kFeatureFacing = Real(-0.15);
// Where it cannot have come through from the far side. Of a thin wedge the mean says little, and one that is not let go stays.
constexpr Real kShallowFacing = Real(0.7);
constexpr Real kWeakGradient = Real(0.2);  // where several surfaces are equally near

}  // namespace

std::vector<NearCluster>& nearClusters() {
    thread_local std::vector<NearCluster> clusters;
    return clusters;
}

bool chooseNormal(const Vec3& gradient, const Vec3& ownNormal, geometry::SurfaceFeature feature, Reading reading,
                  Vec3& normal) {
    const Real squared = lengthSquared(gradient);
    const bool isSmooth = feature == geometry::SurfaceFeature::Smooth;
    if (squared < square(kWeakGradient)) {
        normal = -ownNormal;
        return isSmooth;
    }
    normal = gradient / std::sqrt(squared);
    const Real facing = dot(normal, ownNormal);
    if (!isSmooth)
        return facing < (reading == Reading::Shallow ? kShallowFacing : kFeatureFacing);
    if (facing <= kOpposite)
        return true;
    normal = -ownNormal;
    return reading != Reading::Apart && facing < kFacing;
}

}  // namespace sunder::collision
