#include "geometry/surface/surface_particles.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

#include "core/generated.h"
#include "geometry/quickhull.h"

namespace sunder::geometry {
namespace {

constexpr int kBitsPerAxis = 10;
[[maybe_unused]] constexpr int kMostCells = 1 << kBitsPerAxis;  // for the assertion
constexpr int kMostDigitBits = 10;                              // three passes over 30 bits

// The ten bits of x, two apart.
constexpr std::uint32_t spread(std::uint32_t x) {
    x = (x | x << 16) & 0x030000ff;
    x = (x | x << 8) & 0x0300f00f;
    x = (x | x << 4) & 0x030c30c3;
    x = (x | x << 2) & 0x09249249;
    return x;
}

// By table: for every particle once.
constexpr std::array<std::uint32_t, 1u << kBitsPerAxis> kSpread = [] {
    std::array<std::uint32_t, 1u << kBitsPerAxis> table{};
    for (std::uint32_t x = 0; x < table.size(); ++x)
        table[x] = spread(x);
    return table;
}();

// Divides by a number that stays the same, by one multiplication: exact below 2^31.
class Divisor {
public:
    explicit Divisor(std::uint32_t divisor)
        : shift_(31 + std::bit_width(divisor - 1)), factor_(((std::uint64_t(1) << shift_) + divisor - 1) / divisor) {}
    std::uint32_t quotient(std::uint32_t number) const { return std::uint32_t(number * factor_ >> shift_); }

private:
    int shift_;
    std::uint64_t factor_;
};

struct Keyed {
    std::uint32_t code, item;
};

// Stable, so that equal codes keep the order of the items. Of the digits only as many as differ.
void radixSort(std::vector<Keyed>& keys) {
    thread_local std::vector<Keyed> other;  // for its memory
    other.resize(keys.size());
    std::uint32_t different = 0;
    for (const Keyed& key : keys)
        different |= key.code ^ keys[0].code;
    const int bits = std::bit_width(different), passes = (bits + kMostDigitBits - 1) / kMostDigitBits;
    const int digitBits = passes > 0 ? (bits + passes - 1) / passes : 0;
    std::array<std::uint32_t, (1u << kMostDigitBits) + 1> start;
    for (int pass = 0; pass < passes; ++pass) {
        const int shift = pass * digitBits;
        const std::uint32_t mask = (1u << digitBits) - 1;
        std::fill_n(start.begin(), mask + 2, 0u);
        for (const Keyed& key : keys)
            ++start[(key.code >> shift & mask) + 1];
        for (std::uint32_t digit = 0; digit < mask; ++digit)
            start[digit + 1] += start[digit];
        for (const Keyed& key : keys)
            other[start[key.code >> shift & mask]++] = key;
        keys.swap(other);
    }
}

// Spheres about the middle of the particles' bounds: within 15 % of the smallest, and cheap.
void buildClusters(SurfaceParticles& particles) {
    const std::uint32_t count = std::uint32_t(particles.positions.size()), size = SurfaceParticles::kClusterSize;
    particles.clusters.reserve((count + size - 1) / size);
    for (std::uint32_t first = 0; first < count; first += size) {
        SurfaceParticles::Cluster cluster{{}, 0, first, std::min(size, count - first)};
        Bounds bounds;
        for (std::uint32_t i = first; i < first + cluster.count; ++i)
            bounds = unite(bounds, particles.positions[i]);
        cluster.center = center(bounds);
        Real squared = 0;
        for (std::uint32_t i = first; i < first + cluster.count; ++i)
            squared = max(squared, lengthSquared(particles.positions[i] - cluster.center));
        cluster.radius = std::sqrt(squared) * (1 + 4 * kEpsilon);  // rounded up
        particles.clusters.push_back(cluster);
    }
}

void reserve(SurfaceParticles& particles, std::size_t count) {
    particles.positions.reserve(count);
    particles.normals.reserve(count);
    particles.features.reserve(count);
    particles.cells.reserve(count);
}

// Corners first, then edges, then whatever is farthest out.
bool isBetter(SurfaceFeature feature, Real distance, SurfaceFeature bestFeature, Real bestDistance) {
    return feature != bestFeature ? feature > bestFeature : distance > bestDistance;
}

}  // namespace

std::size_t SurfaceParticles::memory() const {
    return sizeof(*this) + positions.capacity() * sizeof(Vec3) + normals.capacity() * sizeof(Vec3) +
           features.capacity() * sizeof(SurfaceFeature) + cells.capacity() * sizeof(std::uint32_t) +
           clusters.capacity() * sizeof(Cluster);
}

Int3 cellOfCode(std::uint32_t code) {
    const auto gather = [](std::uint32_t x) {
        x &= 0x09249249;
        x = (x | x >> 2) & 0x030c30c3;
        x = (x | x >> 4) & 0x0300f00f;
        x = (x | x >> 8) & 0x030000ff;
        return int((x | x >> 16) & 0x3ff);
    };
    return {gather(code), gather(code >> 1), gather(code >> 2)};
}

SurfaceParticles makeParticles(const Grid& grid, std::span<const SurfaceVertex> vertices) {
    assert(std::max({grid.nodes.x, grid.nodes.y, grid.nodes.z}) <= kMostCells);
    SurfaceParticles result;
    if (vertices.empty())
        return result;
    const std::uint32_t row = std::uint32_t(grid.nodes.x), slice = row * std::uint32_t(grid.nodes.y);
    // Which of them begin another row is as good as random, and so no branch asks for it.
    thread_local std::vector<Keyed> keys;  // for its memory
    keys.resize(vertices.size());
    const Divisor byRow(row), bySlice(slice);
    for (std::uint32_t i = 0; i < vertices.size(); ++i) {
        const std::uint32_t cell = vertices[i].cell, z = bySlice.quotient(cell), inSlice = cell - z * slice;
        const std::uint32_t y = byRow.quotient(inSlice);
        keys[i] = {kSpread[inSlice - y * row] | kSpread[y] << 1 | kSpread[z] << 2, i};
    }
    radixSort(keys);
    const Generated positions(keys.size(), [&](std::size_t i) -> const Vec3& { return vertices[keys[i].item].position; });
    const Generated normals(keys.size(), [&](std::size_t i) -> const Vec3& { return vertices[keys[i].item].normal; });
    const Generated features(keys.size(), [&](std::size_t i) { return vertices[keys[i].item].feature; });
    const Generated cells(keys.size(), [&](std::size_t i) { return keys[i].code; });
    result.positions.assign(positions.begin(), positions.end());
    result.normals.assign(normals.begin(), normals.end());
    result.features.assign(features.begin(), features.end());
    result.cells.assign(cells.begin(), cells.end());
    buildClusters(result);
    return result;
}

SurfaceParticles thinned(const SurfaceParticles& particles, int level, const Vec3& center, int edgeLevel,
                         std::span<const std::uint8_t> isKept) {
    SurfaceParticles result;
    const std::uint32_t count = std::uint32_t(particles.size());
    const auto shiftOf = [](int blockLevel) { return std::min(3 * blockLevel, 3 * kBitsPerAxis); };
    const int shift = shiftOf(level), edgeShift = shiftOf(std::min(level, edgeLevel));
    reserve(result, (count >> std::min(2 * level, 30)) + 8);  // a surface: a quarter per level
    const auto endOfBlock = [&](std::uint32_t first, int blockShift) {
        std::uint32_t next = first;
        while (next < count && particles.cells[next] >> blockShift == particles.cells[first] >> blockShift)
            ++next;
        return next;
    };
    const auto bestOf = [&](std::uint32_t first, std::uint32_t end) {
        std::uint32_t best = first;
        Real bestDistance = -1;
        for (std::uint32_t i = first; i < end; ++i) {
            const Real distance = lengthSquared(particles.positions[i] - center);
            if (isBetter(particles.features[i], distance, particles.features[best], bestDistance)) {
                best = i;
                bestDistance = distance;
            }
        }
        return best;
    };
    const auto keep = [&](std::uint32_t i) {
        result.positions.push_back(particles.positions[i]);
        result.normals.push_back(particles.normals[i]);
        result.features.push_back(particles.features[i]);
        result.cells.push_back(particles.cells[i]);
    };
    for (std::uint32_t first = 0, end; first < count; first = end) {
        end = endOfBlock(first, shift);
        bool hasEdge = false;
        for (std::uint32_t part = first, partEnd; part < end; part = partEnd) {
            partEnd = endOfBlock(part, edgeShift);
            bool hasKept = false;
            for (std::uint32_t i = part; !isKept.empty() && i < partEnd; ++i)
                if (isKept[i]) {
                    keep(i);
                    hasKept = true;
                }
            hasEdge = hasEdge || hasKept;
            if (hasKept)
                continue;
            if (const std::uint32_t best = bestOf(part, partEnd); particles.features[best] != SurfaceFeature::Smooth) {
                keep(best);
                hasEdge = true;
            }
        }
        if (!hasEdge)
            keep(bestOf(first, end));
    }
    buildClusters(result);
    return result;
}

std::vector<std::uint8_t> markExtremes(const SurfaceParticles& particles, Real tolerance) {
    std::vector<std::uint8_t> marks(particles.size());
    Bounds bounds;
    for (const Vec3& position : particles.positions)
        bounds = unite(bounds, position);
    const Vec3 extent = bounds.high - bounds.low;
    const Real size = max(extent.x, max(extent.y, extent.z));
    if (!(size > 0) || particles.size() < 4)
        return marks;
    const double scale = double(kGridSize - 1) / double(size);
    std::vector<GridPoint> points;
    points.reserve(particles.size());
    const auto coordinate = [&](Real x, Real low) { return std::int64_t((double(x) - double(low)) * scale); };
    for (const Vec3& p : particles.positions)
        points.push_back({coordinate(p.x, bounds.low.x), coordinate(p.y, bounds.low.y), coordinate(p.z, bounds.low.z)});
    const double allowed = double(tolerance) * scale;
    const auto simplex = findSimplex(points, allowed);
    if (!simplex)
        return marks;
    for (const std::uint32_t vertex : quickExtremes(points, *simplex, allowed))
        marks[vertex] = 1;
    return marks;
}

SurfaceParticles particlesAt(const Grid& grid, std::span<const Vec3> positions, std::span<const Vec3> normals) {
    assert(positions.size() == normals.size());
    const Real inverse = 1 / grid.cell;
    const auto cellAlong = [&](Real offset, int nodes) {
        const int cells = std::max(nodes - 1, 1);
        return int(clamp(offset * inverse, 0, Real(cells - 1)));
    };
    std::vector<SurfaceVertex> vertices(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Vec3 offset = positions[i] - grid.origin;
        const std::size_t cell =
            grid.index(cellAlong(offset.x, grid.nodes.x), cellAlong(offset.y, grid.nodes.y), cellAlong(offset.z, grid.nodes.z));
        vertices[i] = {positions[i], normals[i], std::uint32_t(cell), 0, 0, SurfaceFeature::Smooth};
    }
    return makeParticles(grid, vertices);
}

}  // namespace sunder::geometry
