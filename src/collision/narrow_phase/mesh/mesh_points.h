// The points of one manifold between a convex shape and a mesh, gathered from the triangles that share its normal.
#pragma once

#include <vector>

#include "collision/narrow_phase/mesh/facing_corners.h"
#include "collision/narrow_phase/mesh/mesh_patches.h"

namespace sunder::collision {

struct MeshPointScratch {
    // How well a point persists while the shape slides.
    enum class Kind : std::uint8_t {
        Corner,    // of the convex shape: belongs to it wherever it is
        Crossing,  // of the convex shape's surface with an edge of the mesh that bends
        Seam,      // on an edge between triangles of one plane: an accident of the triangulation
    };
    struct Candidate {
        ContactPoint point;
        std::uint32_t order = 0;  // in which it was found
        Kind kind = Kind::Corner;
    };
    std::vector<Candidate> candidates;
    std::vector<ContactPoint> points;
};

// Call start with the deepest patch of the cluster, add for each of its patches, addCornersUnder for triangles near the shape
// that gave no patch to the cluster, then finish. Frame as in MeshPatch.
class MeshPointFinder {
public:
    MeshPointFinder(const geometry::TriangleMesh& mesh, const BuiltShape& convex, const Vec3& centerInMesh,
                    const Quat& meshFromConvex, Real margin, MeshPointScratch& scratch);
    void start(const MeshPatch& leader);
    void add(const MeshPatch& patch);
    // Adds corners where the triangle continues the leader's plane: a shape whose sides lean inward can have a corner under it
    // without touching it.
    void addCornersUnder(std::uint32_t triangle);
    ContactManifold finish();
    // After finish: of a bent surface, touching points that the manifold left out although they are deeper than all of its own,
    // or were contacts at the last look. Without them a body would sink there until they replace others, and rock for ever.
    // count is 0 where there are none.
    ContactManifold finishDeeper(const ContactManifold& first, KnownManifolds known);

private:
    using Kind = MeshPointScratch::Kind;
    using Candidate = MeshPointScratch::Candidate;

    void addCandidate(const Vec3& onB, Real separation, std::uint32_t feature, Kind kind);
    void addCorners(std::uint32_t triangle, Real planeTolerance);
    bool isCorner(const Vec3& point) const;
    bool isOnSeam(std::uint32_t triangle, const Vec3& point) const;
    std::uint32_t nearestVertex(const Vec3& point) const;
    void dropCoveredSeams();
    void keepExtremes();
    void dropRepeated();
    void makeFeaturesUnique();

    const geometry::TriangleMesh& mesh_;
    const BuiltShape& convex_;
    const Vec3 centerInMesh_;
    const Placement orientation_;
    const Real margin_;
    MeshPointScratch& scratch_;
    Vec3 normal_;
    Vec3 pointOnPlane_;    // of the leader
    bool isFace_ = false;  // the leader's normal is its triangle's
    FacingCorners corners_;
};

}  // namespace sunder::collision
