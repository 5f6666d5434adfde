// One level of a multigrid cycle, in float: a matrix, its sweeps, and the way to the next coarser level and back.
//
// A sweep of block Gauss-Seidel goes through the rows colour by colour. The one before the coarse correction begins with x = 0,
// so that it needs the blocks below the diagonal alone, and leaves a residual that needs those above it alone:
//     (L + D) x = b,    b - (L + D + U) x = -U x      after one sweep; after several, of all blocks.
// The one after it goes backwards through the colours, so that the cycle as a whole is symmetric.
#pragma once

#include <vector>

#include "core/stages.h"
#include "elastic/multigrid/coarse_nodes.h"
#include "elastic/multigrid/galerkin.h"

namespace sunder::elastic {

class Level {
public:
    // sweeps: before the coarse correction, and after it.
    Level(BlockPattern pattern, const BlockMatrix<double>& matrix, int sweeps, TaskRunner& runner);

    // The way to a coarser level, whose rows the interpolation names.
    void link(const CoarseNodes& coarse, const Supports& supports, Level& coarser);
    std::size_t rows() const { return pattern_.rows(); }
    std::size_t blocks() const { return pattern_.blocks(); }

    // As stages. down: x and the coarser level's b from b. up: x from the coarser level's x.
    void addDown(StageList& list);
    void addUp(StageList& list);
    // Sweeps alone, there and back, for a coarsest level that is too large to be factored.
    void addSweeps(StageList& list, int count);

    std::vector<float> x, b;  // four numbers per row

private:
    using Step = void (Level::*)(std::size_t begin, std::size_t end);
    template <Step kStep>
    void add(StageList& list, std::size_t begin, std::size_t end);
    template <Step kStep>
    void addColour(StageList& list, std::size_t colour) {
        add<kStep>(list, pattern_.colour[colour], pattern_.colour[colour + 1]);
    }

    void sweepFirst(std::size_t begin, std::size_t end);
    void sweep(std::size_t begin, std::size_t end);
    void findResidual(std::size_t begin, std::size_t end);
    void findWholeResidual(std::size_t begin, std::size_t end);
    void gather(std::size_t begin, std::size_t end);
    void correct(std::size_t begin, std::size_t end);
    void setTo(std::size_t row, const ImageSum& sum);

    BlockPattern pattern_;
    int sweeps_;
    std::vector<float> values_, inverse_, diagonal_;
    std::vector<float> residual_;
    Level* coarser_ = nullptr;
    std::vector<std::uint32_t> toCoarse_, coarse_, fromFine_, fine_;
    std::vector<float> coarseWeight_, fineWeight_;
    // Rows that a task takes; the range of the stage that a task belongs to is in ranges_[argument].
    struct Range {
        std::size_t begin, end;
    };
    std::vector<Range> ranges_;
};

}  // namespace sunder::elastic
