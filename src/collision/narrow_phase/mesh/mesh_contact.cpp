// Convex shape against triangle mesh: the patches of single triangles, gathered into few manifolds.
//   1. patches of single triangles without the seams between them (mesh_patches)
//   2. patches whose normals nearly agree become one cluster, deepest first
//   3. points of a cluster: corners of the convex shape come first, points on seams only where no corners surround them
//   4. at most four points by the shared reduction
#include "collision/narrow_phase/mesh/mesh_contact.h"

#include <algorithm>

#include "collision/narrow_phase/mesh/facing_corners.h"
#include "collision/narrow_phase/mesh/mesh_patches.h"
#include "collision/narrow_phase/mesh/mesh_points.h"

namespace sunder::collision {
namespace {

// cos(5 degrees): the normals of one cluster lie within this of its deepest contact's.
constexpr Real kClusterCosine = Real(0.99619470);
// Steps per unit of the normal's components in a key. Faces at right angles, 30, 45 and 60 degrees fall well inside a step.
constexpr Real kKeySteps = 16;

struct Scratch {
    MeshScratch mesh;
    MeshPointScratch points;
    std::vector<std::uint32_t> order;    // patches, deepest first
    std::vector<std::uint32_t> cluster;  // of each patch
};

// Sorts the patches into clusters about the deepest ones; returns the number of clusters, and their leaders. Patches beyond
// kMaxMeshManifolds clusters are dropped.
int findClusters(Scratch& scratch, std::uint32_t (&leaders)[kMaxMeshManifolds]) {
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
    for (const std::uint32_t patch : scratch.order) {
        int cluster = 0;
        while (cluster < count &&
               !(dot(patches[leaders[cluster]].manifold.normal, patches[patch].manifold.normal) > kClusterCosine))
            ++cluster;
        if (cluster == count && count < kMaxMeshManifolds)
            leaders[count++] = patch;
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

}  // namespace

void collideMeshConvex(const BuiltShape& mesh, const Pose& poseMesh, const BuiltShape& convex, const Pose& poseConvex,
                       const Range& range, ManifoldList& out) {
    thread_local Scratch scratch;
    const Real margin = range.margin;
    const Vec3 centerInMesh = inverseTransformPoint(poseMesh, poseConvex.position);
    const Quat meshFromConvex = conjugate(poseMesh.orientation) * poseConvex.orientation;
    findMeshPatches(*mesh.mesh, convex, centerInMesh, meshFromConvex, range, scratch.mesh);
    if (scratch.mesh.patches.empty())
        return;

    std::uint32_t leaders[kMaxMeshManifolds];
    const int clusterCount = findClusters(scratch, leaders);
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
        ContactManifold manifold = finder.finish();
        manifold.key = makeUnique(keyOf(leader.manifold.normal), out, begin);
        toCommonFrame(poseMesh.orientation, poseConvex.position, manifold);
        out.push_back(manifold);
    }
}

}  // namespace sunder::collision
