// Materials by name: figures of handbooks, rounded. Some of them have a look and a pattern in scene files too
// (sunder/scene/scene.h).
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

// steel, wood, rubber, jelly, glass, rope, plaster, ice, ceramic, brick, stone, concrete.
std::span<const NamedMaterial> namedMaterials();
// Empty where there is none of that name.
std::optional<Material> namedMaterial(std::string_view name);

}  // namespace sunder
