// Random convex shapes and poses for the tests of the narrow phase.
#pragma once

#include "collision/built_shape.h"
#include "support/random_points.h"

namespace sunder::testing {

inline constexpr ShapeType kConvexTypes[5] = {ShapeType::Sphere, ShapeType::Box, ShapeType::Capsule, ShapeType::Cylinder,
                                              ShapeType::Hull};

inline const char* nameOf(ShapeType type) {
    constexpr const char* kNames[] = {"sphere", "box", "capsule", "cylinder", "hull", "mesh", "compound", "level set"};
    return kNames[int(type)];
}

// Lengths between low and high.
inline SharedShape randomShape(RandomPoints& random, ShapeType type, double low, double high) {
    const auto size = [&] { return random.between(low, high); };
    switch (type) {
        case ShapeType::Sphere: return buildShape(Sphere{size()});
        case ShapeType::Box: {
            const Real x = size(), y = size(), z = size();
            return buildShape(Box{{x, y, z}});
        }
        case ShapeType::Capsule: {
            const Real radius = size(), halfHeight = size();
            return buildShape(Capsule{radius, halfHeight});
        }
        case ShapeType::Cylinder: {
            const Real radius = size(), halfHeight = size();
            return buildShape(Cylinder{radius, halfHeight});
        }
        default: break;
    }
    Hull hull;
    const Real x = size(), y = size(), z = size();
    const std::uint32_t count = 5 + random.below(14);
    for (std::uint32_t i = 0; i < count; ++i)
        hull.points.push_back(multiply(random.onSphere(), {x, y, z}));
    // A ball's points can all lie on one side; the octahedron keeps the hull thick.
    for (int i = 0; i < 3; ++i) {
        Vec3 tip;
        setComponent(tip, i, component(Vec3{x, y, z}, i));
        hull.points.push_back(tip);
        hull.points.push_back(-tip);
    }
    return buildShape(hull);
}

inline SharedShape randomCompound(RandomPoints& random) {
    Compound compound;
    for (int i = 0; i < 3; ++i)
        compound.children.push_back(
            {randomShape(random, kConvexTypes[random.below(5)], 0.05, 0.3), random.inBox(0.6), random.rotation()});
    return buildShape(compound);
}

}  // namespace sunder::testing
