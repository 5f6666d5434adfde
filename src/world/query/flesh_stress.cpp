#include "world/query/flesh_stress.h"

#include <algorithm>

#include "deformable/element/tet_strain.h"
#include "deformable/tear/tension.h"

namespace sunder::world {

namespace {

// Per node the most of the tetrahedra around it.
std::vector<Real> mostAtNodes(const deformable::SolidModel& model, std::span<const Real> ofTets) {
    std::vector<Real> found;
    for (std::uint32_t node = 0; node < model.nodeCount(); ++node) {
        Real most = ofTets[model.graph.cornerList[model.graph.firstCorner[node]][0]];
        for (std::uint32_t c = model.graph.firstCorner[node]; c < model.graph.firstCorner[node + 1]; ++c)
            most = max(most, ofTets[model.graph.cornerList[c][0]]);
        found.push_back(most);
    }
    return found;
}

StressMap mapOf(const WorldState& world, std::uint32_t slot) {
    const Body& body = world.bodies[slot];
    const deformable::SolidModel& model = modelOf(*body.solid, *body.shape);
    const std::vector<Real> tensions =
        deformable::tetTensions(*world.tasks, model, body.vertices->positions, body.solid->memory);
    StressMap map;
    map.body = {slot, body.generation};
    map.worldFromBody = {toVec3(userPosition(body)), userOrientation(body)};
    map.vertices = body.vertices->positions;
    map.triangles = body.vertices->triangles;
    map.strength = body.material.strength;
    map.tensions = mostAtNodes(model, tensions);
    map.strains = mostAtNodes(model, deformable::tetStrains(model, body.vertices->positions));
    map.element = static_cast<std::uint32_t>(std::max_element(tensions.begin(), tensions.end()) - tensions.begin());
    map.worstTension = tensions[map.element];
    Vec3 middle;
    for (const std::uint32_t node : model.mesh.tets[map.element])
        middle += body.vertices->positions[node] / 4;
    map.worst = transformPoint(map.worldFromBody, middle);
    return map;
}

}  // namespace

void drawFleshStress(const WorldState& world, StressDraw& draw) {
    for (const std::uint32_t slot : world.roster.deforming)
        if (const Body& body = world.bodies[slot];
            body.solid && body.material.strength > 0 && !isAsleep(body) && !body.quarantined)
            draw.stress(mapOf(world, slot));
}

}  // namespace sunder::world
