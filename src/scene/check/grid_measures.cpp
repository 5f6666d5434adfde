#include "scene/check/grid_measures.h"

#include <algorithm>
#include <vector>

#include "collision/built_shape.h"
#include "collision/level_set/level_set_shape.h"
#include "world/commit/bodies.h"

namespace sunder::scene {

namespace {

// Steps of the way through a wall, in cells, and the share of the surface that may be thinner: tips and sharp edges are no
// walls.
constexpr Real kWallStep = Real(0.25);
constexpr double kThinShare = 0.05;

// m of material behind a point of the surface, against its normal.
Real wallBehind(const geometry::LevelSet16& field, const Vec3& point, const Vec3& normal, Real farthest) {
    const Real step = kWallStep * field.grid.cell;
    Real way = step, before = 0;
    for (; way < farthest; way += step) {
        const Real distance = geometry::sample(field, point - normal * way).distance;
        if (distance >= 0)
            return way - step * distance / max(distance - before, kEpsilon * step);
        before = distance;
    }
    return farthest;
}

Real thinnestWall(const SampledSolid& solid, Real farthest) {
    std::vector<Real> walls;
    for (std::size_t i = 0; i < solid.particles.size(); ++i)
        if (solid.particles.features[i] == geometry::SurfaceFeature::Smooth)
            walls.push_back(wallBehind(solid.field, solid.particles.positions[i], solid.particles.normals[i], farthest));
    if (walls.empty())
        return 0;
    const auto place = walls.begin() + std::ptrdiff_t(double(walls.size()) * kThinShare);
    std::nth_element(walls.begin(), place, walls.end());
    return max(*place, 0);
}

// The level set that breaks in place of the body, or is its shape; null where there is none.
SharedShape gridOf(const SharedShape& shape, const FractureDef* fracture) {
    if (!fracture || shape->levelSet)
        return shape->levelSet ? shape : nullptr;
    BodyDef def;
    def.shape = shape;
    def.fracture = *fracture;
    const world::BuiltBody built = world::buildBody(def);
    // A thin shell breaks without a grid.
    return built.fracture && built.fracture->solid->levelSet ? built.fracture->solid : nullptr;
}

}  // namespace

GridMeasures GridMeasurer::measure(const SharedShape& shape, const FractureDef* fracture) {
    const Key key{shape, fracture ? fracture->cell : Real(-1),
                  fracture ? fracture->resolution : std::array<std::uint32_t, 3>{}};
    const auto [entry, isNew] = known_.try_emplace(key);
    if (!isNew)
        return entry->second;
    if (const SharedShape grid = gridOf(shape, fracture)) {
        const Vec3 size = grid->localBounds.high - grid->localBounds.low;
        entry->second = {double(grid->levelSet->field().grid.cell),
                         double(thinnestWall(*grid->levelSet->solid, max(size.x, max(size.y, size.z)))),
                         grid->massProperties.volume};
    }
    return entry->second;
}

}  // namespace sunder::scene
