// The time of a step of a clamped beam of tetrahedra, beside Bullet's deformable world with the same tetrahedra, in one run on
// one core. Bullet's own choices: implicit, projected, linear elasticity, no line search, as in its examples; without
// projection it does not move.
#include <cstdio>
#include <memory>
#include <vector>

#include "scenes/flesh.h"

#if defined(SUNDER_HAS_BULLET)
#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableGravityForce.h>
#include <BulletSoftBody/btDeformableLinearElasticityForce.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <btBulletDynamicsCommon.h>
#endif

namespace {

using namespace sunder;

struct Beam {
    const char* name;
    std::array<int, 3> cells;
    double young;
    double share;  // of the peer's time: the bar
};
constexpr Beam kBeams[] = {{"2.4k, E 1e5", {30, 4, 4}, 1e5, 1.0 / 9},
                           {"10k, E 1e7", {56, 6, 6}, 1e7, 1.0 / 25},
                           {"10k, E 1e9", {56, 6, 6}, 1e9, 1.0 / 25}};
constexpr int kSteps = 20;

#if defined(SUNDER_HAS_BULLET)
scenes::FleshCost bulletBeam(const Beam& beam) {
    const Real size = Real(0.1);
    const geometry::TetMesh mesh = deformable::boxOfTets(
        {size / 2 * Real(beam.cells[0]), size / 2 * Real(beam.cells[1]), size / 2 * Real(beam.cells[2])}, beam.cells);
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btDeformableBodySolver bodySolver;
    btDeformableMultiBodyConstraintSolver solver;
    solver.setDeformableSolver(&bodySolver);
    btDeformableMultiBodyDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration, &bodySolver);
    const btVector3 gravity(0, btScalar(-9.81), 0);
    world.setGravity(gravity);
    world.getWorldInfo().m_gravity = gravity;
    world.setImplicit(true);
    world.setLineSearch(false);
    world.setUseProjection(true);
    world.getSolverInfo().m_numIterations = 100;
    world.getSolverInfo().m_leastSquaresResidualThreshold = btScalar(1e-3);
    std::vector<btVector3> points;
    for (const Vec3& p : mesh.vertices)
        points.emplace_back(p.x, p.y, p.z);
    auto* body = new btSoftBody(&world.getWorldInfo(), static_cast<int>(points.size()), points.data(), nullptr);
    for (const geometry::TetCorners& tet : mesh.tets)
        body->appendTetra(int(tet[0]), int(tet[1]), int(tet[2]), int(tet[3]));
    btSoftBodyHelpers::generateBoundaryFaces(body);
    body->initializeDmInverse();
    body->m_tetraScratches.resize(body->m_tetras.size());
    body->m_tetraScratchesTn.resize(body->m_tetras.size());
    const double volume = 1e-3 * beam.cells[0] * beam.cells[1] * beam.cells[2];
    body->setTotalMass(btScalar(1000 * volume));
    for (int i = 0; i < int(points.size()); ++i)
        if (points[std::size_t(i)].x() < -size * Real(0.499) * Real(beam.cells[0]))
            body->setMass(i, 0);
    body->m_cfg.collisions = 0;
    world.addSoftBody(body);
    btDeformableGravityForce weight(gravity);
    const double mu = beam.young / 2.6, lambda = beam.young * 0.3 / (1.3 * 0.4);
    btDeformableLinearElasticityForce elasticity(btScalar(mu), btScalar(lambda), btScalar(0), btScalar(0.005));
    world.addForce(body, &weight);
    world.addForce(body, &elasticity);
    std::vector<double> times;
    for (int i = 0; i < kSteps; ++i) {
        const auto start = std::chrono::steady_clock::now();
        world.stepSimulation(btScalar(1) / 30, 1, btScalar(1) / 30);
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    scenes::FleshCost cost;
    cost.tip = double(body->m_nodes[int(points.size()) - 1].m_x.y() - points.back().y());
    world.removeSoftBody(body);
    delete body;
    std::sort(times.begin(), times.end());
    cost.milliseconds = times[times.size() / 2];
    return cost;
}
#endif

}  // namespace

int main() {
    std::printf("%-14s %10s %12s %8s %8s %22s\n", "tetrahedra", "ours ms", "Bullet ms", "ratio", "bar", "tip after 0.67 s, m");
    for (const Beam& beam : kBeams) {
        const scenes::FleshCost cost = scenes::sagBeam(beam.cells, Real(beam.young), Real(1e-3), 1, kSteps);
#if defined(SUNDER_HAS_BULLET)
        const scenes::FleshCost peer = bulletBeam(beam);
        const double ratio = cost.milliseconds / peer.milliseconds;
        std::printf("%-14s %10.2f %12.1f %8.4f %8.4f %10.3f %10.3f  %s\n", beam.name, cost.milliseconds, peer.milliseconds,
                    ratio, beam.share, cost.tip, peer.tip, ratio <= beam.share ? "" : "MISSED");
#else
        std::printf("%-14s %10.2f %12s\n", beam.name, cost.milliseconds, "not built");
#endif
    }
}
