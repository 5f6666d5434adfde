// Baraff's method: rows whose conditions do not hold are driven to them one after the other. While one is driven, its force
// grows by s, the forces of the active rows follow so that their accelerations stay zero, and whichever row reaches the end of
// its own conditions first changes sides.
// Deviations: the inverse of the active rows is kept and updated, where the thesis eliminates anew; friction acts along two
// directions of the tangent plane, each with its own limit; a normal force that ends takes its friction along, which is driven
// again if it returns; all loads are found before any friction (findViolated).
#include "dynamics/analytic/pivot_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dynamics/analytic/active_inverse.h"
#include "dynamics/analytic/pivot_columns.h"

namespace sunder::dynamics {

namespace {

// Where rows cannot be told apart, the problem is solved again with contacts that give way by these shares of their response;
// accelerations are then off by about as much.
constexpr std::array<double, 2> kCompliances = {1e-9, 2e-7};
constexpr double kMostResidual = 1e-5;  // what is worse is not called solved
// Rounds over the limits of friction: after the first ones only a part of each change is made, lest they swing to and fro. They
// end when no limit moves by more than this share of the largest force.
constexpr int kMostFrictionRounds = 60, kFullRounds = 8;
constexpr double kPartRound = 0.5, kLimitTolerance = 1e-7;

enum class Side {
    Waiting,  // no force, not driven yet: whatever it does blocks nobody
    Apart,    // normal rows: no force, a >= 0
    Active,   // a = 0
    Upper,    // friction rows: f = mu F, a <= 0
    Lower,    // f = -mu F, a >= 0
};

constexpr double kNoStep = std::numeric_limits<double>::infinity();
// Forces that change by less than this share of the fastest, and accelerations that change by less than this share of what
// that force does to its own row, do not change: the rest is rounding.
constexpr double kFlat = 1e-10;
// Active rows must keep their accelerations: where one changes by more than this share of what the driven force does to its own
// row, the inverse has lost its digits.
constexpr double kStaysStill = 1e-9;

// How often a direction is corrected by what the active rows still do: the inverse of rows that nearly depend on each other is
// not exact.
constexpr int kMostCorrections = 4;

struct Step {
    double length = kNoStep;
    std::size_t row = 0;
    Side next = Side::Active;
};

class Pivoting {
public:
    // compliance: share of its own response by which each row gives way. limits: of friction rows, where they do not follow the
    // normal forces; by row, or empty.
    Pivoting(const PivotProblem& problem, const Columns& columns, const PivotSettings& settings, double compliance,
             const std::vector<double>& limits = {})
        : p_(problem),
          columns_(columns),
          compliance_(compliance),
          limits_(limits),
          n_(problem.size()),
          side_(n_, Side::Waiting),
          f_(n_, 0),
          a_(problem.b),
          df_(n_, 0),
          da_(n_, 0),
          inverse_([this](std::size_t row, std::size_t column) { return entry(row, column); }),
          frictionOf_(n_) {
        double scale = 0;
        for (const double b : p_.b)
            scale = std::max(scale, std::fabs(b));
        tolerance_ = settings.tolerance * scale;
        pivotsLeft_ = settings.mostPivotsPerRow * int(n_) + 100;
        for (std::size_t i = 0; i < n_; ++i)
            if (p_.rows[i].normal >= 0)
                frictionOf_[std::size_t(p_.rows[i].normal)].push_back(i);
    }

    PivotResult run() {
        std::size_t d = 0;
        while (result_.status == PivotStatus::Solved && findViolated(d))
            drive(d);
        for (std::size_t i = 0; i < n_; ++i)
            if (isNormal(i))
                f_[i] = std::max(f_[i], 0.0);  // [Egan03] 3.3.1: or bodies creep into each other
        result_.f = f_;
        result_.a = accelerations(f_);
        return result_;
    }

private:
    bool isNormal(std::size_t i) const { return p_.rows[i].normal < 0; }
    std::size_t normalOf(std::size_t i) const { return std::size_t(p_.rows[i].normal); }
    // How the limit of a friction row grows with its normal force.
    double growth(std::size_t i) const { return limits_.empty() ? p_.rows[i].friction : 0; }
    double limitOf(std::size_t i) const { return limits_.empty() ? p_.rows[i].friction * f_[normalOf(i)] : limits_[i]; }
    bool mayPush(std::size_t i) const { return limits_.empty() ? side_[normalOf(i)] == Side::Active : limits_[i] > 0; }
    static double signOf(Side side) { return side == Side::Upper ? 1 : side == Side::Lower ? -1 : 0; }

