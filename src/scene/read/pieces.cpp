// Walls and arches as compounds, whose children can be bonded to each other.
#include "math/quat.h"
#include "math/trigonometry.h"
#include "scene/read/reader.h"

namespace sunder::scene {

Compound piecesOf(const BrickWallDef& def) {
    Compound wall;
    const Vec3 half = def.size * Real(0.5);
    const auto add = [&](double x, int row, Real width) {
        wall.children.push_back({Box{{width, half.y, half.z}}, {Real(x), Real((row + 0.5) * double(def.size.y)), 0}, {}});
    };
    for (int row = 0; row < def.count.rows; ++row) {
        const bool shifted = def.bond == Bond::Running && row % 2 == 1;
        const int bricks = def.count.bricks - shifted;
        const double end = 0.5 * def.count.bricks * double(def.size.x) - 0.5 * double(half.x);
        if (shifted)
            add(-end, row, half.x / 2);
        for (int i = 0; i < bricks; ++i)
            add((i - 0.5 * (bricks - 1)) * double(def.size.x), row, half.x);
        if (shifted)
            add(end, row, half.x / 2);
    }
    return wall;
}

Compound piecesOf(const ArchDef& def) {
    Compound arch;
    const Real outer = def.radius + def.thickness, half = def.depth / 2;
    const Real degree = kPi / 180, first = (180 - def.angle) / 2 * degree;
    // Feet at height 0.
    const Real foot = sinCos(first).sin * def.radius;
    const auto corner = [&](int i, Real radius, Real z) {
        const SinCos at = sinCos(first + def.angle * degree * Real(i) / Real(def.stones));
        return Vec3{at.cos * radius, at.sin * radius - foot, z};
    };
    for (int i = 0; i < def.stones; ++i) {
        Hull stone;
        Vec3 middle;
        for (const int side : {i, i + 1})
            for (const Real radius : {def.radius, outer})
                for (const Real z : {-half, half}) {
                    stone.points.push_back(corner(side, radius, z));
                    middle += stone.points.back() * Real(0.125);
                }
        for (Vec3& point : stone.points)
            point -= middle;
        arch.children.push_back({std::move(stone), middle, {}});
    }
    return arch;
}

}  // namespace sunder::scene
