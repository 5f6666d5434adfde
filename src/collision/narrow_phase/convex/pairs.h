// The convex pairs, each in its own file. All take the shapes in this order; collide_convex.cpp chooses and exchanges.
// Frame of the poses; normals point from the first shape to the second.
#pragma once

#include "collision/built_shape.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// One shape under its pose.
struct PlacedShape {
    const BuiltShape& shape;
    const Pose& pose;
};

ContactManifold collideSphereSphere(const PlacedShape& a, const PlacedShape& b, Real margin);
ContactManifold collideSphereBox(const PlacedShape& a, const PlacedShape& b, Real margin);
ContactManifold collideSphereCapsule(const PlacedShape& a, const PlacedShape& b, Real margin);
ContactManifold collideSphereCylinder(const PlacedShape& a, const PlacedShape& b, Real margin);
// further: a second manifold, of points that touch besides the four of the first; its count is 0 as a rule.
ContactManifold collideBoxBox(const PlacedShape& a, const PlacedShape& b, const Range& range, const KnownManifold& known,
                              ContactManifold& further);

// Any two convex shapes, by closest points where they are apart and by separating axes where they overlap.
ContactManifold collideGeneral(const PlacedShape& a, const PlacedShape& b, const Range& range, const KnownManifold& known,
                               ContactManifold& further);

}  // namespace sunder::collision
