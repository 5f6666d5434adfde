// Bodies and patterns that tests break.
#pragma once

#include <gtest/gtest.h>

#include "core/task_runner.h"
#include "fracture/prescored/break_body.h"
#include "geometry/level_set/level_set_mass.h"
#include "geometry/level_set/solid_distance.h"
#include "geometry/patterns/generators.h"

namespace sunder::fracture::testing {

using geometry::LevelSet16;
using geometry::LevelSet8;
using geometry::MassProperties;
using geometry::Pattern;

template <class Stored = std::int8_t>
geometry::LevelSet<Stored> levelSetOf(const Shape& shape, Real cell) {
    const geometry::FieldResult result =
        geometry::distanceOfShape(shape, geometry::Resolution{cell, {}, geometry::kDefaultMaxNodes});
    EXPECT_EQ(result.error, "");
    return geometry::quantize<Stored>(result.field);
}

template <class Stored>
MassProperties massOf(const geometry::LevelSet<Stored>& field) {
    return geometry::massOfFractions(field.grid, geometry::solidFractions(field));
}

inline PatternDef definitionOf(const PatternKind& kind, std::uint64_t seed = 1, int nodes = 65) {
    PatternDef definition;
    definition.kind = kind;
    definition.seed = seed;
    definition.nodes = nodes;
    return definition;
}

inline Pattern patternOf(const PatternKind& kind, std::uint64_t seed = 1, int nodes = 65) {
    geometry::PatternResult result = geometry::makePattern(definitionOf(kind, seed, nodes));
    EXPECT_EQ(result.error, "");
    return std::move(result.pattern);
}

inline Real radiusOf(const geometry::Grid& grid) { return Real(0.5) * length(grid.bounds().high - grid.bounds().low); }

constexpr Real kCell = Real(0.04);

template <class Stored>
std::vector<Piece<Stored>> breakGeneral(const geometry::LevelSet<Stored>& field, const MassProperties& mass,
                                        const Pattern& pattern, const Impact& impact, const BreakOptions& options = {},
                                        int threads = 1) {
    const std::unique_ptr<TaskRunner> runner = makeTaskRunner(threads);
    const Real scale = coveringScale(pattern, radiusOf(field.grid));
    return breakBody<Stored>({field, mass, nullptr}, placeGeneral(pattern, scale, field.grid, impact, *runner), options,
                             *runner);
}

}  // namespace sunder::fracture::testing
