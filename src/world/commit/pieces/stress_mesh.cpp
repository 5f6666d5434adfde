#include "world/commit/pieces/stress_mesh.h"

#include <algorithm>
#include <cmath>

#include "geometry/tets/stuff_tets.h"
#include "geometry/tets/tet_pieces.h"
#include "math/roots.h"

namespace sunder::world {

namespace {

// A cell of the lattice holds two of its points, and twelve tetrahedra to each.
constexpr double kTetsPerCell = 12;
// Meshes that a world keeps, one for each kind of body; the oldest goes first.
constexpr std::size_t kMostMeshes = 32;
// The mesh must hold this share of the solid's volume, or the lattice is too coarse for it.
constexpr double kLeastFilled = 0.8;
// Most nodes of the field that is sampled for the lattice: bounds the memory of a body with many elements.
constexpr double kMostNodes = 4e6;

// The solid's distances on a grid with half the lattice's cell.
geometry::DistanceField resampled(const geometry::LevelSet16& field, Real cell) {
    const Bounds bounds = field.grid.bounds();
    const Vec3 size = bounds.high - bounds.low;
    const auto nodes = [&](Real length) { return int(std::floor(length / cell)) + 4; };
    geometry::DistanceField coarse;
    coarse.grid.cell = cell;
    coarse.grid.nodes = {nodes(size.x), nodes(size.y), nodes(size.z)};
    const Vec3 covered =
        Vec3{Real(coarse.grid.nodes.x - 1), Real(coarse.grid.nodes.y - 1), Real(coarse.grid.nodes.z - 1)} * cell;
    coarse.grid.origin = center(bounds) - covered * Real(0.5);
    coarse.values.reserve(coarse.grid.nodeCount());
    for (int z = 0; z < coarse.grid.nodes.z; ++z)
        for (int y = 0; y < coarse.grid.nodes.y; ++y)
            for (int x = 0; x < coarse.grid.nodes.x; ++x)
                coarse.values.push_back(geometry::sample(field, coarse.grid.position(x, y, z)).distance);
    return coarse;
}

// Empty where the lattice is too coarse for the solid.
geometry::TetMesh fill(const BodyFracture& fracture, const Stressed& method) {
    const geometry::LevelSet16& field = fracture.solid->levelSet->field();
    const double volume = fracture.solid->massProperties.volume;
    const Real cell = latticeCell(volume, method.elements) / geometry::kFieldCellsPerLatticeCell;
    const Vec3 size = (field.grid.bounds().high - field.grid.bounds().low) / cell + Vec3{4, 4, 4};
    if (!(double(size.x) * double(size.y) * double(size.z) < kMostNodes))
        return {};
    geometry::TetResult tets = geometry::stuffTets(resampled(field, cell));
    if (!tets.error.empty() || tets.mesh.tets.empty())
        return {};
    geometry::TetMesh mesh = geometry::largestComponent(tets.mesh);
    return geometry::measureQuality(mesh).volume < kLeastFilled * volume ? geometry::TetMesh{} : std::move(mesh);
}

bool isSame(const Stressed& a, const Stressed& b) {
    return a.elements == b.elements && a.grains == b.grains && a.grainStrength == b.grainStrength &&
           a.grainUnevenness == b.grainUnevenness && a.seed == b.seed;
}

}  // namespace

StressMesh::StressMesh(geometry::TetMesh mesh, const Stressed& method)
    : solid(elastic::uncut(std::move(mesh))),
      finder(solid),
      grains(solid, boundsOf(solid.mesh), {method.grains, method.grainUnevenness, method.grainStrength, method.seed}) {}

Real latticeCell(double volume, int elements) { return Real(cubeRoot(kTetsPerCell * volume / elements)); }

StressMeshEntry& newEntry(BreakingState& breaking, const SharedShape& solid, const Stressed& method) {
    std::vector<StressMeshEntry>& kept = breaking.stressMeshes;
    if (kept.size() >= kMostMeshes)
        kept.erase(kept.begin());
    StressMeshEntry& entry = kept.emplace_back();
    entry.solid = solid;
    entry.method = method;
    return entry;
}

std::shared_ptr<const StressMesh> stressMesh(BreakingState& breaking, const BodyFracture& fracture, const Stressed& method) {
    for (const StressMeshEntry& entry : breaking.stressMeshes)
        if (entry.solid == fracture.solid && isSame(entry.method, method))
            return entry.mesh;
    geometry::TetMesh mesh = fill(fracture, method);
    StressMeshEntry& entry = newEntry(breaking, fracture.solid, method);
    if (!mesh.tets.empty())
        entry.mesh = std::make_shared<const StressMesh>(std::move(mesh), method);
    return entry.mesh;
}

std::shared_ptr<const StressMesh> stressMeshAsKept(const BreakingState& breaking, const BodyFracture& fracture,
                                                   const Stressed& method) {
    for (const StressMeshEntry& entry : breaking.stressMeshes)
        if (entry.solid == fracture.solid && isSame(entry.method, method))
            return entry.mesh;
    geometry::TetMesh mesh = fill(fracture, method);
    return mesh.tets.empty() ? nullptr : std::make_shared<const StressMesh>(std::move(mesh), method);
}

WholeSolver& wholeSolver(BreakingState& breaking, const StressMesh& mesh, const elastic::ElasticMaterial& material,
                         TaskRunner& runner) {
    std::vector<StressMeshEntry>& kept = breaking.stressMeshes;
    const auto entry = std::find_if(kept.begin(), kept.end(), [&](const StressMeshEntry& e) { return e.mesh.get() == &mesh; });
    std::shared_ptr<WholeSolver>& solver = entry->solver;
    if (!solver || solver->material.young != material.young || solver->material.poisson != material.poisson ||
        solver->material.density != material.density) {
        elastic::CrackedMesh cut = elastic::cutMesh(mesh.solid, elastic::noCracks(mesh.solid));
        elastic::StressSolver made(cut.elements, material, {}, runner);
        solver = std::make_shared<WholeSolver>(WholeSolver{material, std::move(cut), std::move(made), {}});
    }
    return *solver;
}

void checkStressMesh(const BodyFracture& fracture, const Stressed& method) {
    if (!fill(fracture, method).tets.empty())
        return;
    std::string advice = "use a thicker body, or a finer cell of its grid";
    Stressed more = method;
    for (; more.elements <= 100000; more.elements *= 2)
        if (!fill(fracture, more).tets.empty()) {
            advice = std::to_string(more.elements) + " are enough";
            break;
        }
    throw Error("fracture.elements: " + std::to_string(method.elements) +
                " tetrahedra are too large for the thickness of the body (" + advice + ")");
}

}  // namespace sunder::world
