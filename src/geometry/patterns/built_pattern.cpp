#include "geometry/patterns/built_pattern.h"

#include "core/binary_reader.h"
#include "core/binary_writer.h"
#include "geometry/patterns/generators.h"
#include "geometry/patterns/pattern_file.h"
#include "sunder/definitions.h"

namespace sunder {

namespace geometry {

namespace {

enum RecipeKind : std::uint8_t { kDefinition, kFile };

// Calls field(member) for every number of a definition, in a fixed order.
template <class Kind, class Field>
void visitKind(Kind& kind, Field&& field) {
    using K = std::remove_const_t<Kind>;
    if constexpr (std::is_same_v<K, RadialPattern>) {
        auto& [rays, rings, innerRadius, growth, jitter, splitRing] = kind;
        field(rays), field(rings), field(innerRadius), field(growth), field(jitter), field(splitRing);
    } else if constexpr (std::is_same_v<K, VoronoiPattern>) {
        field(kind.pieces), field(kind.evenness), field(kind.clustering);
    } else if constexpr (std::is_same_v<K, WoodPattern>) {
        auto& [pieces, anisotropy, grain] = kind;
        field(pieces), field(anisotropy), field(grain.x), field(grain.y), field(grain.z);
    } else if constexpr (std::is_same_v<K, SlabPattern>) {
        auto& [thickness, axis, jitter, tilt] = kind;
        field(thickness), field(axis.x), field(axis.y), field(axis.z), field(jitter), field(tilt);
    } else if constexpr (std::is_same_v<K, BrickPattern>) {
        auto& [size, bond] = kind;
        field(size.x), field(size.y), field(size.z), field(bond);
    } else {
        static_assert(std::is_same_v<K, ShellPattern>);
        auto& [thickness, sectors, jitter] = kind;
        field(thickness), field(sectors), field(jitter);
    }
}

template <class Definition, class Field>
void visitRest(Definition& definition, Field&& field) {
    auto& [amplitude, wavelength, octaves] = definition.roughness;
    field(definition.seed), field(definition.nodes), field(amplitude), field(wavelength), field(octaves);
}

bool hasRecipe(const PatternDef& definition) {
    const VoronoiPattern* voronoi = std::get_if<VoronoiPattern>(&definition.kind);
    return !voronoi || !voronoi->density;
}

std::vector<std::byte> recipeOf(const PatternDef& definition) {
    BinaryWriter out;
    out.value(std::uint8_t(kDefinition));
    out.value(std::uint8_t(definition.kind.index()));
    const auto write = [&](const auto& number) { out.value(number); };
    std::visit([&](const auto& kind) { visitKind(kind, write); }, definition.kind);
    visitRest(definition, write);
    return out.take();
}

template <std::size_t... indices>
bool emplaceKind(PatternKind& kind, std::size_t index, std::index_sequence<indices...>) {
    return ((indices == index && (kind.emplace<indices>(), true)) || ...);
}

}  // namespace

SharedPattern sharedPattern(Pattern pattern, const std::optional<DrawnTraits>& drawn,
                            std::shared_ptr<const DrawnComplex> complex) {
    auto built = std::make_shared<BuiltPattern>();
    BinaryWriter out;
    out.value(std::uint8_t(kFile));
    const std::vector<std::byte> file = writePattern(pattern, drawn ? &*drawn : nullptr, complex.get());
    out.bytes(file.data(), file.size());
    built->recipe = out.take();
    built->pattern = std::move(pattern);
    built->drawn = drawn;
    built->complex = std::move(complex);
    return built;
}

Real innerRadius(const BuiltPattern& pattern) {
    if (!pattern.drawn || !pattern.drawn->isPrism)
        return pattern.pattern.innerRadius();
    const Bounds box = pattern.pattern.grid.bounds();
    const Vec3 low = pattern.pattern.center - box.low, high = box.high - pattern.pattern.center;
    return min(min(low.x, high.x), min(low.z, high.z));
}

// A quarter about +y takes x to -z and z to x.
Pattern turnedAboutNormal(const Pattern& pattern, int quarters) {
    Pattern turned = pattern;
    for (int i = 0; i < (quarters % 4 + 4) % 4; ++i) {
        const Pattern before = turned;
        const Grid& from = before.grid;
        Grid& grid = turned.grid;
        grid.nodes = {from.nodes.z, from.nodes.y, from.nodes.x};
        grid.origin = {from.origin.z, from.origin.y, -from.position(from.nodes.x - 1, 0, 0).x};
        turned.center = {before.center.z, before.center.y, -before.center.x};
        for (int z = 0; z < grid.nodes.z; ++z)
            for (int y = 0; y < grid.nodes.y; ++y)
                for (int x = 0; x < grid.nodes.x; ++x) {
                    const std::size_t at = grid.index(x, y, z), source = from.index(from.nodes.x - 1 - z, y, x);
                    turned.labels[at] = before.labels[source];
                    turned.distances[at] = before.distances[source];
                }
    }
    return turned;
}

SharedPattern patternOfRecipe(std::span<const std::byte> recipe) {
    BinaryReader in(recipe);
    const auto kind = in.value<std::uint8_t>();
    if (kind == kFile) {
        PatternFile file = readPatternFile(in.block(in.remaining()));
        return file.result.error.empty() ? sharedPattern(std::move(file.result.pattern), file.drawn, std::move(file.complex))
                                         : nullptr;
    }
    PatternDef definition;
    const auto index = in.value<std::uint8_t>();
    if (kind != kDefinition ||
        !emplaceKind(definition.kind, index, std::make_index_sequence<std::variant_size_v<PatternKind>>()))
        return nullptr;
    const auto read = [&](auto& number) { number = in.value<std::remove_reference_t<decltype(number)>>(); };
    std::visit([&](auto& numbers) { visitKind(numbers, read); }, definition.kind);
    visitRest(definition, read);
    if (in.failed() || in.remaining() > 0 || !check(definition).empty())
        return nullptr;
    return buildPattern(definition);
}

}  // namespace geometry

SharedPattern buildPattern(const PatternDef& definition) {
    geometry::PatternResult result;
    if (result.error = geometry::check(definition); result.error.empty())
        result = geometry::makePattern(definition);
    if (!result.error.empty())
        throw Error(result.error);
    if (!geometry::hasRecipe(definition))
        return geometry::sharedPattern(std::move(result.pattern));
    auto built = std::make_shared<BuiltPattern>();
    built->spins = std::holds_alternative<RadialPattern>(definition.kind) ||
                   std::holds_alternative<VoronoiPattern>(definition.kind) ||
                   std::holds_alternative<ShellPattern>(definition.kind);
    built->recipe = geometry::recipeOf(definition);
    built->definition = definition;
    built->pattern = std::move(result.pattern);
    return built;
}

}  // namespace sunder
