// What a solid remembers from step to step beside its nodes.
#pragma once

#include "deformable/element/solid_model.h"

namespace sunder::deformable {

// Six numbers of kLanes tetrahedra: xx yy zz xy xz yz, in the axes of the rest shape. Of additive plasticity the plastic
// strain, of multiplicative the B of element_kernels.inl: zero where nothing has flowed.
struct StrainBlock {
    wide::Lanes strain[6];
};

struct SolidMemory {
    std::vector<wide::LaneMask> usesQr;  // per block of tetrahedra
    std::vector<StrainBlock> plastic;    // per block; empty where the material does not flow
    std::size_t tets = 0;
};
SolidMemory freshMemory(const SolidModel& model);

}  // namespace sunder::deformable
