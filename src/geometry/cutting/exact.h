// Exact signs: points on a grid of integers, determinants in as many bits as they need.
//   [EM90] Edelsbrunner, Muecke: Simulation of simplicity. A point exactly on a plane is decided as if the surface had been
//   moved by a vanishing step (e, e^2, e^3) against the cutter, the same everywhere. Then no three things meet by accident.
#pragma once

#include <cstdint>

#include "math/bounds.h"
#include "math/vec3d.h"

namespace sunder::geometry {

// Coordinates up to 2^25: their differences multiply without loss in double, and determinants of three fit into 128 bits.
struct ExactPoint {
    std::int32_t x = 0, y = 0, z = 0;
};

// Rounds points within the bounds to the grid, in steps of 2^-25 of the longest half side.
class GridOfPoints {
public:
    GridOfPoints(const Vec3d& low, const Vec3d& high);
    ExactPoint operator()(const Vec3d& p) const;

private:
    Vec3d center_;
    double scale_ = 1;
};

__extension__ using Wide = __int128;

// Six times the signed volume of a, b, c, d: positive where d is on the side from which a, b, c turn left.
Wide volume(const ExactPoint& a, const ExactPoint& b, const ExactPoint& c, const ExactPoint& d);

// The side of a triangle on which a point lies: 1 in front (from where it turns left), -1 behind. A triangle without area has
// everything in front.
int sideOfCutter(const ExactPoint (&cutter)[3], const ExactPoint& ofSurface);
int sideOfSurface(const ExactPoint (&surface)[3], const ExactPoint& ofCutter);
bool hasArea(const ExactPoint (&triangle)[3]);
// On which side an edge p q of the surface passes an edge a b of the cutter: the sign of the volume of a, b, p, q.
int sideOfEdge(const ExactPoint& a, const ExactPoint& b, const ExactPoint& p, const ExactPoint& q);

// Where a plane crosses an edge, as a fraction of the edge, with the effect of the vanishing step.
struct Fraction {
    Wide over = 0, under = 1;   // over / under; under > 0
    std::int64_t step[3] = {};  // change of `over` per unit of the vanishing step along x, y, z
    double value() const { return double(over) / double(under); }
};
// The ends of the surface's edge p q must lie on different sides of the cutter's triangle, and the reverse for
// fractionOnCutterEdge.
Fraction fractionOnSurfaceEdge(const ExactPoint& p, const ExactPoint& q, const ExactPoint (&cutter)[3]);
Fraction fractionOnCutterEdge(const ExactPoint& a, const ExactPoint& b, const ExactPoint (&surface)[3]);
bool isBefore(const Fraction& a, const Fraction& b);

}  // namespace sunder::geometry