    double at(std::size_t row, std::size_t column) const { return p_.at(row, column) * (row == column ? 1 + compliance_ : 1); }
    void addProduct(const std::vector<double>& x, std::vector<double>& sum) const {
        columns_.addProduct(x, sum);
        for (std::size_t i = 0; i < n_; ++i)
            sum[i] += compliance_ * p_.at(i, i) * x[i];
    }

    // The matrix as the active forces see it: friction at its limit follows its normal force.
    double entry(std::size_t row, std::size_t column) const {
        double value = at(row, column);
        for (const std::size_t friction : frictionOf_[column])
            value += signOf(side_[friction]) * growth(friction) * at(row, friction);
        return value;
    }

    std::vector<double> accelerations(const std::vector<double>& f) const {
        std::vector<double> a = p_.b;
        addProduct(f, a);
        return a;
    }

    // The worst normal row; friction rows only when there is none. The paper settles each contact with its friction before the
    // next one: most of that friction holds bodies that are not yet carried elsewhere, and is undone later.
    bool findViolated(std::size_t& d) {
        a_ = accelerations(f_);  // without the rounding of the steps
        double worst = tolerance_;
        bool any = false;
        for (std::size_t i = 0; i < n_; ++i)
            if (isNormal(i) && side_[i] != Side::Active && -a_[i] > worst) {
                worst = -a_[i];
                d = i;
                any = true;
            }
        for (std::size_t i = 0; i < n_ && !any; ++i)
            if (!isNormal(i) && side_[i] == Side::Waiting && mayPush(i) && std::fabs(a_[i]) > tolerance_) {
                d = i;
                any = true;
            }
        return any;
    }

    void drive(std::size_t d) {
        const double direction = isNormal(d) || a_[d] < 0 ? 1 : -1;
        for (;;) {
            if (--pivotsLeft_ < 0) {
                result_.status = PivotStatus::GaveUp;
                return;
            }
            ++result_.pivots;
            // An inverse that was updated through rows that nearly depend on each other may be worn out.
            if (!findDirection(d, direction) && !(renew() && findDirection(d, direction))) {
                result_.status = PivotStatus::GaveUp;
                return;
            }
            const Step step = longestStep(d, direction);
            if (step.length == kNoStep) {
                result_.status = PivotStatus::Inconsistent;
                return;
            }
            for (std::size_t i = 0; i < n_; ++i) {
                f_[i] += step.length * df_[i];
                a_[i] += step.length * da_[i];
            }
            const bool isGood = step.row == d ? settle(d, step.next) : change(step.row, step.next);
            if (!isGood && !renew()) {
                result_.status = PivotStatus::GaveUp;
                return;
            }
            // The driven row has arrived, or has lost the load that its friction needs.
            if (step.row == d || (!isNormal(d) && !mayPush(d)))
                return;
        }
    }

    bool renew() {
        ++result_.refactored;
        return inverse_.refactor();
    }

