// Convex shape against triangle mesh: the patches of single triangles, gathered into few manifolds.
//   1. patches of single triangles without the seams between them (mesh_patches)
//   2. patches whose normals nearly agree become one cluster, deepest first
//   3. points of a cluster: corners of the convex shape come first, points on seams only where no corners surround them
//   4. at most four points by the shared reduction
#include "collision/narrow_phase/mesh/mesh_contact.h"

#include <algorithm>

#include "collision/narrow_phase/manifold/preference.h"
#include "collision/narrow_phase/mesh/facing_corners.h"
#include "collision/narrow_phase/mesh/mesh_patches.h"
#include "collision/narrow_phase/mesh/mesh_points.h"

namespace sunder::collision {
namespace {

// cos(5 degrees): the normals of one cluster lie within this of its deepest contact's.
constexpr Real kClusterCosine = Real(0.99619470);
// Steps per unit of the normal's components in a key. Faces at right angles, 30, 45 and 60 degrees fall well inside a step.
constexpr Real kKeySteps = 16;

// Square of the difference of two unit normals: a manifold this close (1 degree) to one of the last look continues it.
constexpr Real kSameManifold2 = Real(3e-4);

struct ContactScratch {
    MeshScratch mesh;
    std::vector<KnownManifold> known;  // normals in the mesh's frame, from the mesh
    MeshPointScratch points;
    std::vector<std::uint32_t> order;    // patches, deepest first
    std::vector<std::uint32_t> cluster;  // of each patch
};

void takeKnown(KnownManifolds known, const Quat& frameFromMesh, bool meshIsFirst, std::vector<KnownManifold>& out) {
    out.assign(known.begin(), known.end());
    for (KnownManifold& manifold : out)
        manifold.normal = rotate(conjugate(frameFromMesh), manifold.normal * Real(meshIsFirst ? 1 : -1));
}

// The known manifold whose normal is nearest, if any is near.
const KnownManifold* findKnown(std::span<const KnownManifold> known, const Vec3& normal, Real most) {
    const KnownManifold* nearest = nullptr;
    for (const KnownManifold& manifold : known)
        if (const Real chord = lengthSquared(manifold.normal - normal); chord < most) {
            nearest = &manifold;
            most = chord;
        }
    return nearest;
}

// The patch whose normal a cluster gets: the deepest or, among those that would be in its cluster, the leader of the last look
// where the deepest is hardly deeper. The normal must not hop between two faces that bear alike.
std::uint32_t chooseLeader(const ContactScratch& scratch, std::size_t deepest, Real tolerance) {
    const std::vector<MeshPatch>& patches = scratch.mesh.patches;
    const MeshPatch& first = patches[scratch.order[deepest]];
    std::uint32_t leader = scratch.order[deepest];
    Real nearest = kSameManifold2;
    for (std::size_t i = deepest; i < scratch.order.size(); ++i) {
        const MeshPatch& patch = patches[scratch.order[i]];
        if (patch.separation > first.separation + tolerance)
            break;
        if (!(dot(patch.manifold.normal, first.manifold.normal) > kClusterCosine))
            continue;
        if (const KnownManifold* known = findKnown(scratch.known, patch.manifold.normal, nearest)) {
            nearest = lengthSquared(known->normal - patch.manifold.normal);
            leader = scratch.order[i];
        }
    }
    return leader;
}

// Sorts the patches into clusters about the deepest ones; returns the number of clusters, and their leaders. Patches beyond
// kMaxMeshManifolds clusters are dropped. tolerance: see chooseLeader.
int findClusters(ContactScratch& scratch, Real tolerance, std::uint32_t (&leaders)[kMaxMeshManifolds]) {
    const std::vector<MeshPatch>& patches = scratch.mesh.patches;
    scratch.order.resize(patches.size());
    scratch.cluster.assign(patches.size(), kMaxMeshManifolds);
    for (std::uint32_t i = 0; i < patches.size(); ++i)
        scratch.order[i] = i;
    std::sort(scratch.order.begin(), scratch.order.end(), [&](std::uint32_t i, std::uint32_t j) {
        return patches[i].separation != patches[j].separation ? patches[i].separation < patches[j].separation
                                                              : patches[i].triangle < patches[j].triangle;
    });
    int count = 0;
    for (std::size_t place = 0; place < scratch.order.size(); ++place) {
        const std::uint32_t patch = scratch.order[place];
        int cluster = 0;
        while (cluster < count &&
               !(dot(patches[leaders[cluster]].manifold.normal, patches[patch].manifold.normal) > kClusterCosine))
            ++cluster;
        if (cluster == count && count < kMaxMeshManifolds)
            leaders[count++] = chooseLeader(scratch, place, tolerance);
        scratch.cluster[patch] = std::uint32_t(cluster);
    }
    return count;
}

std::uint32_t keyOf(const Vec3& normalInMesh) {
    std::uint32_t key = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const Real step = std::floor(component(normalInMesh, axis) * kKeySteps + Real(0.5));
        key = key << 6 | (std::uint32_t(int(step) + 32) & 63);
    }
    return key;
}

// The next key that no manifold from `begin` on has.
std::uint32_t makeUnique(std::uint32_t key, const ManifoldList& out, std::size_t begin) {
    for (std::size_t i = begin; i < out.size(); ++i)
        if (out[i].key == key) {
            key += 1u << 18;
            i = begin - 1;
        }
    return key;
}

// From the mesh's axes with the origin at the convex shape to the frame of the poses.
void toCommonFrame(const Quat& frameFromMesh, const Vec3& origin, ContactManifold& manifold) {
    manifold.normal = normalizeOr(rotate(frameFromMesh, manifold.normal), {0, 1, 0});
    for (int i = 0; i < manifold.count; ++i) {
        ContactPoint& point = manifold.points[i];
        point.onB = origin + rotate(frameFromMesh, point.onB);
        point.onA = point.onB - manifold.normal * point.separation;
    }
}

// The manifold of a ball that touches one triangle: its point is that of the cluster.
ContactManifold ballManifold(const MeshPatch& patch) {
    ContactManifold manifold = patch.manifold;
    ContactPoint& point = manifold.points[0];
    point.onA = point.onB - manifold.normal * point.separation;
    manifold.key = keyOf(manifold.normal);
    return manifold;
}

}  // namespace

