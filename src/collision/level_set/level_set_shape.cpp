#include "collision/level_set/level_set_shape.h"

#include <algorithm>
#include <cmath>

namespace sunder::collision {
namespace {

constexpr int kLanesOfSample = geometry::kSampleLanes;

LevelSetShape::FourPoints fourFrom(std::span<const Vec3> points) {
    LevelSetShape::FourPoints four;
    for (int lane = 0; lane < kLanesOfSample; ++lane) {
        const Vec3& p = points[std::min<std::size_t>(lane, points.size() - 1)];
        four.x[lane] = p.x;
        four.y[lane] = p.y;
        four.z[lane] = p.z;
    }
    return four;
}

void findInside(LevelSetShape& shape) {
    const geometry::LevelSet16& field = shape.field();
    const auto [nx, ny, nz] = field.grid.nodes;
    std::int16_t deepest = 0;
    for (const std::int16_t value : field.values)  // a plain loop vectorises, std::min_element does not
        deepest = value < deepest ? value : deepest;
    const int node = int(std::find(field.values.begin(), field.values.end(), deepest) - field.values.begin());
    shape.innerCenter = field.grid.position(node % nx, node / nx % ny, node / nx / ny);
    shape.innerRadius = -Real(deepest) * field.step;
    shape.bounds = field.grid.bounds();
}

// Bounding spheres of each run of four particles of one cluster.
LevelSetShape::FourClusters runsOf(std::span<const Vec3> particles) {
    LevelSetShape::FourClusters four;
    four.count = int((particles.size() + kLanesOfSample - 1) / kLanesOfSample);
    Vec3 centers[kLanesOfSample];
    for (int run = 0; run < four.count; ++run) {
        const std::size_t first = std::size_t(run) * kLanesOfSample;
        const auto points = particles.subspan(first, std::min<std::size_t>(kLanesOfSample, particles.size() - first));
        Bounds bounds;
        for (const Vec3& point : points)
            bounds = unite(bounds, point);
        centers[run] = center(bounds);
        Real squared = 0;
        for (const Vec3& point : points)
            squared = max(squared, lengthSquared(point - centers[run]));
        four.radii[run] = std::sqrt(squared) * (1 + 4 * kEpsilon);  // rounded up
    }
    for (int run = four.count; run < kLanesOfSample; ++run)
        four.radii[run] = four.radii[four.count - 1];
    four.centers = fourFrom({centers, std::size_t(four.count)});
    return four;
}

}  // namespace

LevelSetShape makeLevelSetShape(std::shared_ptr<const SampledSolid> solid) {
    LevelSetShape shape;
    shape.solid = std::move(solid);
    shape.ownHull = std::make_shared<HullOfParticles>();
    findInside(shape);
    const std::span<const Vec3> positions(shape.solid->particles.positions);
    shape.particles.reserve((positions.size() + kLanesOfSample - 1) / kLanesOfSample);
    for (std::size_t i = 0; i < positions.size(); i += kLanesOfSample)
        shape.particles.push_back(fourFrom(positions.subspan(i, std::min<std::size_t>(kLanesOfSample, positions.size() - i))));
    const auto& clusters = shape.solid->particles.clusters;
    for (std::size_t i = 0; i < clusters.size(); i += kLanesOfSample) {
        LevelSetShape::FourClusters four;
        four.count = int(std::min<std::size_t>(kLanesOfSample, clusters.size() - i));
        Vec3 centers[kLanesOfSample];
        for (int lane = 0; lane < kLanesOfSample; ++lane) {
            const auto& cluster = clusters[i + std::min(lane, four.count - 1)];
            centers[lane] = cluster.center;
            four.radii[lane] = cluster.radius;
        }
        four.centers = fourFrom(centers);
        shape.clusters.push_back(four);
    }
    shape.runs.reserve(clusters.size());
    for (const auto& cluster : clusters)
        shape.runs.push_back(runsOf(positions.subspan(cluster.first, cluster.count)));
    return shape;
}

}  // namespace sunder::collision
