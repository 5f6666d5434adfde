// What the tests of extracted surfaces share: random fields and the checks of a closed surface.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "geometry/edge_report.h"
#include "geometry/level_set/level_set.h"
#include "geometry/surface/surface_mesh.h"
#include "support/random_points.h"

namespace sunder::geometry::testing {

// Values at random, outside at the border: every configuration of a cell occurs, next to every other.
inline LevelSet8 randomField(std::uint64_t seed, const Int3& nodes, std::uint32_t solidPercent) {
    sunder::testing::RandomPoints random(seed);
    LevelSet8 field{{{Real(-1), Real(0.5), 2}, Real(0.25), nodes}, Real(0.25) / 32, {}};
    field.values.assign(field.grid.nodeCount(), 20);
    for (int z = 1; z + 1 < nodes.z; ++z)
        for (int y = 1; y + 1 < nodes.y; ++y)
            for (int x = 1; x + 1 < nodes.x; ++x) {
                const int size = 1 + int(random.below(40));
                field.values[field.grid.index(x, y, z)] = std::int8_t(random.below(100) < solidPercent ? -size : size - 1);
            }
    return field;
}

// The triangles in terms of points.
inline std::vector<std::array<std::uint32_t, 3>> pointTriangles(const SurfaceMesh& mesh) {
    std::vector<std::array<std::uint32_t, 3>> triangles = mesh.triangles;
    for (auto& triangle : triangles)
        for (std::uint32_t& vertex : triangle)
            vertex = mesh.points[vertex];
    return triangles;
}

// Every edge has two triangles that run along it in opposite directions, and around every point they form one ring.
inline void expectClosedManifold(const SurfaceMesh& mesh) {
    const auto triangles = pointTriangles(mesh);
    const EdgeReport report = reportEdges(triangles);
    EXPECT_EQ(report.open, 0u);
    EXPECT_EQ(report.inverted, 0u);
    EXPECT_EQ(report.nonManifold, 0u);
    std::vector<std::vector<std::array<std::uint32_t, 2>>> links(mesh.pointCount);  // per point: the edges opposite to it
    for (const auto& t : triangles)
        for (int i = 0; i < 3; ++i)
            links[t[i]].push_back({t[(i + 1) % 3], t[(i + 2) % 3]});
    for (const auto& link : links) {
        ASSERT_FALSE(link.empty());
        std::size_t steps = 0;
        std::uint32_t at = link[0][0];
        do {
            const auto next = std::find_if(link.begin(), link.end(), [&](const auto& edge) { return edge[0] == at; });
            ASSERT_NE(next, link.end());
            at = (*next)[1];
            ++steps;
        } while (at != link[0][0] && steps <= link.size());
        EXPECT_EQ(steps, link.size());
    }
}

inline int eulerCharacteristic(const SurfaceMesh& mesh) {
    return int(mesh.pointCount) - int(mesh.triangles.size()) * 3 / 2 + int(mesh.triangles.size());
}

}  // namespace sunder::geometry::testing
