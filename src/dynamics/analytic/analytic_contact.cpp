#include "dynamics/analytic/analytic_contact.h"

#include <algorithm>

#include "core/union_find.h"
#include "dynamics/analytic/pivot_solver.h"
#include "math/vec3d.h"

namespace sunder::dynamics {

namespace {

// The matrix is formed in double whatever the precision of the engine: rounded entries of rows that depend on each other, in a
// pile of 15 layers, are no longer those of any bodies, and pivoting goes round among violations that no forces remove.
double dotThrough(const Vec3& a, const Sym3& S, const Vec3& b) {
    const double x = double(S.xx) * b.x + double(S.xy) * b.y + double(S.xz) * b.z;
    const double y = double(S.xy) * b.x + double(S.yy) * b.y + double(S.yz) * b.z;
    const double z = double(S.xz) * b.x + double(S.yz) * b.y + double(S.zz) * b.z;
    return a.x * x + a.y * y + a.z * z;
}

// One row of the problem: a direction at a site.
struct Row {
    std::uint32_t a = kFixedBody, b = kFixedBody;
    Vec3 direction, turnA, turnB;  // arm x direction
};

class Groups {
public:
    explicit Groups(const ImpulseStep& step) : step_(step), sets_(step.bodies.size()) {
        for (const ImpulsePair& pair : step.pairs())
            if (!pair.sites.empty() && isMovable(pair.a.body) && isMovable(pair.b.body))
                sets_.join(pair.a.body, pair.b.body);
    }
    bool isMovable(std::uint32_t body) const { return step_.constants[body].isDynamic && !step_.scratch.isStable[body]; }
    // The group's number of a pair that belongs to one, else kFixedBody.
    std::uint32_t groupOf(const ImpulsePair& pair) {
        if (pair.sites.empty())
            return kFixedBody;
        if (isMovable(pair.a.body))
            return sets_.root(pair.a.body);
        return isMovable(pair.b.body) ? sets_.root(pair.b.body) : kFixedBody;
    }

private:
    const ImpulseStep& step_;
    UnionFind sets_;
};

class Problem {
public:
    Problem(ImpulseStep& step, const Groups& groups, const std::vector<std::uint32_t>& pairs)
        : step_(step), groups_(groups), pairs_(pairs) {
        for (const std::uint32_t pair : pairs_)
            for (const ImpulseSite& site : step_.pairs()[pair].sites)
                addSite(step_.pairs()[pair], site);
        fillMatrix();
    }

    bool solve(AnalyticOutcome& outcome) {
        const PivotResult result = solveByPivoting(problem_);
        if (result.status != PivotStatus::Solved)
            return false;
        outcome.residual = std::max(outcome.residual, complementarityResidual(problem_, result.f));
        std::size_t row = 0;
        for (const std::uint32_t index : pairs_) {
            ImpulsePair& pair = step_.pairs()[index];
            pair.isSolved = true;
            for (ImpulseSite& site : pair.sites) {
                const std::size_t count = rowsOf(pair);
                site.impulse = {};
                for (std::size_t k = 0; k < count; ++k)
                    site.impulse += rows_[row + k].direction * Real(result.f[row + k]);
                row += count;
                push(pair.a.body, site.impulse, site.armA);
                push(pair.b.body, -site.impulse, site.armB);
            }
        }
        return true;
    }

private:
    static std::size_t rowsOf(const ImpulsePair& pair) { return pair.material.friction > 0 ? 3 : 1; }

    void push(std::uint32_t body, const Vec3& impulse, const Vec3& arm) {
        if (groups_.isMovable(body))
            applyImpulse(step_.bodies[body], impulse, arm);
    }

    // Stable bodies do not fall: what forces gave them in the step does not count.
    Momentary motionOf(std::uint32_t body) const {
        if (step_.constants[body].isDynamic && !groups_.isMovable(body))
            return step_.scratch.kept[body];
        return {step_.bodies[body].velocity, step_.bodies[body].angularVelocity};
    }

