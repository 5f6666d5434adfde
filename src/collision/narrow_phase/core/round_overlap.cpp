// Least overlap of smooth shapes by descent over directions.
// Let overlap(n) be how far B must move along n to leave A. From a direction n, B is moved apart by (overlap(n) + d) n and the
// closest points give a new direction m. Because m maximises m.s - overlap(m) for the shift s, overlap(m) <= overlap(n): every
// round improves, a local minimum is a fixed point, and the error shrinks by about depth / radius of curvature per round.
// The starts are the directions in which the Minkowski difference has flat or ruled pieces.
#include "collision/narrow_phase/core/round_overlap.h"

#include "collision/narrow_phase/core/crossing_axes.h"
#include "collision/narrow_phase/core/gjk.h"

namespace sunder::collision {
namespace {

constexpr int kStarts = 4;             // directions followed, best first
constexpr int kMaxRounds = 24;         // per start
constexpr int kMaxLastRounds = 64;     // deep overlap, where the surface bends about as much as the depth, converges slowly
constexpr double kShift = 1e-3;        // of the sizes: the gap left between the shapes in each round
constexpr double kSameOverlap = 1e-6;  // of the sizes: overlaps that differ by less have the same points
constexpr double kHope = 10;           // a start is given up where this many times its last gain would not make it the best
constexpr double kTurn = 1e-5;         // radians: a round that turns the direction by less is the last
constexpr double kShrink = 0.2;        // of a cylinder's radius or half height, whichever is less
// Share of the smaller of a cylinder's radius and half height: below this overlap other starts need not be followed.
constexpr double kShallow = 0.1;
constexpr double kDistinct = 0.99;  // cosine beyond which two starts lead to the same minimum

double separationAlong(const PlacedCore& a, const PlacedCore& b, const Vec3d& n) {
    return dot(n, b.support(-n) - a.support(n));
}

// The best few start directions so far, best first.
class Starts {
public:
    explicit Starts(const Vec3d* front) : front_(front) {}

    void offer(const Vec3d& normal, double separation) {
        if (front_ && dot(normal, *front_) < -kFrontSlack)
            return;
        for (int i = 0; i < count_; ++i) {
            if (dot(normals_[i], normal) < kDistinct)
                continue;
            if (separation <= separations_[i])
                return;
            remove(i);
            break;
        }
        int at = count_ < kStarts ? count_++ : kStarts;
        if (at == kStarts) {
            if (separation <= separations_[kStarts - 1])
                return;
            at = kStarts - 1;
        }
        for (; at > 0 && separations_[at - 1] < separation; --at) {
            normals_[at] = normals_[at - 1];
            separations_[at] = separations_[at - 1];
        }
        normals_[at] = normal;
        separations_[at] = separation;
    }
    int count() const { return count_; }
    const Vec3d& normal(int i) const { return normals_[i]; }
    double separation(int i) const { return separations_[i]; }

private:
    void remove(int i) {
        for (--count_; i < count_; ++i) {
            normals_[i] = normals_[i + 1];
            separations_[i] = separations_[i + 1];
        }
    }

