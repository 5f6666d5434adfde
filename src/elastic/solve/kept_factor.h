// A factor of the whole stiffness as a preconditioner: one or two iterations for every load, for bodies that are struck often
// and do not break. Of 100k tetrahedra it takes seconds to make and hundreds of megabytes.
//
// The factor is of K + e diag(volume), definite without pins; what e adds to the stress the iterations take away again.
// FrontCholesky has blocks of six, so that nodes are paired with neighbours; one that is left over has three rows of its own.
// The order of elimination is that of single nodes, and nodes of one front are paired: a pair that reached across a plane of
// the dissection would make the separator there twice as wide, and the factor of a ball 2.4 times as expensive.
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
    // Shares the factor, and may be used beside the other.
    KeptFactor(const KeptFactor& other) : kept_(other.kept_), work_(other.work_.size()) {}
    KeptFactor& operator=(const KeptFactor&) = delete;

    void addStages(StageList& list, const double* residual, double* image) override;
    bool isClose() const override { return true; }

    // Multiplications of blocks of six that making it took.
    double cost() const { return kept_->cost; }

private:
    struct Kept {
        std::vector<std::uint32_t> place;  // by row: 2 * pair + which of the two
        linear::FrontCholesky factor;
        double cost = 0;
    };
    void apply(int);

    std::shared_ptr<const Kept> kept_;
    std::vector<double> work_;
    const double* residual_ = nullptr;
    double* image_ = nullptr;
};

}  // namespace sunder::elastic
