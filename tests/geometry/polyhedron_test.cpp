// The tables of a box, which narrow-phase code indexes by hand, and of a pyramid.
#include "geometry/polyhedron.h"

#include <gtest/gtest.h>

namespace sunder::geometry {
namespace {

TEST(Polyhedron, BoxTables) {
    const Polyhedron box = boxPolyhedron({1, 2, 3});
    ASSERT_EQ(box.vertices.size(), 8u);
    ASSERT_EQ(box.faces.size(), 6u);
    ASSERT_EQ(box.edges.size(), 12u);
    EXPECT_EQ(box.vertices[5], (Vec3{1, -2, 3}));
    const Vec3 normals[6] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    for (int f = 0; f < 6; ++f) {
        EXPECT_EQ(box.faces[f].normal, normals[f]);
        EXPECT_EQ(box.faces[f].offset, Real(1 + f / 2));
        for (int i = 0; i < 4; ++i)
            EXPECT_EQ(dot(normals[f], box.vertices[box.faceVertices[box.faces[f].firstIndex + i]]), box.faces[f].offset);
    }
    for (const Polyhedron::Edge& edge : box.edges) {
        const Vec3 direction = box.vertices[edge.vertex1] - box.vertices[edge.vertex0];
        // Counter-clockwise from outside: the inside of face0 is to the left of its edge.
        const Vec3 left = cross(box.faces[edge.face0].normal, direction);
        EXPECT_GT(dot(left, -box.vertices[edge.vertex0]), 0);
        EXPECT_EQ(dot(box.faces[edge.face0].normal, box.faces[edge.face1].normal), 0);
        EXPECT_EQ(dot(box.faces[edge.face1].normal, direction), 0);
    }
    EXPECT_EQ(box.center, (Vec3{}));
    EXPECT_EQ(box.innerRadius, 1);
    EXPECT_EQ(triangulate(box).size(), 12u);
}

TEST(Polyhedron, PyramidCenterIsAQuarterUp) {
    const std::vector<std::uint16_t> loops[5] = {{0, 1, 2, 3}, {0, 4, 1}, {1, 4, 2}, {2, 4, 3}, {3, 4, 0}};
    const Polyhedron pyramid = makePolyhedron({{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}, {0, 2, 0}}, loops);
    EXPECT_EQ(pyramid.faces[0].normal, (Vec3{0, -1, 0}));
    EXPECT_NEAR(pyramid.center.y, 0.5, 1e-6);
    EXPECT_NEAR(pyramid.center.x, 0, 1e-6);
    EXPECT_NEAR(pyramid.innerRadius, 0.5, 1e-6);  // the base is nearest: the sides are 1.5 / sqrt(5) away
    EXPECT_EQ(pyramid.edges.size(), 8u);
}

}  // namespace
}  // namespace sunder::geometry
