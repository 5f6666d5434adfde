#include "world/commit/pieces/prescored_pieces.h"

#include "core/random.h"
#include "fracture/cutting/placed_regions.h"
#include "fracture/prescored/place_pattern.h"
#include "geometry/patterns/built_pattern.h"
#include "geometry/patterns/upright.h"
#include "world/commit/pieces/level_set_pieces.h"

namespace sunder::world {

namespace {

// A pattern is resampled for the directions from which a body can be hit: along its three axes, from both sides.
constexpr std::size_t kAxes = 6;
// Resampled patterns that a world keeps, for eight kinds of body: each takes a few megabytes.
constexpr std::size_t kMostAligned = 8 * kAxes;

constexpr double kFullTurn = 6.283185307179586;  // rad

// m per unit of the pattern, so that it covers a body with this grid, or has pieces of the size that is asked for.
Real patternScale(const Prescored& method, const geometry::Grid& grid) {
    if (method.pieceSize > 0)
        return method.pieceSize / geometry::pieceSize(*method.pattern);
    if (method.pattern->drawn && method.pattern->drawn->unit > 0)
        return method.pattern->drawn->unit * method.size;
    const Bounds bounds = grid.bounds();
    return length(bounds.high - bounds.low) * method.size / geometry::innerRadius(*method.pattern);
}

// m: how far cracks go from the hit, 0: through the body. One whose pieces have a size ends where the pattern does, beyond
// which its outermost pieces would go on without end.
Real reachOf(const Prescored& method, Real scale) {
    if (!(method.pieceSize > 0))
        return method.reach;
    const Real covered = scale * geometry::innerRadius(*method.pattern);
    return method.reach > 0 ? min(method.reach, covered) : covered;
}

bool isFixed(const Prescored& method) { return method.pattern->drawn && method.pattern->drawn->isFixed; }
// A drawing that is fixed in the body has its place whatever the hit.
bool isAligned(const Prescored& method) { return method.placement == FracturePlacement::Aligned && !isFixed(method); }

// rad: how a pattern is turned about the normal. One that was drawn keeps its up.
Real spinOf(const BuiltPattern& pattern, const Vec3& normal) { return pattern.drawn ? geometry::uprightSpin(normal) : Real(0); }

const fracture::AlignedPattern& alignedPattern(TaskRunner& tasks, BreakingState& breaking, const BodyFracture& fracture,
                                               const SharedPattern& pattern, fracture::Axis axis) {
    const Real cell = fracture.solid->levelSet->field().grid.cell;
    std::vector<AlignedEntry>& kept = breaking.aligned;
    for (const AlignedEntry& entry : kept)
        if (entry.pattern == pattern && entry.scale == fracture.alignedScale && entry.cell == cell &&
            entry.nodes == fracture.alignedNodes && entry.axis == axis)
            return *entry.aligned;
    if (kept.size() >= kMostAligned)
        kept.erase(kept.begin());
    const auto& nodes = fracture.alignedNodes;
    AlignedEntry& entry = kept.emplace_back();
    entry.pattern = pattern;
    entry.scale = fracture.alignedScale;
    entry.cell = cell;
    entry.nodes = fracture.alignedNodes;
    entry.axis = axis;
    const auto align = [&](const geometry::Pattern& turned) {
        entry.aligned = std::make_unique<fracture::AlignedPattern>(
            turned, fracture.alignedScale, geometry::Grid{{}, cell, {nodes[0], nodes[1], nodes[2]}}, axis, tasks);
    };
    const auto quarters = int(std::floor(spinOf(*pattern, fracture::directionOf(axis)) * Real(4 / kFullTurn) + Real(0.5)));
    if (quarters != 0)
        align(geometry::turnedAboutNormal(pattern->pattern, quarters));
    else
        align(pattern->pattern);
    return *entry.aligned;
}

// The grid node nearest to the hit, at which an aligned pattern has its centre.
Vec3 nearestNode(const geometry::Grid& grid, const Vec3& point) {
    const Vec3 cells = (point - grid.origin) / grid.cell;
    const auto node = [](Real at, int nodes) { return int(clamp(std::floor(at + Real(0.5)), 0, Real(nodes - 1))); };
    return grid.position(node(cells.x, grid.nodes.x), node(cells.y, grid.nodes.y), node(cells.z, grid.nodes.z));
}

// A pattern on the grid, and where it lies in the body's frame.
struct Placed {
    fracture::PlacedPattern onGrid;
    fracture::PatternPlace place;
};

Placed place(TaskRunner& tasks, BreakingState& breaking, const Body& body, const Prescored& method,
             const BreakRequest& request) {
    const BodyFracture& fracture = *body.fracture;
    const geometry::Pattern& pattern = method.pattern->pattern;
    const geometry::Grid& grid = fracture.solid->levelSet->field().grid;
    fracture::Impact impact{request.point, request.normal};
    if (isAligned(method)) {
        const fracture::Axis axis = fracture::nearestAxis(request.normal);
        fracture::PlacedPattern placed = alignedPattern(tasks, breaking, fracture, method.pattern, axis).place(grid, impact);
        if (const Real reach = reachOf(method, fracture.alignedScale); placed.labels && reach > 0)
            fracture::limitReach(placed, grid, request.point, reach);
        if (placed.labels)
            return {std::move(placed),
                    {nearestNode(grid, request.point),
                     fracture::bodyFromPattern(pattern, fracture::directionOf(axis),
                                               spinOf(*method.pattern, fracture::directionOf(axis))),
                     fracture.alignedScale}};
    }
    if (isFixed(method)) {
        impact.point = method.pattern->drawn->center * method.pattern->drawn->unit;
        impact.normal = method.pattern->drawn->normal;
    }
    impact.spin = spinOf(*method.pattern, impact.normal);
    if (method.pattern->spins)
        impact.spin = Real(core::Random(body.serial ^ breaking.count << 32).between(0, kFullTurn));
    const Real scale = patternScale(method, grid);
    fracture::PlacedPattern placed =
        fracture::placeGeneral(pattern, scale, grid, impact, tasks, &fracture.solid->levelSet->field());
    if (const Real reach = reachOf(method, scale); reach > 0)
        fracture::limitReach(placed, grid, request.point, reach);
    return {std::move(placed), {impact.point, fracture::bodyFromPattern(pattern, impact.normal, impact.spin), scale}};
}

}  // namespace

void fitAligned(const Prescored& method, BodyFracture& fracture) {
    const geometry::Grid& grid = fracture.solid->levelSet->field().grid;
    fracture.alignedScale = patternScale(method, grid);
    fracture.alignedNodes = {grid.nodes.x, grid.nodes.y, grid.nodes.z};
}

void prepareAligned(const Prescored& method, TaskRunner& tasks, BreakingState& breaking, const BodyFracture& fracture) {
    if (!isAligned(method))
        return;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
        alignedPattern(tasks, breaking, fracture, method.pattern, static_cast<fracture::Axis>(axis));
}

std::vector<CutPiece> breakBy(const Prescored& method, WorldState& world, const Body& body, const BreakRequest& request,
                              int mostPieces) {
    const Placed placed = place(*world.tasks, world.breaking, body, method, request);
    const auto makeRegions = [&] {
        std::unique_ptr<geometry::RegionSource> regions = fracture::placedRegions(*method.pattern, placed.place);
        const Real reach = reachOf(method, placed.place.scale);
        return reach > 0 ? fracture::withinReach(std::move(regions), request.point, reach) : std::move(regions);
    };
    return cutByLabels(*world.tasks, body, placed.onGrid, makeRegions, mostPieces);
}

}  // namespace sunder::world
