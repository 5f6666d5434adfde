// A body that deforms: what it is made of, and what its tetrahedra remember. Its nodes are the body's vertices.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collision/built_shape.h"
#include "core/rare.h"
#include "deformable/drawn/splinters.h"
#include "deformable/element/solid_memory.h"
#include "sunder/definitions.h"
#include "world/record/body_vertices.h"

namespace sunder::world {

// The splinters of a deformable body or of a part of one.
struct SplinterRecord {
    Vec3 halfExtents;                   // m: of the box that they were made for; of other shapes, that about them
    Vec3 shift;                         // m: from the frame of that box to the body's
    std::vector<std::uint32_t> number;  // which of all that were made
    std::vector<std::uint32_t> owner;   // for each its tetrahedron, by TetMesh of the body's model
    // Of shapes other than boxes, each as it is: with the corners that lay outside of the shape on its surface.
    std::vector<deformable::Splinter> trimmed;
    // Follows from the rest; made when they are first drawn.
    mutable std::shared_ptr<const deformable::SplinterSkin> skin;
};

struct DeformableBody {
    struct Pin {
        std::uint32_t node;
        WorldPoint place;  // m: where it stays
    };

    // A node that keeps its place in the frame of another body.
    struct Hold {
        std::uint32_t node;
        BodyId body;
        Vec3 point;  // m
    };
    struct Force {
        std::uint32_t node;
        Vec3 force;  // N, world axes, for the next step
    };

    // Where a node, or a triangle of which it is the nearest corner, sticks to another body (FleshStiction::Pid).
    struct Grip {
        std::uint32_t node;
        BodyId body;
        Vec3 slip;  // m, in this body's frame: how far it has got since it stuck
    };

    DeformableDef def;
    deformable::FleshMaterial material;
    deformable::SolidMemory memory;
    std::vector<Pin> pins;
    std::vector<Hold> holds;
    std::vector<Force> forces;
    std::vector<Grip> grips;         // by node and body, each once
    Rare<SplinterRecord> splinters;  // drawn only: no step depends on them
    Rare<geometry::TetMesh> torn;    // the rest shape of a body that has torn, in place of what fills its shape
    Real load = 0;                   // of a body that tears: largest tension when it was last looked at, over the strength
    bool isTearing = false;          // a whole step found that it tears: the next is divided, and it tears in its parts
    // Follows from the shape, def.cell or `torn`, and the material; null after a restore until modelOf() makes it again.
    mutable std::shared_ptr<const deformable::SolidModel> model;
};

// Throws Error, naming the field, where the shape cannot be filled. mass: overrides the density.
DeformableBody makeDeformable(const BuiltShape& shape, const DeformableDef& def, const Material& material,
                              const std::optional<Real>& mass);
// What is wrong with a material for a deformable body, beside the ranges of its fields.
std::vector<std::string> complaintsAbout(const Material& material, const DeformableDef& def);
// Gives it another stiffness, density and yield. Where its mass was given, it changes as the density does.
void changeMaterial(DeformableBody& solid, const BuiltShape& shape, const Material& before, const Material& now);
inline deformable::Plasticity plasticityOf(const DeformableDef& def) {
    return def.plasticity == FleshPlasticity::Multiplicative ? deformable::Plasticity::Multiplicative
                                                             : deformable::Plasticity::Additive;
}
const deformable::SolidModel& modelOf(const DeformableBody& solid, const BuiltShape& shape);
BodyVertices verticesOf(const deformable::SolidModel& model);
// Nodes in the boxes of DeformableDef::pinned stay where they are.
void pinNodes(DeformableBody& solid, const WorldPoint& position, const Quat& orientation);
// Whether this body (a slot) holds the node.
bool isHeldBy(const DeformableBody& solid, std::uint32_t node, std::uint32_t slot);
// Nodes in the box from low to high, in the body's frame at rest.
std::vector<std::uint32_t> nodesIn(const deformable::SolidModel& model, const Vec3& low, const Vec3& high);

// Splinters of a body that is added; nothing where its definition asks for none.
Rare<SplinterRecord> makeSplinters(const BuiltShape& shape, const DeformableDef& def, const deformable::SolidModel& model);
bool areSound(const SplinterRecord& splinters, const DeformableDef& def, std::size_t tets);
const deformable::SplinterSkin& skinOf(const DeformableBody& solid, const BuiltShape& shape);

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
