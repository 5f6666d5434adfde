#include "elastic/solve/block_jacobi.h"

#include <algorithm>

namespace sunder::elastic {

namespace {}  // namespace

BlockJacobi::BlockJacobi(const BlockPattern& pattern, const BlockMatrix<double>& matrix)
    : inverse_(kBlockSize * pattern.rows()), rows_(pattern.rows()) {
    for (std::size_t row = 0; row < rows_; ++row)
        invertBlock(matrix.diagonal.data() + kBlockSize * row, inverse_.data() + kBlockSize * row);
}

void BlockJacobi::addStages(StageList& list, const double* residual, double* image) {
    residual_ = residual;
    image_ = image;
    list.add(
        static_cast<int>((rows_ + kRowsPerBlock - 1) / kRowsPerBlock),
        [](void* self, int, int block) { static_cast<BlockJacobi*>(self)->apply(block); }, this, 0);
}

void BlockJacobi::apply(int block) const {
    const std::size_t end = std::min(rows_, (std::size_t(block) + 1) * kRowsPerBlock);
    for (std::size_t row = block * kRowsPerBlock; row < end; ++row) {
        const double* m = inverse_.data() + kBlockSize * row;
        const double* r = residual_ + 3 * row;
        for (int a = 0; a < 3; ++a)
            image_[3 * row + a] = m[a] * r[0] + m[3 + a] * r[1] + m[6 + a] * r[2];
    }
}

}  // namespace sunder::elastic
