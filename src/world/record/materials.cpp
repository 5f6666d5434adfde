// The table of materials by name.
#include "sunder/materials.h"

#include <array>

namespace sunder {

namespace {

// What else a material is, beside an elastic solid.
struct Blows {
    Real yield = 0, restitution = 0, fractureImpulse = 0;
};

Material make(Real density, Real friction, Real young, Real poisson, Real strength, Real toughness, const Blows& blows = {}) {
    Material material;
    material.density = density;
    material.friction = friction;
    material.restitution = blows.restitution;
    material.fractureImpulse = blows.fractureImpulse;
    material.young = young;
    material.poisson = poisson;
    material.strength = strength;
    material.toughness = toughness;
    material.yield = blows.yield;
    return material;
}

}  // namespace

// Wood is that of a softwood along its grain. Rubber and jelly hardly change their volume; with a Poisson's ratio nearer to 0.5
// tetrahedra of constant strain would lock. Fracture impulses are set so that slabs of one size break in the order in which
// such slabs do.
std::span<const NamedMaterial> namedMaterials() {
    const auto r = [](double value) { return Real(value); };
    const auto breaks = [&](double restitution, double fractureImpulse) {
        return Blows{0, r(restitution), r(fractureImpulse)};
    };
    static const std::array<NamedMaterial, 12> kMaterials = {{
        {"steel", make(7850, r(0.6), r(2e11), r(0.29), r(4e8), r(1e5), {.yield = r(2.5e8)})},
        {"wood", make(650, r(0.5), r(1e10), r(0.3), r(8e7), 1000, breaks(0.05, 1050))},
        {"rubber", make(1100, r(0.9), r(5e6), r(0.45), r(1.5e7), r(1e4))},
        {"jelly", make(1050, r(0.5), r(3e4), r(0.4), r(1e4), 5)},
        {"glass", make(2500, r(0.4), r(7e10), r(0.22), r(4e7), 8, breaks(0.1, 130))},
        {"rope", make(900, r(0.7), r(1e9), r(0.3), r(8e7), r(1e4))},
        {"plaster", make(900, r(0.6), r(3e9), r(0.22), r(1e6), 5, breaks(0, 60))},
        {"ice", make(917, r(0.1), r(9e9), r(0.33), r(1e6), 1, breaks(0.05, 90))},
        {"ceramic", make(2300, r(0.45), r(6e10), r(0.22), r(3e7), 20, breaks(0.05, 180))},
        {"brick", make(1900, r(0.65), r(1.5e10), r(0.2), r(3e6), 30, breaks(0, 400))},
        {"stone", make(2700, r(0.65), r(5e10), r(0.25), r(8e6), 60, breaks(0.02, 700))},
        {"concrete", make(2400, r(0.6), r(3e10), r(0.2), r(3e6), 100, breaks(0.02, 900))},
    }};
    return kMaterials;
}

std::optional<Material> namedMaterial(std::string_view name) {
    for (const NamedMaterial& known : namedMaterials())
        if (known.name == name)
            return known.material;
    return std::nullopt;
}

}  // namespace sunder
