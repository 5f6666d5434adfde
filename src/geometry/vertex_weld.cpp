// Welding by a hash grid. The cells are much larger than the tolerance, so that a vertex seldom has to look into more than one.
#include "geometry/vertex_weld.h"

#include <algorithm>

#include "math/bounds.h"

namespace sunder::geometry {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;
constexpr Real kCellPerTolerance = 64;
constexpr Real kMostCells = 1 << 20;  // per axis, so that cell numbers fit 21 bits

class HashGrid {
public:
    HashGrid(const Bounds& bounds, Real tolerance, std::size_t count) : low_(bounds.low), next_(count, kNone) {
        const Vec3 extent = bounds.high - bounds.low;
        const Real size = max(extent.x, max(extent.y, extent.z));
        const Real cell = max(kCellPerTolerance * tolerance, size / kMostCells);
        scale_ = cell > 0 ? 1 / cell : 0;
        std::size_t buckets = 16;
        while (buckets < count)
            buckets *= 2;
        heads_.assign(buckets, kNone);
    }

    void add(const Vec3& p, std::uint32_t vertex) {
        std::uint32_t& head = heads_[bucket(number(p.x, low_.x), number(p.y, low_.y), number(p.z, low_.z))];
        next_[vertex] = head;
        head = vertex;
    }

    // The lowest vertex so far within the tolerance of p, or kNone.
    std::uint32_t find(std::span<const Vec3> vertices, const Vec3& p, Real tolerance) const {
        std::uint32_t best = kNone;
        const Vec3 reach{tolerance, tolerance, tolerance};
        const Vec3 from = p - reach, to = p + reach;
        for (std::int64_t x = number(from.x, low_.x); x <= number(to.x, low_.x); ++x)
            for (std::int64_t y = number(from.y, low_.y); y <= number(to.y, low_.y); ++y)
                for (std::int64_t z = number(from.z, low_.z); z <= number(to.z, low_.z); ++z)
                    for (std::uint32_t other = heads_[bucket(x, y, z)]; other != kNone; other = next_[other])
                        if (lengthSquared(vertices[other] - p) <= tolerance * tolerance)
                            best = std::min(best, other);
        return best;
    }

private:
    std::int64_t number(Real x, Real low) const { return std::int64_t(std::floor((x - low) * scale_)); }
    std::size_t bucket(std::int64_t x, std::int64_t y, std::int64_t z) const {
        std::uint64_t h = std::uint64_t(x) * 0x9e3779b97f4a7c15u ^ std::uint64_t(y) * 0xc2b2ae3d27d4eb4fu ^
                          std::uint64_t(z) * 0x165667b19e3779f9u;
        h ^= h >> 29;
        return std::size_t((h * 0xd6e8feb86659fd93u) >> 32) & (heads_.size() - 1);
    }

    Vec3 low_;
    Real scale_ = 0;
    std::vector<std::uint32_t> heads_;
    std::vector<std::uint32_t> next_;
};

}  // namespace

std::vector<std::uint32_t> weldVertices(std::span<const Vec3> vertices, Real tolerance) {
    Bounds bounds;
    for (const Vec3& p : vertices)
        if (isFinite(p))
            bounds = unite(bounds, p);
    HashGrid grid(bounds, tolerance, vertices.size());
    std::vector<std::uint32_t> representative(vertices.size());
    for (std::uint32_t vertex = 0; vertex < vertices.size(); ++vertex) {
        representative[vertex] = vertex;
        if (!isFinite(vertices[vertex]))
            continue;
        const std::uint32_t found = grid.find(vertices, vertices[vertex], tolerance);
        if (found == kNone)
            grid.add(vertices[vertex], vertex);
        else
            representative[vertex] = found;
    }
    return representative;
}

}  // namespace sunder::geometry