    // Finds how forces and accelerations change with the driven force. False where the active rows do not keep still.
    bool findDirection(std::size_t d, double direction) {
        const std::vector<std::size_t>& active = inverse_.rows();
        right_.resize(active.size());
        for (std::size_t i = 0; i < active.size(); ++i)
            right_[i] = -direction * entry(active[i], d);
        inverse_.multiply(right_, solution_);
        std::fill(df_.begin(), df_.end(), 0);
        df_[d] = direction;
        for (std::size_t i = 0; i < active.size(); ++i)
            df_[active[i]] = solution_[i];
        for (int corrections = 0; !followDirection(); ++corrections) {
            if (corrections == kMostCorrections)
                return false;
            for (std::size_t i = 0; i < active.size(); ++i)
                right_[i] = -da_[active[i]];
            inverse_.multiply(right_, solution_);
            for (std::size_t i = 0; i < active.size(); ++i)
                df_[active[i]] += solution_[i];
        }
        for (const std::size_t row : active)
            da_[row] = 0;
        return true;
    }
    // What follows from the forces of the active rows and the driven one; whether the active rows then keep still.
    bool followDirection() {
        for (std::size_t i = 0; i < n_; ++i)
            if (!isNormal(i) && signOf(side_[i]) != 0)
                df_[i] = signOf(side_[i]) * growth(i) * df_[normalOf(i)];
        fastest_ = 0;
        for (const double rate : df_)
            fastest_ = std::max(fastest_, std::fabs(rate));
        std::fill(da_.begin(), da_.end(), 0);
        addProduct(df_, da_);
        bool isStill = true;
        for (const std::size_t row : inverse_.rows())
            isStill = isStill && std::fabs(da_[row]) <= kStaysStill * p_.at(row, row) * fastest_;
        return isStill;
    }

    // s at which value + s rate reaches zero from above.
    double reach(double value, double rate, double scale) const {
        return rate < -kFlat * scale * fastest_ ? std::max(value, 0.0) / -rate : kNoStep;
    }

    void offer(Step& best, double length, std::size_t row, Side next) const {
        // Where two rows reach their ends at once, the normal force changes sides: its friction ends with it.
        if (length < best.length || (length == best.length && isNormal(row) && !isNormal(best.row)))
            best = {length, row, next};
    }

    Step longestStep(std::size_t d, double direction) const {
        Step best;
        if (isNormal(d)) {
            offer(best, reach(-a_[d], -da_[d], p_.at(d, d)), d, Side::Active);
        } else {
            offer(best, reach(-direction * a_[d], -direction * da_[d], p_.at(d, d)), d, Side::Active);
            offer(best, reach(limitOf(d) - direction * f_[d], growth(d) * df_[normalOf(d)] - 1, 1), d,
                  direction > 0 ? Side::Upper : Side::Lower);
        }
        for (std::size_t i = 0; i < n_; ++i) {
            if (i == d)
                continue;
            switch (side_[i]) {
                case Side::Waiting: break;
                case Side::Apart: offer(best, reach(a_[i], da_[i], p_.at(i, i)), i, Side::Active); break;
                case Side::Upper: offer(best, reach(-a_[i], -da_[i], p_.at(i, i)), i, Side::Active); break;
                case Side::Lower: offer(best, reach(a_[i], da_[i], p_.at(i, i)), i, Side::Active); break;
                case Side::Active:
                    if (isNormal(i)) {
                        offer(best, reach(f_[i], df_[i], 1), i, Side::Apart);
                        break;
                    }
                    const double grows = growth(i) * df_[normalOf(i)];
                    offer(best, reach(limitOf(i) - f_[i], grows - df_[i], 1), i, Side::Upper);
                    offer(best, reach(limitOf(i) + f_[i], grows + df_[i], 1), i, Side::Lower);
                    break;
            }
        }
        return best;
    }

    // The column of a friction row's normal row, as the active forces see it, changes with the friction row's side.
    bool moveFriction(std::size_t i, Side next) {
        const double change = (signOf(next) - signOf(side_[i])) * growth(i);
        side_[i] = next;
        if (change == 0 || side_[normalOf(i)] != Side::Active)
            return true;
        const std::vector<std::size_t>& active = inverse_.rows();
        right_.resize(active.size());
        for (std::size_t k = 0; k < active.size(); ++k)
            right_[k] = change * at(active[k], i);
        return inverse_.changeColumn(normalOf(i), right_);
    }

    // Each returns false where the inverse must be found anew.
    bool settle(std::size_t d, Side next) {
        if (next != Side::Active)
            return moveFriction(d, next);
        a_[d] = 0;
        side_[d] = Side::Active;
        return inverse_.add(d);
    }

