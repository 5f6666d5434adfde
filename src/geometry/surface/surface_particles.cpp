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
constexpr int kMostDigitBits = 10;                              // bits per digit: three passes over 30 bits

// Spreads the ten bits of x to every third bit.
constexpr std::uint32_t spread(std::uint32_t x) {
    x = (x | x << 16) & 0x030000ff;
    x = (x | x << 8) & 0x0300f00f;
    x = (x | x << 4) & 0x030c30c3;
    x = (x | x << 2) & 0x09249249;
    return x;
}

// As a table: used once per particle.
constexpr std::array<std::uint32_t, 1u << kBitsPerAxis> kSpread = [] {
    std::array<std::uint32_t, 1u << kBitsPerAxis> table{};
    for (std::uint32_t x = 0; x < table.size(); ++x)
        table[x] = spread(x);
    return table;
}();

// Divides by a constant by one multiplication: exact below 2^31.
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

// Stable, so that equal codes keep their order. Sorts only by digits that differ.
void radixSort(std::vector<Keyed>& keys) {
    thread_local std::vector<Keyed> other;  // kept to reuse its memory
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

// Chooses which particles stay when they are thinned, of all or of some (Number: index of the i-th).
template <class Number>
class Thinning {
public:
    Thinning(const SurfaceParticles& particles, std::uint32_t count, const Number& number, const ThinningLevel& level,
             const Vec3& center, std::span<const std::uint8_t> isKept)
        : particles_(particles),
          count_(count),
          number_(number),
          shift_(shiftOf(level.faces)),
          edgeShift_(shiftOf(std::min(level.faces, level.edges))),
          center_(center),
          isKept_(isKept) {}

    std::vector<std::uint32_t> run() {
        chosen_.reserve((count_ >> std::min(2 * shift_ / 3, 30)) + 8);  // a surface: a quarter per level
        for (std::uint32_t first = 0, end; first < count_; first = end) {
            bool isSmooth = true;
            end = endOfBlock(first, shift_, isSmooth);
            if (isSmooth || !chooseEdges(first, end))
                chosen_.push_back(number_(bestOf(first, end)));
        }
        return std::move(chosen_);
    }

private:
    static int shiftOf(int level) { return std::min(3 * level, 3 * kBitsPerAxis); }
    std::uint32_t codeOf(std::uint32_t i) const { return particles_.cells[number_(i)]; }
    SurfaceFeature featureOf(std::uint32_t i) const { return particles_.features[number_(i)]; }
    bool isKept(std::uint32_t i) const { return !isKept_.empty() && isKept_[number_(i)] != 0; }

    // isSmooth: whether none of the block is on an edge or kept.
    std::uint32_t endOfBlock(std::uint32_t first, int shift, bool& isSmooth) const {
        const std::uint32_t block = codeOf(first) >> shift;
        std::uint32_t next = first;
        unsigned edges = 0;
        for (; next < count_ && codeOf(next) >> shift == block; ++next)
            edges |= unsigned(featureOf(next)) | unsigned(isKept(next));
        isSmooth = edges == unsigned(SurfaceFeature::Smooth);
        return next;
    }

    // Corners first, then edges, then the particle farthest out.
    std::uint32_t bestOf(std::uint32_t first, std::uint32_t end) const {
        std::uint32_t best = first;
        Real bestDistance = -1;
        for (std::uint32_t i = first; i < end; ++i) {
            const Real distance = lengthSquared(particles_.positions[number_(i)] - center_);
            const SurfaceFeature feature = featureOf(i), bestFeature = featureOf(best);
            if (feature != bestFeature ? feature > bestFeature : distance > bestDistance) {
                best = i;
                bestDistance = distance;
            }
        }
        return best;
    }

    // Returns whether there are any.
    bool chooseEdges(std::uint32_t first, std::uint32_t end) {
        const std::size_t before = chosen_.size();
        for (std::uint32_t part = first, partEnd; part < end; part = partEnd) {
            bool isSmooth = true;
            partEnd = endOfBlock(part, edgeShift_, isSmooth);
            if (isSmooth)
                continue;
            const std::size_t beforePart = chosen_.size();
            for (std::uint32_t i = part; i < partEnd; ++i)
                if (isKept(i))
                    chosen_.push_back(number_(i));
            if (chosen_.size() == beforePart)
                chosen_.push_back(number_(bestOf(part, partEnd)));
        }
        return chosen_.size() > before;
    }

    const SurfaceParticles& particles_;
    std::uint32_t count_;
    Number number_;
    int shift_, edgeShift_;
    Vec3 center_;
    std::span<const std::uint8_t> isKept_;
    std::vector<std::uint32_t> chosen_;
};

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
    // Branch-free: which vertices begin another row is as good as random.
    thread_local std::vector<Keyed> keys;  // kept to reuse its memory
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

std::vector<std::uint32_t> chooseFew(const SurfaceParticles& particles, const ThinningLevel& level, const Vec3& center,
                                     std::span<const std::uint8_t> isKept) {
    const auto itself = [](std::uint32_t i) { return i; };
    return Thinning(particles, std::uint32_t(particles.size()), itself, level, center, isKept).run();
}

std::vector<std::uint32_t> chooseFewer(const SurfaceParticles& particles, std::span<const std::uint32_t> few,
                                       const ThinningLevel& level, const Vec3& center, std::span<const std::uint8_t> isKept) {
    const auto chosen = [few](std::uint32_t i) { return few[i]; };
    return Thinning(particles, std::uint32_t(few.size()), chosen, level, center, isKept).run();
}

SurfaceParticles onlyThese(const SurfaceParticles& particles, std::span<const std::uint32_t> few) {
    SurfaceParticles result;
    const auto copy = [&](const auto& from, auto& to) {
        const Generated items(few.size(), [&](std::size_t i) { return from[few[i]]; });
        to.assign(items.begin(), items.end());
    };
    copy(particles.positions, result.positions);
    copy(particles.normals, result.normals);
    copy(particles.features, result.features);
    copy(particles.cells, result.cells);
    buildClusters(result);
    return result;
}

SurfaceParticles thinned(const SurfaceParticles& particles, int level, const Vec3& center) {
    return onlyThese(particles, chooseFew(particles, {level, level}, center));
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
