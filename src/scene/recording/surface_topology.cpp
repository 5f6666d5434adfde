// See surface_topology.h.
#include "scene/recording/surface_topology.h"

#include <algorithm>
#include <map>

#include "math/quat.h"

namespace sunder::scene {

namespace {

// Normals at rest that are closer than 5 degrees are one.
constexpr Real kOneNormal = Real(0.996);

}  // namespace

SurfaceTopology::SurfaceTopology(const Surface& surface) : restNormals_(surface.normals), triangles_(surface.triangles) {
    rest_.reserve(surface.positions.size());
    // As float, also where Real is double: readers of either kind must find the same.
    for (const Vec3& p : surface.positions)
        rest_.push_back({float(p.x), float(p.y), float(p.z)});
    for (std::size_t axis = 0; axis < 3; ++axis) {
        float low = rest_.empty() ? 0 : rest_[0][axis], high = low;
        for (const auto& p : rest_) {
            low = std::min(low, p[axis]);
            high = std::max(high, p[axis]);
        }
        extent_ = std::max(extent_, high - low);
    }
    known_.resize(rest_.size());
    findNeighbors();
    findTwins(surface);
}

void SurfaceTopology::findNeighbors() {
    // Both vertices of an edge, the lower one first, and up to two that are opposite to it.
    std::map<std::array<std::uint32_t, 2>, std::array<std::uint32_t, 2>> opposite;
    const auto edgeOf = [](std::uint32_t a, std::uint32_t b) { return std::array{std::min(a, b), std::max(a, b)}; };
    for (const auto& t : triangles_)
        for (int i = 0; i < 3; ++i) {
            const std::uint32_t vertex = t[i], a = t[(i + 1) % 3], b = t[(i + 2) % 3];
            auto& pair = opposite.try_emplace(edgeOf(a, b), std::array{kNone, kNone}).first->second;
            (pair[0] == kNone ? pair[0] : pair[1]) = vertex;
            for (const std::uint32_t other : {a, b}) {
                auto& near = known_[vertex].near;
                if (other >= vertex || std::find(near.begin(), near.end(), other) != near.end())
                    continue;
                if (const auto free = std::find(near.begin(), near.end(), kNone); free != near.end())
                    *free = other;
            }
        }
    for (const auto& [edge, pair] : opposite)
        for (int i = 0; i < 2; ++i) {
            const std::uint32_t vertex = pair[i], c = pair[1 - i];
            if (vertex != kNone && c != kNone && c < vertex && edge[1] < vertex)
                known_[vertex].parallelogram = {edge[0], edge[1], c};
        }
}

void SurfaceTopology::findTwins(const Surface& surface) {
    std::map<std::array<float, 3>, std::vector<std::uint32_t>> byPlace;  // of those that lie together, one for each normal
    normalOf_.resize(rest_.size());
    for (std::uint32_t i = 0; i < rest_.size(); ++i) {
        std::vector<std::uint32_t>& together = byPlace[rest_[i]];
        if (!together.empty()) {
            known_[i] = {};
            known_[i].near[0] = together.front();
        }
        const auto same = std::find_if(together.begin(), together.end(), [&](std::uint32_t other) {
            return dot(surface.normals[other], surface.normals[i]) > kOneNormal;
        });
        normalOf_[i] = same != together.end() ? *same : i;
        if (same == together.end())
            together.push_back(i);
    }
}

void SurfaceTopology::findNormals(std::span<const Vec3> positions, std::vector<Vec3>& normals) const {
    normals.assign(positions.size(), {0, 0, 0});
    for (const auto& t : triangles_) {
        const Vec3 area = cross(positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]]);
        for (const std::uint32_t corner : t)
            normals[normalOf_[corner]] += area;
    }
    for (std::size_t i = 0; i < normals.size(); ++i)
        normals[i] = normalOf_[i] == i ? normalizeOr(normals[i], restNormals_[i]) : normals[normalOf_[i]];
}

std::shared_ptr<const SurfaceTopology> topologyOf(const DrawnShape& shape) {
    const Surface* surface = shape.solids.size() == 1 ? std::get_if<Surface>(&shape.solids[0].solid) : nullptr;
    if (surface == nullptr || surface->positions.empty() || surface->normals.size() != surface->positions.size())
        return nullptr;
    const Pose& pose = shape.solids[0].bodyFromSolid;
    if (pose.position != Vec3{} || pose.orientation != Quat{} ||
        !std::all_of(surface->positions.begin(), surface->positions.end(), [](const Vec3& p) { return isFinite(p); }))
        return nullptr;
    return std::make_shared<const SurfaceTopology>(*surface);
}

}  // namespace sunder::scene
