// The closed surfaces that the fragments of a cut make: which fragments hang together, how large they are, who touches whom.
#pragma once

#include <vector>

#include "geometry/cutting/fragments.h"

namespace sunder::geometry {

struct Shell {
    std::uint32_t label = 0;
    double volume = 0;  // that of hollows within it subtracted
    Vec3d low, high;    // bounds
};

struct Shells {
    struct Touch {
        std::uint32_t a = 0, b = 0;  // shells, a < b
        double area = 0;             // of the faces between them
    };
    std::vector<std::uint32_t> ofFragment;
    std::vector<Shell> all;
    std::vector<std::vector<std::uint32_t>> fragments;  // by shell
    std::vector<Touch> touches;                         // ascending
    std::size_t openSeams = 0;                          // edges that do not lie between two fragments of one label
};

Shells findShells(const Fragments& fragments);

// Whether the point is inside the shell, by the surfaces that a ray from it passes.
bool isInside(const Fragments& fragments, const Shells& shells, std::uint32_t shell, const Vec3d& point);

}  // namespace sunder::geometry
