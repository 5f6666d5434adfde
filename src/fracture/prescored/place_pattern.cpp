#include "fracture/prescored/place_pattern.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "geometry/patterns/generators.h"
#include "geometry/patterns/upright.h"

namespace sunder::fracture {

using geometry::Grid;
using geometry::Int3;
using geometry::Pattern;
using geometry::PatternSample;
using geometry::samplePattern;

namespace {

// Maps nodes of a body's grid to cells of the pattern's: place = start + x alongX + y alongY + z alongZ.
struct NodeInPattern {
    Vec3 start, alongX, alongY, alongZ;
    Real cellRatio;  // size of the body's cell in cells of the pattern

    NodeInPattern(const Pattern& pattern, Real scale, const Grid& body, const Vec3& point, const Vec3& normal, Real spin = 0) {
        const Quat patternFromBody = conjugate(bodyFromPattern(pattern, normal, spin));
        cellRatio = body.cell / (scale * pattern.grid.cell);
        const Vec3 corner = rotate(patternFromBody, body.origin - point) * (1 / (scale * pattern.grid.cell));
        start = (pattern.center - pattern.grid.origin) * (1 / pattern.grid.cell) + corner;
        alongX = rotate(patternFromBody, {cellRatio, 0, 0});
        alongY = rotate(patternFromBody, {0, cellRatio, 0});
        alongZ = rotate(patternFromBody, {0, 0, cellRatio});
    }
};

// Resamples one row of nodes. The distance to the border changes no faster than the place, so a node far from the border tells
// how many of the next nodes can be skipped.
void resampleRow(const Pattern& pattern, const NodeInPattern& map, const Vec3& start, int first, int count,
                 std::uint16_t* labels, std::uint8_t* distances) {
    const Real stepsPerCell = Real(kPlacedSteps) / map.cellRatio;
    const Real band = Real(kPlacedLimit) / stepsPerCell;  // in cells of the pattern
    PatternSample found[geometry::kPatternLanes];
    for (int x = first; x < count;) {
        samplePattern(pattern, start, map.alongX, x, found);
        const int end = std::min(x + geometry::kPatternLanes, count);
        for (int i = 0; x < end; ++i, ++x) {
            labels[x] = found[i].label;
            distances[x] = std::uint8_t(clamp(found[i].cells * stepsPerCell + Real(0.5), 1, kPlacedLimit));
        }
        const PatternSample& last = found[geometry::kPatternLanes - 1];
        const Real spare = last.cells - band - 1;
        if (spare > map.cellRatio && x < count) {
            const int same = std::min(int(spare / map.cellRatio), count - x);
            std::fill_n(labels + x, same, last.label);
            std::fill_n(distances + x, same, std::uint8_t(kPlacedLimit));
            x += same;
        }
    }
}

struct Span {
    int first, last;  // the node after the last one
};

// The interval of a row in which distances of the pattern can exceed those to the solid.
Span spanInReach(const std::int16_t* values, int count) {
    constexpr int reach = kPlacedLimit * geometry::LevelSet16::kStepsPerCell / kPlacedSteps;
    Span span{0, count};
    while (span.first < span.last && values[span.first] >= reach)
        ++span.first;
    while (span.first < span.last && values[span.last - 1] >= reach)
        --span.last;
    return span;
}

void resample(const Pattern& pattern, const NodeInPattern& map, const Int3& nodes, const geometry::LevelSet16* solid,
              std::uint16_t* labels, std::uint8_t* distances, TaskRunner& runner) {
    runTasks(runner, nodes.z, [&](int z) {
        for (int y = 0; y < nodes.y; ++y) {
            const std::size_t first = std::size_t(nodes.x) * (std::size_t(y) + std::size_t(nodes.y) * std::size_t(z));
            const Span span = solid ? spanInReach(&solid->values[first], nodes.x) : Span{0, nodes.x};
            std::fill_n(labels + first, span.first, std::uint16_t(1));
            std::fill_n(distances + first, span.first, std::uint8_t(1));
            resampleRow(pattern, map, map.start + map.alongY * Real(y) + map.alongZ * Real(z), span.first, span.last,
                        labels + first, distances + first);
            std::fill_n(labels + first + span.last, nodes.x - span.last, std::uint16_t(1));
            std::fill_n(distances + first + span.last, nodes.x - span.last, std::uint8_t(1));
        }
    });
}

// Regions of a pattern in the body's frame, for a body that was hit at the pattern's origin.
class TurnedRegions final : public geometry::RegionSource {
public:
    TurnedRegions(geometry::RegionSource& regions, const Quat& bodyFromPattern, double scale)
        : regions_(regions), patternFromBody_(toMatrix(conjugate(bodyFromPattern))), scale_(scale) {}
    void focus(const Vec3d& center, double radius, double reach) override {
        regions_.focus(inPattern(center), radius / scale_, reach / scale_);
    }
    geometry::RegionAt at(const Vec3d& point) const override {
        const geometry::RegionAt found = regions_.at(inPattern(point));
        return {found.region, found.distance * scale_};
    }

private:
    Vec3d inPattern(const Vec3d& p) const {
        const Mat3& m = patternFromBody_;
        const Vec3d q = p * (1 / scale_);
        return {dot(toDouble(m.row0), q), dot(toDouble(m.row1), q), dot(toDouble(m.row2), q)};
    }
    geometry::RegionSource& regions_;
    Mat3 patternFromBody_;
    double scale_;
};

}  // namespace

Vec3 directionOf(Axis axis) {
    constexpr Vec3 kDirections[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    return kDirections[int(axis)];
}

Quat bodyFromPattern(const Pattern& pattern, const Vec3& normal, Real spin) {
    const Vec3 axis = rotate(pattern.orientation, {0, 1, 0});
    const Quat turn = geometry::shortestTurn(axis, normalizeOr(normal, axis));
    return spin != 0 ? turn * quatFromRotationVector(axis * spin) : turn;
}

Real coveringScale(const Pattern& pattern, Real bodyRadius, Real size) { return 2 * bodyRadius * size / pattern.innerRadius(); }

namespace {

PlacedPattern withOwnLabels(const Grid& body, std::uint16_t regionCount) {
    PlacedPattern result;
    result.regionCount = regionCount;
    result.rowStride = std::size_t(body.nodes.x);
    result.sliceStride = result.rowStride * std::size_t(body.nodes.y);
    result.ownLabels.resize(body.nodeCount());
    result.ownDistances.resize(body.nodeCount());
    result.labels = result.ownLabels.data();
    result.distances = result.ownDistances.data();
    return result;
}

template <class Visit>
void forEachNode(const Grid& grid, Visit&& visit) {
    std::size_t node = 0;
    for (int z = 0; z < grid.nodes.z; ++z)
        for (int y = 0; y < grid.nodes.y; ++y)
            for (int x = 0; x < grid.nodes.x; ++x)
                visit(node++, grid.position(x, y, z));
}

std::uint8_t placedDistance(Real distance, Real cell) {
    return std::uint8_t(clamp(distance / cell * Real(kPlacedSteps) + Real(0.5), 1, Real(kPlacedLimit)));
}

}  // namespace

PlacedPattern placePlane(const Grid& body, const Impact& impact) {
    PlacedPattern result = withOwnLabels(body, 2);
    const Vec3 normal = normalizeOr(impact.normal, {0, 1, 0});
    forEachNode(body, [&](std::size_t node, const Vec3& at) {
        const Real height = dot(at - impact.point, normal);
        result.ownLabels[node] = height > 0 ? 2 : 1;
        result.ownDistances[node] = placedDistance(std::fabs(height), body.cell);
    });
    return result;
}

namespace {

// Copies labels and distances that belong to an aligned pattern, so that they may be changed for this impact.
void own(PlacedPattern& placed, const Grid& body) {
    if (!placed.ownLabels.empty())
        return;
    const auto [nx, ny, nz] = body.nodes;
    placed.ownLabels.reserve(std::size_t(nx) * ny * nz);
    placed.ownDistances.reserve(std::size_t(nx) * ny * nz);
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y) {
            const std::size_t row = std::size_t(z) * placed.sliceStride + std::size_t(y) * placed.rowStride;
            placed.ownLabels.insert(placed.ownLabels.end(), placed.labels + row, placed.labels + row + nx);
            placed.ownDistances.insert(placed.ownDistances.end(), placed.distances + row, placed.distances + row + nx);
        }
    placed.labels = placed.ownLabels.data();
    placed.distances = placed.ownDistances.data();
    placed.rowStride = std::size_t(nx);
    placed.sliceStride = std::size_t(nx) * ny;
}

}  // namespace

void limitReach(PlacedPattern& placed, const Grid& body, const Vec3& point, Real reach) {
    own(placed, body);
    const std::uint16_t beyond = ++placed.regionCount;
    forEachNode(body, [&](std::size_t node, const Vec3& at) {
        const Real distance = length(at - point) - reach;
        const std::uint8_t toSphere = placedDistance(std::fabs(distance), body.cell);
        if (distance > 0)
            placed.ownLabels[node] = beyond;
        placed.ownDistances[node] = distance > 0 ? toSphere : std::min(placed.ownDistances[node], toSphere);
    });
}

PlacedPattern placeGeneral(const Pattern& pattern, Real scale, const Grid& body, const Impact& impact, TaskRunner& runner,
                           const geometry::LevelSet16* solid) {
    PlacedPattern result = withOwnLabels(body, pattern.regionCount);
    result.hasSharpFaces = pattern.hasSharpFaces;
    resample(pattern, NodeInPattern(pattern, scale, body, impact.point, impact.normal, impact.spin), body.nodes, solid,
             result.ownLabels.data(), result.ownDistances.data(), runner);
    return result;
}

Axis nearestAxis(const Vec3& direction) {
    const Vec3 size = abs(direction);
    if (size.y >= size.x && size.y >= size.z)
        return direction.y < 0 ? Axis::MinusY : Axis::PlusY;
    if (size.x >= size.z)
        return direction.x < 0 ? Axis::MinusX : Axis::PlusX;
    return direction.z < 0 ? Axis::MinusZ : Axis::PlusZ;
}

namespace {

// Distances of a pattern that is on the body's own grid.
std::vector<std::uint8_t> placedDistances(const Pattern& pattern) {
    constexpr int kCoarser = Pattern::kStepsPerCell / kPlacedSteps;
    std::vector<std::uint8_t> distances(pattern.distances.size());
    for (std::size_t node = 0; node < distances.size(); ++node)
        distances[node] = std::uint8_t(std::clamp((pattern.distances[node] + kCoarser / 2) / kCoarser, 1, kPlacedLimit));
    return distances;
}

}  // namespace

PlacedPattern placeRegions(geometry::RegionSource& regions, const Grid& body, bool remeasure, TaskRunner* runner) {
    geometry::PatternResult built = geometry::buildPattern(body, regions, remeasure, runner);
    if (!built.error.empty())
        return {};
    Pattern& pattern = built.pattern;
    PlacedPattern result = withOwnLabels(body, pattern.regionCount);
    result.hasSharpFaces = pattern.hasSharpFaces;
    result.ownLabels = std::move(pattern.labels);
    result.ownDistances = placedDistances(pattern);
    result.labels = result.ownLabels.data();
    result.distances = result.ownDistances.data();
    return result;
}

AlignedPattern::AlignedPattern(const Pattern& pattern, Real scale, const Grid& body, Axis axis, TaskRunner& runner)
    : regionCount_(pattern.regionCount) {
    setGrid(body);
    hasSharpFaces_ = pattern.hasSharpFaces;
    labels_.resize(grid_.nodeCount());
    distances_.resize(grid_.nodeCount());
    resample(pattern, NodeInPattern(pattern, scale, grid_, {}, directionOf(axis)), grid_.nodes, nullptr, labels_.data(),
             distances_.data(), runner);
}

AlignedPattern::AlignedPattern(const PatternDef& definition, Real scale, const Grid& body, Axis axis) {
    setGrid(body);
    const std::unique_ptr<geometry::RegionSource> regions = geometry::makeRegions(definition);
    TurnedRegions placed(*regions, geometry::shortestTurn({0, 1, 0}, directionOf(axis)), double(scale));
    geometry::PatternResult result = geometry::buildPattern(grid_, placed, definition.roughness.amplitude > 0);
    regionCount_ = result.pattern.regionCount;
    hasSharpFaces_ = result.pattern.hasSharpFaces;
    labels_ = std::move(result.pattern.labels);
    distances_ = placedDistances(result.pattern);
}

void AlignedPattern::setGrid(const Grid& body) {
    const auto [nx, ny, nz] = body.nodes;
    grid_ = {{Real(1 - nx) * body.cell, Real(1 - ny) * body.cell, Real(1 - nz) * body.cell},
             body.cell,
             {2 * nx - 1, 2 * ny - 1, 2 * nz - 1}};
}

PlacedPattern AlignedPattern::place(const Grid& body, const Impact& impact) const {
    PlacedPattern result;
    const auto firstNode = [&](Real point, Real origin, int patternNodes, int bodyNodes) {
        const int middle = (patternNodes - 1) / 2;
        const Real node = std::floor((point - origin) / body.cell + Real(0.5));
        const int first = middle - int(clamp(node, 0, Real(bodyNodes - 1)));
        return first >= 0 && first + bodyNodes <= patternNodes ? first : -1;
    };
    const int x = firstNode(impact.point.x, body.origin.x, grid_.nodes.x, body.nodes.x);
    const int y = firstNode(impact.point.y, body.origin.y, grid_.nodes.y, body.nodes.y);
    const int z = firstNode(impact.point.z, body.origin.z, grid_.nodes.z, body.nodes.z);
    const bool fits = x >= 0 && y >= 0 && z >= 0 && std::fabs(body.cell - grid_.cell) <= Real(1e-3) * grid_.cell;
    if (!fits)
        return result;
    result.labels = labels_.data() + grid_.index(x, y, z);
    result.distances = distances_.data() + grid_.index(x, y, z);
    result.rowStride = std::size_t(grid_.nodes.x);
    result.sliceStride = result.rowStride * std::size_t(grid_.nodes.y);
    result.regionCount = regionCount_;
    result.hasSharpFaces = hasSharpFaces_;
    return result;
}

std::size_t AlignedPattern::memory() const {
    return sizeof(*this) + labels_.capacity() * sizeof(std::uint16_t) + distances_.capacity();
}

}  // namespace sunder::fracture
