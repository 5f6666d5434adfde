// A geometric multigrid cycle in float as a preconditioner: its error falls by the same factor whatever the size of the mesh.
//   [Briggs, Henson, McCormick 2000] A multigrid tutorial, 3 and 8
// Levels: the mesh; cubes of twice the lattice constant; cubes of twice that size, and so on, until few nodes are left.
//
// Where cracks have grown a little since a cycle was made, its coarse levels still do: a node that a crack has doubled follows
// the coarse nodes of the one that it was. The parts of an element have the stiffness of the whole, so that the coarse matrices
// are still P^T A P; they do not know how the new cracks open, which costs iterations, fewer than new levels would.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "elastic/multigrid/dense_level.h"
#include "elastic/multigrid/level.h"
#include "elastic/solve/preconditioner.h"
#include "elastic/solve/stiffness.h"

namespace sunder::elastic {

class Multigrid final : public Preconditioner {
public:
    Multigrid(const Stiffness& stiffness, TaskRunner& runner);
    // With the coarse levels of another. rowBefore: per row the row of the other that it was. The two must not be used at once.
    Multigrid(const Stiffness& stiffness, const Multigrid& before, std::span<const std::uint32_t> rowBefore,
              TaskRunner& runner);

    void addStages(StageList& list, const double* residual, double* image) override;
    bool isClose() const override { return true; }

    std::size_t levelCount() const { return 1 + coarser_->levels.size(); }
    std::size_t rowsOf(std::size_t level) const { return level == 0 ? finest_->rows() : coarser_->levels[level - 1]->rows(); }

private:
    // All levels but the first.
    struct Coarser {
        std::vector<std::unique_ptr<Level>> levels;
        DenseLevel dense;
        bool hasDense = false;
    };
    void takeResidual(int block);
    void giveImage(int block);
    void solveCoarsest(int);

    std::unique_ptr<Level> finest_;
    CoarseNodes coarse_;  // the interpolation to the first level; without positions
    std::shared_ptr<Coarser> coarser_;
    const double* residual_ = nullptr;
    double* image_ = nullptr;
};

}  // namespace sunder::elastic
