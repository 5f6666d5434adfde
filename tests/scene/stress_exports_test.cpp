// The stress of blows as a scene's runner keeps it for a frame, as a picture and as a GLB.
#include <gtest/gtest.h>
#include <tiny_gltf.h>

#include <algorithm>
#include <cstring>

#include "scene/scene_for_tests.h"
#include "scene/temporary_folder.h"
#include "sunder/scene/runner.h"
#include "sunder/scene/stress_picture.h"

namespace sunder {
namespace {

// A plate that falls onto a post: it is strained in the middle and cracks or not.
std::string plate(int stepsPerFrame, const std::string& strength) {
    return sceneWithBodies(
        R"({ "name": "post", "motion": "static", "material": "stone", "shape": { "type": "box", "half_extents": [0.05, 0.5, 0.3] },
             "position": [0, -0.5, 0] },
           { "name": "plate", "material": "stone", "shape": { "type": "box", "half_extents": [0.4, 0.03, 0.2] },
             "position": [0, 0.05, 0], "velocity": [0, -3, 0],
             "fracture": { "method": "stress", "elements": 3000 } })",
        R"("frame_rate": 30, "steps_per_frame": )" + std::to_string(stepsPerFrame) +
            R"(, "materials": { "stone": { "density": 2400, "young": 3e10, "poisson": 0.2, "toughness": 20, "strength": )" +
            strength + " } }, ");
}

// The step in which a plate is struck need not be the last of a frame.
TEST(StressExports, ARunnerKeepsTheMapsOfAllStepsOfAFrame) {
    SceneRunner runner(sceneOf(plate(8, "1e12")));
    runner.stepFrame();
    EXPECT_TRUE(runner.stressMaps().empty());  // nothing could strain it so much
    SceneRunner breaks(sceneOf(plate(8, "3e6")));
    std::vector<StressMap> maps;
    for (int frame = 0; frame < 4 && maps.empty(); ++frame) {
        breaks.stepFrame();
        maps = breaks.stressMaps();
    }
    ASSERT_EQ(maps.size(), 1u);
    EXPECT_GT(maps[0].worstTension, maps[0].strength);
    EXPECT_TRUE(stressMaps(breaks.world()).empty());  // the last step had no blow
    EXPECT_EQ(stressMaps(breaks).size(), 1u);
    breaks.stepFrame();
    EXPECT_TRUE(breaks.stressMaps().empty());
}

TEST(StressExports, AGlbHasTheColoursAndTheTensions) {
    SceneRunner runner(sceneOf(plate(1, "3e6")));
    std::vector<StressMap> maps;
    for (int frame = 0; frame < 4 && maps.empty(); ++frame) {
        runner.stepFrame();
        maps = stressMaps(runner);
    }
    ASSERT_EQ(maps.size(), 1u);
    // From pressed to half as much again as the strength.
    for (std::size_t i = 0; i < maps[0].tensions.size(); ++i)
        maps[0].tensions[i] = maps[0].strength * (Real(1.75) * Real(i) / Real(maps[0].tensions.size()) - Real(0.25));
    const TemporaryFolder folder;
    writeStressGlb(maps, {"plate"}, folder / "stress.glb");
    tinygltf::TinyGLTF loader;
    tinygltf::Model model;
    std::string error, warning;
    ASSERT_TRUE(loader.LoadBinaryFromFile(&model, &error, &warning, (folder / "stress.glb").string())) << error;
    EXPECT_EQ(error + warning, "");
    ASSERT_EQ(model.nodes.size(), 1u);
    EXPECT_EQ(model.nodes[0].name, "plate");
    const tinygltf::Primitive& primitive = model.meshes[0].primitives[0];
    const auto numbersOf = [&](int accessor) {
        const tinygltf::BufferView& view = model.bufferViews[std::size_t(model.accessors[std::size_t(accessor)].bufferView)];
        std::vector<float> numbers(view.byteLength / sizeof(float));
        std::memcpy(numbers.data(), model.buffers[0].data.data() + view.byteOffset, view.byteLength);
        return numbers;
    };
    const std::vector<float> positions = numbersOf(primitive.attributes.at("POSITION"));
    const std::vector<float> colours = numbersOf(primitive.attributes.at("COLOR_0"));
    const std::vector<float> tensions = numbersOf(primitive.attributes.at("_TENSION"));
    ASSERT_EQ(tensions.size(), maps[0].vertices.size());
    ASSERT_EQ(positions.size(), 3 * tensions.size());
    ASSERT_EQ(colours.size(), 3 * tensions.size());
    EXPECT_EQ(model.accessors[std::size_t(primitive.indices)].count, 3 * maps[0].triangles.size());
    // Red without green and blue at the strength, blue without red where nothing pulls, no green beyond the strength.
    int beyond = 0, idle = 0;
    for (std::size_t i = 0; i < tensions.size(); ++i) {
        EXPECT_EQ(tensions[i], float(maps[0].tensions[i]));
        const float *c = &colours[3 * i], share = tensions[i] / float(maps[0].strength);
        beyond += share >= 1 ? 1 : 0;
        idle += share <= 0 ? 1 : 0;
        if (share >= 1) {
            EXPECT_TRUE(c[1] == 0 && c[2] > c[0]) << share;
        } else if (share <= 0) {
            EXPECT_TRUE(c[2] > 0.5f && c[0] < 0.1f && c[1] < 0.1f) << share;
        } else if (share > 0.9f) {
            EXPECT_TRUE(c[0] > 0.5f && c[1] < 0.4f && c[2] < 0.1f) << share;
        }
    }
    EXPECT_GT(beyond, 0);
    EXPECT_GT(idle, 0);
}

