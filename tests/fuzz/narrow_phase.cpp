// Two shapes of any kind and size, anywhere: manifolds that are finite and keep what manifold.h promises.
#include <cmath>

#include "byte_source.h"
#include "collision/narrow_phase/collide.h"
#include "math/quat.h"
#include "sunder/definitions.h"

namespace {

using namespace sunder;

// From a centimetre to ten metres, coarse enough to be equal now and then.
Real takeSize(fuzz::ByteSource& source) { return Real(0.01) * Real(1 << source.below(11)); }

Shape takeConvex(fuzz::ByteSource& source) {
    const Real x = takeSize(source), y = takeSize(source), z = takeSize(source);
    switch (source.below(5)) {
        case 0: return Sphere{x};
        case 1: return Box{{x, y, z}};
        case 2: return Capsule{x, y};
        case 3: return Cylinder{x, y};
        default: {
            Hull hull;
            const std::uint32_t count = 4 + source.below(20);
            for (std::uint32_t i = 0; i < count; ++i)
                hull.points.push_back(multiply(source.inBox(1), {x, y, z}));
            return hull;
        }
    }
}

Shape takeShape(fuzz::ByteSource& source, bool allowMesh) {
    const std::uint32_t kind = source.below(allowMesh ? 8 : 6);
    if (kind < 5)
        return takeConvex(source);
    if (kind == 5) {
        Compound compound;
        const std::uint32_t count = 1 + source.below(3);
        for (std::uint32_t i = 0; i < count; ++i)
            compound.children.push_back(
                {.shape = takeConvex(source), .position = source.inBox(1), .orientation = source.rotation()});
        return compound;
    }
    Mesh mesh;
    const Real size = takeSize(source);
    const std::uint32_t vertices = 3 + source.below(12), triangles = 1 + source.below(12);
    for (std::uint32_t i = 0; i < vertices; ++i)
        mesh.vertices.push_back(source.inBox(size));
    for (std::uint32_t i = 0; i < triangles; ++i)
        mesh.triangles.push_back({source.below(vertices), source.below(vertices), source.below(vertices)});
    return mesh;
}

Pose takePose(fuzz::ByteSource& source, Real reach) { return {source.inBox(reach), normalize(source.rotation())}; }

void check(const collision::ContactManifold& manifold, Real size) {
    fuzz::require(manifold.count >= 1 && manifold.count <= collision::kMaxManifoldPoints);
    fuzz::require(std::fabs(length(manifold.normal) - 1) < Real(1e-3));
    for (int i = 0; i < manifold.count; ++i) {
        const collision::ContactPoint& point = manifold.points[i];
        fuzz::require(isFinite(point.onA) && isFinite(point.onB) && std::isfinite(point.separation));
        const Vec3 gap = point.onB - point.onA - manifold.normal * point.separation;
        fuzz::require(length(gap) <= Real(1e-3) * size);  // far more than rounding, far less than a wrong point
        for (int j = 0; j < i; ++j)
            fuzz::require(manifold.points[j].feature != point.feature);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::ByteSource source(data, size);
    try {
        const SharedShape a = buildShape(takeShape(source, true)), b = buildShape(takeShape(source, false));
        const Real whole = a->boundingRadius + b->boundingRadius;
        const Real margin = source.between(0, 1) * whole / 4;
        const Pose poseA = takePose(source, Real(0.1)), poseB = takePose(source, whole);
        collision::ManifoldList manifolds;
        collision::collide(*a, poseA, *b, poseB, margin, manifolds);
        for (const collision::ContactManifold& manifold : manifolds)
            check(manifold, whole);
        for (std::size_t i = 0; i < manifolds.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                fuzz::require(manifolds[i].key != manifolds[j].key);
    } catch (const Error&) {
    }
    return 0;
}
