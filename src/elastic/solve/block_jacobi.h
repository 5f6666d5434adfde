// The inverse of every row's own block: little work, and enough for small bodies.
#pragma once

#include <vector>

#include "elastic/solve/block_matrix.h"
#include "elastic/solve/preconditioner.h"

namespace sunder::elastic {

class BlockJacobi final : public Preconditioner {
public:
    BlockJacobi(const BlockPattern& pattern, const BlockMatrix<double>& matrix);

    void addStages(StageList& list, const double* residual, double* image) override;
    bool isClose() const override { return false; }

private:
    void apply(int block) const;

    std::vector<double> inverse_;
    std::size_t rows_;
    const double* residual_ = nullptr;
    double* image_ = nullptr;
};

}  // namespace sunder::elastic
