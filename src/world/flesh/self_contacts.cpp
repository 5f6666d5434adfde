#include "world/flesh/self_contacts.h"

#include <algorithm>
#include <cmath>

#include "core/task_runner.h"
#include "geometry/static_tree.h"
#include "world/flesh/flesh_surface.h"

namespace sunder::world {

namespace {

constexpr std::uint32_t kTrianglesPerLeaf = 4;  // of the tree over the surface
constexpr std::size_t kNodesPerTask = 64;       // grain of the tasks
// Share of the surface's mean edge: a node that lies deeper behind a triangle than this is on the far side of its own body, not
// in another region of it that came too near.
constexpr Real kDeepest = Real(0.5);

class SelfSearch {
public:
    SelfSearch(const PagedVector<Body>& bodies, std::uint32_t slot, Real gravity, Real dt)
        : model_(modelOf(*bodies[slot].solid, *bodies[slot].shape)),
          surface_(bodies, slot, gravity, dt, kFleshMargin),
          tree_(surface_.triangleBounds, kTrianglesPerLeaf),
          // Two points of a body come nearer by what they move in its frame.
          reach_(2 * fastestOf(*bodies[slot].vertices) * dt + kFleshMargin),
          deepest_(kDeepest * model_.cell) {
        for (const auto& corners : bodies[slot].vertices->triangles)
            normals_.push_back(normalizeOr(cross(surface_.points[corners[1]] - surface_.points[corners[0]],
                                                 surface_.points[corners[2]] - surface_.points[corners[0]]),
                                           {0, 1, 0}));
        if (!normals_.empty())
            surface_.normalAt(0);  // found here: several threads ask for them
    }

    const std::vector<std::uint32_t>& nodes() const { return surface_.body().vertices->colliders[0].vertices; }

    // The nearest triangle that faces a node; among equals, the first.
    OnSurface nearestTo(std::uint32_t node) const {
        OnSurface best;
        Real least = max(reach_, deepest_);
        const Vec3& p = surface_.points[node];
        tree_.overlapping(expand(Bounds{p, p}, least), [&](std::uint32_t triangle) {
            const OnSurface on = pointOn(triangle, node, least);
            if (on.triangle == kNone)
                return;
            const Real distance = Real(std::fabs(double(on.gap)));
            if (best.triangle != kNone && distance == least && triangle > best.triangle)
                return;
            least = distance;
            best = on;
        });
        return best;
    }

    FleshContact contactOf(std::uint32_t node, const OnSurface& on) const {
        FleshContact contact;
        contact.a = nodeSide(surface_, node);
        contact.b = surfaceSide(surface_, on);
        contact.normal = on.normal;
        contact.gap = on.gap;
        return contact;
    }

private:
    OnSurface pointOn(std::uint32_t triangle, std::uint32_t node, Real most) const {
        const Vec3& p = surface_.points[node];
        if (squaredDistance(surface_.triangleBounds[triangle], p) > square(most) ||
            double(dot(normals_[triangle], surface_.normalAt(node))) > -kLeastFacing || isNeighbor(triangle, node))
            return {};
        const auto& corners = surface_.body().vertices->triangles[triangle];
        const geometry::TrianglePoint at =
            geometry::closestPoint(toDouble(p), toDouble(surface_.points[corners[0]]), toDouble(surface_.points[corners[1]]),
                                   toDouble(surface_.points[corners[2]]));
        const Real distance = Real(std::sqrt(at.squaredDistance));
        Vec3 q;
        for (std::size_t k = 0; k < 3; ++k)
            q += surface_.points[corners[k]] * Real(at.weights[k]);
        const Real along = dot(p - q, normals_[triangle]);
        const bool isBehind = along<0, isBeside = distance> std::fabs(along) + Real(kOnSurface);
        if (distance > (isBehind ? min(most, deepest_) : min(most, reach_)) || (isBehind && isBeside))
            return {};
        OnSurface on{triangle, at, normals_[triangle], isBehind ? -distance : distance};
        if (isBeside)
            on.normal = (p - q) / distance;
        return double(dot(on.normal, surface_.normalAt(node))) > -kLeastFacing ? OnSurface{} : on;
    }

    std::span<const std::uint32_t> rowOf(std::uint32_t node) const {
        const deformable::NodeGraph& graph = model_.graph;
        return {graph.neighbor.data() + graph.firstOf[node], graph.firstOf[node + 1] - graph.firstOf[node]};
    }

    // Whether a corner of the triangle is the node, or at most one node lies between them.
    bool isNeighbor(std::uint32_t triangle, std::uint32_t node) const {
        const std::span<const std::uint32_t> own = rowOf(node);
        const auto isNear = [&](std::uint32_t corner) {
            if (corner == node || std::binary_search(own.begin(), own.end(), corner))
                return true;
            const std::span<const std::uint32_t> other = rowOf(corner);
            for (std::size_t i = 0, j = 0; i < own.size() && j < other.size();) {
                if (own[i] == other[j])
                    return true;
                own[i] < other[j] ? ++i : ++j;
            }
            return false;
        };
        const auto& corners = surface_.body().vertices->triangles[triangle];
        return std::any_of(corners.begin(), corners.end(), isNear);
    }

    const deformable::SolidModel& model_;
    FleshSurface surface_;
    geometry::StaticTree tree_;
    Real reach_, deepest_;  // m
    std::vector<Vec3> normals_;
};

}  // namespace

void findSelfContacts(const WorldState& world, std::uint32_t slot, Real dt, std::vector<FleshContact>& out) {
    const SelfSearch search(world.bodies, slot, length(world.def.gravity), dt);
    const std::vector<std::uint32_t>& nodes = search.nodes();
    std::vector<OnSurface> found(nodes.size());
    runRanges(*world.tasks, nodes.size(), kNodesPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            found[i] = search.nearestTo(nodes[i]);
    });
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (found[i].triangle != kNone)
            out.push_back(search.contactOf(nodes[i], found[i]));
}

}  // namespace sunder::world
