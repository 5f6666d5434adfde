#include "world/commit/make_pieces.h"

#include <algorithm>

#include "collision/build_shape.h"
#include "core/random.h"
#include "fracture/cutting/cut_pieces.h"
#include "fracture/cutting/placed_regions.h"
#include "fracture/prescored/break_body.h"
#include "fracture/prescored/piece_mass.h"
#include "fracture/prescored/piece_solid.h"
#include "geometry/patterns/built_pattern.h"

namespace sunder::world {

namespace {

using Piece = fracture::Piece<std::int16_t>;
using geometry::MassProperties;

constexpr std::size_t kAxes = 6;
constexpr std::size_t kMostAligned = 8 * kAxes;  // patterns kept, a few megabytes each

// For density 1, in the body's frame, as the body is moved: what the pieces must add up to.
MassProperties wholeOf(const Body& body) {
    MassProperties whole = body.shape->massProperties;
    if (body.motion != Motion::Dynamic || !(body.inertiaOverride || body.centerOverride))
        return whole;
    const double density = double(body.mass) / whole.volume;
    const Mat3 R = toMatrix(body.bodyFromPrincipal.orientation);
    const Vec3& I = body.principalInertia;
    const Vec3& c = body.bodyFromPrincipal.position;
    const auto entry = [&](const Vec3& a, const Vec3& b) {
        return (double(a.x) * b.x * I.x + double(a.y) * b.y * I.y + double(a.z) * b.z * I.z) / density;
    };
    whole.center = {c.x, c.y, c.z};
    whole.inertia = {entry(R.row0, R.row0), entry(R.row1, R.row1), entry(R.row2, R.row2),
                     entry(R.row0, R.row1), entry(R.row0, R.row2), entry(R.row1, R.row2)};
    return whole;
}

const fracture::AlignedPattern& alignedPattern(WorldState& world, const BodyFracture& fracture, Real cell,
                                               fracture::Axis axis) {
    std::vector<AlignedEntry>& kept = world.breaking.aligned;
    for (const AlignedEntry& entry : kept)
        if (entry.pattern == fracture.def.pattern && entry.scale == fracture.alignedScale && entry.cell == cell &&
            entry.nodes == fracture.alignedNodes && entry.axis == axis)
            return *entry.aligned;
    if (kept.size() >= kMostAligned)
        kept.erase(kept.begin());
    const auto [nx, ny, nz] = fracture.alignedNodes;
    AlignedEntry& entry = kept.emplace_back();
    entry.pattern = fracture.def.pattern;
    entry.scale = fracture.alignedScale;
    entry.cell = cell;
    entry.nodes = fracture.alignedNodes;
    entry.axis = axis;
    entry.aligned = std::make_unique<fracture::AlignedPattern>(fracture.def.pattern->pattern, fracture.alignedScale,
                                                               geometry::Grid{{}, cell, {nx, ny, nz}}, axis, *world.tasks);
    return *entry.aligned;
}

// Where an aligned pattern has its centre.
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

Placed place(WorldState& world, const Body& body, const BreakRequest& request) {
    const BodyFracture& fracture = *body.fracture;
    const geometry::Pattern& pattern = fracture.def.pattern->pattern;
    const geometry::Grid& grid = fracture.solid->levelSet->field().grid;
    fracture::Impact impact{request.point, request.normal};
    if (request.kind == BreakRequest::Kind::Plane)
        return {fracture::placePlane(grid, impact), {}};
    if (fracture.def.placement == FracturePlacement::Aligned && fracture.def.reach == 0) {
        const fracture::Axis axis = fracture::nearestAxis(request.normal);
        fracture::PlacedPattern placed = alignedPattern(world, fracture, grid.cell, axis).place(grid, impact);
        if (placed.labels)
            return {std::move(placed),
                    {nearestNode(grid, request.point), fracture::bodyFromPattern(pattern, fracture::directionOf(axis), 0),
                     fracture.alignedScale}};
    }
    if (fracture.def.pattern->spins)
        impact.spin = Real(core::Random(body.serial ^ world.breaking.count << 32).between(0, 6.283185307179586));
    const Real scale = patternScale(fracture.def, grid);
    fracture::PlacedPattern placed =
        fracture::placeGeneral(pattern, scale, grid, impact, *world.tasks, &fracture.solid->levelSet->field());
    if (fracture.def.reach > 0)
        fracture::limitReach(placed, grid, request.point, fracture.def.reach);
    return {std::move(placed), {request.point, fracture::bodyFromPattern(pattern, request.normal, impact.spin), scale}};
}

// What is drawn of the pieces, where it is cut from what is drawn of the body. Empty where it is not, or cannot be: then the
// surfaces of their fields are drawn.
std::vector<geometry::SurfaceMesh> cutSurfaces(const Body& body, const BreakRequest& request,
                                               const fracture::PatternPlace& place, const std::vector<Piece>& pieces) {
    const BodyFracture& fracture = *body.fracture;
    const SampledSolid& solid = *fracture.solid->levelSet->solid;
    if (!solid.surface || fracture.def.surface != FractureSurface::Cut)
        return {};
    std::unique_ptr<geometry::RegionSource> regions;
    if (request.kind == BreakRequest::Kind::Plane)
        regions = fracture::planeRegions(request.point, request.normal);
    else
        regions = fracture::placedRegions(*fracture.def.pattern, place);
    if (request.kind != BreakRequest::Kind::Plane && fracture.def.reach > 0)
        regions = fracture::withinReach(std::move(regions), request.point, fracture.def.reach);
    return fracture::cutPieces(*solid.surface, solid.textureOrigin, solid.field.grid, pieces, *regions).pieces;
}

// Whether a solid node of the piece lies in one of the boxes, which are given in the body's frame.
bool isAnchored(const NewPiece& piece, const std::vector<FractureAnchor>& anchors) {
    const geometry::LevelSet16& field = piece.shape->levelSet->field();
    const geometry::Grid& grid = field.grid;
    for (const FractureAnchor& anchor : anchors) {
        const Vec3 low = (anchor.low - piece.center - grid.origin) / grid.cell;
        const Vec3 high = (anchor.high - piece.center - grid.origin) / grid.cell;
        const auto first = [](Real from, int nodes) { return int(clamp(-std::floor(-from), 0, Real(nodes))); };
        const auto last = [](Real to, int nodes) { return int(clamp(std::floor(to), -1, Real(nodes - 1))); };
        for (int z = first(low.z, grid.nodes.z); z <= last(high.z, grid.nodes.z); ++z)
            for (int y = first(low.y, grid.nodes.y); y <= last(high.y, grid.nodes.y); ++y)
                for (int x = first(low.x, grid.nodes.x); x <= last(high.x, grid.nodes.x); ++x)
                    if (field.isInside(grid.index(x, y, z)))
                        return true;
    }
    return false;
}

Vec3d inverseRotated(const Quat& q, const Vec3& v) {
    const Vec3 r = inverseRotate(q, v);
    return {r.x, r.y, r.z};
}
Vec3 rotated(const Quat& q, const Vec3d& v) { return rotate(q, {Real(v.x), Real(v.y), Real(v.z)}); }

void setMotions(const Body& body, const MassProperties& whole, const std::vector<Piece>& pieces, std::vector<NewPiece>& made) {
    const Quat orientation = userOrientation(body);
    std::vector<MassProperties> masses;
    for (const Piece& piece : pieces)
        masses.push_back(piece.mass);
    const std::vector<fracture::Motion> motions = fracture::motionOfPieces(
        whole, {inverseRotated(orientation, body.velocity), inverseRotated(orientation, body.angularVelocity)}, masses);
    for (std::size_t i = 0; i < made.size(); ++i) {
        made[i].velocity = rotated(orientation, motions[i].velocity);
        made[i].angularVelocity = rotated(orientation, motions[i].angularVelocity);
    }
}

}  // namespace

Real patternScale(const FractureDef& def, const geometry::Grid& grid) {
    const Bounds bounds = grid.bounds();
    return fracture::coveringScale(def.pattern->pattern, length(bounds.high - bounds.low) / 2, def.size);
}

Real powerOf(Real x, Real y) {
    // By square roots: x^y = product of x^(2^-k) over the binary digits of y after the point, 24 of them.
    double result = 1, whole = std::floor(double(y)), root = double(x);
    for (int i = 0; i < int(whole); ++i)
        result *= double(x);
    double rest = double(y) - whole;
    for (int k = 0; k < 24 && rest > 0; ++k) {
        root = std::sqrt(root);
        rest *= 2;
        if (rest >= 1) {
            result *= root;
            rest -= 1;
        }
    }
    return Real(result);
}

void prepareAligned(WorldState& world, const BodyFracture& fracture) {
    if (fracture.def.placement != FracturePlacement::Aligned || fracture.def.reach != 0)
        return;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
        alignedPattern(world, fracture, fracture.solid->levelSet->field().grid.cell, static_cast<fracture::Axis>(axis));
}

std::vector<NewPiece> makePieces(WorldState& world, const Body& body, const BreakRequest& request, int mostPieces) {
    const BodyFracture& fracture = *body.fracture;
    const SampledSolid& solid = *fracture.solid->levelSet->solid;
    const MassProperties whole = wholeOf(body);
    fracture::BreakOptions options;
    options.noParticlesUpTo = collision::kMostOfSmallPiece;  // solidOf finds them
    options.limits.smallestVolume = fracture.def.smallest;
    options.limits.mostPieces = std::min(fracture.def.mostPieces, mostPieces);
    const fracture::ParentBody<std::int16_t> parent{solid.field, whole, solid.cutNodes.isEmpty() ? nullptr : &solid.cutNodes};
    const Placed placed = place(world, body, request);
    std::vector<Piece> pieces = fracture::breakBody(parent, placed.onGrid, options, *world.tasks);
    std::vector<NewPiece> made(pieces.size());
    if (pieces.size() < 2)
        return made;
    std::vector<geometry::SurfaceMesh> surfaces = cutSurfaces(body, request, placed.place, pieces);
    setMotions(body, whole, pieces, made);
    runTasks(*world.tasks, int(pieces.size()), [&](int number) {
        Piece& piece = pieces[std::size_t(number)];
        NewPiece& result = made[std::size_t(number)];
        result.center = fracture::centerOf(piece);
        result.share = Real(piece.mass.volume / whole.volume);
        std::shared_ptr<SampledSolid> pieceSolid = fracture::solidOf(piece, solid);
        if (!surfaces.empty() && !surfaces[std::size_t(number)].triangles.empty())
            pieceSolid->surface = std::make_shared<const geometry::SurfaceMesh>(std::move(surfaces[std::size_t(number)]));
        result.shape = collision::buildLevelSetShape(std::move(pieceSolid));
        result.anchored = body.motion == Motion::Static && isAnchored(result, fracture.def.anchors);
    });
    return made;
}

}  // namespace sunder::world
