// A level set against a triangle mesh: the particles by their distance to the nearest triangle, and the sharp edges of the
// mesh in the field. The mesh is one-sided; a particle behind it by less than the level set is thick counts as inside.
#include "collision/narrow_phase/level_set/level_set_partners.h"
#include "geometry/level_set/closest_point.h"

namespace sunder::collision {
namespace {

using geometry::TriangleMesh;

// The relation of a point to one triangle.
struct NearestOnMesh {
    double distance = 0;  // to the triangle
    double height = 0;    // above its plane
    Vec3 closest;
    Vec3 normal;  // of the triangle
    bool onBorder = false;
};

NearestOnMesh nearestOn(const TriangleMesh& mesh, std::uint32_t triangle, const Vec3& point) {
    const auto& v = mesh.triangles()[triangle].vertices;
    const Vec3d p = toDouble(point), a = toDouble(mesh.vertices()[v[0]]), b = toDouble(mesh.vertices()[v[1]]),
                c = toDouble(mesh.vertices()[v[2]]);
    const geometry::TrianglePoint found = geometry::closestPoint(p, a, b, c);
    const auto& [wa, wb, wc] = found.weights;
    NearestOnMesh result;
    result.distance = std::sqrt(found.squaredDistance);
    result.normal = mesh.normal(triangle);
    result.height = dot(toDouble(result.normal), p - a);
    result.closest = toReal(a * wa + b * wb + c * wc);
    result.onBorder = !(wa > 0 && wb > 0 && wc > 0);
    return result;
}

// At an edge several triangles are equally near; the one whose plane is farthest from the point gives the right side.
bool isNearer(const NearestOnMesh& a, const NearestOnMesh& b) {
    constexpr double kTie = 1e-6;  // relative difference of distances that count as equal
    const double tie = kTie * (a.distance + b.distance);
    if (std::fabs(a.distance - b.distance) > tie)
        return a.distance < b.distance;
    return std::fabs(a.height) > std::fabs(b.height);
}

// In the frame of the mesh.
struct MeshSide {
    Real separation = kInfinity;
    Vec3 normal;
};

MeshSide sideOf(const NearestOnMesh& nearest, const Vec3& point) {
    if (nearest.height < 0)
        return {-Real(nearest.distance), nearest.normal};
    const Vec3 arm = point - nearest.closest;
    const bool isBeside = nearest.onBorder && nearest.distance > 0;
    return {Real(nearest.distance), isBeside ? normalizeOr(arm, nearest.normal) : nearest.normal};
}

class MeshProbe {
public:
    MeshProbe(const LevelSetShape& own, const Pose& poseOwn, const TriangleMesh& mesh, const Pose& poseMesh, Real margin,
              std::vector<ParticleContact>& contacts)
        : own_(own),
          poseOwn_(poseOwn),
          mesh_(mesh),
          poseMesh_(poseMesh),
          frames_(poseOwn, poseMesh),
          margin_(margin),
          contacts_(contacts) {}

    // The distance of the nearest particle, or margin.
    Real probeParticles() {
        Real least = margin_;
        const auto& clusters = own_.solid->particles.clusters;
        for (const auto& cluster : clusters) {
            const Vec3 middle = toMesh(cluster.center);
            triangles_.clear();
            mesh_.query(expand({middle, middle}, cluster.radius + max(margin_, own_.innerRadius)), triangles_);
            if (triangles_.empty())
                continue;
            for (std::uint32_t i = cluster.first; i < cluster.first + cluster.count; ++i)
                least = min(least, probe(i));
        }
        return least;
    }

    // Samples the mesh's convex edges in the field.
    void probeEdges() {
        const Mat3 absolute{abs(frames_.rotation.row0), abs(frames_.rotation.row1), abs(frames_.rotation.row2)};
        const Vec3 middle = toMesh(center(own_.bounds)), half = absolute * ((own_.bounds.high - own_.bounds.low) * Real(0.5));
        triangles_.clear();
        mesh_.query(expand({middle - half, middle + half}, margin_), triangles_);
        for (const std::uint32_t triangle : triangles_)
            for (int edge = 0; edge < 3; ++edge)
                if (mesh_.triangles()[triangle].activeEdges >> edge & 1)
                    probeEdge(triangle, edge);
    }

private:
    Vec3 toMesh(const Vec3& p) const { return frames_.rotation * p + frames_.offset; }
    Vec3 toOwn(const Vec3& p) const { return transposeTimes(frames_.rotation, p - frames_.offset); }

    Real probe(std::uint32_t particle) {
        const auto& particles = own_.solid->particles;
        const Vec3 point = toMesh(particles.positions[particle]);
        NearestOnMesh best = nearestOn(mesh_, triangles_[0], point);
        for (std::size_t i = 1; i < triangles_.size(); ++i)
            if (const NearestOnMesh next = nearestOn(mesh_, triangles_[i], point); isNearer(next, best))
                best = next;
        const MeshSide side = sideOf(best, point);
        if (side.separation < -own_.innerRadius)
            return margin_;
        Vec3 normal;
        if (side.separation < margin_ &&
            chooseNormal(side.normal,
                         {frames_.rotation * particles.normals[particle],
                          frames_.rotation * (particles.positions[particle] - own_.innerCenter), particles.features[particle],
                          readingOf(side.separation, kTouchingCells * own_.field().grid.cell, own_.innerRadius), false},
                         normal))
            contacts_.push_back({transformPoint(poseMesh_, point), -rotate(poseMesh_.orientation, normal), side.separation,
                                 particleFeature(int(particle), false), false});
        return side.separation;
    }

    void probeEdge(std::uint32_t triangle, int edge) {
        const auto& v = mesh_.triangles()[triangle].vertices;
        const Vec3 normal = normalizeOr(mesh_.normal(triangle) + mesh_.neighborNormal(triangle, edge), mesh_.normal(triangle));
        addEdgeContacts(own_, poseOwn_, toOwn(mesh_.vertices()[v[std::size_t(edge)]]),
                        toOwn(mesh_.vertices()[v[std::size_t((edge + 1) % 3)]]), transposeTimes(frames_.rotation, normal),
                        3 * triangle + std::uint32_t(edge), margin_, contacts_);
    }

    const LevelSetShape& own_;
    const Pose& poseOwn_;
    const TriangleMesh& mesh_;
    const Pose& poseMesh_;
    ProbeFrames frames_;
    Real margin_;
    std::vector<ParticleContact>& contacts_;
    static thread_local std::vector<std::uint32_t> triangles_;
};

thread_local std::vector<std::uint32_t> MeshProbe::triangles_;

}  // namespace

Real collideWithMesh(const LevelSetShape& own, const Pose& poseOwn, const TriangleMesh& mesh, const Pose& poseMesh, Real margin,
                     std::vector<ParticleContact>& contacts) {
    MeshProbe probe(own, poseOwn, mesh, poseMesh, margin, contacts);
    const Real least = probe.probeParticles();
    probe.probeEdges();
    return least;
}

}  // namespace sunder::collision
