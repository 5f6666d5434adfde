// The field kernels for the instruction set that the whole library is compiled for, and the choice among all sets.
#include "collision/narrow_phase/level_set/facing.h"
#include "collision/narrow_phase/level_set/field_kernels.h"
#include "core/processor.h"
#include "math/wide.h"

namespace sunder::collision {

namespace {
#include "collision/narrow_phase/level_set/field_kernels.inl"
}  // namespace

const FieldKernels kBaselineFieldKernels{boundSpheres, readParticles, chooseNormals};

const FieldKernels& fieldKernels() {
#if defined(SUNDER_HAS_X86_KERNELS)
    static const FieldKernels& best = bestOf(kBaselineFieldKernels, kAvx2FieldKernels, kAvx512FieldKernels);
    return best;
#else
    return kBaselineFieldKernels;
#endif
}

}  // namespace sunder::collision
