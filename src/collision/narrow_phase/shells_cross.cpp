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
    out.clear();
    const Shell& surface = std::get<Shell>(shell.definition);
    for (const auto& [a, b, c] : surface.triangles) {
        const Vec3 corners[3] = {surface.vertices[a], surface.vertices[b], surface.vertices[c]};
        if (!overlaps({min(corners[0], min(corners[1], corners[2])), max(corners[0], max(corners[1], corners[2]))}, near))
            continue;
        PlacedTriangle& triangle = out.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
            triangle.corners[k] = placed(pose, corners[k]);
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
