// Compounds, child by child. A loop over the bounds of a few thousand children takes a few microseconds.
#include "collision/narrow_phase/compound_contact.h"

#include "collision/narrow_phase/manifold/spread_manifolds.h"
#include "collision/turned_box.h"

namespace sunder::collision {
namespace {

struct PlacedChild {
    const BuiltShape* shape = nullptr;
    Pose pose;
    Bounds bounds;
    std::uint32_t index = 0;
    // box: about the wall of a shell, and turns with it.
    bool isWall = false;
    TurnedBox box{};
};

// Bounds, in the frame of the pose, of a box given in the outer frame.
Bounds boundsInFrame(const Pose& pose, const Bounds& box) {
    const Mat3 R = transpose(toMatrix(pose.orientation));
    const Vec3 middle = R * (center(box) - pose.position), half = (box.high - box.low) * Real(0.5);
    const Vec3 reach = Mat3{abs(R.row0), abs(R.row1), abs(R.row2)} * half;
    // Exceeds rounding.
    return expand({middle - reach, middle + reach}, Real(1e-5) * (Real(1) + length(middle) + length(reach)));
}

// Bounds, in the frame of one pose, of a shape under another, grown by the margin. The box about a long compound turns with it
// and is thin, so few children come near; its bounds in the outer frame need not be found, child by child.
Bounds boundsSeenFrom(const Pose& frame, const BuiltShape& shape, const Pose& pose, Real margin) {
    const Bounds& local = shape.localBounds;
    if (!(local.low.x <= local.high.x))
        return boundsInFrame(frame, expand(worldBounds(shape, pose), margin));
    const Mat3 R = toMatrix(conjugate(frame.orientation) * pose.orientation);
    const Vec3 middle = R * center(local) + inverseTransformPoint(frame, pose.position);
    const Vec3 reach = Mat3{abs(R.row0), abs(R.row1), abs(R.row2)} * ((local.high - local.low) * Real(0.5));
    // Exceeds rounding.
    return expand({middle - reach, middle + reach}, margin + Real(1e-5) * (Real(1) + length(middle) + length(reach)));
}

// Whether an axis of one of their boxes shows that two walls are farther apart than the margin; most walls whose bounds overlap
// are.
bool areApart(const PlacedChild& a, const PlacedChild& b, Real margin) {
    return a.isWall && b.isWall && gapBetween(a.box, b.box) > margin;
}

// Finds the children (or the shape itself) that come within bounds in the frame of the pose.
void findChildren(const BuiltShape& shape, const Pose& pose, const Bounds& near, std::vector<PlacedChild>& children) {
    children.clear();
    if (shape.type != ShapeType::Compound) {
        children.push_back({&shape, pose, worldBounds(shape, pose), 0});
        return;
    }
    const bool isShell = std::holds_alternative<Shell>(shape.definition);
    for (std::uint32_t i = 0; i < shape.children.size(); ++i) {
        if (!overlaps(shape.children[i].bounds, near))
            continue;
        const BuiltShape& child = *shape.children[i].shape;
        const Pose childPose = pose * shape.children[i].parentFromChild;
        children.push_back({&child, childPose, {}, i});
        PlacedChild& placed = children.back();
        placed.isWall = isShell;
        if (isShell)
            placed.box = TurnedBox(child.localBounds, childPose);
        placed.bounds = isShell ? placed.box.bounds() : worldBounds(child, childPose);
    }
}

Bounds wholeOf(const std::vector<PlacedChild>& children) {
    Bounds whole;
    for (const PlacedChild& child : children)
        whole = unite(whole, child.bounds);
    return whole;
}

// A key from the pair of children and the key within it. Collisions are rare; makeUnique resolves them.
std::uint32_t combineKeys(std::uint32_t childA, std::uint32_t childB, std::uint32_t key) {
    std::uint32_t h = (childA * 0x9e3779b1u + childB) * 0x85ebca77u + key;
    h = (h ^ h >> 15) * 0xc2b2ae3du;
    return h ^ h >> 13;
}

std::uint32_t makeUnique(std::uint32_t key, const ManifoldList& out, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
        if (out[i].key == key) {
            ++key;
            i = begin - 1;
        }
    return key;
}

bool isOnMesh(const PlacedChild& a, const PlacedChild& b) {
    return a.shape->type == ShapeType::Mesh || b.shape->type == ShapeType::Mesh;
}

// The manifolds of two children, in their order.
void findKnown(KnownManifolds known, const PlacedChild& a, const PlacedChild& b, std::vector<KnownManifold>& out) {
    out.clear();
    for (const KnownManifold& manifold : known)
        if (manifold.childA == a.index && manifold.childB == b.index)
            out.push_back(manifold);
}

// How far a child of B is looked for from a child of A, where the motion of B against A is known: along its way, and by the
// slack on all sides. Walls of two shells that pass each other would otherwise have contacts all over.
class ExpectedReach {
public:
    explicit ExpectedReach(const Range& range) : range_(range), isKnown_(range.expected.slack < range.margin) {}

