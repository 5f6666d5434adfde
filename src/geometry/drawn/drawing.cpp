#include "geometry/drawn/drawing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/patterns/pattern_file.h"
#include "geometry/patterns/upright.h"
#include "sunder/definitions.h"
#include "sunder/describe/field_info.h"

namespace sunder::geometry {

namespace {

constexpr int kFewestDrawnNodes = 9;

bool holds(const Bounds& bounds, const Vec3& p) { return contains(bounds, Bounds{p, p}); }

void checkPlace(const DrawnFrame& frame) {
    for (const auto& [name, value] : {std::pair{"at", frame.at}, std::pair{"facing", frame.facing}})
        if (value && !frame.isFixed)
            throw Error(std::string(name) + ": needs fixed (a drawing that lies in the body's frame)");
    if (frame.at && !isFinite(*frame.at))
        throw Error("at: " + placeText(*frame.at) + " is not allowed (a point in the body's frame, m)");
    if (frame.facing && (!isFinite(*frame.facing) || normalizeOr(*frame.facing, Vec3{}) == Vec3{}))
        throw Error("facing: " + placeText(*frame.facing) + " is not allowed (a direction: any vector but 0)");
}

}  // namespace

std::string placeText(const Vec3& p) { return "[" + numberText(p.x) + ", " + numberText(p.y) + ", " + numberText(p.z) + "]"; }

DrawingTurn turnOf(const DrawnFrame& frame, const Bounds& bounds) {
    const Vec3 normal = normalizeOr(frame.normal, Vec3{});
    if (!isFinite(frame.normal) || normal == Vec3{})
        throw Error("normal: " + placeText(frame.normal) + " is not allowed (a direction: any vector but 0)");
    if (!(frame.unit >= 0) || !std::isfinite(frame.unit))
        throw Error("unit: " + numberText(frame.unit) + " is not allowed (above 0 m, or 0: the drawing is fitted to the body)");
    if (frame.isFixed && !(frame.unit > 0))
        throw Error("fixed: needs a unit (m per unit of the drawing)");
    checkPlace(frame);
    const Vec3 middle = center(bounds);
    if (frame.center && (!isFinite(*frame.center) || !holds(bounds, *frame.center)))
        throw Error("center: " + placeText(*frame.center) + " is not allowed (inside the drawing, from " +
                    placeText(bounds.low) + " to " + placeText(bounds.high) + ")");
    const Quat drawingFromPattern = uprightTurn({0, 1, 0}, {0, 0, -1}, normal);
    return {conjugate(drawingFromPattern), frame.center.value_or(middle), normal};
}

int nodesOf(const DrawnFrame& frame, int most, int fallback) {
    if (frame.nodes != 0 && (frame.nodes < kFewestDrawnNodes || frame.nodes > most))
        throw Error("nodes: " + std::to_string(frame.nodes) + " is not allowed (" + std::to_string(kFewestDrawnNodes) + " to " +
                    std::to_string(most) + ", or 0: " + std::to_string(fallback) + ")");
    return frame.nodes != 0 ? frame.nodes : fallback;
}

SharedPattern finishDrawing(PatternResult result, std::span<const std::uint64_t> regions, const DrawnFrame& frame,
                            const DrawingTurn& turn, bool isPrism, std::shared_ptr<const DrawnComplex> complex) {
    if (!result.error.empty()) {
        const bool isCenter = result.error.find("centre") != std::string::npos;
        throw Error(isCenter ? "center: " + placeText(turn.center) +
                                   " is not allowed (within the samples, which end inside the drawing)"
                             : result.error);
    }
    if (result.pattern.regionCount < 2)
        throw Error(
            "it divides nothing (at least two regions are needed; what no piece claims is one where the rest stays whole)");
    DrawnTraits traits;
    traits.unit = frame.unit;
    traits.isFixed = frame.isFixed;
    traits.isPrism = isPrism;
    traits.center = frame.at ? *frame.at / frame.unit : turn.center;
    traits.normal = frame.facing ? normalizeOr(*frame.facing, turn.normal) : turn.normal;
    const auto undrawn = std::find(regions.begin(), regions.end(), std::uint64_t(0));
    if (undrawn != regions.end())
        traits.rest = result.pattern.labels[std::size_t(undrawn - regions.begin())];
    return sharedPattern(std::move(result.pattern), traits, std::move(complex));
}

}  // namespace sunder::geometry

namespace sunder {

std::vector<std::byte> patternBytes(const BuiltPattern& pattern) {
    return geometry::writePattern(pattern.pattern, pattern.drawn ? &*pattern.drawn : nullptr, pattern.complex.get());
}

SharedPattern patternFromBytes(std::span<const std::byte> bytes) {
    geometry::PatternFile file = geometry::readPatternFile(bytes);
    if (!file.result.error.empty())
        throw Error(file.result.error);
    return geometry::sharedPattern(std::move(file.result.pattern), file.drawn, std::move(file.complex));
}

PatternInfo inspectPattern(const BuiltPattern& built) {
    const geometry::Pattern& pattern = built.pattern;
    const geometry::Grid& grid = pattern.grid;
    PatternInfo info;
    info.isDrawn = built.drawn.has_value();
    const geometry::DrawnTraits traits = built.drawn.value_or(geometry::DrawnTraits{});
    info.isInMetres = traits.unit > 0;
    info.isFixed = traits.isFixed;
    info.isPrism = traits.isPrism;
    const Real unit = info.isInMetres ? traits.unit : Real(1);
    info.nodes = {grid.nodes.x, grid.nodes.y, grid.nodes.z};
    info.size = (grid.bounds().high - grid.bounds().low) * unit;
    const double side = double(grid.cell * unit);
    info.volumes.assign(pattern.regionCount, 0);
    const std::size_t slice = std::size_t(grid.nodes.x) * std::size_t(grid.nodes.y);
    for (std::size_t node = 0; node < pattern.labels.size(); ++node) {
        // One layer of a prism is enough.
        if (!info.isPrism || node % slice < std::size_t(grid.nodes.x))
            info.volumes[pattern.labels[node] - 1u] += info.isPrism ? side * side : side * side * side;
    }
    if (traits.rest > 0)
        info.rest = traits.rest - 1u;
    return info;
}

}  // namespace sunder
