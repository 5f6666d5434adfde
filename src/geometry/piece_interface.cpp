#include "geometry/piece_interface.h"

namespace sunder::geometry {
namespace {

std::array<double, 6> products(const Vec3d& a) { return {a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z}; }

}  // namespace

// Over a triangle of area A with corners p and s = p0 + p1 + p2, the integral of x is A s / 3, that of x x^T is
// A (s s^T + sum of p p^T) / 12.
double SurfaceSums::add(const Vec3d& p0, const Vec3d& p1, const Vec3d& p2, double share) {
    if (isEmpty_)
        origin_ = p0;
    isEmpty_ = false;
    const Vec3d a = p0 - origin_, b = p1 - origin_, c = p2 - origin_, sum = a + b + c;
    const Vec3d vector = cross(p1 - p0, p2 - p0) * (0.5 * share);
    const double area = length(vector);
    area_ += area;
    areaVector_ += vector;
    first_ += sum * (area / 3);
    for (const Vec3d& p : {a, b, c, sum}) {
        const std::array<double, 6> square = products(p);
        for (std::size_t i = 0; i < 6; ++i)
            second_[i] += square[i] * (area / 12);
    }
    return area;
}

void SurfaceSums::writeTo(PieceInterface& interface) const {
    interface.area = area_;
    interface.flatArea = length(areaVector_);
    const Vec3d center = area_ > 0 ? first_ * (1 / area_) : Vec3d{};
    interface.centroid = origin_ + center;
    interface.normal = normalizeOr(areaVector_, {0, 1, 0});
    const std::array<double, 6> square = products(center);
    for (std::size_t i = 0; i < 6; ++i)
        interface.secondMoments[i] = second_[i] - area_ * square[i];
}

}  // namespace sunder::geometry
