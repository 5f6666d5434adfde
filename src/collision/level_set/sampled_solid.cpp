#include "collision/level_set/sampled_solid.h"

#include <algorithm>
#include <bit>

#include "geometry/cutting/mesh_surface.h"
#include "math/eight_integers.h"
#include "sunder/describe.h"

namespace sunder::collision {

geometry::SurfaceParticles contactParticles(const geometry::LevelSet16& field, const Vec3& center) {
    return fewEnough(geometry::makeParticles(field.grid, geometry::surfaceVertices(field)), center);
}

geometry::SurfaceParticles fewEnough(geometry::SurfaceParticles particles, const Vec3& center) {
    if (particles.size() <= kMostParticles)
        return particles;
    geometry::SurfaceParticles kept;
    int level = 1;
    do
        kept = geometry::thinned(particles, level++, center);
    while (kept.size() > kMostParticles);
    return kept;
}

namespace {

// Marks one smooth particle per 2^3 cells in blocks of 4^3 cells where the surface is curved: between particles that are far
// apart a curved face bulges.
void markCurved(const geometry::SurfaceParticles& particles, std::vector<std::uint8_t>& marks) {
    constexpr Real kFlat = Real(0.998);       // cosine: 3.6 degrees, as over four cells of a ball of 30 cells
    constexpr int kBlock = 6, kSubBlock = 3;  // bits of a Morton code per block and per sub-block
    const auto isSmooth = [&](std::size_t i) { return particles.features[i] == geometry::SurfaceFeature::Smooth; };
    const auto endOf = [&](std::size_t first, int bits) {
        std::size_t end = first;
        while (end < particles.size() && particles.cells[end] >> bits == particles.cells[first] >> bits)
            ++end;
        return end;
    };
    for (std::size_t first = 0, end; first < particles.size(); first = end) {
        end = endOf(first, kBlock);
        Vec3 sum;
        for (std::size_t i = first; i < end; ++i)
            sum += isSmooth(i) ? particles.normals[i] : Vec3{};
        const Vec3 mean = normalizeOr(sum, {0, 1, 0});
        bool isCurved = false;
        for (std::size_t i = first; i < end; ++i)
            isCurved = isCurved || (isSmooth(i) && dot(particles.normals[i], mean) < kFlat);
        for (std::size_t part = first, partEnd; isCurved && part < end; part = partEnd) {
            partEnd = endOf(part, kSubBlock);
            const std::size_t middle = part + (partEnd - part) / 2;
            marks[middle] = marks[middle] || isSmooth(middle);
        }
    }
}

// The lowest nodes of cells, by Morton code in ascending order: those of a block of 4^3 share all but the last bits.
class CellNodes {
public:
    explicit CellNodes(const geometry::Grid& grid) : grid_(grid) {
        for (std::uint32_t code = 0; code < kBlock; ++code)
            inBlock_[code] = nodeOf(code);
    }
    std::size_t lowestOf(std::uint32_t code) {
        if (code / kBlock != block_) {
            block_ = code / kBlock;
            first_ = nodeOf(block_ * kBlock);
        }
        return first_ + inBlock_[code % kBlock];
    }

private:
    static constexpr std::uint32_t kBlock = 64;
    std::size_t nodeOf(std::uint32_t code) const {
        const geometry::Int3 cell = geometry::cellOfCode(code);
        return grid_.index(cell.x, cell.y, cell.z);
    }
    const geometry::Grid& grid_;
    std::size_t inBlock_[kBlock], first_ = 0;
    std::uint32_t block_ = 0;
};

// Marks particles of cells with one corner inside and no plane through them: tips smaller than a cell, which are not always
// detected as corners or edges. A distance field rises by one cell per cell except where surfaces meet.
void markTips(const geometry::LevelSet16& field, geometry::SurfaceParticles& particles, std::vector<std::uint8_t>& marks) {
    constexpr Real kPlane = Real(0.9);  // of the squared slope
    const std::size_t row = std::size_t(field.grid.nodes.x), slice = row * std::size_t(field.grid.nodes.y);
    const Real scale = field.step / (4 * field.grid.cell);
    CellNodes nodes(field.grid);
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const Eight values = atCorners(&field.values[nodes.lowestOf(particles.cells[i])], row, slice);
        if (!std::has_single_bit(bitsOf(values < std::int16_t(0))))
            continue;
        int rise[3] = {};
        for (unsigned corner = 0; corner < 8; ++corner)
            for (unsigned axis = 0; axis < 3; ++axis)
                rise[axis] += (corner >> axis & 1) != 0 ? values[corner] : -values[corner];
        const Vec3 slope = Vec3{Real(rise[0]), Real(rise[1]), Real(rise[2])} * scale;
        if (!(lengthSquared(slope) < kPlane))
            continue;
        marks[i] = 1;
        if (particles.features[i] == geometry::SurfaceFeature::Smooth)
            particles.features[i] = geometry::SurfaceFeature::Edge;
    }
}

}  // namespace