// A block of rubber that lands: its strain as a GLB.
TEST(StressExports, AGlbOfStrainHasTheStrains) {
    SceneRunner runner(sceneOf(sceneWithBodies(
        R"({ "name": "ground", "motion": "static", "shape": { "type": "box", "half_extents": [2, 0.5, 2] }, "position": [0, -0.5, 0] },
           { "name": "block", "material": "rubber", "shape": { "type": "box", "half_extents": [0.2, 0.2, 0.2] },
             "position": [0, 0.21, 0], "velocity": [0, -4, 0], "deformable": {} })",
        R"("frame_rate": 30, "materials": { "rubber": { "density": 1000, "young": 2e5, "poisson": 0.4 } }, )")));
    for (int frame = 0; frame < 2; ++frame)
        runner.stepFrame();
    const std::vector<StressMap> maps = stressMaps(runner.world());
    ASSERT_EQ(maps.size(), 1u);
    ASSERT_FALSE(maps[0].strains.empty());
    const TemporaryFolder folder;
    writeStrainGlb(maps, {"block"}, folder / "strain.glb");
    tinygltf::TinyGLTF loader;
    tinygltf::Model model;
    std::string error, warning;
    ASSERT_TRUE(loader.LoadBinaryFromFile(&model, &error, &warning, (folder / "strain.glb").string())) << error;
    EXPECT_EQ(error + warning, "");
    ASSERT_EQ(model.nodes.size(), 1u);
    const Real most = *std::max_element(maps[0].strains.begin(), maps[0].strains.end());
    EXPECT_GT(most, Real(0.01));
    EXPECT_NEAR(model.nodes[0].extras.Get("most_strain").GetNumberAsDouble(), double(most), 1e-3 * double(most));
    const tinygltf::Primitive& primitive = model.meshes[0].primitives[0];
    ASSERT_TRUE(primitive.attributes.contains("_STRAIN") && primitive.attributes.contains("COLOR_0"));
    const tinygltf::Accessor& accessor = model.accessors[std::size_t(primitive.attributes.at("_STRAIN"))];
    // Of the vertices of the surface, in their order; nodes within the block are left out.
    std::vector<Real> ofSurface;
    for (std::size_t i = 0; i < maps[0].vertices.size(); ++i)
        if (std::any_of(maps[0].triangles.begin(), maps[0].triangles.end(),
                        [&](const auto& triangle) { return std::find(triangle.begin(), triangle.end(), i) != triangle.end(); }))
            ofSurface.push_back(maps[0].strains[i]);
    EXPECT_LT(ofSurface.size(), maps[0].strains.size());
    ASSERT_EQ(accessor.count, ofSurface.size());
    for (std::size_t i = 0; i < accessor.count; ++i) {
        float strain = 0;
        std::memcpy(&strain,
                    model.buffers[0].data.data() + model.bufferViews[std::size_t(accessor.bufferView)].byteOffset + 4 * i, 4);
        EXPECT_EQ(strain, float(ofSurface[i]));
    }
}

}  // namespace
}  // namespace sunder
