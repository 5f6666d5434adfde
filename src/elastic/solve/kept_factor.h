// A factor of the whole stiffness as a preconditioner: one or two iterations for every load, for bodies that are struck often
// and do not break. Of 100k tetrahedra it takes seconds to make and hundreds of megabytes.
//
// The factor is of K + e diag(volume), definite without pins; what e adds to the stress the iterations take away again.
// FrontCholesky has blocks of six, so that nodes are paired with neighbours; one that is left over has three rows of its own.
#pragma once

#include <memory>
#include <vector>

#include "elastic/solve/preconditioner.h"
#include "elastic/solve/stiffness.h"
#include "math/linear/front_cholesky.h"

namespace sunder::elastic {

class KeptFactor final : public Preconditioner {
public:
    explicit KeptFactor(const Stiffness& stiffness);

    void addStages(StageList& list, const double* residual, double* image) override;
    bool isClose() const override { return true; }

private:
    void apply(int);

    std::vector<std::uint32_t> place_;  // by row: 2 * pair + which of the two
    linear::FrontCholesky factor_;
    std::vector<double> work_;
    const double* residual_ = nullptr;
    double* image_ = nullptr;
};

}  // namespace sunder::elastic
