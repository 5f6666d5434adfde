// Triangle meshes: queries against brute force, and which edges a contact may feel.
#include "geometry/triangle_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "support/mesh_builder.h"

namespace sunder::geometry {
namespace {

using testing::RandomPoints;
using Index3 = std::array<std::uint32_t, 3>;

struct Soup {
    std::vector<Vec3> vertices;
    std::vector<Index3> triangles;
    void add(const Vec3& a, const Vec3& b, const Vec3& c) {
        const std::uint32_t first = std::uint32_t(vertices.size());
        vertices.insert(vertices.end(), {a, b, c});
        triangles.push_back({first, first + 1, first + 2});
    }
    TriangleMesh mesh() const { return TriangleMesh(vertices, triangles); }
};

// n x n squares of two triangles, facing y.
Soup grid(int n, Real size) {
    const Mesh mesh = testing::flatGrid(n, size);
    return {mesh.vertices, mesh.triangles};
}

std::vector<std::uint32_t> bruteForce(const TriangleMesh& mesh, const Bounds& box) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = 0; i < mesh.triangles().size(); ++i) {
        Bounds own;
        for (const std::uint32_t vertex : mesh.triangles()[i].vertices)
            own = unite(own, mesh.vertices()[vertex]);
        if (overlaps(own, box))
            result.push_back(i);
    }
    return result;
}

int bitCount(int bits) { return (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1); }

int activeCount(const TriangleMesh& mesh) {
    int count = 0;
    for (const TriangleMesh::Triangle& triangle : mesh.triangles())
        count += bitCount(triangle.activeEdges);
    return count;
}

// Two triangles that share the edge from (0, 0, 0) to (0, 0, 1); the second is turned down about it by the angle.
Soup hinge(Real cosine, Real sine) {
    Soup soup;
    soup.add({0, 0, 0}, {-1, 0, 0}, {0, 0, 1});
    soup.add({0, 0, 0}, {0, 0, 1}, {cosine, -sine, Real(0.5)});
    return soup;
}

TEST(TriangleMesh, QueriesEqualBruteForce) {
    RandomPoints random(5);
    Soup soup;
    for (int i = 0; i < 3000; ++i) {
        const Vec3 at = random.inBox(10);
        const Real size = i % 50 == 0 ? Real(10) : Real(0.3);
        soup.add(at, at + random.inBox(size), at + random.inBox(size));
    }
    const TriangleMesh mesh = soup.mesh();
    ASSERT_GT(mesh.triangles().size(), 2900u);
    for (int i = 0; i < 500; ++i) {
        const Vec3 at = random.inBox(12);
        const Vec3 half = abs(random.inBox(i % 10 == 0 ? 5 : 0.5));
        const Bounds box{at - half, at + half};
        std::vector<std::uint32_t> found{77};  // results are appended
        mesh.query(box, found);
        ASSERT_EQ(found.front(), 77u);
        found.erase(found.begin());
        ASSERT_EQ(found, bruteForce(mesh, box));
    }
}

TEST(TriangleMesh, EdgesOfAFlatGridAreActiveOnlyOnTheRim) {
    const TriangleMesh mesh = grid(10, 3).mesh();
    EXPECT_EQ(mesh.triangles().size(), 200u);
    EXPECT_EQ(activeCount(mesh), 40);  // the rim: 4 sides of 10 edges
    for (std::uint32_t i = 0; i < 200; ++i)
        EXPECT_EQ(mesh.normal(i), (Vec3{0, 1, 0}));
}

TEST(TriangleMesh, NeighboursAreFoundByPositionNotByIndex) {
    const Soup shared = grid(10, 3);
    RandomPoints random(9);
    Soup split;  // every triangle has vertices of its own, moved by less than the tolerance
    for (const Index3& t : shared.triangles) {
        Vec3 corner[3];
        for (int i = 0; i < 3; ++i)
            corner[i] = shared.vertices[t[i]] + random.inBox(1) * Real(5e-7);
        split.add(corner[0], corner[1], corner[2]);
    }
    EXPECT_EQ(activeCount(split.mesh()), 40);
}

