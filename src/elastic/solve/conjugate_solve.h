// Conjugate gradients on one component, every iteration a list of stages.
//   [Shewchuk 1994] An introduction to the conjugate gradient method without the agonizing pain
//   [Bao07] V   the filter on residual and direction, here for pins alone
//
// A body that nothing holds has a singular matrix. Its loads are balanced, so that they and all residuals have no part along
// the rigid motions; directions may have one, which the matrix does not see; it is taken out of the displacements in the end.
//
//     w = A p                     alpha = r.z / p.w
//     x += alpha p,  r -= alpha w
//     z = M^-1 r                  beta = z.(r - r before) / (r.z before) = -alpha z.w / (r.z before)
//     p = z + beta p
// That beta instead of r.z / (r.z before) lets M differ from a linear map by the rounding of floats.
#pragma once

#include <span>
#include <vector>

#include "elastic/solve/block_matrix.h"
#include "elastic/solve/pins.h"
#include "elastic/solve/preconditioner.h"

namespace sunder::elastic {

struct SolveLimits {
    double tolerance = 1e-3;  // of the energy norm of the error over that of the solution
    int iterations = 400;
};

struct SolveReport {
    int iterations = 0;
    double residual = 0;  // as the tolerance
    bool converged = true;
};

class ConjugateSolve {
public:
    // All must outlive it. pins may be null.
    ConjugateSolve(const BlockPattern& pattern, const BlockMatrix<double>& matrix, Preconditioner& preconditioner,
                   const Pins* pins);

    // x: the guess, replaced by the solution; load: the right-hand side. Three numbers per row.
    SolveReport solve(std::span<double> x, std::span<const double> load, const SolveLimits& limits, TaskRunner& runner);

private:
    enum Sum : int { kCurvature, kSlope, kChange, kEnergy, kSums };
    using Step = void (ConjugateSolve::*)(int block);

    template <Step kStep>
    void add(StageList& list, int blocks) {
        list.add(
            blocks, [](void* self, int, int block) { (static_cast<ConjugateSolve*>(self)->*kStep)(block); }, this, 0);
    }
    std::size_t beginOf(int block) const;
    std::size_t endOf(int block) const;
    double total(Sum sum) const;

    void findResidual(int block);
    void project(int);
    void projectImage(int);
    void beginDirection(int block);
    void applyMatrix(int block);
    void findStep(int);
    void advance(int block);
    void measure(int block);
    void findTurn(int);
    void turnDirection(int block);

    const BlockPattern& pattern_;
    const BlockMatrix<double>& matrix_;
    const Pins* pins_;
    bool isClose_;
    int blocks_;
    std::vector<double> r_, z_, p_, w_;
    std::vector<double> partial_;  // kSums per block
    double* x_ = nullptr;
    const double* load_ = nullptr;
    double slope_ = 0, alpha_ = 0, beta_ = 0, energy_ = 0, gain_ = 0;
    bool isBroken_ = false;
    StageList begin_, iteration_;
};

}  // namespace sunder::elastic
