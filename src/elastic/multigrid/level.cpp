#include "elastic/multigrid/level.h"

#include <algorithm>

namespace sunder::elastic {

namespace {

// Grain of the tasks, a few microseconds each. Levels with fewer rows than kLeastToShare are swept by one thread, because
// handing over takes as long.
constexpr std::size_t kRowsPerTask = 128;
constexpr std::size_t kLeastToShare = 1000;
constexpr std::size_t kBlocksPerCopy = 16384;

}  // namespace

Level::Level(BlockPattern pattern, const BlockMatrix<double>& matrix, int sweeps, TaskRunner& runner)
    : pattern_(std::move(pattern)), sweeps_(sweeps) {
    const std::size_t rows = pattern_.rows();
    values_.resize(matrix.values.size());
    runRanges(runner, values_.size(), kBlocksPerCopy * kBlockSize, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            values_[i] = float(matrix.values[i]);
    });
    inverse_.assign(kBlockSize * rows + kSpare, 0);
    for (std::size_t row = 0; row < rows; ++row) {
        double inverse[kBlockSize];
        invertBlock(matrix.diagonal.data() + kBlockSize * row, inverse);
        std::copy(inverse, inverse + kBlockSize, inverse_.data() + kBlockSize * row);
    }
    if (sweeps_ > 1)
        diagonal_.assign(matrix.diagonal.begin(), matrix.diagonal.end());
    x.assign(4 * rows, 0);
    b.assign(4 * rows, 0);
}

void Level::link(const CoarseNodes& coarse, const Supports& supports, Level& coarser) {
    coarser_ = &coarser;
    residual_.assign(4 * rows(), 0);
    toCoarse_ = coarse.first;
    coarse_ = coarse.node;
    coarseWeight_.assign(coarse.weight.begin(), coarse.weight.end());
    fromFine_ = supports.first;
    fine_ = supports.row;
    fineWeight_.assign(supports.weight.begin(), supports.weight.end());
}

template <Level::Step kStep>
void Level::add(StageList& list, std::size_t begin, std::size_t end) {
    const std::size_t perTask = rows() < kLeastToShare ? end - begin : kRowsPerTask;
    if (begin == end)
        return;
    // Several solves may have this level in their lists.
    std::size_t number = 0;
    while (number < ranges_.size() && (ranges_[number].begin != begin || ranges_[number].end != end))
        ++number;
    if (number == ranges_.size())
        ranges_.push_back({begin, end});
    list.add(
        static_cast<int>((end - begin + perTask - 1) / perTask),
        [](void* context, int argument, int block) {
            Level& self = *static_cast<Level*>(context);
            const Range range = self.ranges_[argument];
            const std::size_t size = self.rows() < kLeastToShare ? range.end - range.begin : kRowsPerTask;
            const std::size_t from = range.begin + std::size_t(block) * size;
            (self.*kStep)(from, std::min(range.end, from + size));
        },
        this, static_cast<int>(number));
}

void Level::addDown(StageList& list) {
    const std::size_t colours = pattern_.colour.size() - 1;
    for (std::size_t c = 0; c < colours; ++c)
        addColour<&Level::sweepFirst>(list, c);
    for (int n = 1; n < sweeps_; ++n)
        for (std::size_t c = 0; c < colours; ++c)
            addColour<&Level::sweep>(list, c);
    if (sweeps_ == 1)
        add<&Level::findResidual>(list, 0, rows());
    else
        add<&Level::findWholeResidual>(list, 0, rows());
    add<&Level::gather>(list, 0, coarser_->rows());
}

void Level::addUp(StageList& list) {
    add<&Level::correct>(list, 0, rows());
    for (int n = 0; n < sweeps_; ++n)
        for (std::size_t c = pattern_.colour.size() - 1; c-- > 0;)
            addColour<&Level::sweep>(list, c);
}

void Level::addSweeps(StageList& list, int count) {
    const std::size_t colours = pattern_.colour.size() - 1;
    for (std::size_t c = 0; c < colours; ++c)
        addColour<&Level::sweepFirst>(list, c);
    for (int n = 1; n < 2 * count; ++n)
        for (std::size_t c = 0; c < colours; ++c) {
            const std::size_t colour = n % 2 == 1 ? colours - 1 - c : c;
            addColour<&Level::sweep>(list, colour);
        }
}

// x = D^-1 (b - sum)
void Level::setTo(std::size_t row, const ImageSum& sum) {
    ImageSum image;
    image.add(inverse_.data() + kBlockSize * row, loadFour(b.data() + 4 * row) - sum.sum());
    const FourFloats solved = image.sum();
    std::memcpy(x.data() + 4 * row, &solved, sizeof solved);
}

void Level::sweepFirst(std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
        ImageSum sum;
        const float* block = values_.data() + kBlockSize * pattern_.first[row];
        for (std::uint32_t k = pattern_.first[row]; k < pattern_.middle[row]; ++k, block += kBlockSize)
            sum.add(block, loadFour(x.data() + 4 * std::size_t(pattern_.columns[k])));
        setTo(row, sum);
    }
}

void Level::sweep(std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
        ImageSum sum;
        const float* block = values_.data() + kBlockSize * pattern_.first[row];
        for (std::uint32_t k = pattern_.first[row]; k < pattern_.first[row + 1]; ++k, block += kBlockSize)
            sum.add(block, loadFour(x.data() + 4 * std::size_t(pattern_.columns[k])));
        setTo(row, sum);
    }
}

void Level::findResidual(std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
        ImageSum sum;
        const float* block = values_.data() + kBlockSize * pattern_.middle[row];
        for (std::uint32_t k = pattern_.middle[row]; k < pattern_.first[row + 1]; ++k, block += kBlockSize)
            sum.add(block, loadFour(x.data() + 4 * std::size_t(pattern_.columns[k])));
        const FourFloats left = -sum.sum();
        std::memcpy(residual_.data() + 4 * row, &left, sizeof left);
    }
}

void Level::findWholeResidual(std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
        ImageSum sum;
        sum.add(diagonal_.data() + kBlockSize * row, loadFour(x.data() + 4 * row));
        const float* block = values_.data() + kBlockSize * pattern_.first[row];
        for (std::uint32_t k = pattern_.first[row]; k < pattern_.first[row + 1]; ++k, block += kBlockSize)
            sum.add(block, loadFour(x.data() + 4 * std::size_t(pattern_.columns[k])));
        const FourFloats left = loadFour(b.data() + 4 * row) - sum.sum();
        std::memcpy(residual_.data() + 4 * row, &left, sizeof left);
    }
}

void Level::gather(std::size_t begin, std::size_t end) {
    for (std::size_t node = begin; node < end; ++node) {
        FourFloats sum{};
        for (std::uint32_t k = fromFine_[node]; k < fromFine_[node + 1]; ++k)
            sum += loadFour(residual_.data() + 4 * std::size_t(fine_[k])) * fineWeight_[k];
        std::memcpy(coarser_->b.data() + 4 * node, &sum, sizeof sum);
    }
}

void Level::correct(std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
        FourFloats sum = loadFour(x.data() + 4 * row);
        for (std::uint32_t k = toCoarse_[row]; k < toCoarse_[row + 1]; ++k)
            sum += loadFour(coarser_->x.data() + 4 * std::size_t(coarse_[k])) * coarseWeight_[k];
        std::memcpy(x.data() + 4 * row, &sum, sizeof sum);
    }
}

}  // namespace sunder::elastic
