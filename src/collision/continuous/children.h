// What the searches along a motion share: the children of a compound, and where a moving box enters a bounding box.
#pragma once

#include <limits>

#include "collision/built_shape.h"
#include "collision/narrow_phase/core/placement.h"

namespace sunder::collision {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

// outerFromInner, given outerFromMiddle and middleFromInner.
constexpr Placement compose(const Placement& middle, const Placement& inner) {
    return {outerDirection(middle, inner.axisX), outerDirection(middle, inner.axisY), outerDirection(middle, inner.axisZ),
            outerPoint(middle, inner.origin)};
}

// Calls visit(child, shapeFromChild, index) for every child of a compound, or once for any other shape.
template <class Visit>
void forEachChild(const BuiltShape& shape, Visit&& visit) {
    if (shape.type != ShapeType::Compound)
        return visit(shape, Placement{}, 0u);
    for (std::uint32_t i = 0; i < shape.children.size(); ++i)
        visit(*shape.children[i].shape, toPlacement(shape.children[i].parentFromChild), i);
}

// The corners of a mesh's triangle, in the mesh's frame.
struct TriangleCorners {
    Vec3 corner[3];

    TriangleCorners(const geometry::TriangleMesh& mesh, std::uint32_t triangle) {
        for (int i = 0; i < 3; ++i)
            corner[i] = mesh.vertices()[mesh.triangles()[triangle].vertices[i]];
    }
};

// A box of half size `grow` about a point moves from `origin` by `displacement`: the fraction of the displacement at which it
// first overlaps the bounds, kNever where it does not.
inline double entryFraction(const Bounds& bounds, const Vec3d& origin, const Vec3d& displacement, const Vec3d& grow) {
    double enter = 0, leave = 1;
    const auto clip = [&](double low, double high, double start, double way) {
        if (way == 0) {
            if (!(low <= start && start <= high))
                leave = -1;
            return;
        }
        const double first = (low - start) / way, second = (high - start) / way;
        enter = greater(enter, lesser(first, second));
        leave = lesser(leave, greater(first, second));
    };
    clip(bounds.low.x - grow.x, bounds.high.x + grow.x, origin.x, displacement.x);
    clip(bounds.low.y - grow.y, bounds.high.y + grow.y, origin.y, displacement.y);
    clip(bounds.low.z - grow.z, bounds.high.z + grow.z, origin.z, displacement.z);
    return enter <= leave ? enter : kNever;
}

}  // namespace sunder::collision
