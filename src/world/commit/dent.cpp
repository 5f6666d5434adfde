#include "world/commit/dent.h"

#include <algorithm>
#include <cmath>

#include "collision/build_shape.h"
#include "elastic/stress/plastic_flow.h"
#include "geometry/level_set/level_set_mass.h"
#include "geometry/surface/surface_vertices.h"
#include "geometry/warp/warp_surface.h"
#include "world/commit/pieces/stress_of_body.h"
#include "world/record/body_mass.h"

namespace sunder::world {

namespace {

// Share of a cell of the body's grid: a shallower dent is not kept, because the field could hardly tell it.
constexpr Real kShallowest = Real(1) / 32;
// Share of its volume that every tetrahedron must keep; a deeper dent would fold the body.
constexpr double kLeastLeft = 0.4;
// A dent that is too deep is tried again at this share of its depth.
constexpr double kShallower = 0.8;
// Edges of the drawn surface, in cells of the grid.
constexpr Real kEdgeInCells = Real(1.5);

using Displacements = std::vector<Vec3d>;

// The least ratio of the volumes of a tetrahedron after and before it is displaced by so much of the displacements.
double leastLeft(const elastic::ElasticSolid& solid, const Displacements& u, double share) {
    double least = 1;
    for (std::size_t e = 0; e < solid.tets.size(); ++e) {
        const geometry::TetCorners& tet = solid.tets[e];
        const auto& g = solid.elements[e].gradients;
        Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};  // rows of the deformation gradient
        for (int c = 1; c < 4; ++c) {
            const Vec3d d = (u[tet[c]] - u[tet[0]]) * share;
            x += g[c] * d.x;
            y += g[c] * d.y;
            z += g[c] * d.z;
        }
        least = std::min(least, dot(x, cross(y, z)));
    }
    return least;
}

// The displacement of any point: that of the tetrahedron it lies in or next to.
class PointDisplacement {
public:
    PointDisplacement(const StressMesh& mesh, const elastic::CrackedMesh& whole, const Displacements& u)
        : mesh_(mesh), whole_(whole), uncracked_(elastic::noCracks(mesh.solid)), u_(u) {}
    Vec3 operator()(const Vec3& point) const {
        const elastic::ElementPlace place = placeOf(mesh_.solid, uncracked_, whole_, mesh_.finder, toDouble(point));
        Vec3d sum;
        for (std::size_t c = 0; c < 4; ++c)
            sum += u_[whole_.elements.mesh.tets[place.element][c]] * place.weights[c];
        return toReal(sum);
    }

private:
    const StressMesh& mesh_;
    const elastic::CrackedMesh& whole_;
    elastic::CrackState uncracked_;
    const Displacements& u_;
};

SharedShape dented(const SampledSolid& solid, const geometry::Displacement& displacement, Real most, bool isPiece,
                   TaskRunner& runner) {
    auto made = std::make_shared<SampledSolid>();
    geometry::WarpedField moved = geometry::warped(solid.field, solid.cutNodes, displacement, most, runner);
    made->field = std::move(moved.field);
    made->cutNodes = std::move(moved.cutNodes);
    made->mass = geometry::massOfFractions(made->field.grid, geometry::solidFractions(made->field));
    const auto& c = made->mass.center;
    const Vec3 center{Real(c[0]), Real(c[1]), Real(c[2])};
    made->particles =
        isPiece ? collision::fewOfPiece(geometry::makeParticles(made->field.grid, geometry::surfaceVertices(made->field)),
                                        made->field, center)
                : collision::contactParticles(made->field, center);
    made->textureOrigin = solid.textureOrigin;
    made->source = solid.source;
    if (solid.surface) {
        // The drawn surface is in the frame of the body that a piece broke off.
        const Vec3 origin = solid.textureOrigin;
        const auto inOwnFrame = [&](const Vec3& point) { return displacement(point - origin); };
        made->surface = std::make_shared<const geometry::SurfaceMesh>(
            geometry::warped(geometry::divided(*solid.surface, kEdgeInCells * solid.field.grid.cell), inOwnFrame));
    }
    if (made->particles.size() == 0 || !(made->mass.volume > 0))
        return nullptr;
    return collision::buildLevelSetShape(std::move(made));
}

// Inertia times angular velocity, or the inverse, in world axes.
Vec3 byInertia(const Body& body, const Vec3& principal, const Vec3& v) {
    return rotate(body.orientation, multiply(principal, inverseRotate(body.orientation, v)));
}

}  // namespace

