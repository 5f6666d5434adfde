#include "world/commit/make_stress_map.h"

namespace sunder::world {

StressMap stressMapOf(BodyId id, const Body& body, const elastic::UncutMesh& solid,
                      std::span<const elastic::PrincipalStress> tensions) {
    StressMap map;
    map.body = id;
    map.worldFromBody = {toVec3(userPosition(body)), userOrientation(body)};
    map.strength = body.material.strength;
    constexpr std::uint32_t kNotOutside = 0xffffffffu;
    std::vector<std::uint32_t> numbers(solid.mesh.vertices.size(), kNotOutside);
    const auto numberOf = [&](std::uint32_t node) {
        if (numbers[node] != kNotOutside)
            return numbers[node];
        numbers[node] = static_cast<std::uint32_t>(map.vertices.size());
        map.vertices.push_back(solid.mesh.vertices[node]);
        Real most = -kInfinity;
        for (const std::uint32_t tet : solid.tetsOf(node))
            most = max(most, Real(tensions[tet].value));
        map.tensions.push_back(most);
        return numbers[node];
    };
    for (std::uint32_t tet = 0; tet < solid.mesh.tets.size(); ++tet)
        for (int face = 0; face < 4; ++face) {
            if (solid.neighbors.across[tet][std::size_t(face)] != geometry::kNoTet)
                continue;
            const geometry::TriangleIndices corners = geometry::faceOf(solid.mesh.tets[tet], face);
            map.triangles.push_back({numberOf(corners[0]), numberOf(corners[1]), numberOf(corners[2])});
        }
    return map;
}

void noteWorst(const StressOutcome& outcome, StressMap& map) {
    map.worstTension = outcome.stress;
    map.element = outcome.element;
    map.worst = map.worldFromBody.position + rotate(map.worldFromBody.orientation, outcome.point);
}

}  // namespace sunder::world