geometry::SurfaceParticles fewOfPiece(geometry::SurfaceParticles particles, const geometry::LevelSet16& field,
                                      const Vec3& center) {
    constexpr int kFirst = 2, kCoarsest = 10;      // levels; blocks of the last are as large as any grid
    constexpr Real kExtremeTolerance = Real(0.2);  // cells
    // Extreme particles count as edges. Not every edge is detected, where cuts meet at blunt angles or three pass through one
    // cell; and a flat partner touches an extreme particle first and gives it its normal.
    std::vector<std::uint8_t> isExtreme = geometry::markExtremes(particles, kExtremeTolerance * field.grid.cell);
    for (std::size_t i = 0; i < particles.size(); ++i)
        if (isExtreme[i] && particles.features[i] == geometry::SurfaceFeature::Smooth)
            particles.features[i] = geometry::SurfaceFeature::Edge;
    markTips(field, particles, isExtreme);
    if (particles.size() <= kMostOfSmallPiece)
        return particles;
    std::vector<std::uint8_t> isKept = isExtreme;
    markCurved(particles, isKept);
    std::vector<std::uint32_t> few = geometry::chooseFew(particles, {kFirst, 0}, center, isKept);
    if (few.size() <= kMostPieceParticles)
        return geometry::onlyThese(particles, few);
    few = geometry::chooseFew(particles, {kFirst, 0}, center, isExtreme);
    for (int level = kFirst + 1; few.size() > kMostPieceParticles && level < kCoarsest; ++level)
        few = geometry::chooseFewer(particles, few, {level, level - kFirst}, center, isExtreme);
    return geometry::onlyThese(particles, few);
}

bool isSound(const SampledSolid& solid) {
    const geometry::LevelSet16& field = solid.field;
    const auto [nx, ny, nz] = field.grid.nodes;
    const int most = int(kMaxLevelSetNodes);
    const auto isLength = [](Real x) { return x > 0 && x <= Real(kMaxSize); };
    if (std::min({nx, ny, nz}) < 2 || std::max({nx, ny, nz}) > most || field.values.size() != field.grid.nodeCount())
        return false;
    if (!isLength(field.grid.cell) || !isLength(field.step) || !isFinite(field.grid.origin) || !(solid.mass.volume > 0) ||
        *std::min_element(field.values.begin(), field.values.end()) >= 0)
        return false;
    if (!solid.cutNodes.isEmpty() && solid.cutNodes.words().size() != (field.values.size() + 63) / 64)
        return false;
    if (!isFinite(solid.textureOrigin) || (solid.surface && !geometry::isSound(*solid.surface)))
        return false;
    const geometry::SurfaceParticles& particles = solid.particles;
    const std::size_t count = particles.size(), size = geometry::SurfaceParticles::kClusterSize;
    if (count == 0 || particles.normals.size() != count || particles.features.size() != count ||
        particles.cells.size() != count || particles.clusters.size() != (count + size - 1) / size)
        return false;
    for (std::size_t i = 0; i < particles.clusters.size(); ++i)
        if (particles.clusters[i].first != i * size || particles.clusters[i].count != std::min(size, count - i * size))
            return false;
    return std::all_of(particles.positions.begin(), particles.positions.end(), [](const Vec3& p) { return isFinite(p); });
}

}  // namespace sunder::collision
