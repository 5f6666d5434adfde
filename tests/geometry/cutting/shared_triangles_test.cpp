// Pieces stay closed whatever nodes are joined: what comes to lie upon each other becomes one, or nothing.
#include "geometry/pieces/shared_triangles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace sunder::geometry {
namespace {

constexpr std::uint32_t kOutside = SharedTriangle::kOutside;

// Two tetrahedra 0 1 2 3 (piece 0) and 0 2 1 4 (piece 1) with the face 0 1 2 between them; 3 is above it.
std::vector<SharedTriangle> twoPieces() {
    std::vector<SharedTriangle> all{{{0, 1, 2}, 1, 0, 0, {0, 0, 1}}};  // in front of it is piece 0
    for (const auto& [a, b] : {std::pair(0u, 1u), std::pair(1u, 2u), std::pair(2u, 0u)}) {
        all.push_back({{a, b, 3}, 0, kOutside, a, {}});
        all.push_back({{b, a, 4}, 1, kOutside, 10 + a, {}});
    }
    return all;
}

// Uses of directed edges of a piece that have no use the other way.
int openEdges(const SharedTriangles& triangles, std::uint32_t piece) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> balance;
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        if (!triangles.isThere(t) || (triangles[t].back != piece && triangles[t].front != piece))
            continue;
        const auto nodes = (triangles[t].back == piece ? triangles[t] : triangles[t].reversed()).nodes;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = nodes[i], b = nodes[(i + 1) % 3];
            balance[std::minmax(a, b)] += a < b ? 1 : -1;
        }
    }
    int open = 0;
    for (const auto& [edge, count] : balance)
        open += count != 0;
    return open;
}

SharedTriangles::Change joinOf(const SharedTriangles& triangles, std::uint32_t from, std::uint32_t to) {
    SharedTriangles::Change change;
    for (const std::uint32_t t : triangles.at(from)) {
        change.removed.push_back(t);
        SharedTriangle moved = triangles[t];
        if (moved.has(to))
            continue;
        std::replace(moved.nodes.begin(), moved.nodes.end(), from, to);
        change.added.push_back(moved);
    }
    return change;
}

TEST(SharedTriangles, APieceDoesNotVanish) {
    const SharedTriangles triangles(twoPieces(), 5, 2);
    EXPECT_EQ(openEdges(triangles, 0), 0);
    EXPECT_EQ(openEdges(triangles, 1), 0);
    EXPECT_FALSE(triangles.settle(joinOf(triangles, 3, 0)));  // of piece 0 nothing would be left
}

// Piece 0 has a flat part over the triangle 1 2 3 of its own surface, up to a node 5 that is joined to 1: the surface closes.
TEST(SharedTriangles, WhatHasNoVolumeGoes) {
    std::vector<SharedTriangle> all = twoPieces();
    std::erase_if(all, [](const SharedTriangle& t) { return t.nodes == std::array<std::uint32_t, 3>{1, 2, 3}; });
    for (const auto& [a, b] : {std::pair(1u, 2u), std::pair(2u, 3u), std::pair(3u, 1u)})
        all.push_back({{a, b, 5}, 0, kOutside, 20, {}});
    SharedTriangles triangles(all, 6, 2);
    ASSERT_EQ(openEdges(triangles, 0), 0);
    const auto change = triangles.settle(joinOf(triangles, 5, 1));
    ASSERT_TRUE(change);
    triangles.apply(*change);
    EXPECT_EQ(openEdges(triangles, 0), 0);
    EXPECT_EQ(triangles.at(5).size(), 0u);
    EXPECT_EQ(triangles.at(3).size(), 3u);
}

// A third piece 2 between the two: joined away, its neighbours share one face, and the labels say so.
TEST(SharedTriangles, NeighboursOfAFlatPieceMeet) {
    std::vector<SharedTriangle> all = twoPieces();
    all[0].front = 2;
    for (const auto& [a, b] : {std::pair(0u, 1u), std::pair(1u, 2u), std::pair(2u, 0u)})
        all.push_back({{a, b, 5}, 2, 0, 30 + a, {}});
    // Four more of piece 2 elsewhere, so that it does not vanish.
    for (const auto& nodes : {std::array{6u, 8u, 7u}, std::array{6u, 7u, 9u}, std::array{7u, 8u, 9u}, std::array{8u, 6u, 9u}})
        all.push_back({nodes, 2, kOutside, 40, {}});
    SharedTriangles triangles(all, 10, 3);
    ASSERT_EQ(openEdges(triangles, 2), 0);
    const auto change = triangles.settle(joinOf(triangles, 5, 0));
    ASSERT_TRUE(change);
    triangles.apply(*change);
    for (std::uint32_t piece = 0; piece < 3; ++piece)
        EXPECT_EQ(openEdges(triangles, piece), 0) << piece;
    const std::vector<std::uint32_t> between = triangles.atEdge(0, 1);
    int faces = 0;
    for (const std::uint32_t t : between)
        faces += triangles[t].isCrack() && triangles[t].back + triangles[t].front == 1;
    EXPECT_EQ(faces, 1);
}

}  // namespace
}  // namespace sunder::geometry
