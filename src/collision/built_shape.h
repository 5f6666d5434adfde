// A shape ready for collision: its definition, its tables, its bounds and its mass for density 1.
#pragma once

#include <memory>
#include <vector>

#include "collision/level_set/level_set_shape.h"
#include "geometry/look/look_source.h"
#include "geometry/mass_properties.h"
#include "geometry/polyhedron.h"
#include "geometry/triangle_mesh.h"
#include "math/bounds.h"
#include "math/quat.h"
#include "sunder/shapes.h"

namespace sunder {

enum class ShapeType : std::uint8_t { Sphere, Box, Capsule, Cylinder, Hull, Mesh, Compound, LevelSet };

class BuiltShape {
public:
    struct Child {
        SharedShape shape;
        Pose parentFromChild;
        Bounds bounds{};  // in the parent's frame
    };

    ShapeType type = ShapeType::Sphere;
    Shape definition;                 // never a SharedShape
    Real radius = 0;                  // sphere, capsule, cylinder
    Real halfHeight = 0;              // capsule, cylinder
    Vec3 halfExtents;                 // box
    geometry::Polyhedron polyhedron;  // box and hull
    std::unique_ptr<const geometry::TriangleMesh> mesh;
    std::unique_ptr<const geometry::LookSource> look;  // of a mesh whose definition has one
    std::unique_ptr<const collision::LevelSetShape> levelSet;
    std::vector<Child> children;              // compound: flattened, children are convex or level sets
    bool hasLevelSet = false;                 // is one, or a compound with one
    bool hasRound = false;                    // is a ball, capsule or cylinder, or a compound with one
    geometry::MassProperties massProperties;  // for density 1; of a mesh: zero volume where it is not closed
    Bounds localBounds;
    Real boundingRadius = 0;  // of the smallest sphere about the shape's origin
    Real innerRadius =
        0;  // m: of a sphere inside the thinnest part; the shape may move this far in a step before it can tunnel
};

namespace collision {
// Tight bounds of the shape under the pose.
Bounds worldBounds(const BuiltShape& shape, const Pose& worldFromShape);
}  // namespace collision

}  // namespace sunder
