#include "collision/narrow_phase/shells_cross.h"

#include "geometry/shell/triangles_apart.h"

namespace sunder::collision {

namespace {

using geometry::TriangleCorners;

struct PlacedTriangle {
    TriangleCorners corners;  // in the frame of the first shell
    Bounds bounds;
};

Bounds boundsUnder(const Pose& pose, const Bounds& local) {
    const Mat3 R = toMatrix(pose.orientation);
    const Vec3 middle = R * center(local) + pose.position, half = (local.high - local.low) * Real(0.5);
    const Vec3 reach = Mat3{abs(R.row0), abs(R.row1), abs(R.row2)} * half;
    return {middle - reach, middle + reach};
}

Vec3d placed(const Pose& pose, const Vec3& p) { return toDouble(rotate(pose.orientation, p)) + toDouble(pose.position); }

// Triangles whose walls reach into the box, which is in the shell's own frame.
void findTriangles(const BuiltShape& shell, const Pose& pose, const Bounds& near, std::vector<PlacedTriangle>& out) {
    out.clear();
    const Shell& surface = std::get<Shell>(shell.definition);
    for (std::size_t i = 0; i < shell.children.size(); ++i) {
        if (!overlaps(shell.children[i].bounds, near))
            continue;
        PlacedTriangle& triangle = out.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
            triangle.corners[k] = placed(pose, surface.vertices[surface.triangles[i][k]]);
            triangle.bounds = unite(triangle.bounds, toReal(triangle.corners[k]));
        }
    }
}

}  // namespace

bool doShellsCross(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB, Real gap) {
    thread_local std::vector<PlacedTriangle> inA, inB;
    const Pose aFromB = inverse(poseA) * poseB;
    findTriangles(a, {}, expand(boundsUnder(aFromB, b.localBounds), gap), inA);
    if (inA.empty())
        return false;
    Bounds whole;
    for (const PlacedTriangle& triangle : inA)
        whole = unite(whole, triangle.bounds);
    findTriangles(b, aFromB, boundsUnder(inverse(aFromB), expand(whole, gap)), inB);
    for (const PlacedTriangle& s : inA) {
        const Bounds near = expand(s.bounds, gap);
        for (const PlacedTriangle& t : inB)
            if (overlaps(near, t.bounds) && !geometry::areApart(s.corners, t.corners, double(gap)))
                return true;
    }
    return false;
}

}  // namespace sunder::collision
