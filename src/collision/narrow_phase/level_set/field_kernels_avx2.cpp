// The field kernels compiled for AVX2 (see CMakeLists.txt); called only where the processor has it.
#if defined(SUNDER_HAS_X86_KERNELS)

#include "collision/narrow_phase/level_set/facing.h"
#include "collision/narrow_phase/level_set/field_kernels.h"
#include "math/wide.h"

namespace sunder::collision {

namespace {
#include "collision/narrow_phase/level_set/field_kernels.inl"
}  // namespace

const FieldKernels kAvx2FieldKernels{boundSpheres, readParticles, chooseNormals};

}  // namespace sunder::collision

#endif
