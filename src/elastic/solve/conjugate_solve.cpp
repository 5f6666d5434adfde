#include "elastic/solve/conjugate_solve.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sunder::elastic {

namespace {

// Rows that one task takes: sums are added up over as many, so the number is part of the result.
constexpr std::size_t kRowsPerSum = 256;
// A preconditioner that is not close says little about the error. What the energy fell by in this many iterations says more:
// the error before them was at least that large.
constexpr std::size_t kWindow = 12;
// r.z of a close preconditioner is at least this share of the energy of the error; seen of cycles on meshes of stuffTets.
constexpr double kCloseShare = 0.25;

}  // namespace

ConjugateSolve::ConjugateSolve(const BlockPattern& pattern, const BlockMatrix<double>& matrix, Preconditioner& preconditioner,
                               const Pins* pins)
    : pattern_(pattern),
      matrix_(matrix),
      pins_(pins),
      isClose_(preconditioner.isClose()),
      blocks_(static_cast<int>((pattern.rows() + kRowsPerSum - 1) / kRowsPerSum)) {
    const std::size_t size = 3 * pattern.rows();
    for (std::vector<double>* vector : {&r_, &z_, &p_, &w_})
        vector->assign(size, 0);
    partial_.assign(std::size_t(blocks_) * kSums, 0);

    begin_.clear({});
    add<&ConjugateSolve::findResidual>(begin_, blocks_);
    if (pins_)
        add<&ConjugateSolve::project>(begin_, 1);
    preconditioner.addStages(begin_, r_.data(), z_.data());
    if (pins_)
        add<&ConjugateSolve::projectImage>(begin_, 1);
    add<&ConjugateSolve::beginDirection>(begin_, blocks_);

    iteration_.clear({});
    add<&ConjugateSolve::applyMatrix>(iteration_, blocks_);
    add<&ConjugateSolve::findStep>(iteration_, 1);
    add<&ConjugateSolve::advance>(iteration_, blocks_);
    if (pins_)
        add<&ConjugateSolve::project>(iteration_, 1);
    preconditioner.addStages(iteration_, r_.data(), z_.data());
    if (pins_)
        add<&ConjugateSolve::projectImage>(iteration_, 1);
    add<&ConjugateSolve::measure>(iteration_, blocks_);
    add<&ConjugateSolve::findTurn>(iteration_, 1);
    add<&ConjugateSolve::turnDirection>(iteration_, blocks_);
}

SolveReport ConjugateSolve::solve(std::span<double> x, std::span<const double> load, const SolveLimits& limits,
                                  TaskRunner& runner) {
    x_ = x.data();
    load_ = load.data();
    isBroken_ = false;
    if (pins_)
        pins_->project(x_);
    begin_.run(runner);
    // The energy x.K x / 2 - x.f of the guess is -x.(f + r) / 2. Above 0 it is worse than none: it may be that of a part that
    // has come off since and bears hardly anything.
    if (total(kEnergy) < 0) {
        std::fill(x.begin(), x.end(), 0);
        begin_.run(runner);
    }
    slope_ = total(kSlope);
    SolveReport report;
    if (!(slope_ > 0)) {
        report.converged = slope_ == 0;
        return report;
    }
    std::vector<double> gains;
    const double enough = limits.tolerance * limits.tolerance;
    for (report.converged = false; !report.converged && report.iterations < limits.iterations;) {
        iteration_.run(runner);
        ++report.iterations;
        if (isBroken_)
            break;
        gains.push_back(gain_);
        // After a bad guess the sum of work may be below 0 at first.
        if (!(energy_ > 0))
            continue;
        const bool isKnown = isClose_ || gains.size() >= kWindow || slope_ == 0;
        const double window = std::accumulate(gains.end() - std::min(gains.size(), kWindow), gains.end(), 0.0);
        const double error = (isClose_ ? slope_ / kCloseShare : window) / energy_;
        report.residual = std::sqrt(std::max(error, 0.0));
        report.converged = isKnown && error <= enough;
    }
    return report;
}

std::size_t ConjugateSolve::beginOf(int block) const { return std::size_t(block) * kRowsPerSum; }
std::size_t ConjugateSolve::endOf(int block) const { return std::min(pattern_.rows(), (std::size_t(block) + 1) * kRowsPerSum); }

double ConjugateSolve::total(Sum sum) const {
    double out = 0;
    for (int block = 0; block < blocks_; ++block)
        out += partial_[std::size_t(block) * kSums + sum];
    return out;
}

void ConjugateSolve::findResidual(int block) {
    double energy = 0;
    for (std::size_t row = beginOf(block); row < endOf(block); ++row) {
        double image[3];
        multiplyRow(pattern_, matrix_, x_, row, image);
        for (int a = 0; a < 3; ++a) {
            r_[3 * row + a] = load_[3 * row + a] - image[a];
            energy += x_[3 * row + a] * (load_[3 * row + a] + r_[3 * row + a]);
        }
    }
    partial_[std::size_t(block) * kSums + kEnergy] = energy;
}

void ConjugateSolve::project(int) { pins_->project(r_.data()); }
void ConjugateSolve::projectImage(int) { pins_->project(z_.data()); }

void ConjugateSolve::beginDirection(int block) {
    double slope = 0;
    for (std::size_t k = 3 * beginOf(block); k < 3 * endOf(block); ++k) {
        p_[k] = z_[k];
        slope += r_[k] * z_[k];
    }
    partial_[std::size_t(block) * kSums + kSlope] = slope;
}

void ConjugateSolve::applyMatrix(int block) {
    double curvature = 0;
    for (std::size_t row = beginOf(block); row < endOf(block); ++row) {
        multiplyRow(pattern_, matrix_, p_.data(), row, &w_[3 * row]);
        for (int a = 0; a < 3; ++a)
            curvature += p_[3 * row + a] * w_[3 * row + a];
    }
    partial_[std::size_t(block) * kSums + kCurvature] = curvature;
}

void ConjugateSolve::findStep(int) {
    const double curvature = total(kCurvature);
    isBroken_ = isBroken_ || !(curvature > 0);
    alpha_ = isBroken_ ? 0 : slope_ / curvature;
    gain_ = alpha_ * slope_;
}

void ConjugateSolve::advance(int block) {
    double energy = 0;
    for (std::size_t k = 3 * beginOf(block); k < 3 * endOf(block); ++k) {
        x_[k] += alpha_ * p_[k];
        r_[k] -= alpha_ * w_[k];
        energy += x_[k] * load_[k];
    }
    partial_[std::size_t(block) * kSums + kEnergy] = energy;
}

void ConjugateSolve::measure(int block) {
    double slope = 0, change = 0;
    for (std::size_t k = 3 * beginOf(block); k < 3 * endOf(block); ++k) {
        slope += z_[k] * r_[k];
        change += z_[k] * w_[k];
    }
    partial_[std::size_t(block) * kSums + kSlope] = slope;
    partial_[std::size_t(block) * kSums + kChange] = change;
}

void ConjugateSolve::findTurn(int) {
    const double next = total(kSlope);
    isBroken_ = isBroken_ || !(next >= 0);
    beta_ = isBroken_ ? 0 : -alpha_ * total(kChange) / slope_;
    slope_ = next;
    energy_ = total(kEnergy);
}

void ConjugateSolve::turnDirection(int block) {
    for (std::size_t k = 3 * beginOf(block); k < 3 * endOf(block); ++k)
        p_[k] = z_[k] + beta_ * p_[k];
}

}  // namespace sunder::elastic