TEST(TriangleMesh, ConvexEdgesAreActiveAndConcaveOrFlatOnesAreNot) {
    const Real s = std::sqrt(Real(0.5));
    struct Case {
        Real cosine, sine;
        bool active;
    };
    const Case cases[] = {
        {s, s, true},                             // a ridge
        {s, -s, false},                           // a valley
        {1, 0, false},                            // flat
        {1, Real(0.00873), false},                // half a degree
        {Real(0.99939), Real(0.0349), true},      // two degrees down
        {Real(0.99939), Real(-0.0349), false},    // two degrees up
        {-1, 0, true},                            // folded back: the rim of a sheet
        {Real(-0.999962), Real(-0.00873), true},  // folded back to within rounding of it
    };
    for (const Case& c : cases) {
        const TriangleMesh mesh = hinge(c.cosine, c.sine).mesh();
        ASSERT_EQ(mesh.triangles().size(), 2u);
        EXPECT_EQ((mesh.triangles()[0].activeEdges & 4) != 0, c.active) << c.cosine << ", " << c.sine;
        EXPECT_EQ((mesh.triangles()[1].activeEdges & 1) != 0, c.active) << c.cosine << ", " << c.sine;
        EXPECT_EQ(mesh.neighborNormal(0, 2), mesh.normal(1));
        EXPECT_EQ(mesh.neighborNormal(1, 0), mesh.normal(0));
        EXPECT_EQ(mesh.neighborNormal(0, 0), mesh.normal(0));  // open
    }
}

TEST(TriangleMesh, EdgesWithThreeTrianglesOrOpposedFrontsAreActive) {
    Soup three = hinge(1, 0);
    three.add({0, 0, 0}, {0, 1, 0}, {0, 0, 1});
    EXPECT_EQ(activeCount(three.mesh()), 9);
    Soup opposed;
    opposed.add({0, 0, 0}, {-1, 0, 0}, {0, 0, 1});
    opposed.add({0, 0, 1}, {0, 0, 0}, {1, 0, 0});
    EXPECT_EQ(activeCount(opposed.mesh()), 6);
}

TEST(TriangleMesh, DegenerateAndBadTrianglesAreLeftOutAndCounted) {
    Soup soup = grid(1, 1);
    soup.add({0, 0, 0}, {0, 0, 0}, {1, 0, 0});
    soup.add({0, 0, 0}, {1, 0, 0}, {2, 0, 0});
    soup.add({0, 0, 0}, {1, 0, 0}, {std::numeric_limits<Real>::quiet_NaN(), 0, 1});
    soup.add({0, 0, 0}, {1, 0, 0}, {std::numeric_limits<Real>::infinity(), 0, 1});
    soup.triangles.push_back({0, 1, 1000000});
    const TriangleMesh mesh = soup.mesh();
    EXPECT_EQ(mesh.triangles().size(), 2u);
    EXPECT_EQ(mesh.degenerateCount(), 5);
    EXPECT_EQ(mesh.bounds().high, (Vec3{Real(0.5), 0, Real(0.5)}));
}

TEST(TriangleMesh, EmptyMeshesAnswerQueries) {
    const TriangleMesh empty = Soup{}.mesh();
    Soup soup;
    soup.add({0, 0, 0}, {0, 0, 0}, {0, 0, 0});
    const TriangleMesh degenerate = soup.mesh();
    for (const TriangleMesh* mesh : {&empty, &degenerate}) {
        std::vector<std::uint32_t> found;
        mesh->query({{-1, -1, -1}, {1, 1, 1}}, found);
        EXPECT_TRUE(found.empty());
        EXPECT_FALSE(overlaps(mesh->bounds(), {{-1, -1, -1}, {1, 1, 1}}));
    }
}

TEST(TriangleMesh, ManyTrianglesInOnePlaceDoNotOverflowTheQuery) {
    Soup soup;
    for (int i = 0; i < 5000; ++i)
        soup.add({0, 0, 0}, {1, 0, 0}, {0, 0, 1});
    // Sizes that double are the worst case for splits by area: one triangle leaves at each.
    Real size = Real(1e-9);
    for (int i = 0; i < 80; ++i, size *= Real(1.5))
        soup.add({size, 0, 0}, {2 * size, 0, 0}, {size, 0, size});
    const TriangleMesh mesh = soup.mesh();
    std::vector<std::uint32_t> found;
    mesh.query(mesh.bounds(), found);
    EXPECT_EQ(found.size(), mesh.triangles().size());
}

TEST(TriangleMesh, AHundredThousandTrianglesAreFoundInTheRightPlace) {
    const TriangleMesh mesh = grid(224, 100).mesh();
    ASSERT_EQ(mesh.triangles().size(), std::size_t(2 * 224 * 224));
    const Bounds box{{0, -1, 0}, {1, 1, 1}};
    std::vector<std::uint32_t> found;
    mesh.query(box, found);
    EXPECT_EQ(found, bruteForce(mesh, box));
    EXPECT_GT(found.size(), 10u);
    EXPECT_EQ(activeCount(mesh), 4 * 224);
}

}  // namespace
}  // namespace sunder::geometry
