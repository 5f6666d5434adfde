#include "world/commit/stress_pieces.h"

#include <algorithm>

#include "elastic/crack/crack_solid.h"
#include "elastic/stress/stress_solver.h"
#include "fracture/prescored/place_pattern.h"
#include "world/commit/level_set_pieces.h"
#include "world/commit/make_stress_map.h"
#include "world/commit/stress_mesh.h"

namespace sunder::world {

namespace {

using elastic::CrackedMesh;
using elastic::CrackState;

// s: a blow that a call asks for, of which no partner is known, takes as long as one between hard bodies of some decimetres.
constexpr Real kCalledBlow = Real(1e-3);
constexpr int kLeastElements = 50;
// Of the stress after cracks have grown: which way they go on does not depend on so little.
constexpr double kLaterTolerance = 3e-3;

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

elastic::ElasticMaterial elasticMaterialOf(const Body& body) {
    elastic::ElasticMaterial material;
    material.young = body.material.young;
    material.poisson = body.material.poisson;
    material.density =
        body.motion == Motion::Dynamic ? Real(double(body.mass) / body.shape->massProperties.volume) : body.material.density;
    return material;
}

// The loads of one break on the mesh, however it is cracked.
class StressOfBody {
public:
    StressOfBody(WorldState& world, const Body& body, const BreakRequest& request, const StressMesh& mesh)
        : world_(world), body_(body), mesh_(mesh), loads_(request.loads) {
        if (request.kind != BreakRequest::Kind::Loads)
            loads_.push_back({request.point, request.normal * (-request.impulse / kCalledBlow)});
        const Quat orientation = userOrientation(body);
        spin_ = toDouble(inverseRotate(orientation, body.angularVelocity));
        gravity_ = toDouble(inverseRotate(orientation, world.def.gravity * body.gravityFactor));
        material_ = elasticMaterialOf(body);
    }

    std::optional<std::vector<elastic::Stress>> operator()(const CrackedMesh& cut, const CrackState& state) {
        TaskRunner& runner = *world_.tasks;
        WholeSolver& whole = wholeSolver(world_.breaking, mesh_, material_, runner);
        elastic::StressSolver* solver = &whole.solver;
        std::optional<elastic::StressSolver> cracked;
        std::vector<Vec3d> guess;
        if (!state.cracks.empty()) {
            elastic::StressOptions options;
            options.tolerance = displacements_.empty() ? options.tolerance : kLaterTolerance;
            const std::vector<std::uint32_t> nodes = elastic::nodesBefore(cut, before_ ? cutBefore_ : whole.cut);
            cracked.emplace(cut.elements, before_ ? *before_ : whole.solver, nodes, options, runner);
            solver = &*cracked;
            if (!displacements_.empty())
                for (const std::uint32_t node : nodes)
                    guess.push_back(displacements_[node]);
        }
        elastic::StressSolution found = solver->solve(loadsOn(solver->solid(), cut, state), runner, guess);
        ++world_.stepStats.stressSolves;
        world_.stepStats.stressIterations += found.iterations;
        // Coarse levels that are too far from what the cracks have left are made anew; what no cycle serves, block Jacobi does.
        for (const auto method : {elastic::StressOptions::Method::automatic, elastic::StressOptions::Method::blockJacobi}) {
            if (found.converged || !cracked)
                break;
            elastic::StressOptions options;
            options.method = method;
            options.tolerance = kLaterTolerance;
            cracked.emplace(cut.elements, material_, options, runner);
            solver = &*cracked;
            found = solver->solve(loadsOn(solver->solid(), cut, state), runner);
            world_.stepStats.stressIterations += found.iterations;
        }
        if (!found.converged)
            return std::nullopt;
        std::vector<elastic::Stress> stresses = elastic::smoothed(solver->solid(), found.stresses, runner);
        displacements_ = std::move(found.displacements);
        cutBefore_ = cut;
        before_ = std::move(cracked);
        return stresses;
    }

private:
    elastic::NodalLoads loadsOn(const elastic::ElasticSolid& solid, const CrackedMesh& cut, const CrackState& state) const {
        elastic::NodalLoads loads(solid);
        for (const StressLoad& load : loads_) {
            const elastic::ElementPlace place = placeOf(mesh_.solid, state, cut, mesh_.finder, toDouble(load.point));
            loads.addForce(solid, place.element, place.weights, toDouble(load.force));
        }
        loads.addSpin(solid, spin_);
        return body_.motion == Motion::Static ? held(solid, std::move(loads)) : loads;
    }

    // Anchors hold what hangs on them against the loads and its weight, by forces that vary linearly over their nodes: the
    // balance of inertia with the masses of the anchored nodes alone.
    elastic::NodalLoads held(const elastic::ElasticSolid& solid, elastic::NodalLoads loads) const {
        const std::vector<FractureAnchor>& anchors = body_.fracture->def.anchors;
        if (anchors.empty())
            return loads;
        for (std::size_t node = 0; node < solid.nodes.size(); ++node)
            loads.forces[node] += gravity_ * solid.masses[node];
        const auto isAnchored = [&](const Vec3d& p) {
            return std::any_of(anchors.begin(), anchors.end(), [&](const FractureAnchor& a) {
                return p.x >= double(a.low.x) && p.y >= double(a.low.y) && p.z >= double(a.low.z) && p.x <= double(a.high.x) &&
                       p.y <= double(a.high.y) && p.z <= double(a.high.z);
            });
        };
        std::vector<std::uint8_t> hangs(solid.componentCount, 0);
        for (std::size_t node = 0; node < solid.nodes.size(); ++node)
            if (isAnchored(solid.nodes[node]))
                hangs[solid.component[node]] = 1;
        elastic::ElasticSolid holder = solid;
        for (std::size_t node = 0; node < solid.nodes.size(); ++node)
            if (hangs[solid.component[node]] && !isAnchored(solid.nodes[node]))
                holder.masses[node] = 0;
        return elastic::balanced(holder, loads);
    }

    WorldState& world_;
    const Body& body_;
    const StressMesh& mesh_;
    std::vector<StressLoad> loads_;
    Vec3d spin_, gravity_;
    elastic::ElasticMaterial material_;
    // Of the round before: the solver where there were cracks, the mesh and its displacements.
    std::optional<elastic::StressSolver> before_;
    CrackedMesh cutBefore_;
    std::vector<Vec3d> displacements_;
};

}  // namespace

void prepareStress(WorldState& world, const Body& body) {
    if (!body.fracture)
        return;
    const Stressed* method = std::get_if<Stressed>(&body.fracture->def.method);
    const std::shared_ptr<const StressMesh> mesh = method ? stressMesh(world.breaking, *body.fracture, *method) : nullptr;
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
        elastic::crackSolid(mesh->solid, state, resistance, mesh->grains, options, std::ref(stress));
    world.stepStats.crackedElements += int(result.cutTets);
    StressOutcome& outcome = world.breaking.stressOutcome;
    outcome.isTried = true;
    outcome.isSolved = result.isSolved;
    outcome.rounds = result.rounds;
    outcome.stress = Real(result.worstStress);
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
    const auto makeRegions = [&] {
        return std::make_unique<elastic::CrackRegions>(mesh->solid, state, result.cut, mesh->finder);
    };
    const std::unique_ptr<elastic::CrackRegions> regions = makeRegions();
    const fracture::PlacedPattern labels = fracture::placeRegions(*regions, fracture.solid->levelSet->field().grid, false);
    return labels.labels ? cutByLabels(*world.tasks, body, labels, makeRegions, mostPieces) : std::vector<CutPiece>{};
}

}  // namespace sunder::world
