#include "collision/level_set/sampled_solid.h"

#include <algorithm>

#include "geometry/cutting/mesh_surface.h"
#include "sunder/describe.h"

namespace sunder::collision {

geometry::SurfaceParticles contactParticles(const geometry::LevelSet16& field, const Vec3& center) {
    return fewEnough(geometry::makeParticles(field.grid, geometry::surfaceVertices(field)), center);
}

geometry::SurfaceParticles fewEnough(geometry::SurfaceParticles particles, const Vec3& center) {
    if (particles.size() <= kMostParticles)
        return particles;
    geometry::SurfaceParticles kept;
    int level = 1;
    do
        kept = geometry::thinned(particles, level++, center);
    while (kept.size() > kMostParticles);
    return kept;
}

namespace {

// What is farthest out in any of 98 directions counts as an edge: not every edge of a piece is seen as one, where cuts meet at
// blunt angles or three of them pass through a cell, and a piece without its extremes stands lower than it is.
void markExtremes(geometry::SurfaceParticles& particles) {
    constexpr int kFinest = 2;
    for (int x = -kFinest; x <= kFinest; ++x)
        for (int y = -kFinest; y <= kFinest; ++y)
            for (int z = -kFinest; z <= kFinest; ++z) {
                if (x % 2 == 0 && y % 2 == 0 && z % 2 == 0)  // none, or the same as with half of it
                    continue;
                const Vec3 direction{Real(x), Real(y), Real(z)};
                std::size_t best = 0;
                Real most = -kInfinity;
                for (std::size_t i = 0; i < particles.size(); ++i)
                    if (const Real height = dot(direction, particles.positions[i]); height > most) {
                        most = height;
                        best = i;
                    }
                if (particles.features[best] == geometry::SurfaceFeature::Smooth)
                    particles.features[best] = geometry::SurfaceFeature::Edge;
            }
}

}  // namespace

geometry::SurfaceParticles fewOfPiece(geometry::SurfaceParticles particles, const Vec3& center) {
    constexpr std::size_t kFew = 96;  // small enough as it is
    if (particles.size() <= kFew)
        return particles;
    markExtremes(particles);
    geometry::SurfaceParticles kept;
    int level = 2;
    do {
        kept = geometry::thinned(particles, level, center, level - 1);
        ++level;
    } while (kept.size() > kMostPieceParticles);
    return kept;
}

bool isSound(const SampledSolid& solid) {
    const geometry::LevelSet16& field = solid.field;
    const auto [nx, ny, nz] = field.grid.nodes;
    const int most = int(kMaxLevelSetNodes);
    const auto isLength = [](Real x) { return x > 0 && x <= Real(kMaxSize); };
    if (std::min({nx, ny, nz}) < 2 || std::max({nx, ny, nz}) > most || field.values.size() != field.grid.nodeCount())
        return false;
    if (!isLength(field.grid.cell) || !isLength(field.step) || !isFinite(field.grid.origin) || !(solid.mass.volume > 0) ||
        *std::min_element(field.values.begin(), field.values.end()) >= 0)
        return false;
    if (!solid.cutNodes.isEmpty() && solid.cutNodes.words().size() != (field.values.size() + 63) / 64)
        return false;
    if (!isFinite(solid.textureOrigin) || (solid.surface && !geometry::isSound(*solid.surface)))
        return false;
    const geometry::SurfaceParticles& particles = solid.particles;
    const std::size_t count = particles.size(), size = geometry::SurfaceParticles::kClusterSize;
    if (count == 0 || particles.normals.size() != count || particles.features.size() != count ||
        particles.cells.size() != count || particles.clusters.size() != (count + size - 1) / size)
        return false;
    for (std::size_t i = 0; i < particles.clusters.size(); ++i)
        if (particles.clusters[i].first != i * size || particles.clusters[i].count != std::min(size, count - i * size))
            return false;
    return std::all_of(particles.positions.begin(), particles.positions.end(), [](const Vec3& p) { return isFinite(p); });
}

}  // namespace sunder::collision
