#include "collision/built_shape.h"

#include <span>

#include "geometry/shell/shell_walls.h"
#include "math/quads.h"

namespace sunder::collision {

namespace {

// Four coordinates at a time: this runs for every hull in every step.
Bounds boundsOfTurned(std::span<const Vec3> points, const Mat3& R) {
    const Quad x{R.row0.x, R.row1.x, R.row2.x}, y{R.row0.y, R.row1.y, R.row2.y}, z{R.row0.z, R.row1.z, R.row2.z};
    Quad low{kInfinity, kInfinity, kInfinity}, high{-kInfinity, -kInfinity, -kInfinity};
    for (const Vec3& point : points) {
        const Quad turned = x * point.x + y * point.y + z * point.z;
        low = turned < low ? turned : low;
        high = turned > high ? turned : high;
    }
    return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

}  // namespace

Bounds worldBounds(const BuiltShape& shape, const Pose& worldFromShape) {
    const Vec3& position = worldFromShape.position;
    const Mat3 R = toMatrix(worldFromShape.orientation);
    const Mat3 absolute{abs(R.row0), abs(R.row1), abs(R.row2)};
    const auto around = [](const Vec3& middle, const Vec3& halfSize) { return Bounds{middle - halfSize, middle + halfSize}; };
    switch (shape.type) {
        case ShapeType::Sphere: return around(position, {shape.radius, shape.radius, shape.radius});
        case ShapeType::Box: return around(position, absolute * shape.halfExtents);
        case ShapeType::Capsule: {
            const Vec3 r{shape.radius, shape.radius, shape.radius};
            return around(position, column(absolute, 1) * shape.halfHeight + r);
        }
        case ShapeType::Cylinder: {
            // The rim reaches r |a - (a.y) y| along a world axis a, given in the cylinder's frame.
            const auto rim = [](const Vec3& a) { return std::sqrt(square(a.x) + square(a.z)); };
            const Vec3 rims{rim(R.row0), rim(R.row1), rim(R.row2)};
            return around(position, column(absolute, 1) * shape.halfHeight + rims * shape.radius);
        }
        case ShapeType::Hull: {
            const Bounds bounds = boundsOfTurned(shape.polyhedron.vertices, R);
            return {bounds.low + position, bounds.high + position};
        }
        case ShapeType::LevelSet:
        case ShapeType::Mesh: {
            const Bounds& local = shape.localBounds;
            return around(position + R * center(local), absolute * ((local.high - local.low) * Real(0.5)));
        }
        case ShapeType::Compound: {
            // With many children, one box about all of them, which is a little too large, saves visiting them in every step.
            constexpr std::size_t kManyChildren = 64;
            const Bounds& local = shape.localBounds;
            if (shape.children.size() > kManyChildren && local.low.x <= local.high.x)
                return around(position + R * center(local), absolute * ((local.high - local.low) * Real(0.5)));
            if (const Shell* shell = std::get_if<Shell>(&shape.definition)) {
                const Bounds bounds = boundsOfTurned(shell->vertices, R);
                return expand({bounds.low + position, bounds.high + position}, geometry::kWallReach * shell->thickness);
            }
            break;
        }
    }
    Bounds bounds;
    for (const BuiltShape::Child& child : shape.children)
        bounds = unite(bounds, worldBounds(*child.shape, worldFromShape * child.parentFromChild));
    return bounds;
}

}  // namespace sunder::collision
