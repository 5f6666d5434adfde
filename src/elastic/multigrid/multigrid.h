// A geometric multigrid cycle in float as a preconditioner: its error falls by the same factor whatever the size of the mesh.
//   [Briggs, Henson, McCormick 2000] A multigrid tutorial, 3 and 8
// Levels: the mesh; cubes of twice the lattice constant; cubes of twice that size, and so on, until few nodes are left.
#pragma once

#include <memory>
#include <vector>

#include "elastic/multigrid/dense_level.h"
#include "elastic/multigrid/level.h"
#include "elastic/solve/preconditioner.h"
#include "elastic/solve/stiffness.h"

namespace sunder::elastic {

class Multigrid final : public Preconditioner {
public:
    Multigrid(const Stiffness& stiffness, TaskRunner& runner);

    void addStages(StageList& list, const double* residual, double* image) override;
    bool isClose() const override { return true; }

    std::size_t levelCount() const { return levels_.size(); }
    std::size_t rowsOf(std::size_t level) const { return levels_[level]->rows(); }
    std::size_t blocksOf(std::size_t level) const { return levels_[level]->blocks(); }

private:
    void takeResidual(int block);
    void giveImage(int block);
    void solveCoarsest(int);

    std::vector<std::unique_ptr<Level>> levels_;
    DenseLevel dense_;
    bool hasDense_ = false;
    const double* residual_ = nullptr;
    double* image_ = nullptr;
};

}  // namespace sunder::elastic
