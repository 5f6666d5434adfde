// What contacts and queries read of a level set: its particles four by four, and spheres about runs of sixteen of them.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "collision/level_set/sampled_solid.h"
#include "math/bounds.h"
#include "sunder/shapes.h"

namespace sunder::collision {

// Made when it is first asked for, see narrow_phase/level_set/tangled.h.
struct HullOfParticles {
    std::once_flag isMade;
    SharedShape hull;  // null where the shape is not convex
};

struct LevelSetShape {
    // Unused lanes repeat the last point.
    struct FourPoints {
        Real x[geometry::kSampleLanes], y[geometry::kSampleLanes], z[geometry::kSampleLanes];
    };
    // As FourPoints, with radii; unused lanes repeat the last.
    struct FourClusters {
        FourPoints centers;
        Real radii[geometry::kSampleLanes];
        int count = 0;  // of the lanes in use
    };
    static constexpr int kClusterSize = geometry::SurfaceParticles::kClusterSize;

    std::shared_ptr<const SampledSolid> solid;
    std::vector<FourPoints> particles;   // particle i is lane i % 4 of i / 4
    std::vector<FourClusters> clusters;  // cluster i holds the particles from i * kClusterSize on
    std::vector<FourClusters> runs;      // entry i: spheres about the four runs of four particles of cluster i
    Bounds bounds;                       // of the grid, whose border is outside
    Vec3 innerCenter;                    // of the largest ball inside that is centred on a node
    Real innerRadius = 0;
    std::shared_ptr<HullOfParticles> ownHull;

    std::size_t particleCount() const { return solid->particles.size(); }
    const geometry::LevelSet16& field() const { return solid->field; }
};

LevelSetShape makeLevelSetShape(std::shared_ptr<const SampledSolid> solid);

}  // namespace sunder::collision
