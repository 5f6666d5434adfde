#include "collision/narrow_phase/level_set/tangled.h"

#include <algorithm>

#include "collision/narrow_phase/convex/collide_convex.h"
#include "collision/narrow_phase/level_set/separating_plane.h"
#include "sunder/definitions.h"

namespace sunder::collision {
namespace {

// Share of the thinner one's inner radius. What lies deeper may have come through the middle.
constexpr Real kDeep = Real(0.25);
// Cells of the coarser grid. The deepest contact of convex bodies that touch from outside is as deep as they overlap along its
// normal, but for what two grids leave open. With 1 heaps of shards rest sooner, and of 20 pillars of [Su09] figure 1 one threw
// a plate up to 8 m.
constexpr Real kOpenCells = Real(1.5);
// Cells: how far particles may lie outside the hull.
constexpr Real kHullTolerance = Real(0.25);
// Least share of the hull of its particles that a body fills to count as convex. Of 1052 shards of panes one and a half cells
// thick the least filled .84.
constexpr double kConvex = 0.8;

SharedShape makeHull(const LevelSetShape& shape) {
    const geometry::SurfaceParticles& particles = shape.solid->particles;
    const std::vector<std::uint8_t> isExtreme = geometry::markExtremes(particles, kHullTolerance * shape.field().grid.cell);
    Hull hull;
    for (std::size_t i = 0; i < isExtreme.size(); ++i)
        if (isExtreme[i])
            hull.points.push_back(particles.positions[i]);
    if (hull.points.size() < 4)
        return nullptr;
    try {
        SharedShape built = buildShape(hull);
        return shape.solid->mass.volume >= kConvex * built->massProperties.volume ? built : nullptr;
    } catch (const Error&) {  // flat
        return nullptr;
    }
}

const BuiltShape* hullOf(const LevelSetShape& shape) {
    HullOfParticles& own = *shape.ownHull;
    std::call_once(own.isMade, [&] { own.hull = makeHull(shape); });
    return own.hull.get();
}

}  // namespace

bool collideTangled(const LevelSetShape& a, const Pose& poseA, const LevelSetShape& b, const Pose& poseB,
                    std::span<const ParticleContact> contacts, const Range& range, ManifoldList& out) {
    const ParticleContact& deepest = *std::min_element(
        contacts.begin(), contacts.end(), [](const auto& x, const auto& y) { return x.separation < y.separation; });
    if (-deepest.separation < kDeep * min(a.innerRadius, b.innerRadius))
        return false;
    const Real overlap = -PlaneSearch(a, poseA, b, poseB).gapAlong(deepest.normal, -kInfinity);
    if (overlap + deepest.separation < kOpenCells * max(a.field().grid.cell, b.field().grid.cell))
        return false;
    const BuiltShape *hullA = hullOf(a), *hullB = hullOf(b);
    if (hullA == nullptr || hullB == nullptr)
        return false;
    ContactManifold manifold = collideConvex(*hullA, poseA, *hullB, poseB, range);
    if (manifold.count == 0)
        return false;
    manifold.key = kTangledKey;
    out.push_back(manifold);
    return true;
}

}  // namespace sunder::collision
