// A static triangle surface with a bounding-volume tree and, per edge, its neighbour, so that a body sliding over flat
// triangles feels no seam.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/static_tree.h"

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
        // How far the normals of the triangles that share a vertex with this one differ from its own, at most: length of the
        // difference in units of kLeanUnit, rounded up. kAnyLean where an edge at one of its vertices is open or ambiguous.
        std::uint8_t lean = kAnyLean;
    };
    static constexpr std::uint8_t kAnyLean = 255;
    static constexpr Real kLeanUnit = Real(1) / 128;

    // Degenerate triangles are left out and counted; so are those that name a vertex that does not exist. Vertices closer
    // than a millionth of the mesh's size count as one when neighbours are sought.
    TriangleMesh(std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles);

    std::span<const Vec3> vertices() const { return vertices_; }
    std::span<const Triangle> triangles() const { return triangles_; }
    Vec3 normal(std::uint32_t triangle) const { return normals_[triangle]; }
    // The normal of the triangle across edge i; the triangle's own where there is not exactly one.
    Vec3 neighborNormal(std::uint32_t triangle, int edge) const { return neighborNormals_[3 * triangle + edge]; }
    Bounds bounds() const { return tree_.bounds(); }
    int degenerateCount() const { return degenerateCount_; }

    // The index of a triangle in the list that the mesh was made from; differs where degenerate ones were left out.
    std::uint32_t sourceIndex(std::uint32_t triangle) const { return sources_.empty() ? triangle : sources_[triangle]; }

    // Appends the triangles whose bounds overlap the box, in ascending order.
    void query(const Bounds& box, std::vector<std::uint32_t>& out) const;
    // Appends the triangles whose bounds, and those of all nodes of the tree above them, pass the test, in ascending order.
    template <class Test>
    void queryWhere(Test&& test, std::vector<std::uint32_t>& out) const {
        const std::ptrdiff_t begin = std::ptrdiff_t(out.size());
        tree_.where(test, [&](std::uint32_t triangle) {
            if (test(boundsOf(triangles_[triangle])))
                out.push_back(triangle);
        });
        std::sort(out.begin() + begin, out.end());
    }

    // Calls visit(triangle) for the triangles in every leaf of the tree whose key is at most the limit, the nearer of two
    // nodes first. key(bounds) is a lower bound over what lies inside, infinity for what does not count; visit returns the
    // limit that holds from then on. No allocation; thread-safe.
    template <class Key, class Visitor>
    void nearest(double limit, Key&& key, Visitor&& visit) const {
        tree_.nearest(limit, key, visit);
    }

private:
    void takeTriangles(std::span<const std::array<std::uint32_t, 3>> triangles);
    void findNeighbors();
    void joinAcross(std::uint32_t half0, std::uint32_t half1);
    void findSmooth(std::span<const std::uint32_t> welded);
    void findLeans(std::span<const std::uint32_t> welded);
    Bounds boundsOf(const Triangle& triangle) const;
    void buildTree();

    std::vector<Vec3> vertices_;
    std::vector<Triangle> triangles_;
    std::vector<Vec3> normals_;
    std::vector<Vec3> neighborNormals_;
    StaticTree tree_;
    std::vector<std::uint32_t> sources_;  // empty where no triangle was left out
    int degenerateCount_ = 0;
};

}  // namespace sunder::geometry
