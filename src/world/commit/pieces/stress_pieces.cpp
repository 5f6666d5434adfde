#include "world/commit/pieces/stress_pieces.h"

#include <algorithm>

#include "elastic/crack/crack_solid.h"
#include "fracture/prescored/place_pattern.h"
#include "world/commit/pieces/level_set_pieces.h"
#include "world/commit/pieces/prepared_shell.h"
#include "world/commit/pieces/stress_of_body.h"

namespace sunder::world {

namespace {

using elastic::CrackState;

// Elements of the smallest piece, the least that a definition may ask for (Stressed::elements).
constexpr int kLeastElements = 50;
// Cells: labels keep distances to cracks up to this.
constexpr double kReachOfLabels = double(fracture::kPlacedLimit) / fracture::kPlacedSteps + 1;

CrackState restored(const elastic::UncutMesh& solid, const std::vector<KeptCrack>& kept) {
    CrackState state = elastic::noCracks(solid);
    const auto isBelow = [](const std::vector<std::uint32_t>& numbers, std::size_t limit) {
        return std::all_of(numbers.begin(), numbers.end(), [&](std::uint32_t number) { return number < limit; });
    };
    for (const KeptCrack& crack : kept) {
        // Of a snapshot that was tampered with: it must not be believed.
        if (crack.nodes.size() != crack.distances.size() || !isBelow(crack.nodes, solid.mesh.vertices.size()) ||
            !isBelow(crack.tets, solid.mesh.tets.size()))
            continue;
        const auto number = static_cast<std::uint16_t>(state.cracks.size());
        elastic::Crack& made = state.cracks.emplace_back();
        made.distances.assign(solid.mesh.vertices.size(), 0);
        for (std::size_t i = 0; i < crack.nodes.size(); ++i)
            made.distances[crack.nodes[i]] = crack.distances[i];
        for (const std::uint32_t tet : crack.tets)
            if (elastic::hasRoom(state, number, tet)) {
                made.tets.push_back(tet);
                state.ofTet[tet].push_back(number);
            }
    }
    return state;
}

std::vector<KeptCrack> keptOf(const CrackState& state) {
    std::vector<KeptCrack> kept;
    for (const elastic::Crack& crack : state.cracks) {
        KeptCrack& made = kept.emplace_back();
        made.tets = crack.tets;
        for (std::uint32_t node = 0; node < crack.distances.size(); ++node)
            if (crack.distances[node] != 0) {
                made.nodes.push_back(node);
                made.distances.push_back(crack.distances[node]);
            }
    }
    return kept;
}

}  // namespace

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

void prepareStress(WorldState& world, const Body& body) {
    const Stressed* method = body.fracture ? std::get_if<Stressed>(&body.fracture->def.method) : nullptr;
    if (!method)
        return;
    if (shellOf(*body.fracture->solid))
        return prepareShell(world.breaking, body, *method, *world.tasks);
    const std::shared_ptr<const StressMesh> mesh = stressMesh(world.breaking, *body.fracture, *method);
    if (mesh)
        wholeSolver(world.breaking, *mesh, elasticMaterialOf(body), *world.tasks);
}

Stressed ofShare(const Stressed& method, Real share) {
    Stressed result = method;
    result.elements = std::max(kLeastElements, int(Real(method.elements) * share));
    return result;
}

std::vector<CutPiece> breakBy(const Stressed& method, WorldState& world, const Body& body, const BreakRequest& request,
                              int mostPieces) {
    const BodyFracture& fracture = *body.fracture;
    const std::shared_ptr<const StressMesh> mesh = stressMesh(world.breaking, fracture, method);
    if (!mesh)
        return {};
    CrackState state = restored(mesh->solid, fracture.stress.cracks);
    const Material& material = body.material;
    const std::vector<elastic::Resistance> resistance =
        elastic::resistanceOf(mesh->solid, material.strength, material.toughness, material.young, mesh->grains);
    elastic::CrackOptions options;
    options.rounds = method.rounds;
    options.growth.mostStarts = method.mostCracks;
    StressOfBody stress(world, body, request, *mesh);
    const elastic::CrackResult result =
        elastic::crackSolid(mesh->solid, state, resistance, mesh->grains, options, std::ref(stress), *world.tasks);
    world.stepStats.crackedElements += int(result.cutTets);
    StressOutcome& outcome = world.breaking.stressOutcome;
    outcome.isTried = true;
    outcome.isSolved = result.isSolved;
    outcome.rounds = result.rounds;
    outcome.stress = Real(result.worstStress);
    outcome.equivalent = Real(stress.firstEquivalent());
    outcome.element = result.worstTet;
    outcome.rule = !result.hasStarted                                      ? BreakRule::Toughness
                   : mesh->grains.isBoundary(mesh->solid, result.worstTet) ? BreakRule::Grains
                                                                           : BreakRule::Strength;
    outcome.point = elastic::middleOf(mesh->solid.mesh, result.worstTet);
    if (result.rounds > 0) {
        world.breaking.stressMaps.push_back(stressMapOf(request.body, body, mesh->solid, result.firstTensions));
        noteWorst(outcome, world.breaking.stressMaps.back());
    }
    outcome.cracks = keptOf(state);
    if (result.cut.pieceVolumes.size() < 2)
        return {};
    const geometry::Grid& grid = fracture.solid->levelSet->field().grid;
    const double farthest = kReachOfLabels * double(grid.cell);
    elastic::CrackRegions regions(mesh->solid, state, result.cut, mesh->finder, farthest);
    const fracture::PlacedPattern labels = fracture::placeRegions(regions, grid, false, world.tasks);
    const auto makeRegions = [&] { return regions.another(); };
    return labels.labels ? cutByLabels(*world.tasks, body, labels, makeRegions, mostPieces) : std::vector<CutPiece>{};
}

}  // namespace sunder::world
