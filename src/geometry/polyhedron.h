// A convex polyhedron with the tables that collision needs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace sunder::geometry {

struct Polyhedron {
    struct Face {
        Vec3 normal;                   // unit, outward
        Real offset = 0;               // normal . x = offset on the plane
        std::uint16_t firstIndex = 0;  // into faceVertices; counter-clockwise from outside
        std::uint16_t vertexCount = 0;
    };
    struct Edge {
        std::uint16_t vertex0 = 0, vertex1 = 0;
        std::uint16_t face0 = 0, face1 = 0;  // face0 sees vertex0 -> vertex1 counter-clockwise
    };
    std::vector<Vec3> vertices;
    std::vector<Face> faces;
    std::vector<std::uint16_t> faceVertices;
    std::vector<Edge> edges;
    Vec3 center;           // of the volume, so inside
    Real innerRadius = 0;  // of the largest sphere about center inside

    // What searches in wide lanes read, one after the other. Vertices, four by four: four x, four y, four z; faces likewise:
    // four x, y and z of the normals and four offsets. The last four repeat the last one. Then the cosine of the angle between
    // the normals of each edge's faces, up to a multiple of four.
    static constexpr int kVertexQuad = 12, kFaceQuad = 16;
    std::vector<Real> lanes;
    const Real* vertexQuads() const { return lanes.data(); }
    const Real* faceQuads() const { return vertexQuads() + (vertices.size() + 3) / 4 * kVertexQuad; }
    const Real* edgeCosines() const { return faceQuads() + (faces.size() + 3) / 4 * kFaceQuad; }
};

// Fills in planes, edges and center from the vertices and the faces' vertex loops (counter-clockwise from outside). The
// loops must close: every edge belongs to two faces that run along it in opposite directions.
Polyhedron makePolyhedron(std::vector<Vec3> vertices, std::span<const std::vector<std::uint16_t>> loops);

// Vertex i has the sign of bit 0 of i in x, bit 1 in y, bit 2 in z (set: positive); faces are -x +x -y +y -z +z.
Polyhedron boxPolyhedron(const Vec3& halfExtents);

// The surface as triangles, each face a fan from its first vertex.
std::vector<std::array<std::uint32_t, 3>> triangulate(const Polyhedron& polyhedron);

}  // namespace sunder::geometry
