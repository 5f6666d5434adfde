// Rotation, stress and forces of kLanes tetrahedra at a time, compiled for several instruction sets with the same bits.
#pragma once

#include "deformable/element/four.h"
#include "deformable/element/solid_memory.h"

namespace sunder::deformable {

// What a step needs to know of a deformed tetrahedron; world axes.
struct TetRecord {
    Four gradient[4];  // sqrt(m^3)/m: of the nodes' shape functions, turned by the element's rotation, times sqrt(volume)
    Four force[4];     // N: elastic, on the nodes
};

struct ElementSettings {
    LameConstants lame{};
    Mat3 worldFromBody;
    Real yieldStrain = 0;  // 0: elastic
    Real creepShare = 0;   // share of the strain beyond the yield that becomes plastic in this step
    Real largestPlastic = 0;
    Plasticity plasticity = Plasticity::Additive;
    int qrOrder = 0;  // of the columns in the QR decomposition: 0 to 5, another in every step
};

struct ElementKernels {
    // positions: four numbers per node, of which three count, in the body's frame. usesQr and plastic (null without plasticity)
    // are updated. records: those of the block's tetrahedra; count: how many of its lanes are real.
    using Deform = void(const TetBlock& block, const Four* positions, const ElementSettings& settings, wide::LaneMask& usesQr,
                        StrainBlock* plastic, TetRecord* records, int count);
    Deform* deform;
    Deform* deformReshaped;  // of multiplicative plasticity; needs `plastic`
};

#if defined(SUNDER_HAS_X86_KERNELS)
extern const ElementKernels kAvx2Elements, kAvx512Elements;
#endif
// The best for the processor that the program runs on.
const ElementKernels& elementKernels();

}  // namespace sunder::deformable
