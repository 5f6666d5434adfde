// Chooses the routine for a pair of convex shapes.
#include "collision/narrow_phase/convex/collide_convex.h"

#include "collision/narrow_phase/convex/pairs.h"
#include "collision/narrow_phase/manifold/further_points.h"

namespace sunder::collision {
namespace {

constexpr std::uint32_t kFurtherKey = 1;  // the key of the first manifold of a pair is 0

// Takes the shapes in the order of ShapeType, which the routines for single pairs require.
ContactManifold collideOrdered(const PlacedShape& a, const PlacedShape& b, const Range& range, const KnownManifold& known,
                               ContactManifold& further) {
    const Real margin = range.margin;
    if (a.shape.type == ShapeType::Sphere) {
        switch (b.shape.type) {
            case ShapeType::Sphere: return collideSphereSphere(a, b, margin);
            case ShapeType::Box: return collideSphereBox(a, b, margin);
            case ShapeType::Capsule: return collideSphereCapsule(a, b, margin);
            case ShapeType::Cylinder: return collideSphereCylinder(a, b, margin);
            default: return collideGeneral(a, b, range, known, further);
        }
    }
    if (a.shape.type == ShapeType::Box && b.shape.type == ShapeType::Box)
        return collideBoxBox(a, b, range, known, further);
    return collideGeneral(a, b, range, known, further);
}

}  // namespace

ContactManifold collideConvex(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB,
                              const Range& range, KnownManifolds known, ContactManifold& further) {
    further.count = 0;
    further.key = kFurtherKey;
    const KnownManifold first = known.empty() ? KnownManifold{} : known[0];
    ContactManifold manifold;
    if (a.type <= b.type) {
        manifold = collideOrdered({a, poseA}, {b, poseB}, range, first, further);
    } else {
        KnownManifold exchanged = first;
        exchanged.normal = -first.normal;
        manifold = collideOrdered({b, poseB}, {a, poseA}, range, exchanged, further);
        exchangeShapes(manifold);
        exchangeShapes(further);
    }
    if (further.count > 0 || known.size() > 1)
        keepPlaces(first, known.size() > 1 ? known[1] : KnownManifold{}, manifold, further);
    return manifold;
}

}  // namespace sunder::collision
