#include "geometry/surface/plane_fits.h"

namespace sunder::geometry {

// By value: a result of the caller's could overlap the input, which stands in the way of vector code.
PlaneFits fitPlanes(const Real (&v)[8][PlaneFits::kLanes], Real scale) {
    const Real quarter = scale * Real(0.25), eighth = scale * Real(0.125), half = Real(0.5);
    PlaneFits fits;
    for (int i = 0; i < PlaneFits::kLanes; ++i) {
        const Real low = (v[0][i] + v[1][i]) + (v[2][i] + v[3][i]), high = (v[4][i] + v[5][i]) + (v[6][i] + v[7][i]);
        const Real oddX = (v[1][i] + v[3][i]) + (v[5][i] + v[7][i]), evenX = (v[0][i] + v[2][i]) + (v[4][i] + v[6][i]);
        const Real oddY = (v[2][i] + v[3][i]) + (v[6][i] + v[7][i]), evenY = (v[0][i] + v[1][i]) + (v[4][i] + v[5][i]);
        const Real gx = (oddX - evenX) * quarter, gy = (oddY - evenY) * quarter, gz = (high - low) * quarter;
        const Real squared = gx * gx + gy * gy + gz * gz;
        const Real safe = squared > Real(1e-6) ? squared : Real(1);
        const Real move = (low + high) * eighth / safe, inverse = 1 / std::sqrt(safe);
        const Real moveX = gx * move, moveY = gy * move, moveZ = gz * move;
        fits.x[i] = half - moveX;
        fits.y[i] = half - moveY;
        fits.z[i] = half - moveZ;
        fits.normalX[i] = gx * inverse;
        fits.normalY[i] = gy * inverse;
        fits.normalZ[i] = gz * inverse;
        fits.misfit[i] = std::fabs(squared - 1);
        const Real outX = std::fabs(moveX), outY = std::fabs(moveY), outZ = std::fabs(moveZ);
        const Real outXY = outX > outY ? outX : outY;
        fits.leaves[i] = (outXY > outZ ? outXY : outZ) - half;
    }
    return fits;
}

}  // namespace sunder::geometry
