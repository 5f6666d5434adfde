// Pairs are found by sweeping along x over the bounds of both poses.
#include "scene/filter/new_overlap.h"

#include <algorithm>

#include "collision/built_shape.h"
#include "collision/narrow_phase/collide.h"

namespace sunder::scene {

namespace {

struct ShapeMaker {
    Shape operator()(const Surface& surface) const { return Hull{surface.positions}; }
    Shape operator()(const Mesh& mesh) const { return Hull{mesh.vertices}; }
    Shape operator()(const auto& solid) const { return solid; }
};

Shape shapeOfParts(const DrawnShape& drawn, bool isFixed) {
    if (isFixed) {  // terrain, whose hull would be full of everything
        Surface surface = tessellate(drawn);
        return Mesh{std::move(surface.positions), std::move(surface.triangles)};
    }
    Compound all;
    for (const PlacedSolid& placed : drawn.solids)
        all.children.push_back(
            {std::visit(ShapeMaker{}, placed.solid), placed.bodyFromSolid.position, placed.bodyFromSolid.orientation});
    return all;
}

SharedShape built(const DrawnShape& drawn, bool isFixed) {
    if (drawn.solids.empty())
        return nullptr;
    const bool isConvex = drawn.solids.size() == 1 && !std::holds_alternative<Surface>(drawn.solids[0].solid) &&
                          !std::holds_alternative<Mesh>(drawn.solids[0].solid);
    try {
        return buildShape(shapeOfParts(drawn, isFixed && !isConvex));
    } catch (const Error&) {
        return nullptr;  // flat: it overlaps nothing
    }
}

}  // namespace

const BuiltShape* OverlapMeter::shapeOf(const Recording& recording, const TrackDef& def) {
    const auto [entry, isNew] = shapes_.try_emplace({def.surface, def.motion == Motion::Static});
    if (isNew)
        entry->second = built(recording.surface(def.surface), def.motion == Motion::Static);
    return entry->second.get();
}

void OverlapMeter::list(const Recording& recording, std::span<const Pose> shown) {
    bodies_.clear();
    for (std::size_t i = 0; i < recording.living().size(); ++i) {
        const TrackDef& def = recording.tracks()[recording.living()[i]].def;
        const BuiltShape* shape = def.deforms ? nullptr : shapeOf(recording, def);
        if (shape == nullptr)
            continue;
        const Pose& pose = recording.poses()[i];
        const bool isMoved = !(pose.position == shown[i].position && pose.orientation == shown[i].orientation);
        bodies_.push_back({shape, pose, shown[i], isMoved, def.motion == Motion::Static,
                           unite(collision::worldBounds(*shape, pose), collision::worldBounds(*shape, shown[i]))});
    }
    std::stable_sort(bodies_.begin(), bodies_.end(),
                     [](const Body& a, const Body& b) { return a.bounds.low.x < b.bounds.low.x; });
}

double OverlapMeter::overlap(const Body& a, const Body& b, bool isShown) {
    Pose poseA = isShown ? a.shown : a.pose, poseB = isShown ? b.shown : b.pose;
    const Vec3 origin = poseA.position;
    poseA.position = {};
    poseB.position = poseB.position - origin;
    manifolds_.clear();
    collision::collide(*a.shape, poseA, *b.shape, poseB, Real(0), manifolds_);
    Real deepest = 0;
    for (const collision::ContactManifold& manifold : manifolds_)
        for (int i = 0; i < manifold.count; ++i)
            deepest = max(deepest, -manifold.points[i].separation);
    return double(deepest);
}

double OverlapMeter::newOverlap(const Recording& recording, std::span<const Pose> shown) {
    list(recording, shown);
    double largest = 0;
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        for (std::size_t k = i + 1; k < bodies_.size() && bodies_[k].bounds.low.x <= bodies_[i].bounds.high.x; ++k) {
            const Body &a = bodies_[i], &b = bodies_[k];
            if ((!a.isMoved && !b.isMoved) || (a.isFixed && b.isFixed) || !overlaps(a.bounds, b.bounds))
                continue;
            const double now = overlap(a, b, true);
            if (now > largest)
                largest = std::max(largest, now - overlap(a, b, false));
        }
    return largest;
}

}  // namespace sunder::scene
