// The description of deformable solids.
#pragma once

#include "sunder/definitions.h"
#include "sunder/describe/field_info.h"
#include "sunder/describe/fracture.h"

namespace sunder {

template <MaybeConst<DeformableDef> D, class Visit>
void visitFields(D& d, Visit&& visit) {
    visit(FieldInfo{.name = "cell",
                    .unit = "m",
                    .low = 0,
                    .high = kMaxSize,
                    .doc = "size of the cells that are filled with tetrahedra; 0: a sixth of the longest side"},
          d.cell);
    visit(
        FieldInfo{.name = "stiffness_damping", .unit = "s", .low = 0, .high = 1e3, .doc = "Rayleigh's share of the stiffness"},
        d.stiffnessDamping);
    visit(FieldInfo{.name = "mass_damping",
                    .unit = "1/s",
                    .low = 0,
                    .high = 1e6,
                    .doc = "Rayleigh's share of the mass; acts on the deformation, not on rigid motion"},
          d.massDamping);
    visit(FieldInfo{.name = "creep_rate",
                    .unit = "1/s",
                    .low = 0,
                    .high = 1e6,
                    .doc = "how fast strain beyond the material's yield becomes permanent"},
          d.creepRate);
    visit(FieldInfo{.name = "largest_plastic", .low = 0, .high = 10, .doc = "permanent strain at which flow ends"},
          d.largestPlastic);
    visit(FieldInfo{.name = "pinned", .doc = "boxes: nodes inside of them stay where they are in the world"}, d.pinned);
}

}  // namespace sunder
