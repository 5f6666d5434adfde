// The surface that two pieces of a solid share, as a bond between them needs it.
//   [Li18] 4   constraints sit at the vertices of the shared faces
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "math/vec3d.h"

namespace sunder::geometry {

struct PieceInterface {
    std::uint32_t a = 0, b = 0;  // pieces, a < b
    double area = 0;             // m^2, of all its triangles
    double flatArea = 0;         // m^2: the length of the sum of their area vectors; less than `area` where faces run zigzag
    Vec3d centroid;              // m
    Vec3d normal;                // from a to b: unit, along the sum of the triangles' area vectors
    // m^4: integrals of xx yy zz xy xz yz from the centroid over the surface.
    std::array<double, 6> secondMoments{};
    // Where constraints act, and the area that each stands for: a third of every triangle around it.
    std::vector<Vec3d> points;
    std::vector<double> pointAreas;
};

// Adds up area, centre and second moments of triangles; exact but for rounding.
class SurfaceSums {
public:
    // The first call sets the origin of the sums, so that large coordinates do not cancel. Returns the area added: `share` of
    // the triangle's.
    double add(const Vec3d& p0, const Vec3d& p1, const Vec3d& p2, double share = 1);
    // Writes area, centroid, normal and second moments; the rest stays. The triangles face b.
    void writeTo(PieceInterface& interface) const;

private:
    bool isEmpty_ = true;
    Vec3d origin_, first_, areaVector_;
    double area_ = 0;
    std::array<double, 6> second_{};
};

}  // namespace sunder::geometry
