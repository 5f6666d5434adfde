#include "geometry/tets/tet_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/vec3d.h"

namespace sunder::geometry {
namespace {

constexpr double kDegrees = 57.29577951308232;

std::array<Vec3d, 4> cornersOf(const TetMesh& mesh, std::uint32_t tet) {
    std::array<Vec3d, 4> corners;
    for (int i = 0; i < 4; ++i)
        corners[i] = toDouble(mesh.vertices[mesh.tets[tet][i]]);
    return corners;
}

double signedVolume(const std::array<Vec3d, 4>& p) { return dot(cross(p[1] - p[0], p[2] - p[0]), p[3] - p[0]) / 6; }

// A face by its sorted vertices, and its tetrahedron: equal faces are neighbours once sorted.
struct KeyedFace {
    std::array<std::uint32_t, 3> vertices;
    std::uint32_t tet;
    std::uint32_t face;
    friend bool operator<(const KeyedFace& a, const KeyedFace& b) {
        return a.vertices != b.vertices ? a.vertices < b.vertices : a.tet != b.tet ? a.tet < b.tet : a.face < b.face;
    }
};

std::vector<KeyedFace> sortedFaces(const TetMesh& mesh) {
    // First by the smallest vertex, into places that are counted; then what shares it.
    std::vector<std::uint32_t> placeOf(mesh.vertices.size() + 1, 0);
    const auto smallestOf = [](const TriangleIndices& face) { return std::min({face[0], face[1], face[2]}); };
    for (const TetCorners& tet : mesh.tets)
        for (int face = 0; face < 4; ++face)
            ++placeOf[smallestOf(faceOf(tet, face)) + 1];
    std::partial_sum(placeOf.begin(), placeOf.end(), placeOf.begin());
    std::vector<KeyedFace> faces(4 * mesh.tets.size());
    for (std::uint32_t tet = 0; tet < mesh.tets.size(); ++tet)
        for (int face = 0; face < 4; ++face) {
            TriangleIndices vertices = faceOf(mesh.tets[tet], face);
            std::sort(vertices.begin(), vertices.end());
            faces[placeOf[vertices[0]]++] = {vertices, tet, std::uint32_t(face)};
        }
    for (std::size_t vertex = 0, first = 0; vertex < mesh.vertices.size(); first = placeOf[vertex++])
        std::sort(faces.begin() + std::ptrdiff_t(first), faces.begin() + std::ptrdiff_t(placeOf[vertex]));
    return faces;
}

void keepUsedVertices(const TetMesh& mesh, TetSurface& surface) {
    constexpr std::uint32_t kUnused = 0xffffffffu;
    std::vector<std::uint32_t> numberOf(mesh.vertices.size(), kUnused);
    for (const TriangleIndices& triangle : surface.triangles)
        for (const std::uint32_t vertex : triangle)
            numberOf[vertex] = 0;
    for (std::size_t vertex = 0; vertex < mesh.vertices.size(); ++vertex)
        if (numberOf[vertex] != kUnused) {
            numberOf[vertex] = std::uint32_t(surface.vertices.size());
            surface.vertices.push_back(mesh.vertices[vertex]);
        }
    for (TriangleIndices& triangle : surface.triangles)
        for (std::uint32_t& vertex : triangle)
            vertex = numberOf[vertex];
}

}  // namespace

Bounds boundsOf(const TetMesh& mesh) {
    Bounds bounds;
    for (const Vec3& vertex : mesh.vertices)
        bounds = unite(bounds, vertex);
    return bounds;
}

double volumeOf(const TetMesh& mesh, std::uint32_t tet) { return signedVolume(cornersOf(mesh, tet)); }

TriangleIndices faceOf(const TetCorners& tet, int face) {
    constexpr int kCorners[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    const int(&corners)[3] = kCorners[face];
    return {tet[corners[0]], tet[corners[1]], tet[corners[2]]};
}

TetQuality measureQuality(const TetMesh& mesh) {
    TetQuality quality;
    quality.smallestVolume = mesh.tets.empty() ? 0 : std::numeric_limits<double>::max();
    double smallestCosine = 1, largestCosine = -1;
    for (std::uint32_t tet = 0; tet < mesh.tets.size(); ++tet) {
        const std::array<Vec3d, 4> p = cornersOf(mesh, tet);
        const double volume = signedVolume(p);
        quality.volume += volume;
        quality.smallestVolume = std::min(quality.smallestVolume, volume);
        quality.inverted += volume > 0 ? 0 : 1;
        Vec3d normals[4];
        for (int face = 0; face < 4; ++face) {
            const TriangleIndices f = faceOf({0, 1, 2, 3}, face);
            normals[face] = normalizeOr(cross(p[f[1]] - p[f[0]], p[f[2]] - p[f[0]]), {});
        }
        for (int i = 0; i < 4; ++i)
            for (int j = i + 1; j < 4; ++j) {
                const double cosine = -dot(normals[i], normals[j]);
                smallestCosine = std::min(smallestCosine, cosine);
                largestCosine = std::max(largestCosine, cosine);
            }
    }
    if (!mesh.tets.empty()) {
        quality.smallestDihedral = kDegrees * std::acos(std::min(largestCosine, 1.0));
        quality.largestDihedral = kDegrees * std::acos(std::max(smallestCosine, -1.0));
    }
    return quality;
}

MassProperties massOf(const TetMesh& mesh, std::span<const std::uint32_t> tets) {
    MassProperties mass;
    if (tets.empty())
        return mass;
    // Relative to a corner of the mesh, so that large coordinates do not cancel.
    const Vec3d origin = toDouble(mesh.vertices[mesh.tets[tets[0]][0]]);
    Vec3d first;
    std::array<double, 6> second{};  // integrals of xx yy zz xy xz yz
    for (const std::uint32_t tet : tets) {
        std::array<Vec3d, 4> p = cornersOf(mesh, tet);
        const double volume = signedVolume(p);
        Vec3d sum;
        for (Vec3d& corner : p)
            sum += corner = corner - origin;
        mass.volume += volume;
        first += sum * (volume / 4);
        const auto add = [&](const Vec3d& a) {
            const double products[6] = {a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z};
            for (int i = 0; i < 6; ++i)
                second[i] += products[i] * (volume / 20);
        };
        add(sum);
        for (const Vec3d& corner : p)
            add(corner);
    }
    const Vec3d c = first * (1 / mass.volume);
    const double products[6] = {c.x * c.x, c.y * c.y, c.z * c.z, c.x * c.y, c.x * c.z, c.y * c.z};
    for (int i = 0; i < 6; ++i)
        second[i] -= mass.volume * products[i];
    mass.center = {c.x + origin.x, c.y + origin.y, c.z + origin.z};
    mass.inertia = {second[1] + second[2], second[0] + second[2], second[0] + second[1], -second[3], -second[4], -second[5]};
    return mass;
}

TetNeighbors findNeighbors(const TetMesh& mesh) {
    TetNeighbors neighbors;
    neighbors.across.assign(mesh.tets.size(), {kNoTet, kNoTet, kNoTet, kNoTet});
    const std::vector<KeyedFace> faces = sortedFaces(mesh);
    for (std::size_t first = 0, end = 0; first < faces.size(); first = end) {
        while (end < faces.size() && faces[end].vertices == faces[first].vertices)
            ++end;
        const KeyedFace &a = faces[first], &b = faces[end - 1];
        if (end - first == 2) {
            neighbors.across[a.tet][a.face] = b.tet;
            neighbors.across[b.tet][b.face] = a.tet;
        } else if (end - first > 2) {
            ++neighbors.tangled;
        }
    }
    return neighbors;
}

TetSurface surfaceOf(const TetMesh& mesh, const TetNeighbors& neighbors, std::span<const std::uint32_t> labels,
                     std::uint32_t label) {
    TetSurface surface;
    for (std::uint32_t tet = 0; tet < mesh.tets.size(); ++tet) {
        if (labels[tet] != label)
            continue;
        for (int face = 0; face < 4; ++face) {
            const std::uint32_t other = neighbors.across[tet][face];
            const std::uint32_t across = other == kNoTet ? kNoTet : labels[other];
            if (across == label)
                continue;
            surface.triangles.push_back(faceOf(mesh.tets[tet], face));
            surface.across.push_back(across);
        }
    }
    keepUsedVertices(mesh, surface);
    return surface;
}

TetSurface surfaceOf(const TetMesh& mesh, const TetNeighbors& neighbors) {
    return surfaceOf(mesh, neighbors, std::vector<std::uint32_t>(mesh.tets.size()), 0);
}

}  // namespace sunder::geometry
