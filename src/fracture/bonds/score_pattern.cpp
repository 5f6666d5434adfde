// See sunder/scored_solid.h.
//   [Li18] 4 for the pieces of a pattern ([Su09] 4.1, 4.2) in place of those of a tetrahedral mesh
#include <algorithm>
#include <cmath>
#include <string>

#include "collision/built_shape.h"
#include "core/task_runner.h"
#include "fracture/bonds/interface_bond.h"
#include "fracture/cutting/placed_regions.h"
#include "fracture/prescored/piece_interfaces.h"
#include "fracture/prescored/piece_solid.h"
#include "geometry/patterns/built_pattern.h"
#include "geometry/patterns/upright.h"
#include "math/eigen.h"
#include "sunder/definitions.h"
#include "sunder/describe.h"
#include "sunder/scored_solid.h"

namespace sunder {

namespace {

// Cells: where four pieces meet in an edge, opposite ones share a face narrower than this only through the grid's rounding.
constexpr double kEdgeWidth = 0.5;

std::string textOf(const Vec3& v) { return "[" + numberText(v.x) + ", " + numberText(v.y) + ", " + numberText(v.z) + "]"; }

void check(const ScoredPatternDef& def) {
    const auto refuse = [](const char* field, const std::string& value, const char* allowed) {
        throw Error(std::string(field) + ": " + value + " is not allowed (" + allowed + ")");
    };
    const auto isAtLeast0 = [](Real x) { return x >= 0 && x <= Real(kMaxSize); };
    if (!def.pattern)
        refuse("pattern", "null", "a result of buildPattern");
    if (!isAtLeast0(def.cell))
        refuse("cell", numberText(def.cell), "above 0 m");
    if (!isFinite(def.center) || !(length(def.center) <= Real(kMaxSize)))
        refuse("center", textOf(def.center), "a point of the shape's frame");
    if (!isFinite(def.normal) || def.normal == Vec3{})
        refuse("normal", textOf(def.normal), "a direction: any vector but 0");
    if (!isAtLeast0(def.scale))
        refuse("scale", numberText(def.scale), "above 0 m; 0: the diameter of the shape");
    if (!(def.smallest >= 0) || !std::isfinite(def.smallest))
        refuse("smallest", numberText(def.smallest), "0 m^3 or more");
    if (def.mostPieces < 2 || def.mostPieces > fracture::kMostPieces)
        refuse("mostPieces", std::to_string(def.mostPieces), "2 to 1000");
}

const LevelSet* givenLevelSet(const Shape& shape) {
    if (const SharedShape* shared = std::get_if<SharedShape>(&shape))
        return *shared ? std::get_if<LevelSet>(&(*shared)->definition) : nullptr;
    return std::get_if<LevelSet>(&shape);
}

std::shared_ptr<const SampledSolid> sampled(const ScoredPatternDef& def) {
    LevelSet levelSet;
    if (const LevelSet* given = givenLevelSet(def.shape)) {
        if (def.cell > 0)
            throw Error("cell: " + numberText(def.cell) + " beside that of the level set is not allowed (one of the two)");
        levelSet = *given;
    } else {
        if (!(def.cell > 0))
            throw Error("cell: " + numberText(def.cell) + " is not allowed (above 0 m)");
        levelSet.cell = def.cell;
        levelSet.parts.push_back({def.shape, {}, {}});
    }
    try {
        return std::get<LevelSet>(buildShape(levelSet)->definition).sampled;
    } catch (const Error& error) {
        // The error names the only part; report it for the shape.
        const std::string text = error.what(), part = "parts[0].";
        throw Error(text.starts_with(part) ? text.substr(part.size()) : text);
    }
}

// m per unit of the pattern; it has to reach over the whole grid.
Real scaleOf(const ScoredPatternDef& def, const geometry::Grid& grid) {
    const auto& drawn = def.pattern->drawn;
    if (drawn && drawn->unit > 0)
        return def.scale > 0 ? def.scale : drawn->unit;
    const Bounds bounds = grid.bounds();
    const Vec3 reach = max(abs(bounds.low - def.center), abs(bounds.high - def.center));
    const Real inner = geometry::innerRadius(*def.pattern), least = length(reach) / inner;
    if (def.scale > 0 && def.scale < least)
        throw Error("scale: " + numberText(def.scale) + " m is not allowed (the pattern covers the shape from " +
                    numberText(least) + " m on)");
    if (def.scale > 0)
        return def.scale;
    return max(least, length(bounds.high - bounds.low) / inner);
}

std::unique_ptr<geometry::RegionSource> regionsOf(const ScoredPatternDef& def, const geometry::Grid& grid) {
    const auto& drawn = def.pattern->drawn;
    const bool isFixed = drawn && drawn->isFixed;
    const Vec3 center = isFixed ? drawn->center * drawn->unit : def.center;
    const Vec3 normal = isFixed ? drawn->normal : def.normal;
    const Real spin = drawn ? geometry::uprightSpin(normalizeOr(normal, {0, 1, 0})) : Real(0);
    return fracture::placedRegions(*def.pattern,
                                   {center, fracture::bodyFromPattern(def.pattern->pattern, normal, spin), scaleOf(def, grid)});
}

// m: width of a face across its longest direction, as of a rectangle with its second moments.
double widthOf(const geometry::PieceInterface& interface) {
    std::array<double, 3> moments = symmetricEigen(interface.secondMoments).values;
    std::sort(moments.begin(), moments.end());
    return std::sqrt(12 * std::max(moments[1], 0.0) / interface.area);
}

// Bonds of all faces. A face no wider than the grid resolves becomes a bond only where nothing else joins the two components.
std::vector<Bond> bondsOf(const std::vector<geometry::PieceInterface>& interfaces, std::size_t pieces, double cell) {
    std::vector<std::uint32_t> component(pieces);
    for (std::uint32_t i = 0; i < pieces; ++i)
        component[i] = i;
    std::vector<Bond> bonds;
    for (const bool isEdge : {false, true})
        for (const geometry::PieceInterface& interface : interfaces) {
            const std::uint32_t from = component[interface.b], to = component[interface.a];
            if ((widthOf(interface) < kEdgeWidth * cell) != isEdge || (isEdge && from == to))
                continue;
            bonds.push_back(fracture::bondOf(interface));
            std::replace(component.begin(), component.end(), from, to);
        }
    std::sort(bonds.begin(), bonds.end(),
              [](const Bond& x, const Bond& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
    return bonds;
}

}  // namespace

ScoredPattern scoreByPattern(const ScoredPatternDef& def) {
    check(def);
    const std::shared_ptr<const SampledSolid> whole = sampled(def);
    const geometry::Grid& grid = whole->field.grid;
    const std::unique_ptr<TaskRunner> runner = makeTaskRunner(1);
    const std::unique_ptr<geometry::RegionSource> regions = regionsOf(def, grid);
    const bool isRough = def.pattern->definition && def.pattern->definition->roughness.amplitude > 0;
    const fracture::PlacedPattern pattern = fracture::placeRegions(*regions, grid, isRough);
    if (!pattern.labels)
        throw Error("pattern: divides the shape into too many regions (up to 65535; scale it up)");
    fracture::BreakOptions options;
    options.limits.smallestVolume = def.smallest;
    options.limits.mostPieces = int(def.mostPieces);
    std::vector<fracture::Piece<std::int16_t>> pieces = fracture::breakBody<std::int16_t>(
        {whole->field, whole->mass, whole->cutNodes.isEmpty() ? nullptr : &whole->cutNodes}, pattern, options, *runner);
    if (pieces.size() < 2)
        throw Error("pattern: does not divide the shape (place, turn or scale it so that its borders pass through)");

    ScoredPattern result;
    result.volume = whole->mass.volume;
    result.bonds = bondsOf(fracture::findInterfaces<std::int16_t>(whole->field, pattern, *regions, pieces), pieces.size(),
                           double(grid.cell));
    for (fracture::Piece<std::int16_t>& piece : pieces) {
        LevelSet levelSet;
        levelSet.sampled = fracture::solidOf(piece, *whole);
        result.pieces.children.push_back({std::move(levelSet), fracture::centerOf(piece), {}});
    }
    return result;
}

}  // namespace sunder
