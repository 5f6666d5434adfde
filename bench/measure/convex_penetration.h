// Penetration of any two convex shapes in double precision, without the engine's own methods: the least overlap over all
// directions, found by trying face normals, edge pairs and a sample of the sphere, and searching on from the best. What it
// returns is never below the true depth.
#pragma once

#include <vector>

#include "measure/penetration.h"

namespace sunder::measure {

// One convex part of a body in world space: the hull of its points, thickened by a ball or, for cylinders, by a disc.
struct ConvexPart {
    std::vector<Vector> points;
    double ballRadius = 0;
    double discRadius = 0;
    Vector discAxis;
    std::vector<Vector> normals, edges;  // unit; candidates for the direction of least overlap
    Vector center;
    double reach = 0;  // radius of a ball about the centre that holds the part

    bool isRound() const { return ballRadius > 0 || discRadius > 0; }
    double highest(const Vector& direction) const;  // largest direction . x over the part; direction is unit
};

// The parts of a shape at a pose: one, or one per child of a compound. Not for meshes.
std::vector<ConvexPart> convexParts(const Shape& shape, const Vec3& position, const Quat& orientation);

double penetration(const ConvexPart& a, const ConvexPart& b);

// The same for two parts that are not round, where face normals and edge pairs are all that has to be tried: exact and
// many times faster.
double polytopePenetration(const ConvexPart& a, const ConvexPart& b);

std::vector<Placed<ConvexPart>> placeShape(const Shape& shape, const Vec3& position, const Quat& orientation,
                                           std::size_t owner);

}  // namespace sunder::measure