    const Vec3d* front_;
    Vec3d normals_[kStarts];
    double separations_[kStarts] = {};
    int count_ = 0;
};

// Offers face normals, directions across edges, and edges crossing the cylinder's side. sign is 1 where the polyhedron is A.
void offerPolyhedron(const PlacedCore& polyhedron, const PlacedCore& cylinder, double sign, Starts& starts) {
    const PolyhedronView& view = polyhedron.core.polyhedron;
    const bool isTriangle = polyhedron.core.kind == CoreKind::Triangle;
    // outward: a direction in the polyhedron's frame; farthest: the vertex that reaches farthest along it.
    const auto offer = [&](const Vec3d& outward, const Vec3d& farthest) {
        const Vec3d m = outerDirection(polyhedron.placement, outward);
        const double reach = dot(m, outerPoint(polyhedron.placement, farthest));
        starts.offer(m * sign, dot(m, cylinder.support(-m)) - reach);
    };
    for (int i = 0; i < (isTriangle ? 1 : view.faceCount); ++i)
        offer(view.normal(i), view.vertex(view.faceVertices[view.faces[i].firstIndex]));
    const Vec3d axis = innerDirection(polyhedron.placement, cylinder.placement.axisY);
    for (int i = 0; i < view.edgeCount; ++i) {
        const PolyhedronView::Edge& edge = view.edges[i];
        const Vec3d start = view.vertex(edge.vertex0);
        const Vec3d parallel = anyPerpendicular(axis);  // for an edge along the axis all directions are equal
        const Vec3d across = normalizeOr(cross(view.vertex(edge.vertex1) - start, axis), parallel);
        if (view.faceCount == 0) {  // a segment may turn freely about itself
            const Vec3d along = normalizeOr(cross(across, view.vertex(edge.vertex1) - start), {});
            for (const Vec3d& side : {across, along, across + along, across - along}) {
                const Vec3d outward = normalizeOr(side, across);
                offer(outward, start);
                offer(-outward, start);
            }
            continue;
        }
        const Vec3d normal0 = view.normal(edge.face0), normal1 = view.normal(edge.face1);
        const double steep0 = dot(normal0, axis), steep1 = dot(normal1, axis);
        if (steep0 * steep1 < 0)
            offer(steep0 > 0 ? across : -across, start);
        if (!isTriangle)
            offer(normalizeOr(normal0 + normal1, normal0), start);
    }
}

void offerBoth(const PlacedCore& a, const PlacedCore& b, const Vec3d& direction, Starts& starts) {
    if (!(dot(direction, direction) > 1e-20))
        return;
    const Vec3d n = normalizeOr(direction, {0, 1, 0});
    starts.offer(n, separationAlong(a, b, n));
    starts.offer(-n, separationAlong(a, b, -n));
}

void offerCommon(const PlacedCore& a, const PlacedCore& b, Starts& starts) {
    const double inverseSize = 1 / (a.core.size + b.core.size);
    const Vec3d offset = (b.center() - a.center()) * inverseSize;
    offerBoth(a, b, offset, starts);
    for (const PlacedCore* cylinder : {&a, &b}) {
        if (cylinder->core.kind != CoreKind::Cylinder)
            continue;
        const Vec3d axis = cylinder->placement.axisY;
        offerBoth(a, b, axis, starts);
        const Vec3d across = offset - axis * dot(axis, offset);
        offerBoth(a, b, across, starts);
        if (!(dot(across, across) > 1e-20))  // all sides are equally near
            offerBoth(a, b, cylinder->placement.axisX, starts);
    }
}

// Where rim meets rim the minimum can lie in any direction between those offered.
void offerCylinders(const PlacedCore& a, const PlacedCore& b, Starts& starts) {
    const Vec3d p = a.placement.axisY, q = b.placement.axisY, r = cross(p, q);
    offerBoth(a, b, r, starts);
    offerBoth(a, b, p + q, starts);
    offerBoth(a, b, p - q, starts);
    for (double s : {-1.0, 1.0}) {
        offerBoth(a, b, p + r * s, starts);
        offerBoth(a, b, q + r * s, starts);
        offerBoth(a, b, p + q + r * s, starts);
        offerBoth(a, b, p - q + r * s, starts);
    }
}

// The limit of a sequence of directions whose steps shrink by a constant factor.
Vec3d extrapolate(const Vec3d& n0, const Vec3d& n1, const Vec3d& n2) {
    const Vec3d before = n1 - n0, after = n2 - n1;
    const double factor = limitTo(dot(after, before) / greater(dot(before, before), 1e-300), 0, 0.99);
    return normalizeOr(n2 + after * (factor / (1 - factor)), n2);
}

// One descent from one start.
class Descent {
public:
    Descent(const PlacedCore& a, const PlacedCore& b, const Vec3d* front)
        : a_(a), b_(b), front_(front), size_(a.core.size + b.core.size) {}

