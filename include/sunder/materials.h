// Materials by name, for solids that deform, tear or crack: figures of handbooks, rounded.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "sunder/definitions.h"

namespace sunder {

struct NamedMaterial {
    std::string_view name;
    Material material;
};

// steel, wood, rubber, jelly, glass, rope.
std::span<const NamedMaterial> namedMaterials();
// Empty where there is none of that name.
std::optional<Material> namedMaterial(std::string_view name);

}  // namespace sunder
