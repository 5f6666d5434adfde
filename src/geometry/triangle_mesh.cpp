// Static triangle meshes: clean-up, neighbours across edges, and a tree split by surface area.
#include "geometry/triangle_mesh.h"

#include <algorithm>
#include <cmath>

#include "geometry/vertex_weld.h"

namespace sunder::geometry {
namespace {

// Share of its longest edge: a triangle of less height has no normal in float.
constexpr Real kSmallestHeight = Real(1e-5);
// cos(1 degree): flatter edges do not count as edges. Scanned and exported floors are no flatter than that.
constexpr Real kFlatCosine = Real(0.99984770);
constexpr std::uint32_t kMostPerLeaf = 4;

// One side of an edge, sorted so that the sides of one edge are neighbours.
struct HalfEdge {
    std::uint32_t low = 0, high = 0;  // welded vertices
    std::uint32_t half = 0;           // 3 * triangle + edge
    bool reversed = false;            // runs from high to low
};

bool isBefore(const HalfEdge& a, const HalfEdge& b) {
    if (a.low != b.low)
        return a.low < b.low;
    return a.high != b.high ? a.high < b.high : a.half < b.half;
}

}  // namespace

TriangleMesh::TriangleMesh(std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles)
    : vertices_(vertices.begin(), vertices.end()) {
    takeTriangles(triangles);
    findNeighbors();
    buildTree();
}

void TriangleMesh::takeTriangles(std::span<const std::array<std::uint32_t, 3>> triangles) {
    triangles_.reserve(triangles.size());
    normals_.reserve(triangles.size());
    for (const std::array<std::uint32_t, 3>& t : triangles) {
        ++degenerateCount_;
        if (t[0] >= vertices_.size() || t[1] >= vertices_.size() || t[2] >= vertices_.size())
            continue;
        const Vec3 a = vertices_[t[1]] - vertices_[t[0]];
        const Vec3 b = vertices_[t[2]] - vertices_[t[0]];
        const Real longest2 = max(max(lengthSquared(a), lengthSquared(b)), lengthSquared(b - a));
        // Scaled, so that the cross product of very small edges does not underflow; non-finite values fail the comparisons.
        if (!(longest2 > 0) || !(longest2 < kInfinity))
            continue;
        const Real scale = 1 / std::sqrt(longest2);
        const Vec3 n = cross(a * scale, b * scale);
        const Real height = length(n);
        if (!(height > kSmallestHeight))
            continue;
        --degenerateCount_;
        triangles_.push_back({t});
        normals_.push_back(n / height);
        sources_.push_back(std::uint32_t(&t - triangles.data()));
    }
    if (degenerateCount_ == 0)
        sources_ = {};
}

void TriangleMesh::findNeighbors() {
    neighborNormals_.resize(3 * triangles_.size());
    std::vector<HalfEdge> halves(3 * triangles_.size());
    Bounds used;
    for (const Triangle& triangle : triangles_)
        for (const std::uint32_t vertex : triangle.vertices)
            used = unite(used, vertices_[vertex]);
    const Real size = triangles_.empty() ? Real(0) : length(used.high - used.low);
    const std::vector<std::uint32_t> welded = weldVertices(vertices_, kWeldTolerance * size);
    for (std::uint32_t half = 0; half < halves.size(); ++half) {
        Triangle& triangle = triangles_[half / 3];
        const std::uint32_t from = welded[triangle.vertices[half % 3]];
        const std::uint32_t to = welded[triangle.vertices[(half + 1) % 3]];
        halves[half] = {std::min(from, to), std::max(from, to), half, from > to};
        neighborNormals_[half] = normals_[half / 3];
        triangle.activeEdges = 7;
    }
    std::sort(halves.begin(), halves.end(), isBefore);
    for (std::size_t begin = 0; begin < halves.size();) {
        std::size_t end = begin + 1;
        while (end < halves.size() && halves[end].low == halves[begin].low && halves[end].high == halves[begin].high)
            ++end;
        if (end - begin == 2 && halves[begin].reversed != halves[begin + 1].reversed)
            joinAcross(halves[begin].half, halves[begin + 1].half);
        begin = end;
    }
    findSmooth(welded);
    findLeans(welded);
}

// Records two triangles that share an edge as neighbours.
void TriangleMesh::joinAcross(std::uint32_t half0, std::uint32_t half1) {
    const Vec3 n0 = normals_[half0 / 3];
    const Vec3 n1 = normals_[half1 / 3];
    neighborNormals_[half0] = n1;
    neighborNormals_[half1] = n0;
    const Vec3 along =
        vertices_[triangles_[half0 / 3].vertices[(half0 + 1) % 3]] - vertices_[triangles_[half0 / 3].vertices[half0 % 3]];
    const bool flat = dot(n0, n1) > kFlatCosine;
    // For a fold of almost 180 degrees the sign of the turn is lost in rounding; such an edge is the rim of a sheet.
    const bool folded = dot(n0, n1) < -kFlatCosine;
    const bool convex = dot(cross(n0, n1), along) > 0;
    for (const std::uint32_t half : {half0, half1}) {
        Triangle& triangle = triangles_[half / 3];
        const std::uint8_t bit = std::uint8_t(1u << half % 3);
        if (flat)
            triangle.flatEdges = std::uint8_t(triangle.flatEdges | bit);
        if (flat || !(convex || folded))
            triangle.activeEdges = std::uint8_t(triangle.activeEdges & ~bit);
    }
}

void TriangleMesh::findSmooth(std::span<const std::uint32_t> welded) {
    std::vector<bool> isSharp(vertices_.size(), false);  // by welded vertex
    for (const Triangle& triangle : triangles_)
        for (int i = 0; i < 3; ++i)
            if ((triangle.activeEdges >> i & 1) != 0)
                isSharp[welded[triangle.vertices[i]]] = isSharp[welded[triangle.vertices[(i + 1) % 3]]] = true;
    for (Triangle& triangle : triangles_)
        triangle.isSmooth = !isSharp[welded[triangle.vertices[0]]] && !isSharp[welded[triangle.vertices[1]]] &&
                            !isSharp[welded[triangle.vertices[2]]];
}

void TriangleMesh::findLeans(std::span<const std::uint32_t> welded) {
    // The triangles at each welded vertex, one vertex after the other, and which vertices have an edge that is not shared by
    // just two: an active one without a normal of its own across it.
    std::vector<std::uint32_t> first(vertices_.size() + 1, 0), around(3 * triangles_.size());
    std::vector<bool> isOpen(vertices_.size(), false);
    for (std::size_t t = 0; t < triangles_.size(); ++t)
        for (int i = 0; i < 3; ++i) {
            const std::uint32_t vertex = welded[triangles_[t].vertices[i]], next = welded[triangles_[t].vertices[(i + 1) % 3]];
            ++first[vertex + 1];
            if ((triangles_[t].activeEdges >> i & 1) != 0 && neighborNormals_[3 * t + i] == normals_[t])
                isOpen[vertex] = isOpen[next] = true;
        }
    for (std::size_t vertex = 0; vertex < vertices_.size(); ++vertex)
        first[vertex + 1] += first[vertex];
    std::vector<std::uint32_t> filled(first.begin(), first.end() - 1);
    for (std::uint32_t t = 0; t < triangles_.size(); ++t)
        for (const std::uint32_t vertex : triangles_[t].vertices)
            around[filled[welded[vertex]]++] = t;
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
        Real lean2 = 0;
        bool isBounded = true;
        for (const std::uint32_t corner : triangles_[t].vertices) {
            const std::uint32_t vertex = welded[corner];
            isBounded = isBounded && !isOpen[vertex];
            for (std::uint32_t k = first[vertex]; k < first[vertex + 1]; ++k)
                lean2 = max(lean2, lengthSquared(normals_[around[k]] - normals_[t]));
        }
        const Real units = std::ceil(std::sqrt(lean2) / kLeanUnit);
        triangles_[t].lean = isBounded && units < Real(kAnyLean) ? std::uint8_t(units) : kAnyLean;
    }
}

Bounds TriangleMesh::boundsOf(const Triangle& triangle) const {
    Bounds bounds;
    for (const std::uint32_t vertex : triangle.vertices)
        bounds = unite(bounds, vertices_[vertex]);
    return bounds;
}

void TriangleMesh::buildTree() {
    std::vector<Bounds> bounds;
    bounds.reserve(triangles_.size());
    for (const Triangle& triangle : triangles_)
        bounds.push_back(boundsOf(triangle));
    tree_ = StaticTree(bounds, kMostPerLeaf);
}

void TriangleMesh::query(const Bounds& box, std::vector<std::uint32_t>& out) const {
    queryWhere([&](const Bounds& bounds) { return overlaps(bounds, box); }, out);
}

}  // namespace sunder::geometry
