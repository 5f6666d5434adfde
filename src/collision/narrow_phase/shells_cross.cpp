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

// Exceeds rounding, relative to the size of the numbers.
constexpr Real kCrossRounding = Real(1e-5);

Real sizeOf(const Bounds& bounds) { return length(max(abs(bounds.low), abs(bounds.high))); }

Vec3d placed(const Pose& pose, const Vec3& p) { return toDouble(rotate(pose.orientation, p)) + toDouble(pose.position); }

// Which boxes of one shell, in its own frame, reach a box of the other that turns with it.
class ReachesBox {
public:
    ReachesBox(const TurnedBox& box, Real gap)
        : box_(box), fromBox_(TurnedBox::absolute(transpose(box.worldFromBox))), gap_(gap), near_(expand(box.bounds(), gap)) {}

    bool operator()(const Bounds& bounds) const {
        if (!overlaps(bounds, near_))
            return false;
        const Vec3 half = (bounds.high - bounds.low) * Real(0.5);
        const Vec3 off = abs(transpose(box_.worldFromBox) * (center(bounds) - box_.middle)),
                   reach = box_.half + fromBox_ * half;
        return off.x <= reach.x + gap_ && off.y <= reach.y + gap_ && off.z <= reach.z + gap_;
    }

private:
    TurnedBox box_;
    Mat3 fromBox_;
    Real gap_;
    Bounds near_;
};

// Triangles that reach the box, which is in the shell's own frame.
void findTriangles(const BuiltShape& shell, const Pose& pose, const ReachesBox& near, std::vector<PlacedTriangle>& out) {
    thread_local std::vector<std::uint32_t> found;
    found.clear();
    shell.mesh->queryWhere(near, found);
    out.clear();
    for (const std::uint32_t number : found) {
        PlacedTriangle& triangle = out.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
            triangle.corners[k] = placed(pose, shell.mesh->vertices()[shell.mesh->triangles()[number].vertices[k]]);
            triangle.bounds = unite(triangle.bounds, toReal(triangle.corners[k]));
        }
    }
}

Bounds wholeOf(const std::vector<PlacedTriangle>& triangles) {
    Bounds whole;
    for (const PlacedTriangle& triangle : triangles)
        whole = unite(whole, triangle.bounds);
    return whole;
}

void keepNear(std::vector<PlacedTriangle>& triangles, const Bounds& near) {
    std::erase_if(triangles, [&](const PlacedTriangle& triangle) { return !overlaps(triangle.bounds, near); });
}

}  // namespace

bool doShellsCross(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB, Real gap) {
    thread_local std::vector<PlacedTriangle> inA, inB;
    const Pose aFromB = inverse(poseA) * poseB;
    if (gapOfBoxes(a, {}, b, aFromB) > gap)
        return false;
    const Real spare = gap + kCrossRounding * (sizeOf(a.localBounds) + sizeOf(b.localBounds) + length(aFromB.position));
    findTriangles(a, {}, ReachesBox({b.localBounds, aFromB}, spare), inA);
    if (inA.empty())
        return false;
    findTriangles(b, aFromB, ReachesBox({wholeOf(inA), inverse(aFromB)}, spare), inB);
    // Of each shell only what is near those of the other that are left: two curved shells meet in a small part of both.
    for (int round = 0; round < 2; ++round) {
        keepNear(inA, expand(wholeOf(inB), gap));
        keepNear(inB, expand(wholeOf(inA), gap));
    }
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
