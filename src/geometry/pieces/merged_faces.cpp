#include "geometry/pieces/merged_faces.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sunder::geometry {
namespace {

// Share of the surface's size: a corner this close to the line between its neighbours is on it. Nodes are exact to 2^-25 of it.
constexpr double kOnLine = 2e-7;

struct DirectedEdge {
    std::uint32_t from, to;
};

// The edges of a group of polygons without those between two of them.
void cancelPairs(std::vector<DirectedEdge>& edges) {
    const auto key = [](const DirectedEdge& e) { return std::tuple(std::min(e.from, e.to), std::max(e.from, e.to), e.from); };
    std::sort(edges.begin(), edges.end(), [&](const DirectedEdge& a, const DirectedEdge& b) { return key(a) < key(b); });
    std::vector<DirectedEdge> left;
    for (std::size_t i = 0, end = 0; i < edges.size(); i = end) {
        int balance = 0;
        const std::uint32_t low = std::min(edges[i].from, edges[i].to), high = std::max(edges[i].from, edges[i].to);
        for (end = i; end < edges.size() && std::min(edges[end].from, edges[end].to) == low &&
                      std::max(edges[end].from, edges[end].to) == high;
             ++end)
            balance += edges[end].from == low ? 1 : -1;
        for (; balance > 0; --balance)
            left.push_back({low, high});
        for (; balance < 0; ++balance)
            left.push_back({high, low});
    }
    edges.swap(left);
}

// Follows the edges; where several leave a node, the one farthest to the left, so that loops that touch stay apart.
class LoopFinder {
public:
    LoopFinder(const std::vector<Vec3d>& nodes, const Vec3d& normal) : nodes_(nodes), view_(normal) {}

    void run(const std::vector<DirectedEdge>& edges, std::vector<std::vector<std::uint32_t>>& loops) {
        outgoing_.clear();
        for (std::uint32_t i = 0; i < edges.size(); ++i)
            outgoing_.push_back({edges[i].from, i});
        std::sort(outgoing_.begin(), outgoing_.end());
        isUsed_.assign(edges.size(), 0);
        for (std::uint32_t start = 0; start < edges.size(); ++start) {
            if (isUsed_[start])
                continue;
            std::vector<std::uint32_t>& loop = loops.emplace_back();
            for (std::uint32_t at = start; at != kNone && !isUsed_[at]; at = next(edges, at)) {
                isUsed_[at] = 1;
                loop.push_back(edges[at].from);
            }
        }
    }

private:
    static constexpr std::uint32_t kNone = 0xffffffffu;

    std::uint32_t next(const std::vector<DirectedEdge>& edges, std::uint32_t at) const {
        const auto [from, to] = edges[at];
        std::uint32_t best = kNone;
        double bestTurn = -10;
        for (auto it = std::lower_bound(outgoing_.begin(), outgoing_.end(), std::pair(to, 0u));
             it != outgoing_.end() && it->first == to; ++it) {
            if (isUsed_[it->second])
                continue;
            const double turn = turnBetween(nodes_[to] - nodes_[from], nodes_[edges[it->second].to] - nodes_[to]);
            if (turn > bestTurn) {
                bestTurn = turn;
                best = it->second;
            }
        }
        return best;
    }

    // Grows with the angle from the first direction to the second, -2 to 2.
    double turnBetween(const Vec3d& a, const Vec3d& b) const {
        const double x = view_.x(a) * view_.x(b) + view_.y(a) * view_.y(b),
                     y = view_.x(a) * view_.y(b) - view_.y(a) * view_.x(b);
        const double sum = std::fabs(x) + std::fabs(y), share = sum > 0 ? y / sum : 0;
        return x >= 0 ? share : (y >= 0 ? 2 - share : -2 - share);
    }

    const std::vector<Vec3d>& nodes_;
    FlatView view_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> outgoing_;  // node, edge
    std::vector<std::uint8_t> isUsed_;
};

// One polygon of the cut as a member of a group. The tuple's first part separates cracks from the old surface.
struct Member {
    std::uint32_t isCrack, source, back, front, fragment;
    auto group() const { return std::tie(isCrack, source, back, front); }
};

std::vector<Member> findMembers(const Fragments& fragments, const CellComplex& complex,
                                std::span<const std::uint32_t> pieceOfFragment) {
    std::vector<Member> members;
    for (std::uint32_t i = 0; i < fragments.all.size(); ++i) {
        const Fragment& fragment = fragments.all[i];
        if (isWhole(fragments, fragment))
            continue;
        if (!fragment.isFace)
            members.push_back({0, fragment.source, pieceOfFragment[i], MergedFace::kOutside, i});
        else if (!fragment.isFront && pieceOfFragment[i] != pieceOfFragment[i + 1])
            members.push_back({1, complex.faces[fragment.source].group, pieceOfFragment[i], pieceOfFragment[i + 1], i});
    }
    std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
        return std::tuple_cat(a.group(), std::tie(a.fragment)) < std::tuple_cat(b.group(), std::tie(b.fragment));
    });
    return members;
}

