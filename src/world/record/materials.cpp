// The table of materials by name.
#include "sunder/materials.h"

#include <array>

namespace sunder {

namespace {

Material make(Real density, Real friction, Real young, Real poisson, Real strength, Real toughness, Real yield = 0) {
    Material material;
    material.density = density;
    material.friction = friction;
    material.young = young;
    material.poisson = poisson;
    material.strength = strength;
    material.toughness = toughness;
    material.yield = yield;
    return material;
}

}  // namespace

// Wood is that of a softwood along its grain. Rubber and jelly hardly change their volume; with a Poisson's ratio nearer to 0.5
// tetrahedra of constant strain would lock.
std::span<const NamedMaterial> namedMaterials() {
    static const std::array<NamedMaterial, 6> kMaterials = {{
        {"steel", make(7850, Real(0.6), Real(2e11), Real(0.29), Real(4e8), Real(1e5), Real(2.5e8))},
        {"wood", make(550, Real(0.5), Real(1e10), Real(0.3), Real(4e7), Real(300))},
        {"rubber", make(1100, Real(0.9), Real(5e6), Real(0.45), Real(1.5e7), Real(1e4))},
        {"jelly", make(1050, Real(0.5), Real(3e4), Real(0.4), Real(1e4), Real(5))},
        {"glass", make(2500, Real(0.4), Real(7e10), Real(0.22), Real(4.5e7), Real(10))},
        {"rope", make(900, Real(0.7), Real(1e9), Real(0.3), Real(8e7), Real(1e4))},
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
