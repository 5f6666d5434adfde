// Thin shells: their stiffness, their stress, their cracks.
#include <gtest/gtest.h>

#include <cmath>

#include "elastic/shell/crack_shell.h"
#include "elastic/shell/factored_shell.h"
#include "elastic/shell/shell_stiffness.h"
#include "elastic/shell/shell_stress.h"

namespace sunder::elastic {
namespace {

const ElasticMaterial kGlass{Real(7e10), Real(0.3), 2500};

// A sheet of length and width in x and z, its triangles in alternating directions or all in one.
ShellMesh sheet(double length, double width, int nx, int nz, double thickness, bool alternates = true) {
    std::vector<Vec3d> vertices;
    std::vector<ShellTriangle> triangles;
    for (int x = 0; x <= nx; ++x)
        for (int z = 0; z <= nz; ++z)
            vertices.push_back({length * (double(x) / nx - 0.5), 0, width * (double(z) / nz - 0.5)});
    for (int x = 0; x < nx; ++x)
        for (int z = 0; z < nz; ++z) {
            const auto at = [&](int i, int j) { return std::uint32_t((x + i) * (nz + 1) + z + j); };
            if (!alternates || (x + z) % 2 == 0) {
                triangles.push_back({at(0, 0), at(0, 1), at(1, 1)});
                triangles.push_back({at(0, 0), at(1, 1), at(1, 0)});
            } else {
                triangles.push_back({at(0, 0), at(0, 1), at(1, 0)});
                triangles.push_back({at(1, 0), at(0, 1), at(1, 1)});
            }
        }
    return shellMesh(std::move(vertices), std::move(triangles), thickness);
}

// An octahedron, each face in four, on the unit sphere.
ShellMesh ball(double thickness) {
    std::vector<Vec3d> vertices{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    std::vector<ShellTriangle> faces{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    std::vector<ShellTriangle> triangles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
        Vec3d m = vertices[a] + vertices[b];
        m = m * (1 / std::sqrt(dot(m, m)));
        for (std::uint32_t i = 0; i < vertices.size(); ++i)
            if (dot(vertices[i] - m, vertices[i] - m) < 1e-12)
                return i;
        vertices.push_back(m);
        return std::uint32_t(vertices.size() - 1);
    };
    for (const ShellTriangle& f : faces) {
        const std::uint32_t a = middle(f[0], f[1]), b = middle(f[1], f[2]), c = middle(f[2], f[0]);
        triangles.insert(triangles.end(), {ShellTriangle{f[0], a, c}, ShellTriangle{a, f[1], b}, ShellTriangle{c, b, f[2]},
                                           ShellTriangle{a, b, c}});
    }
    return shellMesh(std::move(vertices), std::move(triangles), thickness);
}

ShellMesh withoutFaces(const ShellMesh& whole, std::size_t left) {
    std::vector<ShellTriangle> triangles(whole.triangles.begin(), whole.triangles.begin() + std::ptrdiff_t(left));
    return cutShell(shellMesh(whole.vertices, std::move(triangles), whole.thickness),
                    std::vector<std::uint8_t>(whole.edges.size(), 0))
        .mesh;
}

// Motions that cost nothing: rows less the rank, by elimination with the largest pivot. Pivots of a stiffness that is there
// are far above rounding: hinges of a shell with t / L = 0.05 are 1e-4 of the membrane.
int zeroModes(const ShellMesh& mesh) {
    const auto runner = makeSerialRunner();
    std::vector<std::uint32_t> nodes(mesh.vertices.size());
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        nodes[i] = i;
    const Stiffness s = shellStiffness(mesh, lumpedShell(mesh, kGlass), nodes, *runner);
    const std::size_t n = 3 * nodes.size();
    std::vector<std::vector<double>> a(n, std::vector<double>(n, 0));
    const auto put = [&](std::size_t row, std::size_t column, const double* block) {
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                a[3 * row + i][3 * column + j] = block[3 * j + i];
    };
    for (std::size_t row = 0; row < s.pattern.rows(); ++row) {
        put(row, row, s.matrix.diagonal.data() + kBlockSize * row);
        for (std::uint32_t k = s.pattern.first[row]; k < s.pattern.first[row + 1]; ++k)
            put(row, s.pattern.columns[k], s.matrix.values.data() + kBlockSize * k);
    }
    double largest = 0;
    std::vector<char> isDone(n, 0);
    for (std::size_t step = 0; step < n; ++step) {
        std::size_t pivot = n;
        for (std::size_t i = 0; i < n; ++i)
            if (!isDone[i] && (pivot == n || a[i][i] > a[pivot][pivot]))
                pivot = i;
        largest = std::max(largest, a[pivot][pivot]);
        if (a[pivot][pivot] < 1e-10 * largest)
            return int(n - step);
        isDone[pivot] = 1;
        for (std::size_t i = 0; i < n; ++i)
            if (!isDone[i]) {
                const double factor = a[i][pivot] / a[pivot][pivot];
                for (std::size_t j = 0; j < n && factor != 0; ++j)
                    a[i][j] -= factor * a[pivot][j];
            }
    }
    return 0;
}

TEST(ShellStiffness, OnlyRigidMotionsCostNothing) {
    EXPECT_EQ(zeroModes(ball(0.05)), 6);                    // closed
    EXPECT_EQ(zeroModes(withoutFaces(ball(0.05), 28)), 6);  // with a hole
    EXPECT_EQ(zeroModes(withoutFaces(ball(0.05), 9)), 6);   // a shard
    EXPECT_EQ(zeroModes(sheet(1, 1, 5, 5, 0.05)), 6);       // flat
    EXPECT_EQ(zeroModes(sheet(1, 0.2, 6, 1, 0.05)), 6);     // a strip without vertices inside
}

TEST(ShellStress, AStripPulledAtItsEndsBearsForceOverArea) {
    const ShellMesh mesh = sheet(1, 0.2, 20, 4, 0.01);
    std::vector<ShellForce> forces;
    const double force = 1000;
    for (int i = 0; i < 4; ++i) {
        const double z = 0.2 * ((i + 0.5) / 4 - 0.5);
        forces.push_back(shellForceAt(mesh, {0.5, 0, z}, {force / 4, 0, 0}));
        forces.push_back(shellForceAt(mesh, {-0.5, 0, z}, {-force / 4, 0, 0}));
    }
    const auto found = stressOfShell(mesh, kGlass, forces, {}, *makeSerialRunner());
    ASSERT_TRUE(found);
    // Away from the ends, where the forces are at points: within 1 %.
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        if (std::fabs(mesh.vertices[mesh.triangles[t][0]].x) < 0.2) {
            EXPECT_NEAR(found->upper[t][0], force / (0.2 * 0.01), 0.01 * force / (0.2 * 0.01));
            EXPECT_NEAR(found->lower[t][0], found->upper[t][0], 1e-3 * force / (0.2 * 0.01));
        }
}

// Four-point bending: between the inner forces the moment is F a, and the stress 6 F a / (b t^2), tension below.
double bendingError(int nx, int nz, bool alternates) {
    const ShellMesh mesh = sheet(1, 0.1, nx, nz, 0.01, alternates);
    std::vector<ShellForce> forces;
    const double force = 10;
    for (int i = 0; i < nz; ++i) {
        const double z = 0.1 * ((i + 0.5) / nz - 0.5);
        for (const double side : {-1.0, 1.0}) {
            forces.push_back(shellForceAt(mesh, {0.5 * side, 0, z}, {0, force / nz, 0}));
            forces.push_back(shellForceAt(mesh, {0.25 * side, 0, z}, {0, -force / nz, 0}));
        }
    }
    const auto found = stressOfShell(mesh, kGlass, forces, {}, *makeSerialRunner());
    if (!found)
        return 1e30;
    const double expected = 6 * force * 0.25 / (0.1 * 0.01 * 0.01);
    double sum = 0, count = 0;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        if (std::fabs(mesh.vertices[mesh.triangles[t][0]].x) < 0.11) {
            const bool isUp = normalOf(mesh, t).y > 0;
            sum += (isUp ? found->lower[t] : found->upper[t])[0];
            EXPECT_GT((isUp ? found->lower[t] : found->upper[t])[0], (isUp ? found->upper[t] : found->lower[t])[0]);
            ++count;
        }
    return sum / count / expected - 1;
}

TEST(ShellStress, ABentStripBearsWhatTheFormulaSays) {
    // Whichever way the diagonals go. Narrow strips curl across where wide ones do not: their free sides bear no moment.
    for (const bool alternates : {true, false}) {
        EXPECT_NEAR(bendingError(20, 2, alternates), 0, 0.001) << alternates;
        EXPECT_NEAR(bendingError(40, 4, alternates), 0, 0.001) << alternates;
        EXPECT_NEAR(bendingError(33, 5, alternates), 0, 0.001) << alternates;
    }
}

TEST(CrackShell, AStripThatIsBentTooFarPartsAtMidSpanAndLessBendsOnly) {
    const ShellMesh mesh = sheet(1, 0.2, 40, 8, 0.01);
    const auto runner = makeSerialRunner();
    const auto bent = [&](double force) {
        const std::vector<ShellResistance> resistance = shellResistance(mesh, 3e7, 8, 7e10, {});
        return crackShell(mesh, std::vector<std::uint8_t>(mesh.edges.size(), 0), resistance, 16, 4,
                          [&](const CrackedShell& cut, std::span<const std::uint8_t>) {
                              std::vector<ShellForce> forces;
                              for (int i = 0; i < 8; ++i) {
                                  const double z = 0.2 * ((i + 0.5) / 8 - 0.5);
                                  forces.push_back(shellForceAt(cut.mesh, {0, 0, z}, {0, -force / 8, 0}));
                                  for (const double x : {-0.5, 0.5})
                                      forces.push_back(shellForceAt(cut.mesh, {x, 0, z}, {0, force / 16, 0}));
                              }
                              return stressOfShell(cut.mesh, kGlass, forces, {}, *runner);
                          });
    };
    // N: at which the stress at mid span, 3 F L / (2 b t^2), is the strength. Inertia takes nothing: the forces are balanced.
    const double limit = 3e7 * 2 * 0.2 * 1e-4 / 3;
    const ShellCracks borne = bent(0.5 * limit);
    EXPECT_TRUE(borne.isSolved);
    EXPECT_EQ(borne.cut.pieceCount, 1u);
    EXPECT_FALSE(borne.hasStarted);
    const ShellCracks broken = bent(2 * limit);
    EXPECT_GE(broken.cut.pieceCount, 2u);
    const ShellEdge& worst = mesh.edges[broken.worstEdge];
    EXPECT_NEAR((mesh.vertices[worst.ends[0]].x + mesh.vertices[worst.ends[1]].x) / 2, 0, 0.03);
    // Triangles are all there, in pieces.
    EXPECT_EQ(broken.cut.mesh.triangles.size(), mesh.triangles.size());
}

// Once pieces have come off, stresses away from the ends of cracks steer nothing: left out, the cracks are the same.
TEST(CrackShell, OnlyWhatCracksEndInIsSolvedForOncePiecesHaveComeOff) {
    const ShellMesh mesh = sheet(1, 1, 14, 14, 0.01);
    const auto runner = makeSerialRunner();
    int parted = 0, partly = 0;
    for (const double force : {2e4, 6e4, 2e5, 6e5}) {
        const std::vector<ShellResistance> resistance = shellResistance(mesh, 3e7, 8, 7e10, {12, 0.2, 0.4, 3});
        const auto crackedBy = [&](bool leavesOut, int& solves) {
            return crackShell(mesh, std::vector<std::uint8_t>(mesh.edges.size(), 0), resistance, 16, 8,
                              [&](const CrackedShell& cut, std::span<const std::uint8_t> asked) {
                                  ++solves;
                                  if (!asked.empty()) {
                                      ++parted;
                                      const auto count = std::size_t(std::count(asked.begin(), asked.end(), 1));
                                      EXPECT_GT(count, 0u);  // else there was nothing to solve for
                                      partly += count < asked.size() ? 1 : 0;
                                  }
                                  const std::vector<ShellForce> forces{shellForceAt(cut.mesh, {0.1, 0, 0.05}, {0, -force, 0})};
                                  return stressOfShell(cut.mesh, kGlass, forces, {}, *runner, {},
                                                       leavesOut ? asked : std::span<const std::uint8_t>{});
                              });
        };
        int solves = 0, solvesOfAll = 0;
        const ShellCracks some = crackedBy(true, solves), all = crackedBy(false, solvesOfAll);
        EXPECT_EQ(some.isCracked, all.isCracked) << force;
        EXPECT_EQ(solves, solvesOfAll);
    }
    EXPECT_GT(parted, 0);
    EXPECT_EQ(partly, parted);
}

// A factor that was made before serves any loads, and no bit tells.
TEST(ShellStress, AFactorThatIsThereGivesTheSameBits) {
    const ShellMesh mesh = ball(0.02);
    const auto runner = makeSerialRunner();
    const FactoredShell factored = factoredShell(mesh, kGlass, *runner);
    for (const Vec3d& force : {Vec3d{0, -3000, 0}, Vec3d{500, 200, 900}}) {
        const std::vector<ShellForce> forces{shellForceAt(mesh, {0.1, 0.9, 0.2}, force)};
        const auto anew = stressOfShell(mesh, kGlass, forces, {3, 0, 1}, *runner),
                   kept = stressOfShell(mesh, kGlass, forces, {3, 0, 1}, *runner, {}, {}, &factored);
        ASSERT_TRUE(anew && kept);
        EXPECT_EQ(anew->upper, kept->upper);
        EXPECT_EQ(anew->lower, kept->lower);
    }
}

// Pairs of vertices that reached across the planes of the dissection made separators twice as wide: the factor of this sheet
// took 3.9 times the multiplications that an order of single vertices asks for.
TEST(ShellStress, ItsFactorCostsLittleMoreThanThatOfSingleVertices) {
    const ShellMesh mesh = sheet(1, 1, 30, 30, 0.01);
    const auto runner = makeSerialRunner();
    const FactoredShell factored = factoredShell(mesh, kGlass, *runner);
    const Stiffness& stiffness = factored.components[0].stiffness;
    std::vector<linear::FrontTree::Point> points;
    std::vector<std::pair<int, int>> neighbours;
    for (std::uint32_t row = 0; row < stiffness.positions.size(); ++row) {
        const Vec3d& p = stiffness.positions[row];
        points.push_back({p.x, p.y, p.z});
        for (std::uint32_t k = stiffness.pattern.first[row]; k < stiffness.pattern.first[row + 1]; ++k)
            if (row < stiffness.pattern.columns[k])
                neighbours.emplace_back(int(row), int(stiffness.pattern.columns[k]));
    }
    // A block of six has eight times the multiplications of one of three.
    const double single = linear::FrontTree(points, neighbours).cost / 8;
    EXPECT_LT(factored.components[0].factor.cost(), 1.5 * single);
}

TEST(CrackShell, EdgesBetweenGrainsAreWeaker) {
    const ShellMesh mesh = sheet(1, 1, 10, 10, 0.01);
    const std::vector<ShellResistance> plain = shellResistance(mesh, 3e7, 8, 7e10, {});
    const std::vector<ShellResistance> grained = shellResistance(mesh, 3e7, 8, 7e10, {6, 0.2, 0.4, 3});
    std::size_t weaker = 0;
    for (std::size_t e = 0; e < plain.size(); ++e) {
        weaker += grained[e].start < plain[e].start;
        EXPECT_GE(grained[e].start, 0.4 * plain[e].start * (1 - 1e-12));
    }
    EXPECT_GT(weaker, 10u);
    EXPECT_LT(weaker, plain.size() / 2);
}

}  // namespace
}  // namespace sunder::elastic