    // Gives up early where it is unlikely to beat `best`, the separation found from other starts.
    OverlapAxis run(Vec3d normal, double best, int maxRounds) {
        double separation = separationAlong(a_, b_, normal);
        axis_ = {};
        axis_.separation = -1e300;
        accept(normal, separation, a_.support(normal));
        converged_ = false;
        PlacedCore moved{b_.core, b_.placement};
        Vec3d earlier = normal, latest = normal;  // the last directions of one unbroken sequence
        int unbroken = 0;
        for (int round = 0; round < maxRounds; ++round) {
            moved.placement.origin = b_.placement.origin + normal * (kShift * size_ - separation);
            const ClosestPoints closest = findClosestPoints(a_, moved, 1e300);
            if (closest.status != ClosestPoints::Status::Apart)
                break;
            const double improved = separationAlong(a_, b_, closest.normal);
            if (!accept(closest.normal, improved, closest.onA))
                break;
            const Vec3d turn = closest.normal - normal;
            converged_ = !(dot(turn, turn) > kTurn * kTurn);
            if (converged_ || improved + kHope * (improved - separation) < best)
                break;
            earlier = latest;
            latest = normal;
            normal = closest.normal;
            separation = improved;
            if (++unbroken < 2)
                continue;
            const Vec3d leap = extrapolate(earlier, latest, normal);
            const double leapt = separationAlong(a_, b_, leap);
            if (leapt > separation) {
                normal = leap;
                separation = leapt;
                unbroken = 0;
            }
        }
        axis_.onB = axis_.onA + axis_.normal * axis_.separation;
        return axis_;
    }
    bool hasConverged() const { return converged_; }

private:
    // False where the search has left the triangle's front.
    bool accept(Vec3d normal, double separation, Vec3d onA) {
        const bool leavesFront = front_ && dot(normal, *front_) < 0;
        if (leavesFront) {
            normal = normalizeOr(normal - *front_ * dot(normal, *front_), *front_);
            separation = separationAlong(a_, b_, normal);
            onA = b_.support(-normal) - normal * separation;
        }
        // At a kink of the overlap the start is exact and the descent only adds the point.
        if (separation >= axis_.separation - kSameOverlap * size_)
            axis_.onA = onA;
        if (separation > axis_.separation) {
            axis_.normal = normal;
            axis_.separation = separation;
        }
        return !leavesFront;
    }

    const PlacedCore &a_, &b_;
    const Vec3d* front_;
    double size_;
    OverlapAxis axis_;
    bool converged_ = false;
};

double thicknessOf(const ConvexCore& core) {
    return core.kind == CoreKind::Cylinder ? lesser(core.radius, core.halfHeight) : 1e300;
}

// Where the overlap is shallow, slightly thinner cylinders are apart, and their closest points nearly have the direction
// sought.
ClosestPoints findClosestOfShrunk(const PlacedCore& a, const PlacedCore& b) {
    const double shrink = kShrink * lesser(thicknessOf(a.core), thicknessOf(b.core));
    const ConvexCore thinA(a.core, shrink), thinB(b.core, shrink);
    return findClosestPoints({thinA, a.placement}, {thinB, b.placement}, 1e300);
}

}  // namespace

OverlapAxis findLeastOverlapRound(const PlacedCore& a, const PlacedCore& b) {
    if (haveAxes(a, b))
        if (const AxesContact crossing = compareAxes(a, b); crossing.isClosest && crossing.axis.separation < 0)
            return crossing.axis;
    const bool oneSided = a.core.kind == CoreKind::Triangle;
    const Vec3d front = oneSided ? outerDirection(a.placement, a.core.polyhedron.normal(0)) : Vec3d{};
    Starts starts(oneSided ? &front : nullptr);
    offerCommon(a, b, starts);
    if (a.core.kind == CoreKind::Cylinder && b.core.kind == CoreKind::Cylinder)
        offerCylinders(a, b, starts);
    else if (a.core.kind == CoreKind::Cylinder)
        offerPolyhedron(b, a, -1, starts);
    else
        offerPolyhedron(a, b, 1, starts);

    OverlapAxis best;
    best.separation = -1e300;
    bool bestHasConverged = false;
    Descent descent(a, b, oneSided ? &front : nullptr);
    const auto follow = [&](const Vec3d& start, int maxRounds) {
        const OverlapAxis axis = descent.run(start, best.separation, maxRounds);
        if (axis.separation >= best.separation) {
            best = axis;
            bestHasConverged = descent.hasConverged();
        }
    };
    const double thickness = lesser(thicknessOf(a.core), thicknessOf(b.core));
    const ClosestPoints shrunk = findClosestOfShrunk(a, b);
    const bool isShrunk = shrunk.status == ClosestPoints::Status::Apart && !(oneSided && dot(shrunk.normal, front) < 0);
    if (isShrunk)
        follow(shrunk.normal, kMaxRounds);
    for (int i = 0; i < starts.count(); ++i) {
        const bool isSame = dot(starts.normal(i), best.normal) > kDistinct;
        const bool isHopeless = isShrunk && best.separation > -kShallow * thickness && starts.separation(i) < best.separation;
        if (best.separation < -1e299 || !(isSame || isHopeless))
            follow(starts.normal(i), kMaxRounds);
    }
    if (!bestHasConverged)
        follow(best.normal, kMaxLastRounds);
    return best;
}

}  // namespace sunder::collision
