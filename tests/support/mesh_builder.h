// Small triangle meshes for tests.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "math/vec3.h"
#include "sunder/shapes.h"
#include "support/random_points.h"

namespace sunder::testing {

inline void addTriangle(Mesh& mesh, const Vec3& a, const Vec3& b, const Vec3& c) {
    const std::uint32_t first = std::uint32_t(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {a, b, c});
    mesh.triangles.push_back({first, first + 1, first + 2});
}

// Counter-clockwise from its front, in two triangles.
inline void addQuad(Mesh& mesh, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    addTriangle(mesh, a, b, c);
    addTriangle(mesh, a, c, d);
}

// n x n cells about the origin that face y, each cell in two triangles; height(x, z) gives y.
template <class Height>
Mesh gridMesh(int n, Real size, Height height) {
    Mesh mesh;
    for (int z = 0; z <= n; ++z)
        for (int x = 0; x <= n; ++x) {
            const Real px = size * (Real(x) / Real(n) - Real(0.5)), pz = size * (Real(z) / Real(n) - Real(0.5));
            mesh.vertices.push_back({px, height(px, pz), pz});
        }
    for (std::uint32_t z = 0; z < std::uint32_t(n); ++z)
        for (std::uint32_t x = 0; x < std::uint32_t(n); ++x) {
            const std::uint32_t at = z * std::uint32_t(n + 1) + x, above = at + std::uint32_t(n + 1);
            mesh.triangles.push_back({at, above, at + 1});
            mesh.triangles.push_back({at + 1, above, above + 1});
        }
    return mesh;
}

inline Mesh flatGrid(int n, Real size) {
    return gridMesh(n, size, [](Real, Real) { return Real(0); });
}

// The flat grid with its inner vertices shaken and its diagonals turned at random.
inline Mesh irregularGrid(int n, Real size, std::uint64_t seed) {
    Mesh mesh = flatGrid(n, size);
    RandomPoints random(seed);
    const Real shake = Real(0.35) * size / Real(n);
    for (int z = 1; z < n; ++z)
        for (int x = 1; x < n; ++x) {
            Vec3& vertex = mesh.vertices[std::size_t(z * (n + 1) + x)];
            vertex.x += random.between(-shake, shake);
            vertex.z += random.between(-shake, shake);
        }
    for (std::size_t cell = 0; cell < mesh.triangles.size(); cell += 2) {
        if (random.below(2) == 0)
            continue;
        const std::uint32_t at = mesh.triangles[cell][0], above = mesh.triangles[cell][1];
        const Vec3 a = mesh.vertices[at], b = mesh.vertices[above], c = mesh.vertices[above + 1], d = mesh.vertices[at + 1];
        const auto turn = [](const Vec3& p, const Vec3& q, const Vec3& r) { return cross(q - p, r - p).y; };
        if (turn(a, b, c) <= 0 || turn(a, c, d) <= 0)
            continue;  // the other diagonal would lie outside
        mesh.triangles[cell] = {at, above, above + 1};
        mesh.triangles[cell + 1] = {at, above + 1, at + 1};
    }
    return mesh;
}

}  // namespace sunder::testing
