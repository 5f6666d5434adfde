// Checks the parameters of a pattern and chooses its generator.
#include <cmath>
#include <string>

#include "geometry/patterns/generators.h"

namespace sunder::geometry {
namespace {

class RangeCheck {
public:
    // Keeps the first field that is out of range.
    RangeCheck& field(const char* name, double value, double low, double high) {
        if (error_.empty() && !(value >= low && value <= high))
            error_ = std::string("pattern: ") + name + " is " + std::to_string(value) + ", it must be " + std::to_string(low) +
                     " to " + std::to_string(high);
        return *this;
    }
    RangeCheck& direction(const char* name, const Vec3& value) {
        if (error_.empty() && !(isFinite(value) && lengthSquared(value) > Real(1e-12)))
            error_ = std::string("pattern: ") + name + " must be a direction";
        return *this;
    }
    const std::string& error() const { return error_; }

private:
    std::string error_;
};

constexpr double kSmallestLength = 0.01, kLargestLength = 4;

void checkKind(RangeCheck& check, const RadialPattern& kind) {
    check.field("rays", kind.rays, 3, 64)
        .field("rings", kind.rings, 1, 32)
        .field("inner radius", kind.innerRadius, 0.001, 1)
        .field("growth", kind.growth, 1.05, 10)
        .field("jitter", kind.jitter, 0, 1)
        .field("split ring", kind.splitRing, 1, 1 << 20);
}
void checkKind(RangeCheck& check, const VoronoiPattern& kind) {
    check.field("pieces", kind.pieces, 1, 2000)
        .field("evenness", kind.evenness, 0, 1)
        .field("clustering", kind.clustering, 0, 1);
}
void checkKind(RangeCheck& check, const WoodPattern& kind) {
    check.field("pieces", kind.pieces, 1, 2000).field("anisotropy", kind.anisotropy, 1, 100).direction("grain", kind.grain);
}
void checkKind(RangeCheck& check, const SlabPattern& kind) {
    check.field("thickness", kind.thickness, kSmallestLength, kLargestLength)
        .field("jitter", kind.jitter, 0, 1)
        .field("tilt", kind.tilt, 0, 0.5)
        .direction("axis", kind.axis);
}
void checkKind(RangeCheck& check, const BrickPattern& kind) {
    check.field("size.x", kind.size.x, kSmallestLength, kLargestLength)
        .field("size.y", kind.size.y, kSmallestLength, kLargestLength)
        .field("size.z", kind.size.z, kSmallestLength, kLargestLength)
        .field("bond", kind.bond, 0, 1);
}
void checkKind(RangeCheck& check, const ShellPattern& kind) {
    check.field("thickness", kind.thickness, kSmallestLength, kLargestLength)
        .field("sectors", kind.sectors, 1, 1000)
        .field("jitter", kind.jitter, 0, 1);
}

std::unique_ptr<RegionSource> regionsOf(const PatternKind& kind, std::uint64_t seed) {
    struct Choose {
        std::uint64_t seed;
        std::unique_ptr<RegionSource> operator()(const RadialPattern& k) const { return radialRegions(k, seed); }
        std::unique_ptr<RegionSource> operator()(const VoronoiPattern& k) const { return voronoiRegions(k, seed); }
        std::unique_ptr<RegionSource> operator()(const WoodPattern& k) const { return woodRegions(k, seed); }
        std::unique_ptr<RegionSource> operator()(const SlabPattern& k) const { return slabRegions(k, seed); }
        std::unique_ptr<RegionSource> operator()(const BrickPattern& k) const { return brickRegions(k); }
        std::unique_ptr<RegionSource> operator()(const ShellPattern& k) const { return shellRegions(k, seed); }
    };
    return std::visit(Choose{seed}, kind);
}

}  // namespace

std::string check(const PatternDef& definition) {
    RangeCheck check;
    check.field("nodes", definition.nodes, 9, 513);
    const PatternRoughness& rough = definition.roughness;
    check.field("roughness.amplitude", rough.amplitude, 0, 0.25);
    if (rough.amplitude > 0)
        check.field("roughness.wavelength", rough.wavelength, kSmallestLength, kLargestLength)
            .field("roughness.octaves", rough.octaves, 1, 6);
    std::visit([&](const auto& kind) { checkKind(check, kind); }, definition.kind);
    return check.error();
}

std::unique_ptr<RegionSource> makeRegions(const PatternDef& definition) {
    std::unique_ptr<RegionSource> smooth = regionsOf(definition.kind, definition.seed);
    if (!(definition.roughness.amplitude > 0))
        return smooth;
    return std::make_unique<RoughRegions>(std::move(smooth), definition.roughness, definition.seed);
}

PatternResult makePattern(const PatternDef& definition) {
    const std::string error = check(definition);
    if (!error.empty())
        return {{}, error};
    return buildPattern(patternGrid(definition.nodes), *makeRegions(definition), definition.roughness.amplitude > 0);
}

}  // namespace sunder::geometry