std::optional<Dent> dentOf(WorldState& world, const Body& body, const BreakRequest& request) {
    const BodyFracture& fracture = *body.fracture;
    const Stressed* method = std::get_if<Stressed>(&fracture.def.method);
    const double yield = double(body.material.yield);
    if (!method || !(method->pliability > 0) || !(yield > 0) || !(request.energy > 0) || !fracture.stress.cracks.empty() ||
        shellOf(*fracture.solid))
        return std::nullopt;
    const std::shared_ptr<const StressMesh> mesh = stressMesh(world.breaking, fracture, *method);
    if (!mesh)
        return std::nullopt;
    const WholeSolver& whole = wholeSolver(world.breaking, *mesh, elasticMaterialOf(body), *world.tasks);
    StressOfBody stress(world, body, request, *mesh);
    const auto stresses = stress(whole.cut, elastic::noCracks(mesh->solid));
    if (!stresses)
        return std::nullopt;
    const elastic::ElasticSolid& solid = whole.solver->solid();
    const elastic::PlasticFlow flow =
        elastic::plasticFlow(solid, *stresses, yield, double(request.energy) * double(method->pliability));
    if (flow.strains.empty())
        return std::nullopt;
    std::optional<Displacements> left = stress.leftBy(flow.strains);
    if (!left)
        return std::nullopt;
    double share = 1;
    while (leastLeft(solid, *left, share) < kLeastLeft)
        share *= kShallower;
    std::size_t farthest = 0;
    for (std::size_t node = 0; node < left->size(); ++node) {
        (*left)[node] = (*left)[node] * share;
        if (dot((*left)[node], (*left)[node]) > dot((*left)[farthest], (*left)[farthest]))
            farthest = node;
    }
    const Real most = length(toReal((*left)[farthest]));
    const SampledSolid& sampled = *fracture.solid->levelSet->solid;
    if (!(most > kShallowest * sampled.field.grid.cell))
        return std::nullopt;
    Dent dent;
    dent.shape = dented(sampled, PointDisplacement(*mesh, whole.cut, *left), most, body.birth > 0, *world.tasks);
    if (!dent.shape)
        return std::nullopt;
    dent.event.body = request.body;
    dent.event.point = toReal(solid.nodes[farthest] + (*left)[farthest]);
    dent.event.depth = most;
    dent.event.stress = Real(flow.mostStress);
    dent.event.work = Real(flow.work * share);
    return dent;
}

void takeDent(Body& body, const SharedShape& shape) {
    const WorldPoint center = body.center;
    const Vec3 velocity = body.velocity;
    const Vec3 momentum = byInertia(body, body.principalInertia, body.angularVelocity);
    const Real energy = dot(momentum, body.angularVelocity);
    if (body.motion == Motion::Dynamic)
        body.massOverride = body.mass;
    body.shape = shape;
    body.shapeAsGiven.reset();
    body.fracture->solid = shape;
    body.fracture->stress = {};
    updateMass(body);
    if (body.motion != Motion::Dynamic)
        return;
    body.center = center;
    body.velocity = velocity;
    if (body.lockedAxes != 0)
        return;
    body.angularVelocity = byInertia(body, body.inversePrincipalInertia, momentum);
    if (const Real now = dot(momentum, body.angularVelocity); now > energy)
        body.angularVelocity *= std::sqrt(energy / now);
}

}  // namespace sunder::world
