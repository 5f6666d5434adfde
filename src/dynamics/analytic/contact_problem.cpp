#include "dynamics/analytic/contact_problem.h"

#include <algorithm>
#include <cmath>

namespace sunder::dynamics {

double complementarityResidual(const PivotProblem& problem, const std::vector<double>& f) {
    double aScale = 0, fScale = 0, worst = 0;
    for (std::size_t i = 0; i < problem.size(); ++i) {
        aScale = std::max(aScale, std::fabs(problem.b[i]));
        fScale = std::max(fScale, std::fabs(f[i]));
    }
    if (!(aScale > 0))
        return fScale > 0 ? 1 : 0;
    fScale = fScale > 0 ? fScale : 1;
    for (std::size_t i = 0; i < problem.size(); ++i) {
        double a = problem.b[i];
        for (std::size_t j = 0; j < problem.size(); ++j)
            a += problem.at(i, j) * f[j];
        a /= aScale;
        const double force = f[i] / fScale;
        const PivotRow& row = problem.rows[i];
        if (row.normal < 0) {
            worst = std::max({worst, -a, -force, std::min(std::fabs(a), std::fabs(force))});
            continue;
        }
        const double limit = row.friction * std::max(f[std::size_t(row.normal)], 0.0) / fScale;
        worst = std::max(worst, std::fabs(force) - limit);
        // Sliding that the force does not oppose at its limit.
        worst = std::max(worst, std::min(std::fabs(a), a > 0 ? force + limit : limit - force));
    }
    return worst;
}

}  // namespace sunder::dynamics
