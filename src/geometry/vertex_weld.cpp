// Welding by a hash grid. Cells are a few tolerances wide, so that few vertices share one however unevenly they lie: one vertex
// far away must not put all the others into a single cell.
#include "geometry/vertex_weld.h"

#include <algorithm>
#include <cstring>

#include "core/none.h"

namespace sunder::geometry {
namespace {

constexpr double kCellPerTolerance = 4;
constexpr double kSmallestCell = 0x1p-40;  // m: finer than coordinates of any use

class HashGrid {
public:
    HashGrid(Real tolerance, std::size_t count) : next_(count, kNone) {
        scale_ = 1 / std::max(kCellPerTolerance * double(tolerance), kSmallestCell);
        std::size_t buckets = 16;
        while (buckets < count)
            buckets *= 2;
        heads_.assign(buckets, kNone);
    }

    void add(const Vec3& p, std::uint32_t vertex) {
        std::uint32_t& head = heads_[bucket(cell(p.x), cell(p.y), cell(p.z))];
        next_[vertex] = head;
        head = vertex;
    }

    // The lowest vertex so far within the tolerance of p, or kNone.
    std::uint32_t find(std::span<const Vec3> vertices, const Vec3& p, Real tolerance) const {
        std::uint32_t best = kNone;
        const Vec3 reach{tolerance, tolerance, tolerance};
        const Vec3 from = p - reach, to = p + reach;
        forCells(from.x, to.x, [&](double x) {
            forCells(from.y, to.y, [&](double y) {
                forCells(from.z, to.z, [&](double z) {
                    for (std::uint32_t other = heads_[bucket(x, y, z)]; other != kNone; other = next_[other])
                        if (lengthSquared(vertices[other] - p) <= tolerance * tolerance)
                            best = std::min(best, other);
                });
            });
        });
        return best;
    }

private:
    // An integer; adding 0 maps -0 and 0 to one cell.
    double cell(Real x) const { return std::floor(double(x) * scale_) + 0.0; }

    // Also ends where the numbers are so large that adding 1 changes nothing: both ends are then one cell.
    template <class Visitor>
    void forCells(Real from, Real to, Visitor&& visit) const {
        const double last = cell(to);
        for (double c = cell(from);; c += 1) {
            visit(c);
            if (!(c < last))
                return;
        }
    }

    std::size_t bucket(double x, double y, double z) const {
        std::uint64_t h = bitsOf(x) * 0x9e3779b97f4a7c15u ^ bitsOf(y) * 0xc2b2ae3d27d4eb4fu ^ bitsOf(z) * 0x165667b19e3779f9u;
        h ^= h >> 29;
        return std::size_t((h * 0xd6e8feb86659fd93u) >> 32) & (heads_.size() - 1);
    }

    static std::uint64_t bitsOf(double x) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &x, sizeof bits);
        return bits;
    }

    double scale_ = 0;
    std::vector<std::uint32_t> heads_;
    std::vector<std::uint32_t> next_;
};

}  // namespace

std::vector<std::uint32_t> weldVertices(std::span<const Vec3> vertices, Real tolerance) {
    HashGrid grid(tolerance, vertices.size());
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
