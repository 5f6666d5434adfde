// How much deeper a filter makes bodies overlap than they do: the third artefact that [Egan03] 5.5 names.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "collision/narrow_phase/manifold/manifold.h"
#include "math/bounds.h"
#include "sunder/scene/recording.h"

namespace sunder::scene {

// Bodies count as the convex hulls of what they are drawn as, part by part, fixed ones as their triangles; those that deform
// are left out.
class OverlapMeter {
public:
    // Of a frame that the recording stands at: the largest difference (m) of the overlap of two bodies at the poses shown and
    // at those of the recording, 0 where no pair overlaps more. shown: a pose for each of recording.living().
    double newOverlap(const Recording& recording, std::span<const Pose> shown);

private:
    struct Body {
        const BuiltShape* shape;
        Pose pose, shown;
        bool isMoved, isFixed;
        Bounds bounds;  // of both poses
    };
    const BuiltShape* shapeOf(const Recording& recording, const TrackDef& def);
    void list(const Recording& recording, std::span<const Pose> shown);
    double overlap(const Body& a, const Body& b, bool isShown);

    std::map<std::pair<std::uint32_t, bool>, SharedShape> shapes_;  // by surface, and whether it is fixed; null: flat
    std::vector<Body> bodies_;
    collision::ManifoldList manifolds_;
};

}  // namespace sunder::scene
