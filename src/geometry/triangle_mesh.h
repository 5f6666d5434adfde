// A static triangle surface with a bounding-volume tree and, per edge, its neighbour, so that a body sliding over flat
// triangles feels no seam.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "math/bounds.h"

namespace sunder::geometry {

class TriangleMesh {
public:
    struct Triangle {
        std::array<std::uint32_t, 3> vertices;
        // Bit i is set where edge i (vertices i, i + 1) is open, sharply convex, or shared by more than two triangles or by two
        // that disagree about the front: only there may a contact normal leave the face's own normal. Flat and concave edges
        // are inactive.
        std::uint8_t activeEdges = 0;
        // Bit i is set where the triangle across edge i lies in the same plane.
        std::uint8_t flatEdges = 0;
        // No active edge touches the triangle, not even at a vertex: every contact with it has the face's normal.
        bool isSmooth = false;
    };

    // Degenerate triangles are left out and counted; so are those that name a vertex that does not exist. Vertices closer
    // than a millionth of the mesh's size count as one when neighbours are sought.
    TriangleMesh(std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles);

    std::span<const Vec3> vertices() const { return vertices_; }
    std::span<const Triangle> triangles() const { return triangles_; }
    Vec3 normal(std::uint32_t triangle) const { return normals_[triangle]; }
    // The normal of the triangle across edge i; the triangle's own where there is not exactly one.
    Vec3 neighborNormal(std::uint32_t triangle, int edge) const { return neighborNormals_[3 * triangle + edge]; }
    Bounds bounds() const { return nodes_.empty() ? Bounds{} : nodes_[0].bounds; }
    int degenerateCount() const { return degenerateCount_; }

    // The index of a triangle in the list that the mesh was made from; differs where degenerate ones were left out.
    std::uint32_t sourceIndex(std::uint32_t triangle) const { return sources_.empty() ? triangle : sources_[triangle]; }

    // Appends the triangles whose bounds overlap the box, in ascending order.
    void query(const Bounds& box, std::vector<std::uint32_t>& out) const;

    // Calls visit(triangle) for the triangles in every leaf of the tree whose key is at most the limit, the nearer of two
    // nodes first. key(bounds) is a lower bound over what lies inside, infinity for what does not count; visit returns the
    // limit that holds from then on. No allocation; thread-safe.
    template <class Key, class Visitor>
    void nearest(double limit, Key&& key, Visitor&& visit) const;

private:
    // Below this depth of the tree sets are halved, so that no depth exceeds it plus log2 of the count.
    static constexpr int kDepthOfHalving = 40;
    static constexpr int kStackSize = kDepthOfHalving + 34;

    struct Node {
        Bounds bounds;
        std::uint32_t first = 0;  // leaf: first triangle in order_; inner: index of the right child (the left one follows)
        std::uint32_t count = 0;  // 0 for inner nodes
    };
    void takeTriangles(std::span<const std::array<std::uint32_t, 3>> triangles);
    void findNeighbors();
    void joinAcross(std::uint32_t half0, std::uint32_t half1);
    void findSmooth(std::span<const std::uint32_t> welded);
    void buildTree();

    std::vector<Vec3> vertices_;
    std::vector<Triangle> triangles_;
    std::vector<Vec3> normals_;
    std::vector<Vec3> neighborNormals_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> order_;
    std::vector<std::uint32_t> sources_;  // empty where no triangle was left out
    int degenerateCount_ = 0;
};

template <class Key, class Visitor>
void TriangleMesh::nearest(double limit, Key&& key, Visitor&& visit) const {
    struct Waiting {
        std::uint32_t node;
        double key;
    };
    if (nodes_.empty())
        return;
    std::array<Waiting, kStackSize> stack;
    int waiting = 0;
    stack[waiting++] = {0, key(nodes_[0].bounds)};
    while (waiting > 0) {
        const Waiting next = stack[--waiting];
        const Node& node = nodes_[next.node];
        if (!(next.key <= limit))
            continue;
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
            limit = visit(order_[i]);
        if (node.count > 0)
            continue;
        const Waiting left{next.node + 1, key(nodes_[next.node + 1].bounds)}, right{node.first, key(nodes_[node.first].bounds)};
        const bool swapped = right.key < left.key;
        stack[waiting++] = swapped ? left : right;
        stack[waiting++] = swapped ? right : left;
    }
}

}  // namespace sunder::geometry
