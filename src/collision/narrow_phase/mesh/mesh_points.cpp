// Contact points of one plane of a mesh that do not depend on how the plane is cut into triangles.
#include "collision/narrow_phase/mesh/mesh_points.h"

#include <algorithm>

#include "collision/narrow_phase/manifold/reduce.h"

namespace sunder::collision {
namespace {

using geometry::TriangleMesh;

// Share of the convex shape's radius: closer points are one. Twice the shift of a sphere's lowest point under a normal that
// still counts as the face's.
constexpr Real kSamePoint = Real(4e-3);
// Share of the radius: a seam point less than this outside the hull of the corners adds nothing.
constexpr Real kCovered = Real(1e-2);
// Share of the radius: a point this much deeper than those of the manifold is not of their plane.
constexpr Real kDeeper = Real(5e-4);
// Share of the radius: closer points are on the edge.
constexpr Real kOnEdge = Real(2e-5);
// Share of the radius: a corner less than this past a triangle's edge still belongs to it, so that none falls between two.
constexpr double kPastEdge = 1e-5;
// Share of the radius: triangles that agree to this, and to kFlatCosine, continue one plane.
constexpr Real kSamePlane = Real(1e-3);
// At most this many points go to the reduction; of more, only the extreme ones.
constexpr std::size_t kMostCandidates = 64;
// Features of points that are not corners start here; repeated ones go up in steps of this size.
constexpr std::uint32_t kFeatureStep = 0x10000;

// Twice the signed area of a triangle seen against n.
Real area(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& n) { return dot(cross(b - a, c - a), n); }

// Distance of p from a segment, both seen along n, squared.
Real distance2(const Vec3& p, const Vec3& from, const Vec3& to, const Vec3& n) {
    const auto flat = [&](const Vec3& v) { return v - n * dot(v, n); };
    const Vec3 along = flat(to - from), away = flat(p - from);
    const Real squared = lengthSquared(along);
    const Real t = squared > 0 ? clamp(dot(away, along) / squared, 0, 1) : Real(0);
    return lengthSquared(away - along * t);
}

// Whether p, seen along the manifold's normal, lies inside the hull of its points or within the tolerance of it.
bool isCovered(const ContactManifold& manifold, const Vec3& p, Real tolerance) {
    const Vec3& n = manifold.normal;
    for (int i = 0; i < manifold.count; ++i)
        for (int j = i; j < manifold.count; ++j) {
            const Vec3 &a = manifold.points[i].onA, &b = manifold.points[j].onA;
            if (distance2(p, a, b, n) <= square(tolerance))
                return true;
            for (int k = j + 1; k < manifold.count; ++k) {
                const Vec3& c = manifold.points[k].onA;
                const Real sides[3] = {area(a, b, p, n), area(b, c, p, n), area(c, a, p, n)};
                if ((sides[0] > 0 && sides[1] > 0 && sides[2] > 0) || (sides[0] < 0 && sides[1] < 0 && sides[2] < 0))
                    return true;
            }
        }
    return false;
}

}  // namespace

MeshPointFinder::MeshPointFinder(const TriangleMesh& mesh, const BuiltShape& convex, const Vec3& centerInMesh,
                                 const Quat& meshFromConvex, Real margin, MeshPointScratch& scratch)
    : mesh_(mesh),
      convex_(convex),
      centerInMesh_(centerInMesh),
      orientation_(toPlacement({{}, meshFromConvex})),
      margin_(margin),
      scratch_(scratch) {}

void MeshPointFinder::start(const MeshPatch& leader) {
    normal_ = leader.manifold.normal;
    pointOnPlane_ = leader.manifold.points[0].onA;
    isFace_ = !leader.limited && lengthSquared(normal_ - mesh_.normal(leader.triangle)) < kSameNormal2;
    scratch_.candidates.clear();
    findFacingCorners(convex_, orientation_, toDouble(normal_), corners_);
}

void MeshPointFinder::add(const MeshPatch& patch) {
    if (!patch.limited && lengthSquared(patch.manifold.normal - mesh_.normal(patch.triangle)) < kSameNormal2)
        addCorners(patch.triangle, kInfinity);
    for (int i = 0; i < patch.manifold.count; ++i) {
        const ContactPoint& point = patch.manifold.points[i];
        if (isCorner(point.onB))
            continue;
        const std::uint32_t feature =
            kFeatureStep + (convex_.polyhedron.vertices.empty() ? point.feature % kFeatureStep : nearestVertex(point.onB));
        addCandidate(point.onB, point.separation, feature, isOnSeam(patch.triangle, point.onA) ? Kind::Seam : Kind::Crossing);
    }
}

void MeshPointFinder::addCornersUnder(std::uint32_t triangle) {
    if (isFace_ && dot(mesh_.normal(triangle), normal_) > kFlatCosine)
        addCorners(triangle, kSamePlane * convex_.boundingRadius);
}

ContactManifold MeshPointFinder::finish() {
    std::sort(scratch_.candidates.begin(), scratch_.candidates.end(), [](const Candidate& a, const Candidate& b) {
        if (a.kind != b.kind)
            return a.kind < b.kind;
        return a.point.feature != b.point.feature ? a.point.feature < b.point.feature : a.order < b.order;
    });
    dropCoveredSeams();
    keepExtremes();
    dropRepeated();
    makeFeaturesUnique();
    scratch_.points.clear();
    for (const Candidate& candidate : scratch_.candidates)
        scratch_.points.push_back(candidate.point);
    ContactManifold manifold;
    reduceToManifold(scratch_.points.data(), int(scratch_.points.size()), normal_, manifold);
    return manifold;
}

ContactManifold MeshPointFinder::finishDeeper(const ContactManifold& first, KnownManifolds known) {
    ContactManifold manifold;
    Real deepest = kInfinity;
    for (int i = 0; i < first.count; ++i)
        deepest = min(deepest, first.points[i].separation);
    const Real tolerance = kDeeper * convex_.boundingRadius;
    bool isNeeded = false;
    scratch_.points.clear();
    for (const Candidate& candidate : scratch_.candidates) {
        const ContactPoint& point = candidate.point;
        const auto has = [&](const auto& other) {
            for (int i = 0; i < other.count; ++i)
                if (other.points[i].feature == point.feature)
                    return true;
            return false;
        };
        const bool wasThere =
            std::any_of(known.begin(), known.end(), [&](const KnownManifold& old) { return old.has(point.feature); });
        if (point.separation > (wasThere ? tolerance : Real(0)) || has(first))
            continue;
        isNeeded = isNeeded || wasThere || point.separation < deepest - tolerance;
        scratch_.points.push_back(point);
    }
    if (isNeeded)
        reduceToManifold(scratch_.points.data(), int(scratch_.points.size()), normal_, manifold);
    return manifold;
}

void MeshPointFinder::addCandidate(const Vec3& onB, Real separation, std::uint32_t feature, Kind kind) {
    const ContactPoint point{onB - normal_ * separation, onB, separation, feature};
    scratch_.candidates.push_back({point, std::uint32_t(scratch_.candidates.size()), kind});
}

// Adds the corners that lie over or under the triangle, measured from its plane, which may differ from the leader's by the
// tolerance. In double: the corners of the triangle may be far away.
void MeshPointFinder::addCorners(std::uint32_t triangle, Real planeTolerance) {
    const std::array<std::uint32_t, 3>& vertices = mesh_.triangles()[triangle].vertices;
    Vec3d corner[3];
    for (int i = 0; i < 3; ++i)
        corner[i] = toDouble(mesh_.vertices()[vertices[i]]) - toDouble(centerInMesh_);
    const Vec3d n = normalizeOr(cross(corner[1] - corner[0], corner[2] - corner[0]), toDouble(normal_));
    for (int k = 0; k < corners_.count; ++k) {
        const Vec3d point = corners_.points[k];
        const double separation = dot(n, point - corner[0]);
        const double fromLeader = dot(toDouble(normal_), point - toDouble(pointOnPlane_));
        if (separation > margin_ || std::fabs(separation - fromLeader) > planeTolerance)
            continue;
        bool isOver = true;
        for (int i = 0; i < 3 && isOver; ++i) {
            const Vec3d edge = corner[(i + 1) % 3] - corner[i];
            const double inside = dot(cross(n, edge), point - corner[i]);
            isOver = inside >= -kPastEdge * convex_.boundingRadius * length(edge);
        }
        if (isOver)
            addCandidate(toReal(point), Real(separation), corners_.features[k], Kind::Corner);
    }
}

bool MeshPointFinder::isCorner(const Vec3& point) const {
    for (const Candidate& candidate : scratch_.candidates)
        if (candidate.kind == Kind::Corner &&
            lengthSquared(candidate.point.onB - point) <= square(kSamePoint * convex_.boundingRadius))
            return true;
    return false;
}

// Whether the point is on an edge beyond which the surface continues in the same plane.
bool MeshPointFinder::isOnSeam(std::uint32_t triangle, const Vec3& point) const {
    const TriangleMesh::Triangle& t = mesh_.triangles()[triangle];
    const Real tolerance2 = square(kOnEdge * convex_.boundingRadius);
    for (int i = 0; i < 3; ++i) {
        if ((t.flatEdges >> i & 1) == 0)
            continue;
        const Vec3 from = mesh_.vertices()[t.vertices[i]];
        const Vec3 edge = mesh_.vertices()[t.vertices[(i + 1) % 3]] - from;
        if (lengthSquared(cross(edge, point - (from - centerInMesh_))) <= tolerance2 * lengthSquared(edge))
            return true;
    }
    return false;
}

std::uint32_t MeshPointFinder::nearestVertex(const Vec3& point) const {
    const Vec3 inConvex = toReal(innerDirection(orientation_, toDouble(point)));
    std::uint32_t nearest = 0;
    Real best = kInfinity;
    for (std::uint32_t i = 0; i < convex_.polyhedron.vertices.size(); ++i) {
        const Real squared = lengthSquared(convex_.polyhedron.vertices[i] - inConvex);
        if (squared < best) {
            best = squared;
            nearest = i;
        }
    }
    return nearest;
}

// Drops points on seams where the corners surround them and are as deep.
void MeshPointFinder::dropCoveredSeams() {
    std::vector<Candidate>& candidates = scratch_.candidates;
    scratch_.points.clear();
    Real lowest = kInfinity;
    for (const Candidate& candidate : candidates) {
        if (candidate.kind != Kind::Corner)
            break;
        scratch_.points.push_back(candidate.point);
        lowest = min(lowest, candidate.point.separation);
    }
    if (scratch_.points.empty())
        return;
    ContactManifold corners;
    reduceToManifold(scratch_.points.data(), int(scratch_.points.size()), normal_, corners);
    const Real tolerance = kCovered * convex_.boundingRadius;
    const auto isDropped = [&](const Candidate& candidate) {
        return candidate.kind == Kind::Seam && candidate.point.separation >= lowest - tolerance &&
               isCovered(corners, candidate.point.onA, tolerance);
    };
    candidates.erase(std::remove_if(candidates.begin(), candidates.end(), isDropped), candidates.end());
}

// Bounds the later work: of many candidates only the deepest and the farthest in each of sixteen directions stay.
void MeshPointFinder::keepExtremes() {
    std::vector<Candidate>& candidates = scratch_.candidates;
    if (candidates.size() <= kMostCandidates)
        return;
    constexpr Real kDiagonal = Real(0.70710678), kCosine = Real(0.92387953), kSine = Real(0.38268343);
    constexpr Real kDirections[4][2] = {{1, 0}, {kCosine, kSine}, {kDiagonal, kDiagonal}, {kSine, kCosine}};
    const Vec3 u = anyPerpendicular(normal_), w = cross(normal_, u);
    constexpr std::uint32_t kExtremes = 17;
    std::uint32_t chosen[kExtremes] = {};
    const auto prefer = [&](std::uint32_t& best, std::uint32_t i, auto score) {
        if (score(candidates[i].point) > score(candidates[best].point))
            best = i;
    };
    for (std::uint32_t i = 0; i < candidates.size(); ++i) {
        prefer(chosen[16], i, [](const ContactPoint& p) { return -p.separation; });
        for (int k = 0; k < 16; ++k) {
            const Real* d = kDirections[k % 4];
            // Each quarter turn takes (x, y) to (-y, x).
            const Vec3 x = k < 4 ? u : (k < 8 ? w : (k < 12 ? -u : -w)), y = cross(normal_, x);
            prefer(chosen[k], i, [&](const ContactPoint& p) { return dot(p.onA, x * d[0] + y * d[1]); });
        }
    }
    std::sort(std::begin(chosen), std::end(chosen));
    std::size_t kept = 0;
    for (std::uint32_t i = 0; i < kExtremes; ++i)
        if (i == 0 || chosen[i] != chosen[i - 1])
            candidates[kept++] = candidates[chosen[i]];
    candidates.resize(kept);
}

// Where several points lie in one place, keeps the first, with the depth of the deepest.
void MeshPointFinder::dropRepeated() {
    std::vector<Candidate>& candidates = scratch_.candidates;
    const Real tolerance2 = square(kSamePoint * convex_.boundingRadius);
    std::size_t kept = 0;
    for (const Candidate& candidate : candidates) {
        std::size_t same = 0;
        while (same < kept && lengthSquared(candidates[same].point.onB - candidate.point.onB) > tolerance2)
            ++same;
        if (same == kept) {
            candidates[kept++] = candidate;
        } else if (candidate.point.separation < candidates[same].point.separation) {
            ContactPoint& point = candidates[same].point;
            point.separation = candidate.point.separation;
            point.onA = point.onB - normal_ * point.separation;
        }
    }
    candidates.resize(kept);
}

void MeshPointFinder::makeFeaturesUnique() {
    std::vector<Candidate>& candidates = scratch_.candidates;
    for (std::size_t i = 1; i < candidates.size(); ++i) {
        std::uint32_t& feature = candidates[i].point.feature;
        for (std::size_t j = 0; j < i; ++j)
            if (candidates[j].point.feature == feature) {
                feature += kFeatureStep;
                j = std::size_t(-1);
            }
    }
}

}  // namespace sunder::collision
