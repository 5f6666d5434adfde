// Chooses the routine for a pair of convex shapes.
#include "collision/narrow_phase/convex/collide_convex.h"

#include "collision/narrow_phase/convex/pairs.h"

namespace sunder::collision {
namespace {

// Takes the shapes in the order of ShapeType, which the routines for single pairs require.
ContactManifold collideOrdered(const PlacedShape& a, const PlacedShape& b, const Range& range, const KnownManifold& known) {
    const Real margin = range.margin;
    if (a.shape.type == ShapeType::Sphere) {
        switch (b.shape.type) {
            case ShapeType::Sphere: return collideSphereSphere(a, b, margin);
            case ShapeType::Box: return collideSphereBox(a, b, margin);
            case ShapeType::Capsule: return collideSphereCapsule(a, b, margin);
            case ShapeType::Cylinder: return collideSphereCylinder(a, b, margin);
            default: return collideGeneral(a, b, range, known);
        }
    }
    if (a.shape.type == ShapeType::Box && b.shape.type == ShapeType::Box)
        return collideBoxBox(a, b, range, known);
    return collideGeneral(a, b, range, known);
}

}  // namespace

ContactManifold collideConvex(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB,
                              const Range& range, const KnownManifold& known) {
    if (a.type <= b.type)
        return collideOrdered({a, poseA}, {b, poseB}, range, known);
    KnownManifold exchanged = known;
    exchanged.normal = -known.normal;
    ContactManifold manifold = collideOrdered({b, poseB}, {a, poseA}, range, exchanged);
    exchangeShapes(manifold);
    return manifold;
}

}  // namespace sunder::collision
