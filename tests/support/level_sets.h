// Level sets for tests.
#pragma once

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include "sunder/shapes.h"

namespace sunder::testing {

inline LevelSet levelSetOf(const Shape& solid, double cell) {
    LevelSet result;
    result.parts.push_back({solid, {}, {}});
    result.cell = Real(cell);
    return result;
}

// An arc of a ring about y, from and to in radians, as a union of capsules.
inline LevelSet arc(double radius, double tube, double from, double to, double cell) {
    constexpr int kParts = 16;
    LevelSet result;
    result.cell = Real(cell);
    const double step = (to - from) / kParts, half = radius * std::sin(step / 2);
    for (int i = 0; i < kParts; ++i) {
        const double a = from + step * (i + 0.5), s = std::sqrt(0.5);
        result.parts.push_back({Capsule{Real(tube), Real(half)},
                                {Real(radius * std::cos(a)), 0, Real(radius * std::sin(a))},
                                {Real(std::cos(a) * s), 0, Real(std::sin(a) * s), Real(s)}});
    }
    return result;
}

// assets/bunny.obj, about 10 units wide before scaling, standing on y = 0.
inline Mesh bunny(double scale) {
    Mesh mesh;
    std::ifstream file(SUNDER_TEST_SOURCE_DIR "/assets/bunny.obj");
    for (std::string line; std::getline(file, line);) {
        std::istringstream text(line);
        std::string kind;
        text >> kind;
        if (kind == "v") {
            double x = 0, y = 0, z = 0;
            text >> x >> y >> z;
            mesh.vertices.push_back({Real(x * scale), Real(y * scale), Real(z * scale)});
        } else if (kind == "f") {
            std::array<std::uint32_t, 3> corners{};
            for (std::uint32_t& corner : corners) {
                text >> corner;
                --corner;
            }
            mesh.triangles.push_back(corners);
        }
    }
    return mesh;
}

}  // namespace sunder::testing
