#include "world/commit/pieces/stress_of_body.h"

#include <algorithm>

#include "elastic/solid/rigid_motion.h"
#include "elastic/stress/plastic_flow.h"

namespace sunder::world {

namespace {

using elastic::CrackedMesh;
using elastic::CrackState;

// s: a blow that a call asks for, of which no partner is known, takes as long as one between hard bodies of some decimetres.
constexpr Real kCalledBlow = Real(1e-3);
// Relative tolerance of the stress in the rounds after cracks have grown: which way they go on does not depend on so little.
constexpr double kLaterTolerance = 1e-2;

}  // namespace

elastic::ElasticMaterial elasticMaterialOf(const Body& body) {
    elastic::ElasticMaterial material;
    material.young = body.material.young;
    material.poisson = body.material.poisson;
    material.density =
        body.motion == Motion::Dynamic ? Real(double(body.mass) / body.shape->massProperties.volume) : body.material.density;
    return material;
}

const Shell* shellOf(const BuiltShape& shape) { return std::get_if<Shell>(&shape.definition); }

std::vector<StressLoad> loadsOf(const BreakRequest& request) {
    std::vector<StressLoad> loads = request.loads;
    if (request.kind != BreakRequest::Kind::Loads)
        loads.push_back({request.point, request.normal * (-request.impulse / kCalledBlow)});
    return loads;
}

StressOfBody::StressOfBody(WorldState& world, const Body& body, const BreakRequest& request, const StressMesh& mesh)
    : world_(world), body_(body), mesh_(mesh), loads_(loadsOf(request)) {
    const Quat orientation = userOrientation(body);
    spin_ = toDouble(inverseRotate(orientation, body.angularVelocity));
    gravity_ = toDouble(inverseRotate(orientation, world.def.gravity * body.gravityFactor));
    material_ = elasticMaterialOf(body);
}

std::optional<std::vector<elastic::Stress>> StressOfBody::operator()(const CrackedMesh& cut, const CrackState& state) {
    TaskRunner& runner = *world_.tasks;
    WholeSolver& whole = wholeSolver(world_.breaking, mesh_, material_, runner);
    elastic::StressSolver* solver = &*whole.solver;
    std::optional<elastic::StressSolver> cracked;
    std::vector<Vec3d> guess;
    if (!state.cracks.empty()) {
        elastic::StressOptions options;
        options.tolerance = displacements_.empty() ? options.tolerance : kLaterTolerance;
        const std::vector<std::uint32_t> nodes = elastic::nodesBefore(cut, before_ ? cutBefore_ : whole.cut);
        cracked.emplace(cut.elements, before_ ? *before_ : *whole.solver, nodes, options, runner);
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
    if (firstEquivalent_ < 0)
        for (const elastic::Stress& stress : stresses)
            firstEquivalent_ = std::max(firstEquivalent_, elastic::equivalentStress(stress));
    displacements_ = std::move(found.displacements);
    cutBefore_ = cut;
    before_ = std::move(cracked);
    return stresses;
}

std::optional<std::vector<Vec3d>> StressOfBody::leftBy(const std::vector<elastic::Stress>& strains) {
    WholeSolver& whole = wholeSolver(world_.breaking, mesh_, material_, *world_.tasks);
    const elastic::ElasticSolid& solid = whole.solver->solid();
    elastic::NodalLoads loads(solid);
    elastic::addFlow(solid, strains, loads);
    elastic::StressSolution found = whole.solver->solve(loads, *world_.tasks);
    ++world_.stepStats.stressSolves;
    world_.stepStats.stressIterations += found.iterations;
    if (!found.converged)
        return std::nullopt;
    if (body_.motion == Motion::Static && !body_.fracture->def.anchors.empty())
        elastic::removeRigidMotion(holderOf(solid), found.displacements);
    return std::move(found.displacements);
}

elastic::NodalLoads StressOfBody::loadsOn(const elastic::ElasticSolid& solid, const CrackedMesh& cut,
                                          const CrackState& state) const {
    elastic::NodalLoads loads(solid);
    for (const StressLoad& load : loads_) {
        const elastic::ElementPlace place = placeOf(mesh_.solid, state, cut, mesh_.finder, toDouble(load.point));
        loads.addForce(solid, place.element, place.weights, toDouble(load.force));
    }
    loads.addSpin(solid, spin_);
    return body_.motion == Motion::Static ? held(solid, std::move(loads)) : loads;
}

bool isAnchored(const Vec3d& p, const std::vector<FractureAnchor>& anchors) {
    return std::any_of(anchors.begin(), anchors.end(), [&](const FractureAnchor& a) {
        return p.x >= double(a.low.x) && p.y >= double(a.low.y) && p.z >= double(a.low.z) && p.x <= double(a.high.x) &&
               p.y <= double(a.high.y) && p.z <= double(a.high.z);
    });
}

// The solid with masses at its anchors alone, in components that have any.
elastic::ElasticSolid StressOfBody::holderOf(const elastic::ElasticSolid& solid) const {
    std::vector<std::uint8_t> hangs(solid.componentCount, 0);
    for (std::size_t node = 0; node < solid.nodes.size(); ++node)
        if (isAnchored(solid.nodes[node]))
            hangs[solid.component[node]] = 1;
    elastic::ElasticSolid holder = solid;
    for (std::size_t node = 0; node < solid.nodes.size(); ++node)
        if (hangs[solid.component[node]] && !isAnchored(solid.nodes[node]))
            holder.masses[node] = 0;
    return holder;
}

// Anchors hold what hangs on them against the loads and its weight, by forces that vary linearly over their nodes: the balance
// of inertia with the masses of the anchored nodes alone.
elastic::NodalLoads StressOfBody::held(const elastic::ElasticSolid& solid, elastic::NodalLoads loads) const {
    if (body_.fracture->def.anchors.empty())
        return loads;
    for (std::size_t node = 0; node < solid.nodes.size(); ++node)
        loads.forces[node] += gravity_ * solid.masses[node];
    return elastic::balanced(holderOf(solid), loads);
}

}  // namespace sunder::world
