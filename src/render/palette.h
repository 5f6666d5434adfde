// Which colour a body has in pictures and exports: bodies of one kind have neighbouring colours.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "math/vec3.h"
#include "sunder/definitions.h"

namespace sunder::render {

struct Look {
    Vec3 albedo{Real(0.5), Real(0.5), Real(0.5)};  // linear, 0 to 1
    Vec3 opened{Real(0.5), Real(0.5), Real(0.5)};  // albedo of faces that a fracture opened
    Real gloss = 1;                                // strength of highlights
    bool ground = false;                           // upward faces carry the grid
    Real opacity = 1;                              // below 1 it can be seen through
    std::uint32_t material = 0xffffffffu;          // number of the scene's material, for exports
};

// The colour of faces that a fracture opened, where nothing says otherwise.
Vec3 openedTone(const Vec3& albedo);

class Palette {
public:
    // Bodies whose names differ by their number alone are of one kind; the variant chooses among the colours of the kind. There
    // are few colours in all, so that exports need few materials.
    Look look(const std::string& name, std::uint32_t variant, Motion motion);

private:
    struct Kind {
        int number = 0;  // in the order in which kinds were first seen
        std::uint32_t firstVariant = 0;
    };
    std::map<std::string, Kind> kinds_;
};

}  // namespace sunder::render
