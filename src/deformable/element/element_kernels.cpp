#include "deformable/element/element_kernels.h"

#include <limits>

#include "core/processor.h"
#include "math/wide.h"

namespace sunder::deformable {

namespace {
#include "deformable/element/element_kernels.inl"
}  // namespace

const ElementKernels& elementKernels() {
    static constexpr ElementKernels kBaseline{deform, deformReshaped};
#if defined(SUNDER_HAS_X86_KERNELS)
    return bestOf(kBaseline, kAvx2Elements, kAvx512Elements);
#else
    return kBaseline;
#endif
}

}  // namespace sunder::deformable
