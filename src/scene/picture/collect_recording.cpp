// Parts of drawn shapes become solids; surfaces of deforming bodies are prepared anew for every frame.
#include "scene/picture/collect_recording.h"

#include "geometry/convex_hull.h"

namespace sunder::scene {

namespace {

using render::Solid;
using render::SolidType;
using render::TriangleSurface;

struct SolidMaker {
    TextureCache& textures;

    static Solid triangles(std::shared_ptr<const TriangleSurface> surface) {
        return {SolidType::Triangles, {}, std::move(surface)};
    }
    Solid operator()(const Sphere& s) const { return {SolidType::Sphere, {s.radius, 0, 0}, nullptr}; }
    Solid operator()(const Box& b) const { return {SolidType::Box, b.halfExtents, nullptr}; }
    Solid operator()(const Capsule& c) const { return {SolidType::Capsule, {c.radius, c.halfHeight, 0}, nullptr}; }
    Solid operator()(const Cylinder& c) const { return {SolidType::Cylinder, {c.radius, c.halfHeight, 0}, nullptr}; }
    Solid operator()(const Hull& h) const {
        return triangles(std::make_shared<TriangleSurface>(geometry::buildConvexHull(h.points).hull));
    }
    Solid operator()(const Mesh& m) const { return triangles(std::make_shared<TriangleSurface>(m.vertices, m.triangles)); }
    Solid operator()(const Surface& s) const {
        return triangles(std::make_shared<TriangleSurface>(s, textures.of(s.materials)));
    }
};

}  // namespace

const std::vector<FrameCollector::Placed>& FrameCollector::solidsOf(const Recording& recording, std::uint32_t surface) {
    if (solids_.size() <= surface)
        solids_.resize(std::size_t(recording.surfaceCount()));
    std::vector<Placed>& placed = solids_[surface];
    if (placed.empty())
        for (const PlacedSolid& drawn : recording.surface(surface).solids)
            placed.push_back({drawn.bodyFromSolid, std::visit(SolidMaker{textures_}, drawn.solid)});
    return placed;
}

void FrameCollector::add(const Recording& recording, render::RenderScene& scene, const std::function<bool(Motion)>& wanted) {
    const std::span<const RecordedTrack> tracks = recording.tracks();
    const std::vector<render::Look>& looks = looks_.of(recording);
    auto moved = recording.moved().begin();
    for (std::size_t i = 0; i < recording.living().size(); ++i) {
        const std::uint32_t track = recording.living()[i];
        const TrackDef& def = tracks[track].def;
        const MovedSurface* deformed = def.deforms ? &*moved++ : nullptr;
        if (wanted && !wanted(def.motion))
            continue;
        if (deformed != nullptr)
            scene.add(SolidMaker{textures_}(recording.surfaceOf(*deformed)), recording.poses()[i], looks[track]);
        else
            for (const Placed& placed : solidsOf(recording, def.surface))
                scene.add(placed.solid, recording.poses()[i] * placed.bodyFromSolid, looks[track]);
    }
}

}  // namespace sunder::scene
