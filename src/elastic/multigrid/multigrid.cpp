#include "elastic/multigrid/multigrid.h"

#include <algorithm>

namespace sunder::elastic {

namespace {

constexpr std::size_t kRowsPerTransfer = 1024, kBlocksPerMove = 16384;
// A level with no more rows is factored as a dense matrix: 2 ms to factor, 30 us to solve.
constexpr std::size_t kDenseRows = 110;
// Largest share of a level's rows that the next level may have. Where cracks leave more it does not pay, and the level is the
// last.
constexpr double kLeastShrink = 0.7;
// Sweeps before and after each coarse correction. Levels from the third on have a tenth of the work of the first and are worth
// more: with one sweep there, 100k tetrahedra take 17 iterations, with three 12.
constexpr int sweepsOf(std::size_t level) { return level < 2 ? 1 : 3; }
// Sweeps forwards and backwards on a coarsest level that is too large to be factored.
constexpr int kCoarsestSweeps = 4;

struct Working {
    std::vector<Vec3d> positions;
    BlockPattern pattern;
    BlockMatrix<double> matrix;
};

// The coarse level with its rows in the order of their colours; the interpolation is told of the new order.
Working ordered(CoarseNodes& coarse, const CoarseMatrix& found, TaskRunner& runner) {
    Working out;
    const ColourOrder order = colourOrder(found.graph);
    std::vector<std::uint32_t> from;
    out.pattern = patternOf(found.graph, order, &from, runner);
    out.matrix.resize(out.pattern);
    out.positions.resize(order.node.size());
    for (std::size_t row = 0; row < order.node.size(); ++row) {
        const double* block = found.diagonal.data() + kBlockSize * order.node[row];
        std::copy(block, block + kBlockSize, out.matrix.diagonal.data() + kBlockSize * row);
        out.positions[row] = coarse.positions[order.node[row]];
    }
    runRanges(runner, from.size(), kBlocksPerMove, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const double* block = found.values.data() + kBlockSize * from[k];
            std::copy(block, block + kBlockSize, out.matrix.values.data() + kBlockSize * k);
        }
    });
    for (std::uint32_t& node : coarse.node)
        node = order.row[node];
    return out;
}

}  // namespace

Multigrid::Multigrid(const Stiffness& stiffness, TaskRunner& runner)
    : finest_(std::make_unique<Level>(stiffness.pattern, stiffness.matrix, sweepsOf(0), runner)),
      coarser_(std::make_shared<Coarser>()) {
    const Vec3d origin = stiffness.positions[0];
    double size = 2 * stiffness.cubeSize;
    std::vector<Vec3d> positions = stiffness.positions;
    const BlockMatrix<double>* matrix = &stiffness.matrix;
    Working working;
    const BlockPattern* pattern = &stiffness.pattern;
    Level* finer = finest_.get();
    while (pattern->rows() > kDenseRows) {
        CoarseNodes coarse = splitCoarseNodes(positions, *pattern, origin, size, runner);
        if (double(coarse.positions.size()) > kLeastShrink * double(pattern->rows()))
            break;
        const CoarseMatrix found = galerkin(*pattern, *matrix, coarse, supportsOf(coarse), runner);
        working = ordered(coarse, found, runner);
        pattern = &working.pattern;
        matrix = &working.matrix;
        positions = working.positions;
        std::vector<std::unique_ptr<Level>>& levels = coarser_->levels;
        levels.push_back(std::make_unique<Level>(working.pattern, working.matrix, sweepsOf(levels.size() + 1), runner));
        finer->link(coarse, supportsOf(coarse), *levels.back());
        if (levels.size() == 1)
            coarse_ = std::move(coarse);
        finer = levels.back().get();
        size *= 2;
    }
    coarser_->hasDense = pattern->rows() <= kDenseRows;
    if (coarser_->hasDense)
        coarser_->dense = DenseLevel(positions, *pattern, *matrix);
}

Multigrid::Multigrid(const Stiffness& stiffness, const Multigrid& before, std::span<const std::uint32_t> rowBefore,
                     TaskRunner& runner)
    : finest_(std::make_unique<Level>(stiffness.pattern, stiffness.matrix, sweepsOf(0), runner)), coarser_(before.coarser_) {
    if (coarser_->levels.empty())
        return;
    const CoarseNodes& known = before.coarse_;
    coarse_.positions.resize(coarser_->levels[0]->rows());
    coarse_.first.reserve(rowBefore.size() + 1);
    coarse_.first.push_back(0);
    for (const std::uint32_t row : rowBefore) {
        for (std::uint32_t k = known.first[row]; k < known.first[row + 1]; ++k) {
            coarse_.node.push_back(known.node[k]);
            coarse_.weight.push_back(known.weight[k]);
        }
        coarse_.first.push_back(static_cast<std::uint32_t>(coarse_.node.size()));
    }
    finest_->link(coarse_, supportsOf(coarse_), *coarser_->levels[0]);
}

void Multigrid::addStages(StageList& list, const double* residual, double* image) {
    residual_ = residual;
    image_ = image;
    const int blocks = static_cast<int>((finest_->rows() + kRowsPerTransfer - 1) / kRowsPerTransfer);
    std::vector<Level*> levels{finest_.get()};
    for (const std::unique_ptr<Level>& level : coarser_->levels)
        levels.push_back(level.get());
    const std::size_t last = levels.size() - 1;
    list.add(
        blocks, [](void* self, int, int block) { static_cast<Multigrid*>(self)->takeResidual(block); }, this, 0);
    for (std::size_t level = 0; level < last; ++level)
        levels[level]->addDown(list);
    if (coarser_->hasDense)
        list.add(
            1, [](void* self, int, int block) { static_cast<Multigrid*>(self)->solveCoarsest(block); }, this, 0);
    else
        levels[last]->addSweeps(list, kCoarsestSweeps);
    for (std::size_t level = last; level-- > 0;)
        levels[level]->addUp(list);
    list.add(
        blocks, [](void* self, int, int block) { static_cast<Multigrid*>(self)->giveImage(block); }, this, 0);
}

void Multigrid::takeResidual(int block) {
    Level& finest = *finest_;
    const std::size_t end = std::min(finest.rows(), (std::size_t(block) + 1) * kRowsPerTransfer);
    for (std::size_t row = block * kRowsPerTransfer; row < end; ++row)
        for (int a = 0; a < 3; ++a)
            finest.b[4 * row + a] = float(residual_[3 * row + a]);
}

void Multigrid::giveImage(int block) {
    const Level& finest = *finest_;
    const std::size_t end = std::min(finest.rows(), (std::size_t(block) + 1) * kRowsPerTransfer);
    for (std::size_t row = block * kRowsPerTransfer; row < end; ++row)
        for (int a = 0; a < 3; ++a)
            image_[3 * row + a] = double(finest.x[4 * row + a]);
}

void Multigrid::solveCoarsest(int) {
    Level& last = coarser_->levels.empty() ? *finest_ : *coarser_->levels.back();
    coarser_->dense.solve(last.b.data(), last.x.data());
}

}  // namespace sunder::elastic
