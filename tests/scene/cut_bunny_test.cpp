// The bunny of assets/ cut along the rays of a radial pattern. One of them passes beside a corner of a part that is thinner
// than the crack is away from it: what the corner is joined to would touch itself along an edge of the mesh.
#include <gtest/gtest.h>

#include "scenes/cut_family.h"
#include "sunder/scene/mesh_files.h"

namespace sunder {
namespace {

TEST(CutBunny, KeepsNoEdgeShorterThanAQuarterOfACell) {
    Mesh mesh = loadMesh(SUNDER_TEST_SOURCE_DIR "/assets/bunny.obj");
    mesh.look = nullptr;
    Vec3 low = mesh.vertices.front(), high = low;
    for (Vec3& p : mesh.vertices) {
        p = {p.x * Real(0.1), p.y * Real(0.1), p.z * Real(0.1)};
        low = &p == &mesh.vertices.front() ? p : Vec3{std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = &p == &mesh.vertices.front() ? p : Vec3{std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const double longest = double(std::max({high.x - low.x, high.y - low.y, high.z - low.z}));
    const scenes::CutBody bunny{"bunny", mesh, longest, {(low.x + high.x) / 2, (low.y + high.y) / 2, high.z}, {0, 0, 1}};
    const scenes::CutOutcome outcome =
        scenes::cutBody(bunny, buildPattern({.kind = RadialPattern{}, .seed = 4, .nodes = 65}), 129);
    EXPECT_GT(outcome.pieces, 20);
    EXPECT_EQ(outcome.faults.shortEdges, 0u);
    EXPECT_EQ(outcome.faults.reversed + outcome.faults.folded + outcome.faults.openEdges, 0u);
    EXPECT_LT(outcome.volumeError, 1e-5);
}

}  // namespace
}  // namespace sunder