    void addSite(const ImpulsePair& pair, const ImpulseSite& site) {
        const Momentary a = motionOf(pair.a.body), b = motionOf(pair.b.body);
        const Vec3 tangent = anyPerpendicular(site.N);
        const Vec3 directions[3] = {site.N, tangent, cross(site.N, tangent)};
        const int normal = int(rows_.size());
        for (std::size_t k = 0; k < rowsOf(pair); ++k) {
            const Vec3& d = directions[k];
            const Row row{pair.a.body, pair.b.body, d, cross(site.armA, d), cross(site.armB, d)};
            const Vec3d e = toDouble(d);
            const double u = dot(toDouble(a.velocity), e) + dot(toDouble(a.angularVelocity), toDouble(row.turnA)) -
                             dot(toDouble(b.velocity), e) - dot(toDouble(b.angularVelocity), toDouble(row.turnB));
            rows_.push_back(row);
            problem_.rows.push_back(k == 0 ? PivotRow{} : PivotRow{normal, double(pair.material.friction)});
            problem_.b.push_back(k == 0 ? u - double(site.goal) : u + dot(toDouble(pair.material.surfaceVelocity), e));
        }
    }

    // What an impulse along `row` does to the velocity of `other` through a body that they share.
    double response(std::uint32_t body, const Row& other, double otherSign, const Vec3& otherTurn, const Row& row, double sign,
                    const Vec3& turn) const {
        if (!groups_.isMovable(body))
            return 0;
        const SolverBody& b = step_.bodies[body];
        return otherSign * sign *
               (dotThrough(other.direction, Sym3{b.inverseMass.x, b.inverseMass.y, b.inverseMass.z, 0, 0, 0}, row.direction) +
                dotThrough(otherTurn, b.inverseInertia, turn));
    }

    void fillMatrix() {
        problem_.A.assign(rows_.size() * rows_.size(), 0);
        for (std::size_t i = 0; i < rows_.size(); ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                const Row &x = rows_[i], &y = rows_[j];
                double sum = 0;
                if (x.a == y.a)
                    sum += response(x.a, x, 1, x.turnA, y, 1, y.turnA);
                if (x.a == y.b)
                    sum += response(x.a, x, 1, x.turnA, y, -1, y.turnB);
                if (x.b == y.a)
                    sum += response(x.b, x, -1, x.turnB, y, 1, y.turnA);
                if (x.b == y.b)
                    sum += response(x.b, x, -1, x.turnB, y, -1, y.turnB);
                problem_.at(i, j) = problem_.at(j, i) = sum;
            }
    }

    ImpulseStep& step_;
    const Groups& groups_;
    const std::vector<std::uint32_t>& pairs_;
    std::vector<Row> rows_;
    PivotProblem problem_;
};

}  // namespace

AnalyticOutcome solveAnalytically(ImpulseStep& step, int mostPoints) {
    AnalyticOutcome outcome;
    Groups groups(step);
    std::vector<std::vector<std::uint32_t>> pairsOf(step.bodies.size());
    std::vector<int> points(step.bodies.size(), 0);
    for (std::uint32_t i = 0; i < step.pairs().size(); ++i)
        if (const std::uint32_t group = groups.groupOf(step.pairs()[i]); group != kFixedBody) {
            pairsOf[group].push_back(i);
            points[group] += int(step.pairs()[i].sites.size());
        }
    for (std::size_t group = 0; group < pairsOf.size(); ++group) {
        if (pairsOf[group].empty())
            continue;
        ++outcome.groups;
        if (points[group] > mostPoints) {
            ++outcome.tooLarge;
            continue;
        }
        if (Problem(step, groups, pairsOf[group]).solve(outcome))
            outcome.points += points[group];
        else
            ++outcome.failed;
    }
    return outcome;
}

}  // namespace sunder::dynamics
