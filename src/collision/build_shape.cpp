// Builds tables, bounds and mass of every type of shape from its definition.
#include "collision/build_shape.h"

#include <span>
#include <string>

#include "collision/built_shape.h"
#include "collision/sample_solid.h"
#include "collision/validate_shape.h"
#include "geometry/convex_hull.h"
#include "geometry/edge_report.h"
#include "geometry/shell/shell_walls.h"
#include "sunder/definitions.h"
#include "sunder/describe.h"

namespace sunder {

namespace {

Bounds boundsOf(std::span<const Vec3> points) {
    Bounds bounds;
    for (const Vec3& point : points)
        bounds = unite(bounds, point);
    return bounds;
}

Real farthestOf(std::span<const Vec3> points, const Vec3& from) {
    Real squared = 0;
    for (const Vec3& point : points)
        squared = max(squared, lengthSquared(point - from));
    return std::sqrt(squared);
}

std::array<Vec3, 8> cornersOf(const Bounds& box) {
    const auto& [low, high] = box;
    return {low,
            {high.x, low.y, low.z},
            {low.x, high.y, low.z},
            {high.x, high.y, low.z},
            {low.x, low.y, high.z},
            {high.x, low.y, high.z},
            {low.x, high.y, high.z},
            high};
}

// Distance from a point in the shape's frame to the farthest point of the shape.
Real farthestDistance(const BuiltShape& shape, const Vec3& from) {
    const Real across = std::sqrt(square(from.x) + square(from.z));
    switch (shape.type) {
        case ShapeType::Sphere: return length(from) + shape.radius;
        case ShapeType::Capsule: return length(Vec3{across, std::fabs(from.y) + shape.halfHeight, 0}) + shape.radius;
        case ShapeType::Cylinder: return length(Vec3{across + shape.radius, std::fabs(from.y) + shape.halfHeight, 0});
        case ShapeType::Box:
        case ShapeType::Hull: return farthestOf(shape.polyhedron.vertices, from);
        case ShapeType::Mesh: return farthestOf(shape.mesh->vertices(), from);
        case ShapeType::LevelSet: return farthestOf(cornersOf(shape.levelSet->bounds), from);
        case ShapeType::Compound: break;
    }
    Real distance = 0;
    for (const BuiltShape::Child& child : shape.children)
        distance = max(distance, farthestDistance(*child.shape, inverseTransformPoint(child.parentFromChild, from)));
    return distance;
}

void fill(BuiltShape& built, const Sphere& sphere) {
    built.type = ShapeType::Sphere;
    built.hasRound = true;
    built.radius = built.innerRadius = sphere.radius;
    built.massProperties = geometry::sphereMass(sphere.radius);
}

void fill(BuiltShape& built, const Box& box) {
    built.type = ShapeType::Box;
    built.halfExtents = box.halfExtents;
    built.polyhedron = geometry::boxPolyhedron(box.halfExtents);
    built.innerRadius = min(box.halfExtents.x, min(box.halfExtents.y, box.halfExtents.z));
    built.massProperties = geometry::boxMass(box.halfExtents);
}

void fill(BuiltShape& built, const Capsule& capsule) {
    built.type = ShapeType::Capsule;
    built.hasRound = true;
    built.radius = built.innerRadius = capsule.radius;
    built.halfHeight = capsule.halfHeight;
    built.massProperties = geometry::capsuleMass(capsule.radius, capsule.halfHeight);
}

void fill(BuiltShape& built, const Cylinder& cylinder) {
    built.type = ShapeType::Cylinder;
    built.hasRound = true;
    built.radius = cylinder.radius;
    built.halfHeight = cylinder.halfHeight;
    built.innerRadius = min(cylinder.radius, cylinder.halfHeight);
    built.massProperties = geometry::cylinderMass(cylinder.radius, cylinder.halfHeight);
}

void fill(BuiltShape& built, const Hull& hull) {
    built.type = ShapeType::Hull;
    geometry::HullResult result = geometry::buildConvexHull(hull.points);
    if (!result.error.empty())
        throw Error("points: " + result.error);
    built.polyhedron = std::move(result.hull);
    built.innerRadius = built.polyhedron.innerRadius;
    built.massProperties = geometry::meshMass(built.polyhedron.vertices, geometry::triangulate(built.polyhedron));
}

void fill(BuiltShape& built, const Mesh& mesh) {
    built.type = ShapeType::Mesh;
    built.mesh = std::make_unique<geometry::TriangleMesh>(mesh.vertices, mesh.triangles);
    // A height field is built as a mesh that is not its definition, and has no look.
    if (const Mesh* own = std::get_if<Mesh>(&built.definition); own && own->look)
        built.look = std::make_unique<geometry::LookSource>(*own, *built.mesh);
    if (geometry::reportEdges(mesh.triangles).isClosed()) {
        const geometry::MassProperties mass = geometry::meshMass(mesh.vertices, mesh.triangles);
        // A surface turned inside out has a negative volume and bounds no solid either.
        if (mass.volume > 0)
            built.massProperties = mass;
    }
}

void fill(BuiltShape& built, const HeightField& field) { fill(built, meshOf(field)); }

// Convex walls collide as the children of a compound. Its mass is not that of hulls, whose faces may be off by a
// hundred-thousandth of their size, which is much of a thin wall.
void fill(BuiltShape& built, const Shell& shell) {
    built.type = ShapeType::Compound;
    built.innerRadius = kInfinity;
    for (geometry::Wall& wall : geometry::wallsOf(shell)) {
        auto child = std::make_shared<BuiltShape>();
        child->definition = Hull{std::move(wall.corners)};
        try {
            fill(*child, std::get<Hull>(child->definition));
        } catch (const Error&) {
            throw Error("thickness: " + numberText(shell.thickness) +
                        " is not allowed (a hundred-thousandth of the size of triangles[" + std::to_string(wall.triangle) +
                        "] and its neighbours or more)");
        }
        child->localBounds = boundsOf(child->polyhedron.vertices);
        child->boundingRadius = farthestOf(child->polyhedron.vertices, {});
        built.children.push_back({child, wall.pose, collision::worldBounds(*child, wall.pose)});
        built.innerRadius = min(built.innerRadius, child->innerRadius);
    }
    // Not for contacts: for the pass that keeps the triangles of shells from crossing.
    built.mesh = std::make_unique<geometry::TriangleMesh>(shell.vertices, shell.triangles);
    built.massProperties = geometry::shellMass(shell.vertices, shell.triangles, double(shell.thickness));
}

void addChildren(BuiltShape& built, const Compound& compound, const Pose& rootFromCompound);

void addChild(BuiltShape& built, const Shape& shape, const Pose& rootFromChild) {
    if (const Compound* nested = std::get_if<Compound>(&shape))
        return addChildren(built, *nested, rootFromChild);
    const SharedShape child = buildShape(shape);
    if (child->type != ShapeType::Compound) {
        built.children.push_back({child, rootFromChild});
        return;
    }
    for (const BuiltShape::Child& grandchild : child->children)
        built.children.push_back({grandchild.shape, rootFromChild * grandchild.parentFromChild});
}

void addChildren(BuiltShape& built, const Compound& compound, const Pose& rootFromCompound) {
    for (std::size_t i = 0; i < compound.children.size(); ++i) {
        const CompoundChild& child = compound.children[i];
        try {
            addChild(built, child.shape, rootFromCompound * Pose{child.position, normalize(child.orientation)});
        } catch (const Error& error) {
            throw Error("children[" + std::to_string(i) + "].shape." + error.what());
        }
    }
}

// Keeps the sampled solids of level-set children in the definition, so that they can be drawn and stored without sampling
// again. `next` is the index of the first of them among the built children.
void keepSamples(Compound& compound, const std::vector<BuiltShape::Child>& built, std::size_t& next) {
    for (CompoundChild& child : compound.children) {
        if (Compound* nested = std::get_if<Compound>(&child.shape)) {
            keepSamples(*nested, built, next);
            continue;
        }
        if (LevelSet* levelSet = std::get_if<LevelSet>(&child.shape))
            levelSet->sampled = built[next].shape->levelSet->solid;
        const SharedShape* shared = std::get_if<SharedShape>(&child.shape);
        next += shared && (*shared)->type == ShapeType::Compound ? (*shared)->children.size() : 1;
    }
}

void fill(BuiltShape& built, const Compound& compound) {
    built.type = ShapeType::Compound;
    addChildren(built, compound, {});
    for (const BuiltShape::Child& child : built.children) {
        built.hasLevelSet = built.hasLevelSet || child.shape->hasLevelSet;
        built.hasRound = built.hasRound || child.shape->hasRound;
    }
    if (std::size_t next = 0; built.hasLevelSet)
        keepSamples(std::get<Compound>(built.definition), built.children, next);
    built.innerRadius = kInfinity;
    std::vector<geometry::MassProperties> parts;
    for (BuiltShape::Child& child : built.children) {
        child.bounds = collision::worldBounds(*child.shape, child.parentFromChild);
        built.innerRadius = min(built.innerRadius, child.shape->innerRadius);
        parts.push_back(geometry::transformed(child.shape->massProperties, child.parentFromChild));
    }
    built.massProperties = geometry::combined(parts);
}

void fill(BuiltShape& built, const LevelSet& levelSet) {
    built.type = ShapeType::LevelSet;
    built.hasLevelSet = true;
    auto solid = levelSet.sampled ? levelSet.sampled : collision::sampleSolid(levelSet);
    if (solid->source && !solid->source->look)
        throw Error("sampled: its source is not allowed (a mesh with a look)");
    std::get<LevelSet>(built.definition).sampled = solid;
    built.massProperties = solid->mass;
    built.levelSet = std::make_unique<collision::LevelSetShape>(collision::makeLevelSetShape(std::move(solid)));
    built.innerRadius = built.levelSet->innerRadius;
}

// Never reached: buildShape hands shared shapes through.
void fill(BuiltShape&, const SharedShape&) {}

Bounds localBoundsOf(const BuiltShape& shape) {
    switch (shape.type) {
        case ShapeType::Hull: return boundsOf(shape.polyhedron.vertices);
        case ShapeType::Mesh: return boundsOf(shape.mesh->vertices());
        case ShapeType::LevelSet: return shape.levelSet->bounds;
        default: return collision::worldBounds(shape, {});
    }
}

SharedShape buildChecked(const Shape& shape) {
    auto built = std::make_shared<BuiltShape>();
    built->definition = shape;
    std::visit([&](const auto& definition) { fill(*built, definition); }, shape);
    built->localBounds = localBoundsOf(*built);
    built->boundingRadius = farthestDistance(*built, {});
    return built;
}

}  // namespace

SharedShape buildShape(const Shape& shape) {
    const std::vector<std::string> messages = collision::checkShapeFields(shape);
    if (!messages.empty()) {
        std::string text = messages[0];
        for (std::size_t i = 1; i < messages.size(); ++i)
            text += "\n" + messages[i];
        throw Error(text);
    }
    if (const SharedShape* shared = std::get_if<SharedShape>(&shape))
        return *shared;
    return buildChecked(shape);
}

namespace collision {

SharedShape buildLevelSetShape(std::shared_ptr<const SampledSolid> solid) {
    LevelSet definition;
    definition.sampled = std::move(solid);
    return buildChecked(definition);
}

}  // namespace collision

}  // namespace sunder
