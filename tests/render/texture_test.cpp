// Pictures on surfaces.
#include "render/texture.h"

#include <gtest/gtest.h>

#include "render/scene.h"

namespace sunder::render {
namespace {

// Two by two pixels: red, green; blue, white.
Texture fourPixels(TextureWrap wrap) { return {2, 2, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, wrap, wrap}; }

void expectNear(const Vec3& a, const Vec3& b) {
    EXPECT_NEAR(a.x, b.x, 1e-5);
    EXPECT_NEAR(a.y, b.y, 1e-5);
    EXPECT_NEAR(a.z, b.z, 1e-5);
}

TEST(Texture, IsItsPixelsInTheirMiddlesAndEvenBetween) {
    const Texture texture = fourPixels(TextureWrap::Clamp);
    expectNear(texture.at(Real(0.25), Real(0.25)), {1, 0, 0});
    expectNear(texture.at(Real(0.75), Real(0.25)), {0, 1, 0});
    expectNear(texture.at(Real(0.25), Real(0.75)), {0, 0, 1});
    expectNear(texture.at(Real(0.5), Real(0.25)), {Real(0.5), Real(0.5), 0});
    expectNear(texture.at(-3, -3), {1, 0, 0});
    expectNear(fourPixels(TextureWrap::Repeat).at(Real(1.25), Real(-0.75)), {1, 0, 0});
    expectNear(fourPixels(TextureWrap::Mirror).at(Real(1.25), Real(0.25)), {0, 1, 0});
    expectNear(fourPixels(TextureWrap::Mirror).at(Real(-0.25), Real(0.25)), {1, 0, 0});
}

// A square of 1 m with the picture on it, seen from above: its pixels are where the coordinates put them, times material and
// vertex colour.
TEST(Texture, LiesOnASurfaceByItsCoordinates) {
    Surface square;
    square.positions = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
    square.normals.assign(4, {0, 1, 0});
    square.textureCoordinates = {{{0, 0}}, {{1, 0}}, {{1, 1}}, {{0, 1}}};
    square.triangles = {{0, 2, 1}, {0, 3, 2}};
    square.colors.assign(4, {255, 255, 51, 255});
    MeshMaterial material;
    material.color = {0.5f, 1, 1, 1};
    square.materials = std::make_shared<MeshMaterials>(MeshMaterials{material});
    const std::vector<std::shared_ptr<const Texture>> textures{std::make_shared<Texture>(fourPixels(TextureWrap::Clamp))};
    RenderScene scene;
    scene.add({SolidType::Triangles, {}, std::make_shared<TriangleSurface>(square, textures)}, {}, {});
    scene.build();
    const auto seen = [&](double x, double z) {
        Hit hit;
        EXPECT_TRUE(scene.intersect(makeRay({Real(x), 5, Real(z)}, {0, -1, 0}), hit));
        return scene.albedo(hit);
    };
    expectNear(seen(0.25, 0.25), {Real(0.5), 0, 0});
    expectNear(seen(0.75, 0.25), {0, 1, 0});
    expectNear(seen(0.25, 0.75), {0, 0, Real(0.2)});
    expectNear(seen(0.75, 0.75), {Real(0.5), 1, Real(0.2)});
}

}  // namespace
}  // namespace sunder::render
