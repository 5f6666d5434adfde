// Prepares triangle surfaces and intersects them with rays.
#include "render/triangles.h"

#include <algorithm>

#include "geometry/surface/corner_normals.h"

namespace sunder::render {

namespace {
constexpr Real kHullEdge = Real(0.12);  // of a hull's inner radius
constexpr std::uint32_t kTrianglesPerLeaf = 3;
}  // namespace

TriangleSurface::TriangleSurface(std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles) {
    for (const auto& t : triangles)
        addTriangle(vertices[t[0]], vertices[t[1]], vertices[t[2]]);
    cornerNormals_ = geometry::cornerNormals(vertices, triangles);
    buildTree();
}

TriangleSurface::TriangleSurface(const Surface& surface, std::span<const std::shared_ptr<const Texture>> textures) {
    const auto colorOf = [&](std::uint32_t vertex) {
        const auto& color = surface.colors[vertex];
        return Vec3{Real(color[0]), Real(color[1]), Real(color[2])} / Real(255);
    };
    if (!surface.textureCoordinates.empty())
        textures_.assign(textures.begin(), textures.end());
    for (const auto& t : surface.triangles) {
        addTriangle(surface.positions[t[0]], surface.positions[t[1]], surface.positions[t[2]]);
        cornerNormals_.push_back({surface.normals[t[0]], surface.normals[t[1]], surface.normals[t[2]]});
        const auto& uv = surface.textureCoordinates;
        if (!textures_.empty())
            textureCoordinates_.push_back({uv[t[0]], uv[t[1]], uv[t[2]]});
        if (!surface.colors.empty())
            cornerColors_.push_back({colorOf(t[0]), colorOf(t[1]), colorOf(t[2])});
    }
    slots_.resize(surface.triangles.size(), 0);
    if (surface.materials)
        for (const MeshMaterial& material : *surface.materials)
            albedos_.push_back({Real(material.color[0]), Real(material.color[1]), Real(material.color[2])});
    for (const SurfaceRange& range : surface.ranges)
        std::fill_n(slots_.begin() + range.firstTriangle, range.triangleCount, range.slot);
    buildTree();
}

TriangleSurface::TriangleSurface(const geometry::Polyhedron& hull) {
    for (std::size_t face = 0; face < hull.faces.size(); ++face) {
        const auto& f = hull.faces[face];
        const auto corner = [&](int i) { return hull.vertices[hull.faceVertices[f.firstIndex + i]]; };
        for (int i = 1; i + 1 < f.vertexCount; ++i) {
            addTriangle(corner(0), corner(i), corner(i + 1));
            normals_.back() = f.normal;
            faceOf_.push_back(static_cast<std::uint32_t>(face));
        }
    }
    edgeWidth_ = kHullEdge * hull.innerRadius;
    addFaceEdges(hull);
    buildTree();
}

void TriangleSurface::addTriangle(const Vec3& a, const Vec3& b, const Vec3& c) {
    triangles_.push_back({a, b - a, c - a});
    normals_.push_back(normalizeOr(cross(b - a, c - a), {0, 1, 0}));
    bounds_ = unite(unite(unite(bounds_, a), b), c);
}

void TriangleSurface::addFaceEdges(const geometry::Polyhedron& hull) {
    std::vector<std::vector<FaceEdge>> edges(hull.faces.size());
    for (const auto& edge : hull.edges) {
        const Vec3 a = hull.vertices[edge.vertex0], b = hull.vertices[edge.vertex1];
        const Vec3 along = normalizeOr(b - a, {1, 0, 0});
        const auto add = [&](std::uint16_t face, std::uint16_t across, const Vec3& forward) {
            const Vec3 inward = cross(hull.faces[face].normal, forward);
            edges[face].push_back({inward, dot(inward, a), hull.faces[across].normal});
        };
        add(edge.face0, edge.face1, along);
        add(edge.face1, edge.face0, -along);
    }
    for (const auto& list : edges) {
        faces_.push_back({static_cast<std::uint32_t>(faceEdges_.size()), static_cast<std::uint32_t>(list.size())});
        faceEdges_.insert(faceEdges_.end(), list.begin(), list.end());
    }
}

void TriangleSurface::buildTree() {
    std::vector<Bounds> boxes;
    boxes.reserve(triangles_.size());
    for (const Triangle& t : triangles_)
        boxes.push_back(unite(unite(unite(Bounds{}, t.corner), t.corner + t.edge1), t.corner + t.edge2));
    tree_ = geometry::StaticTree(boxes, kTrianglesPerLeaf);
}

// [MT97] Moeller and Trumbore, Fast, minimum storage ray/triangle intersection.
Real TriangleSurface::strike(const Triangle& triangle, const Vec3& origin, const Vec3& direction) {
    const Vec3 p = cross(direction, triangle.edge2);
    const Real determinant = dot(triangle.edge1, p);
    if (determinant == 0)
        return kInfinity;
    const Real inverse = 1 / determinant;
    const Vec3 s = origin - triangle.corner;
    const Real u = dot(s, p) * inverse;
    // Slightly beyond the edges, so that no ray passes between two triangles.
    constexpr Real kSlack = 8 * kEpsilon;
    if (!(u >= -kSlack && u <= 1 + kSlack))
        return kInfinity;
    const Vec3 q = cross(s, triangle.edge1);
    const Real v = dot(direction, q) * inverse;
    if (!(v >= -kSlack && u + v <= 1 + kSlack))
        return kInfinity;
    const Real distance = dot(triangle.edge2, q) * inverse;
    return distance > 0 ? distance : kInfinity;
}

Real TriangleSurface::intersect(const Vec3& origin, const Vec3& direction, Real limit, std::uint32_t& triangle) const {
    Ray ray = makeRay(origin, direction, limit);
    bool found = false;
    walk(tree_, ray, [&](std::uint32_t item, Ray& r) {
        const Real distance = strike(triangles_[item], origin, direction);
        if (distance < r.limit) {
            r.limit = distance;
            triangle = item;
            found = true;
        }
        return false;
    });
    return found ? ray.limit : kInfinity;
}

bool TriangleSurface::occludes(const Vec3& origin, const Vec3& direction, Real limit) const {
    Ray ray = makeRay(origin, direction, limit);
    return walk(tree_, ray,
                [&](std::uint32_t item, const Ray& r) { return strike(triangles_[item], origin, direction) < r.limit; });
}

std::array<Real, 2> TriangleSurface::sharesAt(std::uint32_t triangle, const Vec3& point) const {
    const Triangle& t = triangles_[triangle];
    const Vec3 areaNormal = cross(t.edge1, t.edge2);
    const Real scale = lengthSquared(areaNormal) > 0 ? 1 / lengthSquared(areaNormal) : 0;
    const Vec3 offset = point - t.corner;
    return {dot(cross(offset, t.edge2), areaNormal) * scale, dot(cross(t.edge1, offset), areaNormal) * scale};
}

std::optional<Vec3> TriangleSurface::albedo(std::uint32_t triangle, const Vec3& point) const {
    const std::size_t material = slots_.empty() ? 0 : DrawnSurface::materialOfSlot(slots_[triangle]);
    if (material >= albedos_.size() || isFractured(triangle))
        return std::nullopt;
    Vec3 color = albedos_[material];
    const auto [s, t] = sharesAt(triangle, point);
    if (!cornerColors_.empty()) {
        const auto& corner = cornerColors_[triangle];
        color = multiply(color, corner[0] * (1 - s - t) + corner[1] * s + corner[2] * t);
    }
    if (material < textures_.size() && textures_[material]) {
        const auto& uv = textureCoordinates_[triangle];
        const auto at = [&, s = s, t = t](std::size_t i) {
            return Real(uv[0][i]) * (1 - s - t) + Real(uv[1][i]) * s + Real(uv[2][i]) * t;
        };
        color = multiply(color, textures_[material]->at(at(0), at(1)));
    }
    return color;
}

SurfaceNormals TriangleSurface::normals(std::uint32_t triangle, const Vec3& point) const {
    SurfaceNormals result{normals_[triangle], normals_[triangle]};
    if (!cornerNormals_.empty()) {
        const auto [u, v] = sharesAt(triangle, point);
        const auto& corner = cornerNormals_[triangle];
        result.shading = normalizeOr(corner[0] * (1 - u - v) + corner[1] * u + corner[2] * v, result.geometric);
    } else if (!faceOf_.empty()) {
        const Face& face = faces_[faceOf_[triangle]];
        for (std::uint32_t i = 0; i < face.edgeCount; ++i) {
            const FaceEdge& edge = faceEdges_[face.firstEdge + i];
            result.shading += edge.neighbor * edgeTurn(dot(edge.inward, point) - edge.offset, edgeWidth_);
        }
        result.shading = normalizeOr(result.shading, result.geometric);
    }
    return result;
}

}  // namespace sunder::render
