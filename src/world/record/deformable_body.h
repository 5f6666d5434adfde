// A body that deforms: what it is made of, and what its tetrahedra remember. Its nodes are the body's vertices.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "collision/built_shape.h"
#include "core/rare.h"
#include "deformable/element/solid_memory.h"
#include "sunder/definitions.h"
#include "world/record/body_vertices.h"

namespace sunder::world {

struct DeformableBody {
    struct Pin {
        std::uint32_t node;
        WorldPoint place;  // m: where it stays
    };

    DeformableDef def;
    deformable::FleshMaterial material;
    deformable::SolidMemory memory;
    std::vector<Pin> pins;
    Rare<geometry::TetMesh> torn;  // the rest shape of a body that has torn, in place of what fills its shape
    Real load = 0;                 // of a body that tears: largest tension when it was last looked at, over the strength
    // Follows from the shape, def.cell or `torn`, and the material; null after a restore until modelOf() makes it again.
    mutable std::shared_ptr<const deformable::SolidModel> model;
};

// Throws Error, naming the field, where the shape cannot be filled. mass: overrides the density.
DeformableBody makeDeformable(const BuiltShape& shape, const DeformableDef& def, const Material& material,
                              const std::optional<Real>& mass);
const deformable::SolidModel& modelOf(const DeformableBody& solid, const BuiltShape& shape);
BodyVertices verticesOf(const deformable::SolidModel& model);
// Nodes in the boxes of DeformableDef::pinned stay where they are.
void pinNodes(DeformableBody& solid, const WorldPoint& position, const Quat& orientation);

// SolidMemory tetrahedron by tetrahedron.
struct TetMemory {
    std::vector<std::uint8_t> usesQr;
    std::vector<std::array<Real, 6>> plastic;
};
TetMemory unpack(const DeformableBody& solid);
void pack(const TetMemory& memory, DeformableBody& solid);

// Whether numbers are in range and memory, pins and nodes fit the model, which is made again for that.
bool isSound(const DeformableBody& solid, const BuiltShape& shape, std::size_t nodes);

}  // namespace sunder::world
