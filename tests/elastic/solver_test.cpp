// The stress solver against itself: its methods, its ways with rigid motion, sizes, threads, cracks.
#include "elastic/stress/stress_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bars.h"
#include "core/random.h"
#include "elastic/multigrid/galerkin.h"
#include "elastic/solid/element_finder.h"
#include "elastic/solve/stiffness.h"

namespace sunder::elastic {
namespace {

using namespace testing;
using Method = StressOptions::Method;
using RigidMotion = StressOptions::RigidMotion;

const ElasticMaterial kGlass{Real(7e10), Real(0.22), 2500};

StressOptions with(Method method, double tolerance, RigidMotion rigidMotion = RigidMotion::deflated) {
    StressOptions options;
    options.method = method;
    options.tolerance = tolerance;
    options.rigidMotion = rigidMotion;
    return options;
}

// A blow on a corner.
NodalLoads blowOn(const ElasticSolid& solid) {
    NodalLoads loads(solid);
    loads.forces[0] = {300, 1000, -200};
    return loads;
}

// A crack along the section at x, through all nodes with y below a bound: the elements beyond get nodes of their own.
Bar cracked(Bar bar, int x, double below) {
    geometry::TetMesh& mesh = bar.mesh.mesh;
    const double at = bar.size.x * x / bar.cells[0];
    std::vector<std::uint32_t> copy(mesh.vertices.size());
    for (std::uint32_t i = 0; i < copy.size(); ++i) {
        copy[i] = i;
        const Vec3 p = mesh.vertices[i];
        if (std::fabs(p.x - at) < 1e-4 && p.y < below) {
            copy[i] = static_cast<std::uint32_t>(mesh.vertices.size());
            mesh.vertices.push_back(p);
        }
    }
    for (geometry::TetCorners& tet : mesh.tets) {
        double centre = 0;
        for (const std::uint32_t node : tet)
            centre += double(mesh.vertices[node].x) / 4;
        if (centre > at)
            for (std::uint32_t& node : tet)
                node = copy[node];
    }
    return bar;
}

TEST(StressSolver, MethodsAgree) {
    const Bar bar = makeBar({16, 6, 6}, {1, 0.4, 0.4});
    const auto runner = makeSerialRunner();
    StressSolver jacobi(bar.mesh, kGlass, with(Method::blockJacobi, 1e-9), *runner);
    const NodalLoads loads = blowOn(jacobi.solid());
    const StressSolution wanted = jacobi.solve(loads, *runner);
    ASSERT_TRUE(wanted.converged);
    for (const Method method : {Method::multigrid, Method::factor}) {
        StressSolver solver(bar.mesh, kGlass, with(method, 1e-9), *runner);
        const StressSolution solution = solver.solve(loads, *runner);
        EXPECT_TRUE(solution.converged);
        EXPECT_LT(solution.iterations, method == Method::factor ? 5 : 40);
        EXPECT_LT(largestDifference(solution.stresses, wanted.stresses), 1e-7 * largest(wanted.stresses));
    }
}

// [Bao07] V: three points that are held give the same stress, and feel nothing, because the loads are balanced.
// A coarse matrix is P^T A P, block by block, and symmetric to the last bit.
TEST(StressSolver, CoarseMatricesAreGalerkins) {
    const Bar bar = makeBar({5, 4, 3}, {1, 0.8, 0.6});
    const auto runner = makeSerialRunner();
    const ElasticSolid solid(bar.mesh, kGlass, *runner);
    std::vector<std::uint32_t> nodes(solid.nodes.size()), elements(solid.tets.size());
    std::iota(nodes.begin(), nodes.end(), 0u);
    std::iota(elements.begin(), elements.end(), 0u);
    const Stiffness fine(solid, nodes, elements, *runner);
    const CoarseNodes coarse = splitCoarseNodes(fine.positions, fine.pattern, {0.03, 0.02, 0.01}, 0.43, *runner);
    const CoarseMatrix found = galerkin(fine.pattern, fine.matrix, coarse, supportsOf(coarse), *runner);
    const std::size_t count = coarse.positions.size();
    std::vector<std::array<double, kBlockSize>> exact(count * count);
    const auto addProducts = [&](std::size_t row, std::size_t column, const double* block) {
        for (std::uint32_t i = coarse.first[row]; i < coarse.first[row + 1]; ++i)
            for (std::uint32_t j = coarse.first[column]; j < coarse.first[column + 1]; ++j)
                for (std::size_t k = 0; k < kBlockSize; ++k)
                    exact[coarse.node[i] * count + coarse.node[j]][k] += coarse.weight[i] * coarse.weight[j] * block[k];
    };
    double largest = 0;
    for (std::size_t row = 0; row < fine.pattern.rows(); ++row) {
        addProducts(row, row, fine.matrix.diagonal.data() + kBlockSize * row);
        for (std::uint32_t k = fine.pattern.first[row]; k < fine.pattern.first[row + 1]; ++k)
            addProducts(row, fine.pattern.columns[k], fine.matrix.values.data() + kBlockSize * k);
    }
    for (const double entry : fine.matrix.diagonal)
        largest = std::max(largest, std::fabs(entry));
    std::vector<std::array<double, kBlockSize>> made(count * count);
    for (std::size_t node = 0; node < count; ++node) {
        std::copy_n(found.diagonal.data() + kBlockSize * node, kBlockSize, made[node * count + node].data());
        for (std::uint32_t k = found.graph.first[node]; k < found.graph.first[node + 1]; ++k)
            std::copy_n(found.values.data() + kBlockSize * k, kBlockSize,
                        made[node * count + found.graph.neighbours[k]].data());
    }
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j)
            for (std::size_t k = 0; k < kBlockSize; ++k) {
                EXPECT_NEAR(made[i * count + j][k], exact[i * count + j][k], 1e-14 * largest) << i << ' ' << j;
                if (i != j) {
                    EXPECT_EQ(made[i * count + j][k], made[j * count + i][3 * (k % 3) + k / 3]);
                }
            }
}

TEST(StressSolver, PinsAgreeWithDeflationAndFeelNothing) {
    const Bar bar = makeBar({12, 4, 4}, {1, 0.3, 0.3});
    const auto runner = makeSerialRunner();
    StressSolver free(bar.mesh, kGlass, with(Method::multigrid, 1e-10), *runner);
    const NodalLoads loads = blowOn(free.solid());
    const StressSolution wanted = free.solve(loads, *runner);
    EXPECT_EQ(wanted.pinReaction, 0);
    for (const Method method : {Method::blockJacobi, Method::multigrid}) {
        StressSolver pinned(bar.mesh, kGlass, with(method, 1e-10, RigidMotion::pinned), *runner);
        const StressSolution solution = pinned.solve(loads, *runner);
        EXPECT_TRUE(solution.converged);
        EXPECT_LT(largestDifference(solution.stresses, wanted.stresses), 1e-6 * largest(wanted.stresses));
        EXPECT_LT(solution.pinReaction, 1e-5 * 1000);
    }
}

// Displacements have no rigid part: no mean, no turn, both weighted by mass.
TEST(StressSolver, DisplacementsHaveNoRigidPart) {
    const Bar bar = makeBar({8, 3, 3}, {1, 0.3, 0.3});
    const auto runner = makeSerialRunner();
    StressSolver solver(bar.mesh, kGlass, {}, *runner);
    const StressSolution solution = solver.solve(blowOn(solver.solid()), *runner);
    Vec3d mean, turn;
    double size = 0;
    for (std::size_t i = 0; i < solution.displacements.size(); ++i) {
        const Vec3d weighted = solution.displacements[i] * solver.solid().masses[i];
        mean += weighted;
        turn += cross(solver.solid().nodes[i], weighted);
        size += length(weighted);
    }
    EXPECT_LT(length(mean), 1e-12 * size);
    EXPECT_LT(length(turn), 1e-12 * size);
}

// A bar of 1k, 8k and 28k tetrahedra, whole and cracked half through.
TEST(StressSolver, IterationsDoNotGrowWithSize) {
    const auto runner = makeSerialRunner();
    for (const int across : {4, 8, 12}) {
        const Bar bar = makeBar({3 * across, across, across}, {3, 1, 1});
        for (const bool isCracked : {false, true}) {
            const Bar body = isCracked ? cracked(bar, 3 * across / 2, 0.5) : bar;
            StressSolver solver(body.mesh, kGlass, with(Method::multigrid, 1e-3), *runner);
            EXPECT_EQ(solver.solid().componentCount, 1u);
            const StressSolution solution = solver.solve(blowOn(solver.solid()), *runner);
            EXPECT_TRUE(solution.converged);
            EXPECT_LE(solution.iterations, isCracked ? 14 : 8) << across;
        }
    }
}

// Of a body that is cut in two, the part that is not struck feels nothing, and the other what it would feel alone.
TEST(StressSolver, EveryComponentIsBalancedByItself) {
    const auto runner = makeSerialRunner();
    const Bar bar = cracked(makeBar({12, 4, 4}, {1, 0.3, 0.3}), 6, 1), half = makeBar({6, 4, 4}, {0.5, 0.3, 0.3});
    StressSolver both(bar.mesh, kGlass, with(Method::automatic, 1e-8), *runner);
    StressSolver one(half.mesh, kGlass, with(Method::automatic, 1e-8), *runner);
    EXPECT_EQ(both.solid().componentCount, 2u);
    const StressSolution solution = both.solve(blowOn(both.solid()), *runner), alone = one.solve(blowOn(one.solid()), *runner);
    double beyond = 0;
    for (std::size_t e = 0; e < solution.stresses.size(); ++e)
        if (both.solid().component[both.solid().tets[e][0]] == 1)
            beyond = std::max(beyond, largest({solution.stresses[e]}));
    EXPECT_EQ(beyond, 0);
    // Rounding of the nodes' places apart.
    EXPECT_NEAR(largest(solution.stresses), largest(alone.stresses), 1e-5 * largest(alone.stresses));
}

TEST(StressSolver, SameBitsForAnyNumberOfThreads) {
    const Bar bar = makeBar({24, 10, 10}, {1, 0.4, 0.4});
    const auto solveWith = [&](int threads) {
        const auto runner = makeTaskRunner(threads);
        StressSolver solver(bar.mesh, kGlass, with(Method::multigrid, 3e-4), *runner);
        return solver.solve(blowOn(solver.solid()), *runner).stresses;
    };
    const std::vector<Stress> one = solveWith(1);
    EXPECT_EQ(one, solveWith(2));
    EXPECT_EQ(one, solveWith(3));
}

TEST(StressSolver, WarmStart) {
    const Bar bar = makeBar({16, 6, 6}, {1, 0.4, 0.4});
    const auto runner = makeSerialRunner();
    StressSolver solver(bar.mesh, kGlass, with(Method::multigrid, 1e-4), *runner);
    NodalLoads loads = blowOn(solver.solid());
    const StressSolution cold = solver.solve(loads, *runner);
    EXPECT_LE(solver.solve(loads, *runner, cold.displacements).iterations, 1);
    loads.forces[0].x *= 1.01;
    EXPECT_LT(solver.solve(loads, *runner, cold.displacements).iterations, cold.iterations);
}

// What cannot be solved in time is said; nothing loaded is nothing felt.
TEST(StressSolver, SaysWhetherItConverged) {
    const Bar bar = makeBar({16, 6, 6}, {1, 0.4, 0.4});
    const auto runner = makeSerialRunner();
    StressOptions options = with(Method::multigrid, 1e-6);
    options.iterations = 2;
    StressSolver solver(bar.mesh, kGlass, options, *runner);
    const StressSolution hurried = solver.solve(blowOn(solver.solid()), *runner);
    EXPECT_FALSE(hurried.converged);
    EXPECT_GT(hurried.residual, 1e-6);
    const StressSolution idle = solver.solve(NodalLoads(solver.solid()), *runner);
    EXPECT_TRUE(idle.converged);
    EXPECT_EQ(largest(idle.stresses), 0);
}

// An element of which a share is material has that share of its stiffness and mass: a bar filled by half, pulled by half the
// force, has the same stress. Shares as small as a cut leaves do not stop the solver.
TEST(StressSolver, PartlyFilledElements) {
    const Bar bar = makeBar({12, 6, 6}, {1, 0.4, 0.4});
    const auto runner = makeSerialRunner();
    Bar half = bar, uneven = bar;
    for (Real& fill : half.mesh.fill)
        fill = Real(0.5);
    for (std::size_t e = 0; e < uneven.mesh.fill.size(); e += 5)
        uneven.mesh.fill[e] = Real(1e-6);
    StressSolver whole(bar.mesh, kGlass, with(Method::multigrid, 1e-8), *runner);
    StressSolver thinner(half.mesh, kGlass, with(Method::multigrid, 1e-8), *runner);
    StressSolver torn(uneven.mesh, kGlass, with(Method::multigrid, 1e-3), *runner);
    NodalLoads loads = blowOn(whole.solid());
    const StressSolution full = whole.solve(loads, *runner);
    EXPECT_TRUE(torn.solve(loads, *runner).converged);
    loads.forces[0] = loads.forces[0] * 0.5;
    EXPECT_LT(largestDifference(thinner.solve(loads, *runner).stresses, full.stresses), 1e-5 * largest(full.stresses));
}

// [Bao07] VII.A: a uniform stress stays, and smoothing keeps the mean over the volume of a checkered one between its ends.
TEST(StressField, SmoothingAndPrincipalStress) {
    const Bar bar = makeBar({4, 4, 4}, {1, 1, 1});
    const auto runner = makeSerialRunner();
    const ElasticSolid solid(bar.mesh, kGlass, *runner);
    const Stress s{3, 1, 2, 0.5, 0, 0};
    const std::vector<Stress> uniform(solid.tets.size(), s);
    EXPECT_LT(largestDifference(smoothed(solid, uniform, *runner), uniform), 1e-12);
    std::vector<Stress> peak(solid.tets.size(), Stress{});
    peak[100][0] = 1;
    const std::vector<Stress> spread = smoothed(solid, peak, *runner);
    EXPECT_LT(spread[100][0], 0.2);
    EXPECT_GT(spread[100][0], 0);
    const PrincipalStress top = largestPrincipal(s);
    EXPECT_NEAR(top.value, 2 + std::sqrt(1.25), 1e-12);
    // s n = value n
    EXPECT_NEAR(3 * top.direction.x + 0.5 * top.direction.y, top.value * top.direction.x, 1e-9);
    EXPECT_NEAR(length(top.direction), 1, 1e-12);
}

// By Newton's method where the largest is apart from the others, else by rotations: both are eigenvectors.
TEST(StressField, LargestPrincipalIsThatOfRotations) {
    core::Random random(5);
    for (int i = 0; i < 2000; ++i) {
        Stress s;
        for (double& x : s)
            x = 1e6 * random.between(-1, 1);
        if (i % 4 == 0)  // two nearly equal, or all
            s = {1e6, i % 8 == 0 ? 1e6 * (1 + 1e-9 * random.between(0, 1)) : -1e6, 1e6, 0, 0, 0};
        const SymmetricEigen all = symmetricEigen(s);
        const PrincipalStress found = largestPrincipal(s);
        EXPECT_NEAR(found.value, std::max({all.values[0], all.values[1], all.values[2]}), 1e-6);
        const Vec3d &d = found.direction, image{s[0] * d.x + s[3] * d.y + s[4] * d.z, s[3] * d.x + s[1] * d.y + s[5] * d.z,
                                                s[4] * d.x + s[5] * d.y + s[2] * d.z};
        EXPECT_LT(length(image - d * found.value), 1e-2);
        EXPECT_NEAR(length(d), 1, 1e-9);
    }
}

// A piece that has come off since the guess was found bears nothing; the guess must not be counted against it.
TEST(StressSolver, PartsThatBearNothingAreNotSolvedFor) {
    const Bar bar = cracked(makeBar({12, 4, 4}, {3, 1, 1}), 6, 2);
    const auto runner = makeSerialRunner();
    for (const Method method : {Method::multigrid, Method::blockJacobi}) {
        StressSolver solver(bar.mesh, kGlass, with(method, 1e-3), *runner);
        ASSERT_EQ(solver.solid().componentCount, 2u);
        NodalLoads loads = blowOn(solver.solid());
        const StressSolution alone = solver.solve(loads, *runner);
        std::vector<Vec3d> guess = alone.displacements;
        for (std::size_t i = 0; i < guess.size(); ++i)
            guess[i] = guess[i] * 1.5 + Vec3d{solver.solid().nodes[i].y, 0, 0} * 1e-6;
        // Rounding leaves so much of loads that balance.
        for (Vec3d& force : loads.forces)
            force += Vec3d{1e-12, 0, 0};
        StressSolver again(bar.mesh, kGlass, with(method, 1e-3), *runner);
        const StressSolution found = again.solve(loads, *runner, guess);
        EXPECT_TRUE(found.converged);
        EXPECT_LE(found.iterations, 2 * alone.iterations + 15);
        EXPECT_LT(largestDifference(found.stresses, alone.stresses), 1e-2 * largest(alone.stresses));
    }
}

}  // namespace
}  // namespace sunder::elastic