    // m: surfaces nearer than this are found wherever they are.
    Real evenly() const { return isKnown_ ? range_.expected.slack : range_.margin; }
    // Whether the two may meet; then `margin` is how far to look.
    bool mayMeet(const PlacedChild& a, const PlacedChild& b, Real& margin) const {
        margin = range_.margin;
        if (!isKnown_)
            return overlaps(expand(a.bounds, margin), b.bounds);
        const ExpectedMotion& expected = range_.expected;
        const Vec3 way = (expected.way + cross(expected.turn, b.pose.position - expected.about)) * kSpareWay;
        const Real even = expected.slack + length(expected.turn) * b.shape->boundingRadius;
        margin = min(margin, even + length(way));
        return overlaps(expand(a.bounds, even), unite(b.bounds, {b.bounds.low + way, b.bounds.high + way}));
    }

private:
    static constexpr Real kSpareWay = Real(1.25);  // the motion may change within the step

    const Range& range_;
    bool isKnown_;
};

}  // namespace

Real collideCompound(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB, const Range& range,
                     ManifoldList& out, KnownManifolds known, CollideChildren collideChildren) {
    const Real margin = range.margin;
    thread_local std::vector<PlacedChild> childrenA, childrenB;
    thread_local std::vector<KnownManifold> before;
    findChildren(a, poseA, boundsSeenFrom(poseA, b, poseB, margin), childrenA);
    if (childrenA.empty())
        return margin;
    findChildren(b, poseB, boundsInFrame(poseB, expand(wholeOf(childrenA), margin)), childrenB);
    const std::size_t begin = out.size();
    const ExpectedReach expected(range);
    Range childRange = range;
    Real distance = expected.evenly();
    for (const PlacedChild& childA : childrenA) {
        const Bounds near = expand(childA.bounds, margin);
        for (const PlacedChild& childB : childrenB) {
            if (!overlaps(near, childB.bounds) || !expected.mayMeet(childA, childB, childRange.margin) ||
                areApart(childA, childB, childRange.margin))
                continue;
            const std::size_t first = out.size();
            findKnown(known, childA, childB, before);
            const Real apart = collideChildren(*childA.shape, childA.pose, *childB.shape, childB.pose, childRange, out, before);
            if (isOnMesh(childA, childB))
                distance = min(distance, apart);
            for (std::size_t i = first; i < out.size(); ++i) {
                out[i].childA = childA.index;
                out[i].childB = childB.index;
                out[i].key = makeUnique(combineKeys(childA.index, childB.index, out[i].key), out, begin, i);
            }
        }
    }
    if (std::holds_alternative<Shell>(a.definition) && std::holds_alternative<Shell>(b.definition))
        keepSpread(out, begin, kMostShellManifolds, min(a.boundingRadius, b.boundingRadius), known);
    return distance;
}

}  // namespace sunder::collision
