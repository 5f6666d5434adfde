// A triangle surface prepared for rays: its own tree, and normals that hide the facets of smooth meshes and round the edges
// of hulls.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "geometry/polyhedron.h"
#include "render/primitives.h"
#include "render/ray_walk.h"
#include "render/texture.h"
#include "sunder/scene/surface.h"

namespace sunder::render {

class TriangleSurface {
public:
    // For smooth meshes: edges bent by less than 35 degrees are drawn smooth.
    TriangleSurface(std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles);
    // Flat faces with slightly rounded edges.
    explicit TriangleSurface(const geometry::Polyhedron& hull);
    // With the surface's own normals, slots and vertex colours. textures: by material, null where it has none.
    explicit TriangleSurface(const Surface& surface, std::span<const std::shared_ptr<const Texture>> textures = {});

    // Both sides are seen, since meshes may be open. Writes the triangle that was hit, if any.
    Real intersect(const Vec3& origin, const Vec3& direction, Real limit, std::uint32_t& triangle) const;
    bool occludes(const Vec3& origin, const Vec3& direction, Real limit) const;
    SurfaceNormals normals(std::uint32_t triangle, const Vec3& point) const;
    // Whether the triangle is on a fracture surface.
    bool isFractured(std::uint32_t triangle) const {
        return !slots_.empty() && slots_[triangle] == DrawnSurface::kFractureSurface;
    }
    // The colour that the triangle's own material has at a point, or nothing where the body's look decides.
    std::optional<Vec3> albedo(std::uint32_t triangle, const Vec3& point) const;
    Bounds bounds() const { return bounds_; }
    bool empty() const { return triangles_.empty(); }

private:
    struct Triangle {
        Vec3 corner, edge1, edge2;
    };
    struct FaceEdge {
        Vec3 inward;      // unit, in the face's plane
        Real offset = 0;  // inward . x at the edge
        Vec3 neighbor;    // normal of the face across
    };
    struct Face {
        std::uint32_t firstEdge = 0, edgeCount = 0;
    };

    // Shares of the second and the third corner at a point of the triangle.
    std::array<Real, 2> sharesAt(std::uint32_t triangle, const Vec3& point) const;
    static Real strike(const Triangle& triangle, const Vec3& origin, const Vec3& direction);
    void addTriangle(const Vec3& a, const Vec3& b, const Vec3& c);
    void addFaceEdges(const geometry::Polyhedron& hull);
    void buildTree();

    std::vector<Triangle> triangles_;
    std::vector<Vec3> normals_;                                            // per triangle, unit
    std::vector<std::array<Vec3, 3>> cornerNormals_;                       // smooth meshes only
    std::vector<std::uint16_t> slots_;                                     // per triangle; empty: all 0
    std::vector<Vec3> albedos_;                                            // by material of the mesh
    std::vector<std::shared_ptr<const Texture>> textures_;                 // by material, may be null; or empty
    std::vector<std::array<std::array<float, 2>, 3>> textureCoordinates_;  // per triangle, or empty
    std::vector<std::array<Vec3, 3>> cornerColors_;                        // per triangle, or empty
    std::vector<std::uint32_t> faceOf_;                                    // hulls only, per triangle
    std::vector<Face> faces_;
    std::vector<FaceEdge> faceEdges_;
    Real edgeWidth_ = 0;
    Bounds bounds_;
    geometry::StaticTree tree_;
};

}  // namespace sunder::render
