// See pit.h.
#include "scene/read/pit.h"

namespace sunder::scene {

std::vector<PlacedBox> pitBoxes(const PitDef& def) {
    const Real x = def.width.x / 2, z = def.width.z / 2, h = def.height / 2, t = def.thickness / 2;
    return {{{{x + 2 * t, t, z + 2 * t}}, {0, -t, 0}},
            {{{t, h, z + 2 * t}}, {-x - t, h, 0}},
            {{{t, h, z + 2 * t}}, {x + t, h, 0}},
            {{{x, h, t}}, {0, h, -z - t}},
            {{{x, h, t}}, {0, h, z + t}}};
}

Mesh pitMesh(const PitDef& def) {
    const Real x = def.width.x / 2, z = def.width.z / 2, t = def.thickness;
    Mesh mesh;
    // Four rings of corners, counter-clockwise seen from above: outside at the bottom and at the top, inside at the top and
    // on the floor.
    const auto addRing = [&](Real halfX, Real height, Real halfZ) {
        for (const Vec3& corner :
             {Vec3{-halfX, height, halfZ}, {halfX, height, halfZ}, {halfX, height, -halfZ}, {-halfX, height, -halfZ}})
            mesh.vertices.push_back(corner);
    };
    addRing(x + t, -t, z + t);
    addRing(x + t, def.height, z + t);
    addRing(x, def.height, z);
    addRing(x, 0, z);
    const auto addQuad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
    };
    addQuad(3, 2, 1, 0);
    for (std::uint32_t ring = 0; ring < 3; ++ring)
        for (std::uint32_t i = 0; i < 4; ++i) {
            const std::uint32_t next = (i + 1) % 4, lower = 4 * ring, upper = 4 * ring + 4;
            addQuad(lower + i, lower + next, upper + next, upper + i);
        }
    addQuad(12, 13, 14, 15);
    return mesh;
}

}  // namespace sunder::scene
