#include "geometry/polyhedron.h"

#include <algorithm>
#include <cassert>

#include "geometry/mass_properties.h"
#include "math/vec3d.h"

namespace sunder::geometry {

namespace {

// The plane through the mean of the loop with the normal of its area (Newell), which averages out errors.
Polyhedron::Face makeFace(std::span<const Vec3> vertices, std::span<const std::uint16_t> loop) {
    Vec3d area, mean;
    const Vec3d origin = toDouble(vertices[loop[0]]);
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const Vec3d a = toDouble(vertices[loop[i]]) - origin, b = toDouble(vertices[loop[(i + 1) % loop.size()]]) - origin;
        area = area + cross(a, b);
        mean = mean + a;
    }
    const Vec3d normal = area * (1 / length(area));
    Polyhedron::Face face;
    face.normal = toReal(normal);
    face.offset = Real(dot(normal, origin + mean * (1 / double(loop.size()))));
    return face;
}

// One edge per pair of opposite half-edges, in the order of the lower vertex, then the higher one.
void makeEdges(Polyhedron& polyhedron) {
    struct HalfEdge {
        std::uint16_t low, high, face;
        bool rising;  // this face runs from low to high
    };
    std::vector<HalfEdge> halfEdges;
    for (std::size_t f = 0; f < polyhedron.faces.size(); ++f) {
        const Polyhedron::Face& face = polyhedron.faces[f];
        for (int i = 0; i < face.vertexCount; ++i) {
            const std::uint16_t from = polyhedron.faceVertices[face.firstIndex + i];
            const std::uint16_t to = polyhedron.faceVertices[face.firstIndex + (i + 1) % face.vertexCount];
            halfEdges.push_back({std::min(from, to), std::max(from, to), std::uint16_t(f), from < to});
        }
    }
    std::sort(halfEdges.begin(), halfEdges.end(), [](const HalfEdge& a, const HalfEdge& b) {
        if (a.low != b.low)
            return a.low < b.low;
        return a.high != b.high ? a.high < b.high : a.rising > b.rising;
    });
    assert(halfEdges.size() % 2 == 0);
    for (std::size_t i = 0; i + 1 < halfEdges.size(); i += 2) {
        const HalfEdge &a = halfEdges[i], &b = halfEdges[i + 1];
        assert(a.low == b.low && a.high == b.high && a.rising && !b.rising);
        polyhedron.edges.push_back({a.low, a.high, a.face, b.face});
    }
}

void makeCenter(Polyhedron& polyhedron) {
    const MassProperties mass = meshMass(polyhedron.vertices, triangulate(polyhedron));
    polyhedron.center = {Real(mass.center[0]), Real(mass.center[1]), Real(mass.center[2])};
    polyhedron.innerRadius = kInfinity;
    for (const Polyhedron::Face& face : polyhedron.faces)
        polyhedron.innerRadius = min(polyhedron.innerRadius, face.offset - dot(face.normal, polyhedron.center));
    polyhedron.innerRadius = max(polyhedron.innerRadius, Real(0));
}

void makeLanes(Polyhedron& polyhedron) {
    const std::vector<Vec3>& vertices = polyhedron.vertices;
    const std::vector<Polyhedron::Face>& faces = polyhedron.faces;
    const auto quads = [](std::size_t count) { return (count + 3) / 4; };
    std::vector<Real>& lanes = polyhedron.lanes;
    lanes.reserve(quads(vertices.size()) * Polyhedron::kVertexQuad + quads(faces.size()) * Polyhedron::kFaceQuad +
                  quads(polyhedron.edges.size()) * 4);
    for (std::size_t first = 0; first < vertices.size(); first += 4)
        for (int axis = 0; axis < 3; ++axis)
            for (std::size_t i = first; i < first + 4; ++i)
                lanes.push_back(component(vertices[std::min(i, vertices.size() - 1)], axis));
    for (std::size_t first = 0; first < faces.size(); first += 4)
        for (int row = 0; row < 4; ++row)
            for (std::size_t i = first; i < first + 4; ++i) {
                const Polyhedron::Face& face = faces[std::min(i, faces.size() - 1)];
                lanes.push_back(row < 3 ? component(face.normal, row) : face.offset);
            }
    for (std::size_t i = 0; i < quads(polyhedron.edges.size()) * 4; ++i) {
        const Polyhedron::Edge& edge = polyhedron.edges[std::min(i, polyhedron.edges.size() - 1)];
        lanes.push_back(dot(faces[edge.face0].normal, faces[edge.face1].normal));
    }
}

}  // namespace

Polyhedron makePolyhedron(std::vector<Vec3> vertices, std::span<const std::vector<std::uint16_t>> loops) {
    Polyhedron polyhedron;
    polyhedron.vertices = std::move(vertices);
    std::size_t corners = 0;
    for (const std::vector<std::uint16_t>& loop : loops)
        corners += loop.size();
    polyhedron.faces.reserve(loops.size());
    polyhedron.faceVertices.reserve(corners);
    polyhedron.edges.reserve(corners / 2);
    for (const std::vector<std::uint16_t>& loop : loops) {
        Polyhedron::Face face = makeFace(polyhedron.vertices, loop);
        face.firstIndex = std::uint16_t(polyhedron.faceVertices.size());
        face.vertexCount = std::uint16_t(loop.size());
        polyhedron.faces.push_back(face);
        polyhedron.faceVertices.insert(polyhedron.faceVertices.end(), loop.begin(), loop.end());
    }
    makeEdges(polyhedron);
    makeCenter(polyhedron);
    makeLanes(polyhedron);
    return polyhedron;
}

Polyhedron boxPolyhedron(const Vec3& h) {
    std::vector<Vec3> vertices;
    for (int i = 0; i < 8; ++i)
        vertices.push_back({i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z});
    const std::vector<std::uint16_t> loops[6] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                 {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    return makePolyhedron(std::move(vertices), loops);
}

std::vector<std::array<std::uint32_t, 3>> triangulate(const Polyhedron& polyhedron) {
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (const Polyhedron::Face& face : polyhedron.faces) {
        const std::uint16_t* loop = polyhedron.faceVertices.data() + face.firstIndex;
        for (int i = 2; i < face.vertexCount; ++i)
            triangles.push_back({loop[0], loop[i - 1], loop[i]});
    }
    return triangles;
}

}  // namespace sunder::geometry
