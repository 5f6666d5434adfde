#include "elastic/crack/grains.h"

#include <algorithm>

#include "core/random.h"

namespace sunder::elastic {

Grains::Grains(const UncutMesh& solid, const Bounds& bounds, const GrainOptions& options) : strength_(options.strength) {
    if (options.count < 2)
        return;
    core::Random random(options.seed);
    for (int i = 0; i < options.count; ++i) {
        Seed seed;
        seed.point.x = Real(random.between(double(bounds.low.x), double(bounds.high.x)));
        seed.point.y = Real(random.between(double(bounds.low.y), double(bounds.high.y)));
        seed.point.z = Real(random.between(double(bounds.low.z), double(bounds.high.z)));
        seed.weight = Real(1 + double(options.unevenness) * random.between(-1, 1));
        seeds_.push_back(seed);
    }
    ofNode_.reserve(solid.mesh.vertices.size());
    for (const Vec3& point : solid.mesh.vertices) {
        std::uint32_t nearest = 0;
        for (std::uint32_t i = 1; i < seeds_.size(); ++i)
            if (energy(i, point) < energy(nearest, point))
                nearest = i;
        ofNode_.push_back(nearest);
    }
}

Real Grains::energy(std::uint32_t seed, const Vec3& point) const {
    return seeds_[seed].weight * length(point - seeds_[seed].point);
}

bool Grains::isBoundary(const UncutMesh& solid, std::uint32_t tet) const {
    if (ofNode_.empty())
        return false;
    const geometry::TetCorners& c = solid.mesh.tets[tet];
    return std::any_of(c.begin(), c.end(), [&](std::uint32_t node) { return ofNode_[node] != ofNode_[c[0]]; });
}

std::optional<Grains::Boundary> Grains::boundaryIn(const UncutMesh& solid, std::uint32_t tet) const {
    if (!isBoundary(solid, tet))
        return std::nullopt;
    Boundary boundary;
    const geometry::TetCorners& c = solid.mesh.tets[tet];
    boundary.negative = ofNode_[c[0]];
    for (const std::uint32_t node : c)
        if (ofNode_[node] != boundary.negative) {
            boundary.positive = ofNode_[node];
            break;
        }
    boundary.normal = normalizeOr(slope(boundary, middleOf(solid.mesh, tet)), {0, 1, 0});
    return boundary;
}

// Gradient of the difference of the two seeds' energies, which grows towards the positive seed.
Vec3 Grains::slope(const Boundary& boundary, const Vec3& point) const {
    const Seed &a = seeds_[boundary.positive], &b = seeds_[boundary.negative];
    return normalizeOr(point - b.point, {}) * b.weight - normalizeOr(point - a.point, {}) * a.weight;
}

Real Grains::distanceTo(const Boundary& boundary, const Vec3& point) const {
    const Real steepness = length(slope(boundary, point));
    return (energy(boundary.negative, point) - energy(boundary.positive, point)) / max(steepness, Real(0.1));
}

}  // namespace sunder::elastic
