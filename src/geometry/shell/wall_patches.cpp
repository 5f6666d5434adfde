#include "geometry/shell/wall_patches.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/shell/plane_outline.h"

namespace sunder::geometry {

namespace {

using Patch = std::vector<std::uint32_t>;

constexpr std::uint32_t kNoTriangle = 0xffffffffu;
// Larger walls gain little, and are looked at again and again while they grow.
constexpr std::size_t kMostTriangles = 128;
// Contacts look at all sides of a wall.
constexpr std::size_t kMostCorners = 14;
// Share of the thickness within which triangles count as lying in one plane, rounding aside. Such triangles are joined first,
// so that a flat part is not divided by the walls of a bent one beside it.
constexpr double kFlatSag = 1e-3;
constexpr int kMostPasses = 4;

struct WallEdge {
    std::uint32_t from, to;  // vertices, the lower first
    std::uint32_t triangle, side;
};

class Patches {
public:
    explicit Patches(const Shell& shell)
        : shell_(shell), neighbours_(shell.triangles.size()), patchOf_(shell.triangles.size()) {
        for (std::uint32_t t = 0; t < shell.triangles.size(); ++t) {
            neighbours_[t].fill(kNoTriangle);
            patchOf_[t] = t;
            patches_.push_back({t});
        }
        joinSides();
    }

    std::vector<Patch> find() {
        joinNeighbours(kFlatSag);
        joinFans();
        joinNeighbours(kWallSag);
        std::erase_if(patches_, [](const Patch& patch) { return patch.empty(); });
        for (Patch& patch : patches_)
            std::sort(patch.begin(), patch.end());
        std::sort(patches_.begin(), patches_.end());
        return std::move(patches_);
    }

private:
    // Edges of two triangles, the longest first: those that divide rectangles go before their sides.
    void joinSides() {
        std::vector<WallEdge> edges;
        for (std::uint32_t t = 0; t < shell_.triangles.size(); ++t)
            for (std::uint32_t side = 0; side < 3; ++side) {
                const std::uint32_t a = shell_.triangles[t][side], b = shell_.triangles[t][(side + 1) % 3];
                edges.push_back({std::min(a, b), std::max(a, b), t, side});
            }
        std::sort(edges.begin(), edges.end(), [](const WallEdge& a, const WallEdge& b) {
            return std::array{a.from, a.to, a.triangle} < std::array{b.from, b.to, b.triangle};
        });
        for (std::size_t i = 0, end = 0; i < edges.size(); i = end) {
            for (end = i; end < edges.size() && edges[end].from == edges[i].from && edges[end].to == edges[i].to;)
                ++end;
            if (end - i != 2)
                continue;
            neighbours_[edges[i].triangle][edges[i].side] = edges[i + 1].triangle;
            neighbours_[edges[i + 1].triangle][edges[i + 1].side] = edges[i].triangle;
            shared_.push_back(edges[i]);
        }
        std::vector<std::pair<double, std::uint32_t>> order;
        for (std::uint32_t i = 0; i < shared_.size(); ++i)
            order.push_back({-length(at(shared_[i].from) - at(shared_[i].to)), i});
        std::sort(order.begin(), order.end());
        std::vector<WallEdge> sorted;
        for (const auto& entry : order)
            sorted.push_back(shared_[entry.second]);
        shared_ = std::move(sorted);
    }

    void joinNeighbours(double sag) {
        bool any = true;
        for (int pass = 0; pass < kMostPasses && any; ++pass) {
            any = false;
            for (const WallEdge& edge : shared_) {
                const std::uint32_t a = patchOf_[edge.triangle], b = patchOf_[neighbours_[edge.triangle][edge.side]];
                if (a == b || patches_[a].size() + patches_[b].size() > kMostTriangles)
                    continue;
                joined_ = patches_[a];
                joined_.insert(joined_.end(), patches_[b].begin(), patches_[b].end());
                if (!isWall(joined_, sag))
                    continue;
                take(joined_);
                any = true;
            }
        }
    }

    // All triangles around a vertex, where none has joined another yet.
    void joinFans() {
        std::vector<std::vector<std::uint32_t>> around(shell_.vertices.size());
        for (std::uint32_t t = 0; t < shell_.triangles.size(); ++t)
            for (const std::uint32_t vertex : shell_.triangles[t])
                around[vertex].push_back(t);
        for (const Patch& fan : around) {
            const bool isAlone =
                std::all_of(fan.begin(), fan.end(), [&](std::uint32_t t) { return patches_[patchOf_[t]].size() == 1; });
            if (fan.size() > 2 && fan.size() < kMostCorners && isAlone && isWall(fan, kWallSag))
                take(fan);
        }
    }

    void take(const Patch& joined) {
        const std::uint32_t into = patchOf_[joined.front()];
        for (const std::uint32_t t : joined) {
            if (patchOf_[t] != into)
                patches_[patchOf_[t]].clear();
            patchOf_[t] = into;
        }
        patches_[into] = joined;
    }

    bool isWall(const Patch& triangles, double sag) {
        Vec3d sum;
        for (const std::uint32_t t : triangles) {
            const Vec3d normal = normalOf(t);
            sum += dot(sum, normal) < 0 ? -normal : normal;
        }
        const Vec3d normal = normalizeOr(sum, {0, 1, 0});
        const double thickness = double(shell_.thickness);
        double low = dot(at(shell_.triangles[triangles.front()][0]), normal), high = low;
        for (const std::uint32_t t : triangles)
            for (const std::uint32_t vertex : shell_.triangles[t]) {
                const double height = dot(at(vertex), normal);
                low = std::min(low, height);
                high = std::max(high, height);
            }
        return high - low <= sag * thickness && isConvex(triangles, PlaneFrame(normal), kWallOverhang * thickness);
    }

    // Whether every vertex of the border lies within the tolerance (m) of the hull's: so do notches, and there are no holes.
    bool isConvex(const Patch& triangles, const PlaneFrame& frame, double tolerance) {
        inside_.assign(triangles.begin(), triangles.end());
        std::sort(inside_.begin(), inside_.end());
        border_.clear();
        for (const std::uint32_t t : triangles)
            for (std::size_t side = 0; side < 3; ++side)
                if (!std::binary_search(inside_.begin(), inside_.end(), neighbours_[t][side])) {
                    border_.push_back(frame.at(at(shell_.triangles[t][side])));
                    border_.push_back(frame.at(at(shell_.triangles[t][(side + 1) % 3])));
                }
        const std::vector<PlanePoint> outline = convexOutline(border_, kOutlineTolerance * double(shell_.thickness));
        return outline.size() <= kMostCorners && std::all_of(border_.begin(), border_.end(), [&](const PlanePoint& p) {
                   return depthInside(outline, p) <= tolerance;
               });
    }

    Vec3d at(std::uint32_t vertex) const { return toDouble(shell_.vertices[vertex]); }
    Vec3d normalOf(std::uint32_t t) const {
        const auto& [a, b, c] = shell_.triangles[t];
        return cross(at(b) - at(a), at(c) - at(a));
    }

    const Shell& shell_;
    std::vector<std::array<std::uint32_t, 3>> neighbours_;  // across the sides
    std::vector<WallEdge> shared_;
    std::vector<std::uint32_t> patchOf_;
    std::vector<Patch> patches_;  // empty where it has joined another
    Patch joined_, inside_;
    std::vector<PlanePoint> border_;
};

}  // namespace

std::vector<Patch> wallPatches(const Shell& shell) { return Patches(shell).find(); }

}  // namespace sunder::geometry
