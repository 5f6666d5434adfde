// Contact forces by pivoting: the complementarity conditions, and a second solver that shares no code with the first.
#include "dynamics/analytic/pivot_solver.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/random.h"

namespace sunder::dynamics {
namespace {

using Vector = std::array<double, 3>;
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector unit(const Vector& a) {
    const double n = std::sqrt(dot(a, a));
    return {a[0] / n, a[1] / n, a[2] / n};
}

struct TestRow {
    int a, b;  // bodies; b may be -1, the ground
    Vector direction, turnA, turnB;
};

// Bodies of 0.5 to 3 kg, moment of inertia half their mass, accelerated at random; contacts at random places, most normals up.
// There are often more contacts than the bodies have freedoms, so that rows depend on each other.
PivotProblem randomContacts(core::Random& random, int mostContacts, double mostFriction) {
    const int bodies = 1 + int(random.below(6)), contacts = 1 + int(random.below(std::uint32_t(mostContacts)));
    const std::size_t perContact = mostFriction > 0 ? 3 : 1;
    const auto vector = [&](double half) -> Vector {
        const double x = random.between(-half, half), y = random.between(-half, half), z = random.between(-half, half);
        return {x, y, z};
    };
    std::vector<double> mass(static_cast<std::size_t>(bodies));
    for (double& m : mass)
        m = random.between(0.5, 3);
    std::vector<Vector> linear, angular;
    for (int i = 0; i < bodies; ++i) {
        linear.push_back(vector(3));
        linear.back()[1] -= 9.81;
        angular.push_back(vector(3));
    }
    PivotProblem problem;
    problem.resize(std::size_t(contacts) * perContact);
    std::vector<TestRow> rows;
    for (int c = 0; c < contacts; ++c) {
        const int a = int(random.below(std::uint32_t(bodies)));
        int b = int(random.below(std::uint32_t(bodies + 1))) - 1;
        b = b == a ? -1 : b;
        Vector normal = vector(1);
        normal[1] += 0.5;
        normal = unit(normal);
        const Vector tangent = unit(cross(normal, std::fabs(normal[0]) < 0.7 ? Vector{1, 0, 0} : Vector{0, 1, 0}));
        const Vector armA = vector(1), armB = vector(1), directions[3] = {normal, tangent, cross(normal, tangent)};
        const int normalRow = int(rows.size());
        const double friction = random.between(0, mostFriction);
        for (std::size_t k = 0; k < perContact; ++k) {
            if (k > 0)
                problem.rows[rows.size()] = {normalRow, friction};
            rows.push_back({a, b, directions[k], cross(armA, directions[k]), cross(armB, directions[k])});
        }
    }
    const auto part = [&](const TestRow& row, int body, double& sign, Vector& turn) {
        sign = row.a == body ? 1 : row.b == body ? -1 : 0;
        turn = row.a == body ? row.turnA : row.turnB;
        return sign != 0;
    };
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (int body = 0; body < bodies; ++body) {
            double signI, signJ;
            Vector turnI, turnJ;
            if (!part(rows[i], body, signI, turnI))
                continue;
            const std::size_t m = std::size_t(body);
            problem.b[i] += signI * (dot(rows[i].direction, linear[m]) + dot(turnI, angular[m]));
            for (std::size_t j = 0; j < rows.size(); ++j)
                if (part(rows[j], body, signJ, turnJ))
                    problem.at(i, j) +=
                        signI * signJ * (dot(rows[i].direction, rows[j].direction) + 2 * dot(turnI, turnJ)) / mass[m];
        }
    return problem;
}

// Projected Gauss-Seidel: slow, and simple enough to be believed. Ends when it has converged.
std::vector<double> bySweeps(const PivotProblem& problem, int sweeps) {
    std::vector<double> f(problem.size(), 0);
    for (int sweep = 0; sweep < sweeps && (sweep % 50 != 49 || complementarityResidual(problem, f) > 1e-8); ++sweep)
        for (std::size_t i = 0; i < problem.size(); ++i) {
            double a = problem.b[i];
            for (std::size_t j = 0; j < problem.size(); ++j)
                a += problem.at(i, j) * f[j];
            f[i] -= a / problem.at(i, i);
            const PivotRow& row = problem.rows[i];
            const double limit = row.normal < 0 ? 0 : row.friction * f[std::size_t(row.normal)];
            f[i] = row.normal < 0 ? std::max(f[i], 0.0) : std::min(std::max(f[i], -limit), limit);
        }
    return f;
}

double largestDifference(const PivotProblem& problem, const std::vector<double>& f, const std::vector<double>& g) {
    double worst = 0, scale = 0;
    for (std::size_t i = 0; i < problem.size(); ++i) {
        double a = 0;
        for (std::size_t j = 0; j < problem.size(); ++j)
            a += problem.at(i, j) * (f[j] - g[j]);
        worst = std::max(worst, std::fabs(a));
        scale = std::max(scale, std::fabs(problem.b[i]));
    }
    return worst / scale;
}

// Forces need not be unique, accelerations without friction are. Sweeps that have not converged are no reference.
TEST(PivotSolver, AThousandContactSetsWithoutFriction) {
    core::Random random(1);
    int compared = 0;
    for (int i = 0; i < 1000; ++i) {
        const PivotProblem problem = randomContacts(random, 40, 0);
        const PivotResult result = solveByPivoting(problem);
        ASSERT_EQ(result.status, PivotStatus::Solved) << i;
        EXPECT_LT(complementarityResidual(problem, result.f), 1e-5) << i;
        const std::vector<double> reference = bySweeps(problem, 2000);
        if (complementarityResidual(problem, reference) > 1e-6)
            continue;
        ++compared;
        EXPECT_LT(largestDifference(problem, result.f, reference), 1e-4) << i;
    }
    EXPECT_GT(compared, 600);
}

// With friction pivoting may go round; then it says so, and never returns forces that do not meet the conditions. Up to 12
// contacts, nearly all are solved.
TEST(PivotSolver, AThousandContactSetsWithFriction) {
    core::Random random(2);
    int solved = 0;
    for (int i = 0; i < 1000; ++i) {
        const PivotProblem problem = randomContacts(random, 12, 0.5);
        const PivotResult result = solveByPivoting(problem);
        if (result.status != PivotStatus::Solved)
            continue;
        ++solved;
        EXPECT_LT(complementarityResidual(problem, result.f), 1e-5) << i;
    }
    EXPECT_GE(solved, 980);
}

// A box of 2 kg on four corners: rank three, four rows. Each force is not known, their sum is the weight.
TEST(PivotSolver, FourCornersCarryTheWeight) {
    PivotProblem problem;
    problem.resize(4);
    const double mass = 2, inertia = 0.3;
    const double x[4] = {-1, 1, 1, -1}, z[4] = {-1, -1, 1, 1};
    for (std::size_t i = 0; i < 4; ++i) {
        problem.b[i] = -9.81;
        for (std::size_t j = 0; j < 4; ++j)
            problem.at(i, j) = 1 / mass + (x[i] * x[j] + z[i] * z[j]) / inertia;
    }
    const PivotResult result = solveByPivoting(problem);
    ASSERT_EQ(result.status, PivotStatus::Solved);
    EXPECT_NEAR(result.f[0] + result.f[1] + result.f[2] + result.f[3], mass * 9.81, 1e-6);
    for (const double a : result.a)
        EXPECT_NEAR(a, 0, 1e-6);
}

// A block of 1 kg on a slope: it sticks where tan(angle) < mu and slides with g (sin - mu cos) where not.
TEST(PivotSolver, ABlockOnASlopeSticksOrSlides) {
    const double g = 9.81, angle = 0.4;
    for (const double mu : {0.3, 0.6}) {
        PivotProblem problem;
        problem.resize(2);
        problem.rows[1] = {0, mu};
        problem.at(0, 0) = problem.at(1, 1) = 1;
        problem.b = {-g * std::cos(angle), g * std::sin(angle)};
        const PivotResult result = solveByPivoting(problem);
        ASSERT_EQ(result.status, PivotStatus::Solved);
        EXPECT_NEAR(result.a[1], mu > std::tan(angle) ? 0 : g * (std::sin(angle) - mu * std::cos(angle)), 1e-9);
    }
}

// Sliding friction is part of the normal column: a = (1 - mu k) f + b. Where mu k > 1 a push makes the surfaces approach
// faster, as in Painleve's rod: no force does it.
TEST(PivotSolver, JammedSlidingIsFoundOut) {
    PivotProblem problem;
    problem.resize(1);
    problem.b = {-1};
    problem.at(0, 0) = 0.5;
    EXPECT_EQ(solveByPivoting(problem).status, PivotStatus::Solved);
    problem.at(0, 0) = -0.5;
    EXPECT_EQ(solveByPivoting(problem).status, PivotStatus::Inconsistent);
}

}  // namespace
}  // namespace sunder::dynamics