// Nodes at which a line goes straight on and nothing else begins; those of the surface itself are none.
std::vector<std::uint8_t> findStraight(const Fragments& fragments, const std::vector<std::vector<DirectedEdge>>& groups) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
    for (const std::vector<DirectedEdge>& edges : groups)
        for (const auto& [from, to] : edges)
            for (const auto& [node, other] : {std::pair(from, to), std::pair(to, from)})
                if (fragments.places[node].kind != NodePlace::Kind::Point)
                    ends.push_back({node, other});
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    for (const Vec3d& p : fragments.surface.points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const double tolerance = kOnLine * length(high - low);
    std::vector<std::uint8_t> isStraight(fragments.nodes.size());
    for (std::size_t i = 0, end = 0; i < ends.size(); i = end) {
        const std::uint32_t node = ends[i].first;
        for (end = i; end < ends.size() && ends[end].first == node;)
            ++end;
        if (end - i != 2)
            continue;
        const Vec3d a = fragments.nodes[ends[i].second] - fragments.nodes[node];
        const Vec3d b = fragments.nodes[ends[i + 1].second] - fragments.nodes[node];
        isStraight[node] = dot(a, b) <= 0 && length(cross(a, b)) <= tolerance * length(a - b);
    }
    return isStraight;
}

}  // namespace

Vec3d normalOf(const ClosedSurface& surface, std::uint32_t triangle) {
    const auto& [a, b, c] = surface.triangles[triangle];
    return normalizeOr(cross(surface.points[b] - surface.points[a], surface.points[c] - surface.points[a]), {0, 1, 0});
}

bool isWhole(const Fragments& fragments, const Fragment& fragment) {
    const Fragments::Corner* corners = fragments.cornersOf(fragment);
    return !fragment.isFace && fragment.cornerCount == 3 &&
           std::all_of(corners, corners + 3, [&](const Fragments::Corner& corner) {
               return fragments.places[corner.node].kind == NodePlace::Kind::Point;
           });
}

std::vector<MergedFace> mergeFaces(const Fragments& fragments, const CellComplex& complex,
                                   std::span<const std::uint32_t> pieceOfFragment) {
    const std::vector<Member> members = findMembers(fragments, complex, pieceOfFragment);
    std::vector<MergedFace> faces;
    std::vector<std::vector<DirectedEdge>> groups;
    for (std::size_t i = 0, end = 0; i < members.size(); i = end) {
        std::vector<DirectedEdge>& edges = groups.emplace_back();
        for (end = i; end < members.size() && members[end].group() == members[i].group(); ++end) {
            const Fragment& fragment = fragments.all[members[end].fragment];
            const Fragments::Corner* corners = fragments.cornersOf(fragment);
            for (std::uint32_t k = 0; k < fragment.cornerCount; ++k)
                edges.push_back({corners[k].node, corners[(k + 1) % fragment.cornerCount].node});
        }
        cancelPairs(edges);
        MergedFace& face = faces.emplace_back();
        face.back = members[i].back;
        face.front = members[i].front;
        face.triangle = members[i].source;
        face.normal = members[i].isCrack ? complex.faces[fragments.all[members[i].fragment].source].normal
                                         : normalOf(fragments.surface, members[i].source);
    }
    const std::vector<std::uint8_t> isStraight = findStraight(fragments, groups);
    for (std::size_t i = 0; i < faces.size(); ++i) {
        LoopFinder(fragments.nodes, faces[i].normal).run(groups[i], faces[i].loops);
        for (std::vector<std::uint32_t>& loop : faces[i].loops)
            std::erase_if(loop, [&](std::uint32_t node) { return isStraight[node] != 0; });
        std::erase_if(faces[i].loops, [](const std::vector<std::uint32_t>& loop) { return loop.size() < 3; });
    }
    return faces;
}

}  // namespace sunder::geometry
