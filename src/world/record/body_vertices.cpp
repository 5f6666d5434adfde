#include "world/record/body_vertices.h"

#include <algorithm>
#include <cmath>

namespace sunder::world {

Bounds boundsOf(const BodyVertices& vertices, std::uint32_t child, const Pose& worldFromBody) {
    Bounds bounds;
    for (const std::uint32_t vertex : vertices.colliders[child].vertices)
        bounds = unite(bounds, transformPoint(worldFromBody, vertices.positions[vertex]));
    return bounds;
}

namespace {

Real longest(const std::vector<Vec3>& vectors) {
    Real most = 0;
    for (const Vec3& vector : vectors)
        most = max(most, lengthSquared(vector));
    return std::sqrt(most);
}

}  // namespace

Real radiusOf(const BodyVertices& vertices) { return longest(vertices.positions); }

Real fastestOf(const BodyVertices& vertices) { return longest(vertices.velocities); }

bool areFinite(const BodyVertices& vertices) {
    const auto isGood = [](const Vec3& vector) { return isFinite(vector); };
    return std::all_of(vertices.positions.begin(), vertices.positions.end(), isGood) &&
           std::all_of(vertices.velocities.begin(), vertices.velocities.end(), isGood);
}

void makeFinite(BodyVertices& vertices) {
    for (Vec3& position : vertices.positions)
        if (!isFinite(position))
            position = {};
    std::fill(vertices.velocities.begin(), vertices.velocities.end(), Vec3{});
}

bool isSound(const BodyVertices& vertices) {
    const std::size_t count = vertices.positions.size();
    const auto isVertex = [&](std::uint32_t vertex) { return vertex < count; };
    const auto isCollider = [&](const VertexCollider& collider) {
        return !collider.vertices.empty() && std::all_of(collider.vertices.begin(), collider.vertices.end(), isVertex);
    };
    const auto isTriangle = [&](const std::array<std::uint32_t, 3>& triangle) {
        return std::all_of(triangle.begin(), triangle.end(), isVertex);
    };
    return vertices.velocities.size() == count && !vertices.colliders.empty() && vertices.colliders.size() <= kMostColliders &&
           std::all_of(vertices.colliders.begin(), vertices.colliders.end(), isCollider) &&
           std::all_of(vertices.triangles.begin(), vertices.triangles.end(), isTriangle) && areFinite(vertices);
}

}  // namespace sunder::world
