// The shapes a body can have. All are centred on the body's own frame; y is the axis of capsules and cylinders.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "sunder/mesh_look.h"
#include "sunder/types.h"

namespace sunder {

struct Sphere {
    Real radius = Real(0.5);
};

struct Box {
    Vec3 halfExtents{Real(0.5), Real(0.5), Real(0.5)};
};

// A segment of length 2 halfHeight along y, thickened by radius.
struct Capsule {
    Real radius = Real(0.25);
    Real halfHeight = Real(0.25);
};

struct Cylinder {
    Real radius = Real(0.5);
    Real halfHeight = Real(0.5);
};

// The convex hull of the points; points inside it are ignored.
struct Hull {
    std::vector<Vec3> points{};
};

// Triangles seen counter-clockwise from outside. Static and kinematic bodies only.
struct Mesh {
    std::vector<Vec3> vertices{};
    std::vector<std::array<std::uint32_t, 3>> triangles{};
    std::shared_ptr<const MeshLook> look{};  // may be null; its lists are as long as the triangles
};

struct CompoundChild;

// A rigid union of convex shapes and level sets. Children may overlap; the overlap then counts twice in the mass.
struct Compound {
    std::vector<CompoundChild> children;
};

// A solid of any form, hollow or bent, as signed distance on a grid and particles on its surface (docs/level-sets.md). Needs a
// cell size or a resolution; the coarser the grid, the rounder its edges and the cheaper its contacts.
class SampledSolid;
struct LevelSet {
    std::vector<CompoundChild> parts;           // the solid is their union; a mesh must be closed and the only one
    Real cell = 0;                              // m between the nodes of the grid
    std::array<std::uint32_t, 3> resolution{};  // where cell is 0: most nodes along each axis
    // Draws its single part's exact surface, and cuts its pieces from that, in place of the grid's surface.
    bool keepSurface = false;
    // Set when the shape is built; the field is then not computed again. Pieces of a fracture have only this.
    std::shared_ptr<const SampledSolid> sampled{};
};

// Ground: heights over a grid in the xz plane, seen from above, its middle in the body's frame. Each cell is two triangles,
// split from its corner of least x and z to the opposite one. Static and kinematic bodies only. It is built as the mesh that
// meshOf gives: a cell takes about 190 bytes.
struct HeightField {
    std::uint32_t columns = 0;           // samples along x, 2 or more
    Real spacing = 1;                    // m between samples
    std::vector<Real> heights{};         // m, by rows of `columns` along x, of increasing z; 2 rows or more
    std::vector<std::uint32_t> holes{};  // cells without ground: row times (columns - 1) plus column
};

// A thin rigid shell: triangles, open or closed, as the middle of walls of one thickness (docs/shells.md). Which way a triangle
// faces does not matter.
struct Shell {
    std::vector<Vec3> vertices{};
    std::vector<std::array<std::uint32_t, 3>> triangles{};
    Real thickness = Real(0.01);  // m
};

// A shape that is built once and may be shared by many bodies (see buildShape).
class BuiltShape;
using SharedShape = std::shared_ptr<const BuiltShape>;

using Shape = std::variant<Sphere, Box, Capsule, Cylinder, Hull, Mesh, Compound, LevelSet, HeightField, Shell, SharedShape>;

struct CompoundChild {
    Shape shape{};
    Vec3 position{};
    Quat orientation{};
};

// Builds hulls, trees and mass properties once. Throws sunder::Error where addBody would.
SharedShape buildShape(const Shape& shape);

// The triangles of a height field.
Mesh meshOf(const HeightField& field);
// The closed surface of a shell's walls, both sides and the rims, as it is drawn.
Mesh meshOf(const Shell& shell);

// A surface to be drawn, in the frame of the shape. Vertices are split at sharp edges, and where texture coordinates or colours
// differ.
struct DrawnSurface {
    // Slots: the body's own surface, what a fracture laid open, and then the second and further materials of the body's mesh.
    static constexpr std::uint16_t kOldSurface = 0, kFractureSurface = 1;
    static constexpr std::uint16_t slotOfMaterial(std::uint16_t material) {
        return material == 0 ? kOldSurface : std::uint16_t(material + 1);
    }
    static constexpr std::uint16_t materialOfSlot(std::uint16_t slot) {
        return slot <= kFractureSurface ? std::uint16_t(0) : std::uint16_t(slot - 1);
    }
    std::vector<Vec3> positions{}, normals{};  // per vertex; normals are outward unit vectors
    // Per vertex: those of the mesh; of other shapes and of fractures projected along the axes, one repeat per metre.
    std::vector<std::array<float, 2>> textureCoordinates{};
    std::vector<std::array<std::uint8_t, 4>> colors{};      // per vertex, as in MeshLook; empty where the mesh has none
    std::vector<std::array<std::uint32_t, 3>> triangles{};  // counter-clockwise from outside
    std::vector<std::uint16_t> slots{};                     // per triangle
    std::shared_ptr<const MeshMaterials> materials{};       // of the mesh; may be null
};
// Empty where the level set has not been sampled.
DrawnSurface drawnSurface(const LevelSet& levelSet);

// Faults of the mesh of a sampled level set, and how they were repaired: "3 open edges (closed by winding number)". Empty where
// there were none.
std::string meshRepairs(const LevelSet& levelSet);

// The surface of a level set as triangles, sharp edges kept. Throws sunder::Error where buildShape would.
Mesh surfaceMesh(const LevelSet& levelSet);

}  // namespace sunder
