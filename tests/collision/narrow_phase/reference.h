// Slow references for the narrow phase, in double.
// separationAlong(n) = n . (lowest point of B along n - highest point of A along n) is, maximised over all directions, the
// distance of two convex shapes that are apart and minus the depth of two that overlap.
#pragma once

#include <vector>

#include "collision/built_shape.h"
#include "math/vec3d.h"
#include "support/random_points.h"

namespace sunder::testing {

using sunder::Vec3d;

class ReferenceShape {
public:
    ReferenceShape(const BuiltShape& shape, const Pose& pose);

    Vec3d support(const Vec3d& direction) const;
    // How far a point is from the surface; zero on it, positive outside (up to a factor near edges), negative inside.
    double surfaceResidual(const Vec3& point) const;
    // Unit vectors that separate or part polyhedra: face normals, caps; and the straight edges.
    const std::vector<Vec3d>& faceNormals() const { return normals_; }
    const std::vector<Vec3d>& edges() const { return edges_; }
    Vec3d center() const { return origin_; }

private:
    Vec3d toInner(const Vec3d& outer) const;
    Vec3d toOuter(const Vec3d& inner) const;

    const BuiltShape& shape_;
    Vec3d axes_[3], origin_;
    std::vector<Vec3d> normals_, edges_;
};

double separationAlong(const ReferenceShape& a, const ReferenceShape& b, const Vec3d& normal);

// The largest separation over all directions: every face normal and cross product of edges, a dense sample of the sphere and
// a search from the best of these. Exact for overlapping polyhedra; otherwise a lower bound that is close.
double largestSeparation(const ReferenceShape& a, const ReferenceShape& b, RandomPoints& random);

}  // namespace sunder::testing
