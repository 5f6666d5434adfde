// Shapes are refused with a message that says what is wrong, and what is built has tight bounds and the right mass.
#include "collision/built_shape.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sunder/definitions.h"
#include "support/random_points.h"

namespace sunder {
namespace {

using sunder::testing::RandomPoints;

std::string errorOf(const Shape& shape) {
    try {
        buildShape(shape);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

Hull octahedron() { return {{{1, 0, 0}, {-1, 0, 0}, {0, 2, 0}, {0, -2, 0}, {0, 0, Real(0.5)}, {0, 0, Real(-0.5)}}}; }

Mesh boxMesh(const Vec3& half) {
    const geometry::Polyhedron box = geometry::boxPolyhedron(half);
    return {box.vertices, geometry::triangulate(box)};
}

// The farthest point of a shape along a direction, both in the shape's frame, by its definition.
Vec3 support(const BuiltShape& shape, const Vec3& d) {
    const Vec3 unit = normalizeOr(d, {1, 0, 0});
    const auto farthestOf = [&](std::span<const Vec3> points) {
        Vec3 best = points[0];
        for (const Vec3& p : points)
            if (dot(p, d) > dot(best, d))
                best = p;
        return best;
    };
    const Vec3 up{0, d.y >= 0 ? shape.halfHeight : -shape.halfHeight, 0};
    switch (shape.type) {
        case ShapeType::Sphere: return unit * shape.radius;
        case ShapeType::Capsule: return up + unit * shape.radius;
        case ShapeType::Cylinder: return up + normalizeOr(Vec3{d.x, 0, d.z}, {1, 0, 0}) * shape.radius;
        case ShapeType::Box:
        case ShapeType::Hull: return farthestOf(shape.polyhedron.vertices);
        case ShapeType::Mesh: return farthestOf(shape.mesh->vertices());
        case ShapeType::LevelSet: return farthestOf(shape.levelSet->solid->particles.positions);
        case ShapeType::Compound: break;
    }
    Vec3 best;
    Real bestHeight = -kInfinity;
    for (const BuiltShape::Child& child : shape.children) {
        const Vec3 p =
            transformPoint(child.parentFromChild, support(*child.shape, inverseRotate(child.parentFromChild.orientation, d)));
        if (dot(p, d) > bestHeight) {
            best = p;
            bestHeight = dot(p, d);
        }
    }
    return best;
}

std::vector<Shape> oneOfEach() {
    Compound compound;
    compound.children.push_back({Sphere{Real(0.3)}, {1, 0, 0}, {}});
    compound.children.push_back({Cylinder{Real(0.2), Real(0.7)}, {0, 1, 0}, normalize(Quat{1, 2, 3, 4})});
    compound.children.push_back({Capsule{Real(0.1), Real(0.6)}, {0, 0, -1}, normalize(Quat{4, -2, 1, 1})});
    compound.children.push_back({octahedron(), {0, -1, 1}, normalize(Quat{1, -2, 3, 1})});
    return {
        Sphere{Real(0.4)}, Box{{1, 2, Real(0.1)}}, Capsule{Real(0.3), Real(0.8)}, Cylinder{Real(0.5), Real(0.2)}, octahedron(),
        compound};
}

TEST(BuiltShape, BoundsTouchSupportPoints) {
    RandomPoints random(1);
    for (const Shape& definition : oneOfEach()) {
        const SharedShape shape = buildShape(definition);
        for (int i = 0; i < 300; ++i) {
            const Pose pose{random.inBox(10), i == 0 ? Quat{} : random.rotation()};
            const Bounds bounds = collision::worldBounds(*shape, pose);
            for (int axis = 0; axis < 3; ++axis) {
                Vec3 direction;
                setComponent(direction, axis, 1);
                const Vec3 toShape = inverseRotate(pose.orientation, direction);
                // A few roundings of coordinates up to 13 m.
                const double tolerance = 40 * double(kEpsilon);
                EXPECT_NEAR(component(bounds.high, axis), component(transformPoint(pose, support(*shape, toShape)), axis),
                            tolerance);
                EXPECT_NEAR(component(bounds.low, axis), component(transformPoint(pose, support(*shape, -toShape)), axis),
                            tolerance);
            }
        }
        const Bounds local = collision::worldBounds(*shape, {});
        EXPECT_EQ(local.low, shape->localBounds.low);
        EXPECT_EQ(local.high, shape->localBounds.high);
    }
}

TEST(BuiltShape, BoundingRadiusIsReachedAndNotPassed) {
    RandomPoints random(2);
    for (const Shape& definition : oneOfEach()) {
        const SharedShape shape = buildShape(definition);
        Real farthest = 0;
        for (int i = 0; i < 20000; ++i)
            farthest = max(farthest, length(support(*shape, random.onSphere())));
        EXPECT_LE(farthest, shape->boundingRadius * (1 + 8 * kEpsilon));
        // 20,000 directions come within 0.02 rad of any; rims and caps fall off with its square.
        EXPECT_GE(farthest, shape->boundingRadius * Real(0.998));
    }
}

TEST(BuiltShape, InnerRadiusIsTheThinnestPart) {
    EXPECT_EQ(buildShape(Sphere{2})->innerRadius, 2);
    EXPECT_EQ(buildShape(Box{{3, Real(0.1), 2}})->innerRadius, Real(0.1));
    EXPECT_EQ(buildShape(Capsule{Real(0.2), 4})->innerRadius, Real(0.2));
    EXPECT_EQ(buildShape(Cylinder{3, Real(0.2)})->innerRadius, Real(0.2));
    EXPECT_NEAR(buildShape(octahedron())->innerRadius, 1 / std::sqrt(1 + 0.25 + 4), 1e-6);
    EXPECT_EQ(buildShape(oneOfEach().back())->innerRadius, Real(0.1));
}

TEST(BuiltShape, OctahedronMass) {
    const SharedShape shape = buildShape(octahedron());
    // V = 4/3 a b c and Ixx = V (b^2 + c^2) / 10.
    const double volume = 4.0 / 3 * 1 * 2 * 0.5;
    EXPECT_NEAR(shape->massProperties.volume, volume, 1e-6);
    EXPECT_NEAR(shape->massProperties.inertia[0], volume * (4 + 0.25) / 10, 1e-6);
    EXPECT_NEAR(shape->massProperties.inertia[1], volume * (1 + 0.25) / 10, 1e-6);
    EXPECT_NEAR(shape->massProperties.inertia[2], volume * (1 + 4) / 10, 1e-6);
}

TEST(BuiltShape, CompoundOfHalvesIsTheWhole) {
    Compound halves;
    halves.children.push_back({Box{{Real(0.5), 1, 1}}, {Real(0.5), 0, 0}, {}});
    halves.children.push_back({Box{{Real(0.5), 1, 1}}, {Real(-0.5), 0, 0}, {}});
    const SharedShape whole = buildShape(Box{{1, 1, 1}}), sum = buildShape(halves);
    EXPECT_NEAR(sum->massProperties.volume, whole->massProperties.volume, 1e-12);
    for (int i = 0; i < 6; ++i)
        EXPECT_NEAR(sum->massProperties.inertia[i], whole->massProperties.inertia[i], 1e-12);
    EXPECT_EQ(sum->localBounds.low, whole->localBounds.low);
    EXPECT_EQ(sum->boundingRadius, whole->boundingRadius);
}

TEST(BuiltShape, NestedCompoundsAreFlattened) {
    const Quat turn = normalize(Quat{1, 2, 3, 4});
    const SharedShape shared = buildShape(Sphere{Real(0.5)});
    Compound inner;
    inner.children.push_back({shared, {1, 0, 0}, {}});
    inner.children.push_back({Box{{1, 2, 3}}, {0, 1, 0}, turn});
    Compound outer;
    outer.children.push_back({inner, {0, 0, 2}, turn});
    outer.children.push_back({buildShape(inner), {0, 5, 0}, Quat{2, 4, 6, 8}});  // not of unit length
    const SharedShape flat = buildShape(outer);
    ASSERT_EQ(flat->children.size(), 4u);
    EXPECT_EQ(flat->children[0].shape, shared);
    EXPECT_EQ(flat->children[2].shape, shared);
    for (const BuiltShape::Child& child : flat->children)
        EXPECT_NE(child.shape->type, ShapeType::Compound);
    const Vec3 expected = Vec3{0, 5, 0} + rotate(turn, {1, 0, 0});
    EXPECT_NEAR(length(flat->children[2].parentFromChild.position - expected), 0, 1e-6);
    EXPECT_NEAR(flat->massProperties.volume, 2 * (48 + 4 * 3.14159265358979 / 3 / 8), 1e-5);
}

TEST(BuiltShape, SharedShapePassesThrough) {
    const SharedShape shape = buildShape(octahedron());
    EXPECT_EQ(buildShape(shape), shape);
    EXPECT_TRUE(validate(Shape(shape)).empty());
}

TEST(BuiltShape, ClosedMeshHasAMass) {
    const SharedShape closed = buildShape(boxMesh({1, 2, 3}));
    EXPECT_NEAR(closed->massProperties.volume, 48, 1e-5);
    EXPECT_NEAR(closed->massProperties.inertia[0], 48.0 / 3 * 13, 1e-4);
    EXPECT_EQ(closed->localBounds.high, (Vec3{1, 2, 3}));
    EXPECT_NEAR(closed->boundingRadius, std::sqrt(14.0), 1e-6);
    EXPECT_EQ(closed->innerRadius, 0);
    Mesh open = boxMesh({1, 1, 1}), inverted = open;
    open.triangles.pop_back();
    EXPECT_EQ(buildShape(open)->massProperties.volume, 0);
    for (auto& triangle : inverted.triangles)
        std::swap(triangle[0], triangle[1]);
    EXPECT_EQ(buildShape(inverted)->massProperties.volume, 0);
}

TEST(BuiltShape, MeshBoundsContainTheTurnedMesh) {
    RandomPoints random(4);
    const SharedShape mesh = buildShape(boxMesh({1, 2, 3}));
    const SharedShape box = buildShape(Box{{1, 2, 3}});
    for (int i = 0; i < 100; ++i) {
        const Pose pose{random.inBox(10), random.rotation()};
        const Bounds ours = collision::worldBounds(*mesh, pose), exact = collision::worldBounds(*box, pose);
        // A box is its own bounding box: both must agree up to rounding.
        EXPECT_NEAR(length(ours.low - exact.low) + length(ours.high - exact.high), 0, 1e-5);
    }
}

TEST(ValidateShape, MessagesNameFieldValueAndRange) {
    EXPECT_EQ(errorOf(Box{{1, -1, 1}}), "half_extents[1]: -1 is not allowed (1e-05 to 100000 m)");
    EXPECT_EQ(errorOf(Sphere{0}), "radius: 0 is not allowed (1e-05 to 100000 m)");
    EXPECT_EQ(errorOf(Sphere{kInfinity}), "radius: inf is not allowed (1e-05 to 100000 m)");
    EXPECT_EQ(errorOf(Sphere{std::numeric_limits<Real>::quiet_NaN()}), "radius: nan is not allowed (1e-05 to 100000 m)");
    EXPECT_EQ(errorOf(Capsule{1, Real(2e5)}), "half_height: 200000 is not allowed (1e-05 to 100000 m)");
    EXPECT_EQ(validate(Shape(Cylinder{-1, -2})).size(), 2u);
    EXPECT_EQ(errorOf(Sphere{Real(1e-5)}), "");
    EXPECT_EQ(errorOf(Sphere{Real(1e5)}), "");
    EXPECT_EQ(errorOf(Hull{{{0, 0, 0}, {1, 0, 0}}}), "points: 2 points is not allowed (4 or more, not in one plane)");
    EXPECT_EQ(errorOf(Compound{}), "children: 0 children is not allowed (1 or more)");
    EXPECT_EQ(errorOf(Mesh{}), "triangles: 0 triangles is not allowed (1 or more)");
    EXPECT_EQ(errorOf(SharedShape{}), "type: null is not allowed (a result of buildShape)");
}

TEST(ValidateShape, HullsMeshesAndChildren) {
    Hull hull = octahedron();
    hull.points[3].z = kInfinity;
    EXPECT_EQ(errorOf(hull), "points[3][2]: inf is not allowed (-100000 to 100000 m)");
    Hull flat = octahedron();
    for (Vec3& p : flat.points)
        p.y = 0;
    EXPECT_NE(errorOf(flat).find("points: the points lie in one plane"), std::string::npos);
    EXPECT_EQ(validate(Shape(flat)).size(), 1u);

    Mesh mesh = boxMesh({1, 1, 1});
    mesh.triangles[2][1] = 8;
    EXPECT_EQ(errorOf(mesh), "triangles[2][1]: 8 is not allowed (0 to 7)");
    mesh.vertices.clear();
    EXPECT_EQ(validate(Shape(mesh)).size(), 16u) << "a broken mesh must not flood the screen";

    Compound compound;
    compound.children.push_back({Sphere{1}, {}, {}});
    compound.children.push_back({flat, {}, {}});
    EXPECT_EQ(errorOf(compound).find("children[1].shape.points: "), 0u);
    EXPECT_EQ(validate(Shape(compound)).at(0), errorOf(compound));
    compound.children[1] = {Sphere{-1}, {kInfinity, 0, 0}, {0, 0, 0, 0}};
    const std::vector<std::string> messages = validate(Shape(compound));
    ASSERT_EQ(messages.size(), 3u);
    EXPECT_EQ(messages[0], "children[1].shape.radius: -1 is not allowed (1e-05 to 100000 m)");
    EXPECT_EQ(messages[1], "children[1].position[0]: inf is not allowed (-100000 to 100000 m)");
    EXPECT_EQ(messages[2], "children[1].orientation: a quaternion of length 0 is not allowed (a unit quaternion x, y, z, w)");
    compound.children[1] = {boxMesh({1, 1, 1}), {}, {}};
    EXPECT_EQ(errorOf(compound).find("children[1].shape.type: a mesh inside a compound is not allowed"), 0u);
    compound.children[1] = {buildShape(boxMesh({1, 1, 1})), {}, {}};
    EXPECT_EQ(errorOf(compound).find("children[1].shape.type: a mesh inside a compound is not allowed"), 0u);
}

TEST(ValidateShape, EndlessNestingIsRefused) {
    Shape shape = Sphere{1};
    for (int i = 0; i < 100; ++i) {
        Compound compound;
        compound.children.push_back({std::move(shape), {}, {}});
        shape = std::move(compound);
    }
    EXPECT_NE(errorOf(shape).find("up to 32 levels"), std::string::npos);
}

}  // namespace
}  // namespace sunder