    bool change(std::size_t i, Side next) {
        if (next == Side::Active) {
            a_[i] = 0;
            const bool isGood = isNormal(i) || moveFriction(i, Side::Waiting);
            side_[i] = Side::Active;
            return inverse_.add(i) && isGood;
        }
        if (!isNormal(i)) {
            const bool isGood = inverse_.remove(i);
            side_[i] = Side::Waiting;
            return moveFriction(i, next) && isGood;
        }
        // The load ends, and its friction with it. The load's column leaves the active ones, so the share of friction in that
        // column counts no more.
        bool isGood = true;
        for (const std::size_t friction : frictionOf_[i]) {
            if (!limits_.empty())
                break;
            if (side_[friction] == Side::Active)
                isGood = inverse_.remove(friction) && isGood;
            f_[friction] = 0;
        }
        isGood = inverse_.remove(i) && isGood;
        for (const std::size_t friction : frictionOf_[i])
            if (limits_.empty())
                side_[friction] = Side::Waiting;
        f_[i] = 0;
        side_[i] = Side::Apart;
        return isGood;
    }

    const PivotProblem& p_;
    const Columns& columns_;
    double compliance_;
    std::vector<double> limits_;
    std::size_t n_;
    std::vector<Side> side_;
    std::vector<double> f_, a_, df_, da_, right_, solution_;
    ActiveInverse inverse_;
    std::vector<std::vector<std::size_t>> frictionOf_;  // by normal row
    double tolerance_ = 0, fastest_ = 0;
    int pivotsLeft_ = 0;
    PivotResult result_;
};

// Where driving friction goes round: the limits of friction are held, which leaves a convex problem that pivoting always
// solves, and are then moved towards what the new normal forces allow.
PivotResult solveByLimits(const PivotProblem& problem, const Columns& columns, const PivotSettings& settings,
                          double compliance) {
    std::vector<double> limits(problem.size(), 0);
    PivotResult result;
    int pivots = 0, refactored = 0;
    for (int round = 0; round < kMostFrictionRounds; ++round) {
        result = Pivoting(problem, columns, settings, compliance, limits).run();
        result.pivots = pivots += result.pivots;
        result.refactored = refactored += result.refactored;
        if (result.status != PivotStatus::Solved)
            return result;
        double change = 0, largest = 0;
        for (std::size_t i = 0; i < problem.size(); ++i) {
            const PivotRow& row = problem.rows[i];
            largest = std::max(largest, result.f[i]);
            if (row.normal < 0)
                continue;
            const double allowed = row.friction * result.f[std::size_t(row.normal)];
            change = std::max(change, std::fabs(allowed - limits[i]));
            limits[i] += (allowed - limits[i]) * (round < kFullRounds ? 1 : kPartRound);
        }
        if (change <= kLimitTolerance * largest || complementarityResidual(problem, result.f) <= kMostResidual / 2)
            return result;
    }
    result.status = PivotStatus::GaveUp;
    return result;
}

}  // namespace

PivotResult solveByPivoting(const PivotProblem& problem, const PivotSettings& settings) {
    const Columns columns(problem);
    PivotResult result = Pivoting(problem, columns, settings, 0).run();
    for (const double compliance : kCompliances) {
        // Where rounding ends the search, what was found so far is often good.
        if (complementarityResidual(problem, result.f) <= kMostResidual) {
            result.status = PivotStatus::Solved;
            return result;
        }
        PivotResult next = Pivoting(problem, columns, settings, compliance).run();
        if (next.status != PivotStatus::Solved && compliance == kCompliances.back())
            next = solveByLimits(problem, columns, settings, compliance);
        next.pivots += result.pivots;
        next.refactored += result.refactored;
        result = std::move(next);
    }
    const bool isSolved = complementarityResidual(problem, result.f) <= kMostResidual;
    if (isSolved || result.status == PivotStatus::Solved)
        result.status = isSolved ? PivotStatus::Solved : PivotStatus::GaveUp;
    return result;
}

}  // namespace sunder::dynamics
