// The edges of triangles, each with all triangles that have it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace sunder::geometry {

struct EdgeUse {
    std::uint32_t low = 0, high = 0;  // points, low <= high
    std::uint32_t triangle = 0, side = 0;
    bool isForward = false;  // runs from low to high
};

// Calls visit(std::span<EdgeUse>) for every edge, by ascending points. Uses are put to their lower point first, so that only
// those of one point are sorted: a large mesh takes time in proportion to its triangles.
template <class Triangles, class Visit>
void forEachEdge(std::size_t points, const Triangles& triangles, Visit&& visit) {
    std::vector<std::uint32_t> first(points + 1, 0);
    const auto forEachSide = [&](auto&& take) {
        for (std::uint32_t t = 0; t < triangles.size(); ++t)
            for (std::uint32_t i = 0; i < 3; ++i) {
                const std::uint32_t a = triangles[t][i], b = triangles[t][(i + 1) % 3];
                take(EdgeUse{std::min(a, b), std::max(a, b), t, i, a < b});
            }
    };
    forEachSide([&](const EdgeUse& use) { ++first[use.low + 1]; });
    for (std::size_t i = 1; i < first.size(); ++i)
        first[i] += first[i - 1];
    std::vector<EdgeUse> uses(first.back());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    forEachSide([&](const EdgeUse& use) { uses[next[use.low]++] = use; });
    const auto key = [](const EdgeUse& use) { return std::tie(use.high, use.triangle, use.side); };
    for (std::size_t point = 0; point < points; ++point) {
        const std::span<EdgeUse> here(uses.data() + first[point], uses.data() + first[point + 1]);
        std::sort(here.begin(), here.end(), [&](const EdgeUse& a, const EdgeUse& b) { return key(a) < key(b); });
        for (std::size_t i = 0, end = 0; i < here.size(); i = end) {
            for (end = i; end < here.size() && here[end].high == here[i].high;)
                ++end;
            visit(here.subspan(i, end - i));
        }
    }
}

}  // namespace sunder::geometry