Real collideMeshConvex(const BuiltShape& mesh, const Pose& poseMesh, const BuiltShape& convex, const Pose& poseConvex,
                       const Range& range, ManifoldList& out, KnownManifolds known, bool meshIsFirst) {
    thread_local ContactScratch scratch;
    const Real margin = range.margin;
    const Vec3 centerInMesh = inverseTransformPoint(poseMesh, poseConvex.position);
    const Quat meshFromConvex = conjugate(poseMesh.orientation) * poseConvex.orientation;
    const MeshReach reach(poseMesh, convex, poseConvex, meshFromConvex, range);
    findMeshPatches(*mesh.mesh, convex, centerInMesh, meshFromConvex, reach, range, scratch.mesh);
    if (scratch.mesh.patches.empty())
        return reach.even();
    if (convex.type == ShapeType::Sphere && scratch.mesh.patches.size() == 1) {
        out.push_back(ballManifold(scratch.mesh.patches[0]));
        toCommonFrame(poseMesh.orientation, poseConvex.position, out.back());
        return 0;
    }

    takeKnown(known, poseMesh.orientation, meshIsFirst, scratch.known);
    std::uint32_t leaders[kMaxMeshManifolds];
    const int clusterCount = findClusters(scratch, kKeptPreference * convex.boundingRadius, leaders);
    const std::size_t begin = out.size();
    MeshPointFinder finder(*mesh.mesh, convex, centerInMesh, meshFromConvex, margin, scratch.points);
    for (int cluster = 0; cluster < clusterCount; ++cluster) {
        const MeshPatch& leader = scratch.mesh.patches[leaders[cluster]];
        finder.start(leader);
        for (std::size_t i = 0; i < scratch.mesh.patches.size(); ++i)
            if (scratch.cluster[i] == std::uint32_t(cluster))
                finder.add(scratch.mesh.patches[i]);
        if (range.points.facingCorners)
            for (const std::uint32_t triangle : scratch.mesh.triangles)
                finder.addCornersUnder(triangle);
        ContactManifold manifolds[2] = {finder.finish(), {}};
        manifolds[1] = finder.finishDeeper(manifolds[0], scratch.known);
        for (ContactManifold& manifold : manifolds) {
            if (manifold.count == 0)
                continue;
            manifold.key = makeUnique(keyOf(leader.manifold.normal), out, begin);
            toCommonFrame(poseMesh.orientation, poseConvex.position, manifold);
            out.push_back(manifold);
        }
    }
    return 0;
}

}  // namespace sunder::collision
