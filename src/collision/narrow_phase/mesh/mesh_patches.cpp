// Contacts of single triangles, corrected by their surroundings. A single triangle cannot know that the surface goes on past
// its edges: a box that slides over a floor overlaps the next triangle a little, and the cheapest way out of that one is
// sideways. So a normal that differs from the face's is checked against every triangle that touches the contact point: none may
// rise above the tangent plane. A contact that fails is found again with the normal held to the face's. Symbols: n a face's
// normal, m a contact's normal, q a contact point on the mesh.
#include "collision/narrow_phase/mesh/mesh_patches.h"

#include "collision/narrow_phase/mesh/convex_triangle.h"

namespace sunder::collision {
namespace {

using geometry::TriangleMesh;
using Corners = MeshScratch::Corners;

// Share of the convex shape's radius below which lengths count as zero: a point is on a triangle, two depths are equal.
constexpr Real kLengthTolerance = Real(1e-4);
// A triangle may rise above the tangent plane by this slope (one degree, as for the mesh's own flat edges).
constexpr Real kSlopeTolerance = Real(0.0175);
// Where the surface about a triangle bends by no more than this (10 degrees), a polyhedron touches it along the faces' own
// normals: those of the edges between lie within half of it.
constexpr std::uint8_t kGentleLean = std::uint8_t(Real(0.175) / TriangleMesh::kLeanUnit);
// cos(5 degrees): faces closer than this share one plane of contact.
constexpr Real kSamePlaneCosine = Real(0.99619470);

struct Surroundings {
    const TriangleMesh& mesh;
    const MeshScratch& scratch;
    Real tolerance;  // m
};

Real deepest(const ContactManifold& manifold) {
    Real lowest = kInfinity;
    for (int i = 0; i < manifold.count; ++i)
        lowest = min(lowest, manifold.points[i].separation);
    return lowest;
}

// The point of the triangle's edge or vertex that the contact belongs to: the point of it nearest to the deepest contact point.
Vec3 pointOnFeature(const Corners& triangle, TriangleFeature feature, const ContactManifold& manifold) {
    if (feature >= TriangleFeature::Vertex0)
        return triangle.corner[int(feature) - int(TriangleFeature::Vertex0)];
    int lowest = 0;
    for (int i = 1; i < manifold.count; ++i)
        if (manifold.points[i].separation < manifold.points[lowest].separation)
            lowest = i;
    const int edge = int(feature) - int(TriangleFeature::Edge0);
    const Vec3 from = triangle.corner[edge];
    const Vec3 along = triangle.corner[(edge + 1) % 3] - from;
    return from + along * clamp(dot(manifold.points[lowest].onA - from, along) / lengthSquared(along), 0, 1);
}

bool isOnTriangle(const Corners& triangle, const Vec3& n, const Vec3& q, Real tolerance) {
    if (!(std::fabs(dot(n, q - triangle.corner[0])) <= tolerance))
        return false;
    for (int i = 0; i < 3; ++i) {
        const Vec3 edge = triangle.corner[(i + 1) % 3] - triangle.corner[i];
        const Real inside = dot(cross(n, edge), q - triangle.corner[i]);
        if (inside < 0 && square(inside) > square(tolerance) * lengthSquared(edge))
            return false;
    }
    return true;
}

// A triangle that contains q is the convex hull of its corners, so it stays below the plane if they do.
bool staysBelow(const Corners& triangle, const Vec3& q, const Vec3& m, Real tolerance) {
    for (const Vec3& corner : triangle.corner) {
        const Vec3 away = corner - q;
        const Real rise = dot(m, away);
        if (rise > tolerance && square(rise - tolerance) > square(kSlopeTolerance) * lengthSquared(away))
            return false;
    }
    return true;
}

// Whether the surface around the triangle allows this normal at an edge or a vertex of it.
bool isAllowed(const Surroundings& around, std::size_t slot, TriangleFeature feature, const ContactManifold& manifold) {
    const int active = around.mesh.triangles()[around.scratch.triangles[slot]].activeEdges;
    const bool isVertex = feature >= TriangleFeature::Vertex0;
    const int index = int(feature) - int(isVertex ? TriangleFeature::Vertex0 : TriangleFeature::Edge0);
    const int edges = isVertex ? 1 << index | 1 << (index + 2) % 3 : 1 << index;
    if ((active & edges) == 0)
        return false;
    const Vec3 q = pointOnFeature(around.scratch.corners[slot], feature, manifold);
    for (std::size_t other = 0; other < around.scratch.triangles.size(); ++other) {
        const Corners& triangle = around.scratch.corners[other];
        if (isOnTriangle(triangle, around.mesh.normal(around.scratch.triangles[other]), q, around.tolerance) &&
            !staysBelow(triangle, q, manifold.normal, around.tolerance))
            return false;
    }
    return true;
}

void addPatch(const ContactManifold& manifold, std::uint32_t triangle, bool limited, MeshScratch& scratch) {
    scratch.patches.push_back({manifold, deepest(manifold), triangle, limited});
}

// Whether the triangle continues the plane of an allowed contact. What it adds reaches no further past that contact than the
// overlap that made the sideways normal cheap.
bool continuesAllowed(std::span<const MeshPatch> allowed, const Vec3& n, Real separation, Real overlap) {
    for (const MeshPatch& patch : allowed)
        if (dot(patch.manifold.normal, n) > kSamePlaneCosine && separation >= patch.separation - 2 * overlap)
            return true;
    return false;
}

// Whether moving out of an allowed contact also moves out of the triangle whose own way out is m.
bool isSolvedByAllowed(std::span<const MeshPatch> allowed, const Vec3& m, Real separation, Real tolerance) {
    for (const MeshPatch& patch : allowed)
        if (patch.separation < 0 && patch.separation * dot(patch.manifold.normal, m) <= separation + tolerance)
            return true;
    return false;
}

// Limits the depth of all points. The surface point of the convex shape stays where it is.
void limitDepth(ContactManifold& manifold, Real lowest) {
    for (int i = 0; i < manifold.count; ++i) {
        ContactPoint& point = manifold.points[i];
        point.separation = max(point.separation, lowest);
        point.onA = point.onB - manifold.normal * point.separation;
    }
}

// A triangle inside a smooth or gently bent region of the surface only pushes along its own normal, which saves the search for
// the cheapest way out. Returns false where the shape is in so deep that it may have come from beyond the smooth region.
bool collideSmooth(ConvexOverTriangles& convex, std::size_t slot, Real margin, MeshScratch& scratch) {
    const Corners& triangle = scratch.corners[slot];
    const ContactManifold held = convex.collideFace(triangle.corner, margin);
    if (held.count == 0) {
        scratch.overSeams.push_back(std::uint32_t(slot));
        return true;
    }
    const Vec3 a = triangle.corner[1] - triangle.corner[0], b = triangle.corner[2] - triangle.corner[0];
    const Real longest2 = max(max(lengthSquared(a), lengthSquared(b)), lengthSquared(b - a));
    const Real depth = -deepest(held);
    if (depth > 0 && square(depth) * longest2 > lengthSquared(cross(a, b)))
        return false;
    addPatch(held, scratch.triangles[slot], false, scratch);
    return true;
}

void collideSingle(const ConvexOverTriangles& convex, std::size_t slot, const Range& range, const Surroundings& around,
                   MeshScratch& scratch) {
    TriangleManifold single = convex.collide(scratch.corners[slot].corner, range);
    if (single.manifold.count == 0)
        return;
    const Vec3 n = around.mesh.normal(scratch.triangles[slot]);
    const bool isFace = single.feature == TriangleFeature::Face || lengthSquared(single.manifold.normal - n) < kSameNormal2;
    if (isFace)
        single.manifold.normal = n;
    if (isFace || isAllowed(around, slot, single.feature, single.manifold))
        addPatch(single.manifold, scratch.triangles[slot], false, scratch);
    else
        scratch.refused.push_back({std::uint32_t(slot), single.manifold.normal, deepest(single.manifold)});
}

// A ball over the edge between two faces that bend away from each other by less than a degree is over neither. Where nothing
// else holds it there, the contact with the edge counts.
void collideOverSeams(const ConvexOverTriangles& convex, const Range& range, const Surroundings& around, MeshScratch& scratch) {
    for (const std::uint32_t slot : scratch.overSeams) {
        const Vec3 n = around.mesh.normal(scratch.triangles[slot]);
        bool isHeld = false;
        for (const MeshPatch& patch : scratch.patches)
            isHeld = isHeld || dot(patch.manifold.normal, n) > kSamePlaneCosine;
        if (isHeld)
            continue;
        const TriangleManifold single = convex.collide(scratch.corners[slot].corner, range);
        if (single.manifold.count > 0 &&
            (dot(single.manifold.normal, n) > kFlatCosine || isAllowed(around, slot, single.feature, single.manifold)))
            addPatch(single.manifold, scratch.triangles[slot], false, scratch);
    }
}

// What a triangle whose own normals were refused gives with the normal held to its face's. separation: of the shape and the
// triangle. allowedCount: of the patches, those that were allowed.
void addHeld(const ContactManifold& found, const MeshScratch::Refused& refused, const Surroundings& around,
             std::size_t allowedCount, MeshScratch& scratch) {
    ContactManifold held = found;
    const std::span<const MeshPatch> allowed(scratch.patches.data(), allowedCount);
    // Where all normals were refused (triangles smaller than the overlap) the faces are all there is.
    const bool isStray = !allowed.empty() &&
                         !continuesAllowed(allowed, held.normal, deepest(held), around.tolerance - min(refused.separation, 0));
    if (isStray) {
        if (isSolvedByAllowed(allowed, refused.normal, refused.separation, around.tolerance))
            return;
        // A face far from the other contacts: its plane may lie deep inside the shape although the shape overlaps the
        // triangle itself only a little.
        limitDepth(held, min(refused.separation, 0));
    }
    addPatch(held, scratch.triangles[refused.slot], isStray, scratch);
}

}  // namespace

void findMeshPatches(const TriangleMesh& mesh, const BuiltShape& convex, const Vec3& centerInMesh, const Quat& meshFromConvex,
                     const MeshReach& reach, const Range& range, MeshScratch& scratch) {
    const Real margin = range.margin;
    ConvexOverTriangles overTriangles(convex, {{}, meshFromConvex});
    scratch.triangles.clear();
    scratch.corners.clear();
    scratch.patches.clear();
    scratch.refused.clear();
    scratch.overSeams.clear();
    scratch.beside.clear();
    scratch.leaning.clear();

    mesh.queryWhere([&](const Bounds& bounds) { return reach.reaches(bounds, centerInMesh); }, scratch.triangles);
    for (const std::uint32_t triangle : scratch.triangles) {
        const std::array<std::uint32_t, 3>& v = mesh.triangles()[triangle].vertices;
        scratch.corners.push_back({{mesh.vertices()[v[0]] - centerInMesh, mesh.vertices()[v[1]] - centerInMesh,
                                    mesh.vertices()[v[2]] - centerInMesh}});
    }

    const Surroundings around{mesh, scratch, kLengthTolerance * convex.boundingRadius};
    const bool isPolyhedron = !convex.polyhedron.vertices.empty();
    const auto isGentle = [&](std::size_t slot) {
        const TriangleMesh::Triangle& t = mesh.triangles()[scratch.triangles[slot]];
        return t.isSmooth || (isPolyhedron && t.lean <= kGentleLean);
    };
    const auto collideSlot = [&](std::size_t slot) {
        if (!(isGentle(slot) && collideSmooth(overTriangles, slot, margin, scratch)))
            collideSingle(overTriangles, slot, range, around, scratch);
    };
    for (std::size_t slot = 0; slot < scratch.triangles.size(); ++slot) {
        if (!reach.reaches(mesh, scratch.triangles[slot], scratch.corners[slot].corner))
            continue;
        if (reach.isBeside(mesh, scratch.triangles[slot], scratch.corners[slot].corner))
            scratch.beside.push_back(std::uint32_t(slot));
        else if (!mesh.triangles()[scratch.triangles[slot]].isSmooth &&
                 reach.leansAway(mesh, scratch.triangles[slot], scratch.corners[slot].corner))
            scratch.leaning.push_back(std::uint32_t(slot));
        else
            collideSlot(slot);
    }
    // About a sharp vertex a shape can be beside every triangle.
    if (scratch.patches.empty() && scratch.refused.empty())
        for (const std::uint32_t slot : scratch.beside)
            collideSlot(slot);

    const std::size_t allowedCount = scratch.patches.size();
    for (const MeshScratch::Refused& refused : scratch.refused) {
        const ContactManifold held = overTriangles.collideFace(scratch.corners[refused.slot].corner, margin);
        if (held.count > 0)
            addHeld(held, refused, around, allowedCount, scratch);
        else if (dot(refused.normal, mesh.normal(scratch.triangles[refused.slot])) > kFlatCosine)
            scratch.overSeams.push_back(refused.slot);
    }
    for (const std::uint32_t slot : scratch.leaning) {
        const ContactManifold held = overTriangles.collideFace(scratch.corners[slot].corner, margin);
        if (held.count > 0)
            addHeld(held, {slot, held.normal, deepest(held)}, around, allowedCount, scratch);
    }
    collideOverSeams(overTriangles, range, around, scratch);
}

}  // namespace sunder::collision
