// Probes both surfaces along the normal at a few places around the contact. A line along the normal enters and leaves a convex
// shape once, so that the gap over a place is where the line enters one shape less where it leaves the other.
#include "collision/narrow_phase/convex/rocking_points.h"

#include "collision/narrow_phase/core/farthest.h"

namespace sunder::collision {
namespace {

// Distances from the contact at which the surfaces are probed, in sizes of the smaller shape, longest first: the far side of a
// face is what stops a shape from rocking past it.
constexpr double kArms[] = {1.4, 1, 0.7, 0.35, 0.18};
// In sizes of the smaller shape. A smaller margin means that nothing moves fast enough to rock far in the step.
constexpr double kLeastMargin = 0.15;
constexpr double kStandingCosine = 0.8;                             // a capsule this steep stands on its end
constexpr double kThird = 0.5, kThirdAcross = 0.86602540378443865;  // cosine and sine of 60 degrees

// The interval of the line p + s d (d a unit vector) inside a shape.
struct Chord {
    double enter = -1e300, leave = 1e300;

    bool isEmpty() const { return !(enter < leave); }
    // Keeps s where a + b s <= 0.
    void cut(double a, double b) {
        if (b > 0)
            leave = lesser(leave, -a / b);
        else if (b < 0)
            enter = greater(enter, -a / b);
        else if (a > 0)
            leave = -1e300;
    }
    // Keeps s where a s^2 + 2 b s + c <= 0, a > 0.
    void cutRound(double a, double b, double c) {
        const double root = b * b - a * c;
        if (!(root > 0)) {
            leave = -1e300;
            return;
        }
        enter = greater(enter, (-b - std::sqrt(root)) / a);
        leave = lesser(leave, (-b + std::sqrt(root)) / a);
    }
};

// An upright cylinder: the side, then the caps.
Chord chordOfCylinder(double radius, double halfHeight, const Vec3d& p, const Vec3d& d) {
    Chord chord;
    const double across = d.x * d.x + d.z * d.z, c = p.x * p.x + p.z * p.z - radius * radius;
    if (across > 1e-24)
        chord.cutRound(across, p.x * d.x + p.z * d.z, c);
    else if (c > 0)
        chord.leave = -1e300;
    chord.cut(p.y - halfHeight, d.y);
    chord.cut(-p.y - halfHeight, -d.y);
    return chord;
}

// Four faces at a time, in Real: where a shape may come to rest is not needed to more digits.
Chord chordOfFaces(const PolyhedronView& view, const Vec3d& p, const Vec3d& d) {
    const Quad px = quadOf(Real(p.x)), py = quadOf(Real(p.y)), pz = quadOf(Real(p.z));
    const Quad dx = quadOf(Real(d.x)), dy = quadOf(Real(d.y)), dz = quadOf(Real(d.z)), zero = quadOf(0);
    Quad entersLast = quadOf(-kInfinity), leavesFirst = quadOf(kInfinity);
    const Real* at = view.faceQuads;
    for (int i = 0; i < view.faceCount; i += 4, at += geometry::Polyhedron::kFaceQuad) {
        const Quad x = loadQuad(at), y = loadQuad(at + 4), z = loadQuad(at + 8);
        const Quad above = x * px + y * py + z * pz - loadQuad(at + 12), slope = x * dx + y * dy + z * dz;
        const QuadMask enters = slope<zero, leaves = slope> zero, missed = (above > zero) & ~(enters | leaves);
        const Quad s = -above / slope;
        entersLast = greaterOf(entersLast, select(enters, s, quadOf(-kInfinity)));
        leavesFirst = lesserOf(leavesFirst, select(leaves, s, select(missed, quadOf(-kInfinity), quadOf(kInfinity))));
    }
    return {double(largestOf(entersLast)), double(leastOf(leavesFirst))};
}

// In the core's own frame; includes the rounding.
Chord chordOf(const ConvexCore& core, const Vec3d& p, const Vec3d& d) {
    if (core.kind == CoreKind::Cylinder)
        return chordOfCylinder(core.radius, core.halfHeight, p, d);
    if (core.kind == CoreKind::Segment)
        return chordOfCylinder(core.rounding, 1e300, p, d);
    return chordOfFaces(core.polyhedron, p, d);
}

// Where the line p + s n leaves the shape, or enters it; false where it misses. A capsule's round ends do not count: nothing
// rocks onto them.
enum class End : std::uint8_t { Enter, Leave };
bool findSurface(const PlacedCore& core, const Vec3d& p, const Vec3d& n, End end, double& s) {
    const Vec3d inner = innerPoint(core.placement, p), d = innerDirection(core.placement, n);
    const Chord chord = chordOf(core.core, inner, d);
    s = end == End::Enter ? chord.enter : chord.leave;
    if (chord.isEmpty())
        return false;
    return core.core.kind != CoreKind::Segment || std::fabs(inner.y + d.y * s) <= core.core.halfHeight;
}

// Whether the line p + s n (n a unit vector) misses the sphere about a core.
bool isBeside(const PlacedCore& core, const Vec3d& p, const Vec3d& n) {
    const Vec3d to = p - core.placement.origin;
    const double along = dot(to, n);
    return core.core.kind != CoreKind::Segment && dot(to, to) - along * along > core.core.size * core.core.size;
}

// Balls and the ends of capsules roll, they do not rock.
bool canRock(const PlacedCore& core, const Vec3d& n) {
    if (core.core.kind == CoreKind::Segment)
        return std::fabs(dot(core.placement.axisY, n)) < kStandingCosine;
    return core.core.kind == CoreKind::Polyhedron || core.core.kind == CoreKind::Cylinder;
}

}  // namespace

void addRockingPoints(const CorePair& pair, const Vec3d& n, const Vec3d& onA, ContactManifold& manifold) {
    if (!pair.points.rocking || manifold.count < 1 || manifold.count > 2 || !canRock(pair.a, n) || !canRock(pair.b, n))
        return;
    if (pair.a.core.isBox && pair.b.core.isBox)  // box_box.cpp adds the corners of the faces themselves
        return;
    const bool aIsSmaller = pair.a.core.size <= pair.b.core.size;
    const PlacedCore& smaller = aIsSmaller ? pair.a : pair.b;
    const double size = smaller.core.size;
    if (pair.margin < kLeastMargin * size)
        return;
    // Direction towards the middle of the smaller shape, or across the line where the manifold has two points.
    Vec3d u = smaller.center() - onA;
    if (manifold.count == 2) {
        const Vec3d line = innerDirection(pair.outerFromCommon, toDouble(manifold.points[1].onA - manifold.points[0].onA));
        u = cross(n, line);
    }
    u = normalizeOr(u - n * dot(u, n), anyPerpendicular(n));
    const Vec3d w = cross(n, u);
    const Vec3d three[3] = {u, w * kThirdAcross - u * kThird, -(w * kThirdAcross) - u * kThird}, two[2] = {u, -u};
    const bool isLine = manifold.count == 2;
    const Vec3d* directions = isLine ? two : three;
    Vec3d base = onA;
    if (isLine)
        base = innerPoint(pair.outerFromCommon, toDouble((manifold.points[0].onA + manifold.points[1].onA) * Real(0.5)));
    for (int k = 0; k < (isLine ? 2 : 3); ++k) {
        for (const double arm : kArms) {
            const Vec3d at = base + directions[k] * (arm * size);
            double leave = 0, enter = 0;
            if (isBeside(pair.a, at, n) || isBeside(pair.b, at, n))
                continue;
            if (!findSurface(pair.a, at, n, End::Leave, leave) || !findSurface(pair.b, at, n, End::Enter, enter) ||
                enter - leave > pair.margin)
                continue;
            const Vec3d p = at + n * leave;
            const double gap = enter - leave;
            manifold.points[manifold.count++] = {toReal(outerPoint(pair.outerFromCommon, p)),
                                                 toReal(outerPoint(pair.outerFromCommon, p + n * gap)), Real(gap),
                                                 0xc0000000u | std::uint32_t(k)};
            break;
        }
    }
}

}  // namespace sunder::collision
