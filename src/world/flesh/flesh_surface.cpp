#include "world/flesh/flesh_surface.h"

namespace sunder::world {

FleshSurface::FleshSurface(const PagedVector<Body>& all, std::uint32_t s, Real gravity, Real dt, Real margin)
    : bodies(all), slot(s), origin(all[s].center) {
    const Body& b = body();
    const Quat turn = userOrientation(b);
    const Vec3 at = userPosition(b) - origin;
    points.reserve(b.vertices->positions.size());
    for (const Vec3& p : b.vertices->positions)
        points.push_back(at + rotate(turn, p));
    for (const std::uint32_t node : b.vertices->colliders[0].vertices)
        bounds = unite(bounds, points[node]);
    const Real speed = length(b.angularVelocity) * radiusOf(*b.vertices) + fastestOf(*b.vertices);
    spread = (speed + gravity * dt) * dt + margin;
    triangleBounds.reserve(b.vertices->triangles.size());
    for (const auto& corners : b.vertices->triangles)
        triangleBounds.push_back(unite(unite(unite(Bounds{}, points[corners[0]]), points[corners[1]]), points[corners[2]]));
}

void FleshSurface::findNormals() const {
    normals_.assign(points.size(), {});
    areas_.assign(points.size(), 0);
    for (const auto& corners : body().vertices->triangles) {
        const Vec3 area = cross(points[corners[1]] - points[corners[0]], points[corners[2]] - points[corners[0]]);
        for (const std::uint32_t node : corners) {
            normals_[node] += area;
            areas_[node] += length(area) / 6;
        }
    }
    for (Vec3& normal : normals_)
        normal = normalizeOr(normal, {0, 1, 0});
}

const FleshSurface& FleshSurfaces::of(std::uint32_t slot) {
    const auto found = made_.find(slot);
    if (found != made_.end())
        return found->second;
    return made_.try_emplace(slot, world.bodies, slot, length(world.def.gravity), dt, margin_).first->second;
}

FleshContact::Side nodeSide(const FleshSurface& surface, std::uint32_t node) {
    FleshContact::Side side;
    side.body = surface.slot;
    side.node[0] = node;
    side.weight[0] = 1;
    side.nodes = 1;
    side.point = surface.origin + surface.points[node];
    return side;
}

FleshContact::Side surfaceSide(const FleshSurface& surface, const OnSurface& on) {
    FleshContact::Side side;
    side.body = surface.slot;
    side.nodes = 3;
    Vec3 q;
    for (int k = 0; k < 3; ++k) {
        side.node[k] = surface.body().vertices->triangles[on.triangle][std::size_t(k)];
        side.weight[k] = Real(on.at.weights[std::size_t(k)]);
        q += surface.points[side.node[k]] * side.weight[k];
    }
    side.point = surface.origin + q;
    return side;
}

}  // namespace sunder::world
