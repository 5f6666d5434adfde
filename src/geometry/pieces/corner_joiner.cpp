#include "geometry/pieces/corner_joiner.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sunder::geometry {

std::size_t CornerJoiner::run() {
    std::size_t bad = 0;
    forEachEdge(nodes_.size(), triangles_, [&](std::span<const EdgeUse> uses) { bad += joinEdge(uses); });
    return bad;
}

void CornerJoiner::join(const EdgeUse& a, const EdgeUse& b) {
    points_.join(3 * a.triangle + a.side, 3 * b.triangle + (b.side + 1) % 3);
    points_.join(3 * a.triangle + (a.side + 1) % 3, 3 * b.triangle + b.side);
}

std::size_t CornerJoiner::joinEdge(std::span<const EdgeUse> uses) {
    const auto forward = std::count_if(uses.begin(), uses.end(), [](const EdgeUse& use) { return use.isForward; });
    if (2 * std::size_t(forward) != uses.size())
        return 1;
    if (uses.size() == 2)
        join(uses[0], uses[1]);
    else
        joinAround(uses);
    return 0;
}

// Where more than two triangles meet in an edge, two that have the solid between them are joined.
void CornerJoiner::joinAround(std::span<const EdgeUse> uses) {
    const Vec3d &low = position(uses[0].low), axis = normalizeOr(position(uses[0].high) - low, {1, 0, 0});
    const Vec3d u = anyPerpendicular(axis), v = cross(axis, u);
    std::vector<std::pair<double, EdgeUse>> turns;  // grows with the angle about the edge
    for (const EdgeUse& use : uses) {
        const Vec3d away = position(triangles_[use.triangle][(use.side + 2) % 3]) - low;
        const double x = dot(away, u), y = dot(away, v), sum = std::fabs(x) + std::fabs(y), share = sum > 0 ? y / sum : 0;
        turns.push_back({x < 0 ? 2 - share : (y < 0 ? 4 + share : share), use});
    }
    std::sort(turns.begin(), turns.end(), [](const auto& a, const auto& b) {
        return std::tie(a.first, a.second.triangle) < std::tie(b.first, b.second.triangle);
    });
    // The solid is on the side of a forward triangle to which the angle falls.
    std::vector<std::uint8_t> isJoined(turns.size());
    for (std::size_t i = 0; i < turns.size(); ++i) {
        if (!turns[i].second.isForward)
            continue;
        for (std::size_t k = 1; k < turns.size(); ++k) {
            const std::size_t other = (i + turns.size() - k) % turns.size();
            if (turns[other].second.isForward || isJoined[other])
                continue;
            isJoined[other] = 1;
            join(turns[i].second, turns[other].second);
            break;
        }
    }
}

}  // namespace sunder::geometry
