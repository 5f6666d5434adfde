// An approximate inverse of a stiffness, as stages that a solve runs in every iteration.
#pragma once

#include "core/stages.h"

namespace sunder::elastic {

class Preconditioner {
public:
    virtual ~Preconditioner() = default;
    // Adds the stages that set image = M^-1 residual; three numbers per row in both.
    virtual void addStages(StageList& list, const double* residual, double* image) = 0;
    // Whether M is so near K that r.z is the energy of the error, but for a small factor.
    virtual bool isClose() const = 0;
};

}  // namespace sunder::elastic
