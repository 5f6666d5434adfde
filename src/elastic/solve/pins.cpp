#include "elastic/solve/pins.h"

#include <algorithm>

namespace sunder::elastic {

namespace {

template <class Measure>
std::size_t furthest(std::span<const Vec3d> positions, Measure&& measure) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < positions.size(); ++i)
        best = measure(positions[i]) > measure(positions[best]) ? i : best;
    return best;
}

Vec3d at(const double* x, std::size_t row) { return {x[3 * row], x[3 * row + 1], x[3 * row + 2]}; }
void put(double* x, std::size_t row, const Vec3d& value) {
    x[3 * row] = value.x;
    x[3 * row + 1] = value.y;
    x[3 * row + 2] = value.z;
}

}  // namespace

Pins::Pins(std::span<const Vec3d> positions) {
    const Vec3d origin = positions[0];
    rows[1] = furthest(positions, [&](const Vec3d& p) { return dot(p - origin, p - origin); });
    line = normalizeOr(positions[rows[1]] - origin, {1, 0, 0});
    const auto across = [&](const Vec3d& p) { return cross(line, p - origin); };
    rows[2] = furthest(positions, [&](const Vec3d& p) { return dot(across(p), across(p)); });
    normal = normalizeOr(across(positions[rows[2]]), {0, 1, 0});
}

void Pins::project(double* x) const {
    put(x, rows[0], {});
    put(x, rows[1], line * dot(at(x, rows[1]), line));
    put(x, rows[2], at(x, rows[2]) - normal * dot(at(x, rows[2]), normal));
}

double Pins::held(const double* x) const {
    const Vec3d second = at(x, rows[1]), third = at(x, rows[2]);
    return std::max({length(at(x, rows[0])), length(second - line * dot(second, line)), std::fabs(dot(third, normal))});
}

}  // namespace sunder::elastic
