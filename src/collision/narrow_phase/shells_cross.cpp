#include "collision/narrow_phase/shells_cross.h"

#include "collision/turned_box.h"
#include "geometry/shell/triangles_apart.h"

namespace sunder::collision {

namespace {

using geometry::TriangleCorners;

struct PlacedTriangle {
    TriangleCorners corners;  // in the frame of the first shell
    Bounds bounds;
};

Bounds boundsUnder(const Pose& pose, const Bounds& local) { return TurnedBox(local, pose).bounds(); }

Vec3d placed(const Pose& pose, const Vec3& p) { return toDouble(rotate(pose.orientation, p)) + toDouble(pose.position); }

// Triangles with bounds that overlap the box, which is in the shell's own frame.
void findTriangles(const BuiltShape& shell, const Pose& pose, const Bounds& near, std::vector<PlacedTriangle>& out) {
    thread_local std::vector<std::uint32_t> found;
    found.clear();
    shell.mesh->query(near, found);
    out.clear();
    for (const std::uint32_t number : found) {
        PlacedTriangle& triangle = out.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
            triangle.corners[k] = placed(pose, shell.mesh->vertices()[shell.mesh->triangles()[number].vertices[k]]);
            triangle.bounds = unite(triangle.bounds, toReal(triangle.corners[k]));
        }
    }
}

}  // namespace

bool doShellsCross(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB, Real gap) {
    thread_local std::vector<PlacedTriangle> inA, inB;
    const Pose aFromB = inverse(poseA) * poseB;
    if (gapOfBoxes(a, {}, b, aFromB) > gap)
        return false;
    findTriangles(a, {}, expand(boundsUnder(aFromB, b.localBounds), gap), inA);
    if (inA.empty())
        return false;
    Bounds whole;
    for (const PlacedTriangle& triangle : inA)
        whole = unite(whole, triangle.bounds);
    findTriangles(b, aFromB, boundsUnder(inverse(aFromB), expand(whole, gap)), inB);
    // Of the first shell only what is near those of the second that are left: two curved shells meet in a small part of both.
    Bounds near;
    for (const PlacedTriangle& triangle : inB)
        near = unite(near, triangle.bounds);
    near = expand(near, gap);
    std::erase_if(inA, [&](const PlacedTriangle& triangle) { return !overlaps(triangle.bounds, near); });
    for (const PlacedTriangle& s : inA) {
        const Bounds around = expand(s.bounds, gap);
        for (const PlacedTriangle& t : inB)
            if (overlaps(around, t.bounds) && !geometry::areApart(s.corners, t.corners, double(gap)))
                return true;
    }
    return false;
}

Real gapOfBoxes(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB) {
    return gapBetween({a.localBounds, poseA}, {b.localBounds, poseB});
}

}  // namespace sunder::collision
