// The element kernels compiled for AVX-512 (see CMakeLists.txt); called only where the processor has it.
#if defined(SUNDER_HAS_X86_KERNELS)

#include "deformable/element/element_kernels.h"

#include <limits>

#include "math/wide.h"

namespace sunder::deformable {

namespace {
#include "deformable/element/element_kernels.inl"
}  // namespace

const ElementKernels kAvx512Elements{deform, deformReshaped};

}  // namespace sunder::deformable

#endif
