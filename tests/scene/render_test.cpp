// Pictures of worlds against facts that can be worked out by hand: what lies where, what hides what, what is in shadow.
#include "sunder/scene/render.h"

#include <gtest/gtest.h>
#include <png.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "math/quat.h"
#include "render/view.h"
#include "sunder/sunder.h"
#include "world/vertices_for_tests.h"

namespace sunder {
namespace {

struct Rgb {
    int r = 0, g = 0, b = 0;
    int sum() const { return r + g + b; }
    friend bool operator==(const Rgb&, const Rgb&) = default;
};

Rgb pixel(const Image& image, int column, int row) {
    const std::uint8_t* p = image.rgb.data() + 3 * (std::size_t(row) * image.width + column);
    return {p[0], p[1], p[2]};
}

RenderOptions smallPicture(int samples = 2) {
    RenderOptions options;
    options.width = 96;
    options.height = 54;
    options.samples = samples;
    return options;
}

BodyDef still(Shape shape, Vec3 position) {
    BodyDef def;
    def.shape = std::move(shape);
    def.motion = Motion::Static;
    def.position = position;
    return def;
}

BodyDef moving(Shape shape, Vec3 position, Quat orientation = {}) {
    BodyDef def;
    def.shape = std::move(shape);
    def.position = position;
    def.orientation = orientation;
    return def;
}

// A scratch folder that is gone after the test.
class Folder {
public:
    Folder() : path_(std::filesystem::temp_directory_path() / ("sunder_render_" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    std::string file(const std::string& name) const { return (path_ / name).string(); }
    std::size_t entries() const {
        const std::filesystem::directory_iterator all(path_);
        return std::size_t(std::distance(begin(all), end(all)));
    }

private:
    std::filesystem::path path_;
};

Mesh octahedron() {
    Mesh mesh;
    mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    return mesh;
}

// Its upper side is drawn where the vertices are, a metre above the shape at rest.
TEST(Render, ADeformingBodyIsDrawnWhereItsVerticesAre) {
    const auto draw = [](Real raisedBy) {
        world::VertexWorld made({0, 3, 0});
        for (const std::uint32_t vertex : {2, 3, 6, 7})
            made.vertices().positions[vertex].y += raisedBy;
        World world;
        world.restore(world::takeSnapshot(made.state));
        Renderer renderer(smallPicture());
        renderer.setCamera({.position = {0, 10, Real(0.1)}, .target = {0, 0, 0}});
        return renderer.draw(world);
    };
    const Image low = draw(0), high = draw(1);
    EXPECT_EQ(pixel(low, 2, 2), pixel(high, 2, 2));
    int differ = 0;
    for (int column = 0; column < low.width; ++column)
        differ += !(pixel(low, column, low.height / 2) == pixel(high, column, low.height / 2));
    EXPECT_GT(differ, 1);  // it is nearer, and so larger
}

TEST(Render, ASphereIsInTheMiddleAndTheBackdropElsewhere) {
    World world;
    Renderer renderer(smallPicture());
    renderer.setCamera({{0, 0, 10}, {0, 0, 0}, 30});
    const Image empty = renderer.draw(world);
    world.addBody(moving(Sphere{1}, {0, 0, 0}));
    const Image image = renderer.draw(world);
    ASSERT_EQ(image.rgb.size(), 3u * 96 * 54);
    // Seen radius: asin(1/10) of half 30 degrees gives 0.375 of half the height, 10 rows; one row for the soft edge.
    for (int row = 0; row < 54; ++row)
        for (int column = 0; column < 96; ++column) {
            const double distance = std::hypot(column + 0.5 - 48, row + 0.5 - 27);
            if (distance < 9) {
                EXPECT_NE(pixel(image, column, row), pixel(empty, column, row)) << column << ' ' << row;
            } else if (distance > 11.5) {
                EXPECT_EQ(pixel(image, column, row), pixel(empty, column, row)) << column << ' ' << row;
            }
        }
}

TEST(Render, TheNearerBodyHidesTheFartherOne) {
    Renderer renderer(smallPicture());
    renderer.setCamera({{0, 0, 10}, {0, 0, 0}, 30});
    World nearOnly, both;
    nearOnly.addBody(moving(Sphere{1}, {0, 0, 2}));
    both.addBody(moving(Sphere{1}, {0, 0, 2}));
    both.addBody(moving(Box{{Real(0.3), Real(0.3), Real(0.3)}}, {0, 0, -2}));
    // The sun stands behind the camera: the box behind adds no shadow, only a little blocked sky on the far side.
    EXPECT_EQ(pixel(renderer.draw(nearOnly), 48, 27), pixel(renderer.draw(both), 48, 27));
    World swapped;
    swapped.addBody(moving(Sphere{1}, {0, 0, -2}));
    swapped.addBody(still(Box{{Real(0.3), Real(0.3), Real(0.3)}}, {0, 0, 2}));
    const Rgb grey = pixel(renderer.draw(swapped), 48, 27);
    EXPECT_LT(std::abs(grey.r - grey.b), 30);  // static bodies are grey, moving ones are not
    const Rgb colour = pixel(renderer.draw(nearOnly), 48, 27);
    EXPECT_GT(std::abs(colour.r - colour.b), 60);
}

TEST(Render, GroundInShadowIsDarkerThanGroundInTheSun) {
    World world;
    world.addBody(still(Box{{20, Real(0.5), 20}}, {0, Real(-0.5), 0}));
    world.addBody(moving(Sphere{1}, {0, 3, 0}));
    RenderOptions options = smallPicture(8);
    options.grid = false;
    options.sunDirection = {0, 1, Real(-0.5)};
    const Camera camera{{0, 6, 14}, {0, Real(0.5), 0}, 40};
    const auto brightness = [&](Real x, Real z) {
        Renderer renderer(options);
        renderer.setCamera(camera);
        const Image image = renderer.draw(world);
        const Vec3 seen = render::project(render::makeView(camera, Real(96) / 54), {x, 0, z});
        return pixel(image, int((seen.x + 1) / 2 * 96), int((1 - seen.y) / 2 * 54)).sum();
    };
    // The shadow of a sphere 3 m up falls 1.5 m further from the sun.
    const int inShadow = brightness(0, Real(1.5)), inSun = brightness(4, Real(1.5));
    EXPECT_LT(inShadow, 3 * inSun / 4);
    options.shadows = false;
    EXPECT_GT(brightness(0, Real(1.5)), (inShadow + inSun) / 2);
}

TEST(Render, GroundBesideAWallGetsLessSky) {
    World world;
    world.addBody(still(Box{{20, Real(0.5), 20}}, {0, Real(-0.5), 0}));
    world.addBody(still(Box{{10, 3, Real(0.1)}}, {0, 3, 0}));
    RenderOptions options = smallPicture(8);
    options.grid = false;
    options.sunDirection = {0, 1, Real(0.5)};  // in front of the wall: no shadow there
    Renderer renderer(options);
    const Camera camera{{0, 8, 14}, {0, 0, 3}, 40};
    renderer.setCamera(camera);
    const Image image = renderer.draw(world);
    const auto at = [&](Real z) {
        const Vec3 seen = render::project(render::makeView(camera, Real(96) / 54), {0, 0, z});
        return pixel(image, 48, int((1 - seen.y) / 2 * 54)).sum();
    };
    EXPECT_LT(at(Real(0.5)), at(Real(6)) - 10);
}

World sampleWorld() {
    World world;
    world.addBody(still(Box{{20, Real(0.5), 20}}, {0, Real(-0.5), 0}));
    const Quat turn = normalize(Quat{Real(0.2), Real(0.4), Real(0.1), 1});
    Hull hull;
    hull.points = {{0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}, {0, -1, 0}};
    Compound compound;
    compound.children = {{Sphere{Real(0.4)}, {Real(-0.4), 0, 0}, {}},
                         {Box{{Real(0.3), Real(0.3), Real(0.3)}}, {Real(0.4), 0, 0}, turn}};
    world.addBody(moving(Sphere{Real(0.5)}, {-3, Real(0.5), 0}));
    world.addBody(moving(Box{}, {-1, Real(0.8), 0}, turn));
    world.addBody(moving(Capsule{}, {1, Real(0.6), 1}, turn));
    world.addBody(moving(Cylinder{}, {3, Real(0.6), 0}, turn));
    world.addBody(moving(hull, {0, 1, -2}, turn));
    world.addBody(moving(buildShape(hull), {2, 1, -2}, turn));
    world.addBody(moving(compound, {-2, 1, -2}, turn));
    world.addBody(still(octahedron(), {4, 1, -2}));
    return world;
}

TEST(Render, EveryKindOfShapeShowsWhereItIs) {
    const World world = sampleWorld();
    const Camera camera{{0, 5, 12}, {0, Real(0.5), 0}, 40};
    Renderer renderer(smallPicture());
    renderer.setCamera(camera);
    const Image with = renderer.draw(world);
    for (const BodyId body : world.bodies()) {
        World without = sampleWorld();
        without.removeBody(body);
        const Image picture = renderer.draw(without);
        const Vec3 seen = render::project(render::makeView(camera, Real(96) / 54), world.centerOfMass(body));
        const int column = int((seen.x + 1) / 2 * 96), row = int((1 - seen.y) / 2 * 54);
        EXPECT_NE(pixel(with, column, row), pixel(picture, column, row)) << "body " << body.index;
    }
}

TEST(Render, ThePictureDoesNotDependOnThreads) {
    const World world = sampleWorld();
    RenderOptions options = smallPicture(3);
    options.contacts = true;
    const Image one = Renderer(options).draw(world);
    EXPECT_GT(std::count_if(one.rgb.begin(), one.rgb.end(), [&](std::uint8_t v) { return v != one.rgb[0]; }), 1000);
    for (const int threads : {2, 3, 4}) {
        options.threads = threads;
        EXPECT_EQ(Renderer(options).draw(world).rgb, one.rgb) << threads;
    }
    // A renderer that drew before draws the same: nothing is left over.
    Renderer twice(options);
    twice.draw(world);
    EXPECT_EQ(twice.draw(world).rgb, one.rgb);
}

TEST(Render, SleepersHaveAColourOfTheirOwn) {
    World world({.gravity = {}});
    world.addBody(moving(Box{{1, 1, 1}}, {0, 0, 0}));
    RenderOptions options = smallPicture();
    const Camera camera{{0, 2, 12}, {0, 0, 0}, 40};
    const auto draw = [&](bool sleepers) {
        options.sleepers = sleepers;
        Renderer renderer(options);
        renderer.setCamera(camera);
        return renderer.draw(world).rgb;
    };
    EXPECT_EQ(draw(true), draw(false));
    for (int i = 0; i < 60; ++i)
        world.step(Real(1) / 30);
    EXPECT_NE(draw(true), draw(false));
}

TEST(Render, AChangedShapeIsDrawnAnew) {
    World world;
    Hull small{{{0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}}}, large = small;
    for (Vec3& point : large.points)
        point *= 2;
    const BodyId body = world.addBody(moving(small, {0, 0, 0}));
    Renderer renderer(smallPicture());
    renderer.setCamera({{0, 2, 12}, {0, 0, 0}, 40});
    const Image before = renderer.draw(world);
    world.setShape(body, large);
    const Image after = renderer.draw(world);
    World fresh;
    fresh.addBody(moving(large, {0, 0, 0}));
    Renderer other(smallPicture());
    other.setCamera({{0, 2, 12}, {0, 0, 0}, 40});
    EXPECT_NE(before.rgb, after.rgb);
    EXPECT_EQ(after.rgb, other.draw(fresh).rgb);
}

// All eight corners of a box about each body lie inside the picture.
void expectInView(const World& world, const Camera& camera, Real aspect, Real radius, BodyId except = {}) {
    const render::View view = render::makeView(camera, aspect);
    for (const BodyId body : world.bodies()) {
        if (world.motion(body) != Motion::Dynamic || body == except)
            continue;
        for (int i = 0; i < 8; ++i) {
            const Vec3 corner = Vec3{i & 1 ? radius : -radius, i & 2 ? radius : -radius, i & 4 ? radius : -radius};
            const Vec3 seen = render::project(view, world.position(body) + corner);
            EXPECT_GT(seen.z, 0);
            EXPECT_LT(std::fabs(seen.x), 1);
            EXPECT_LT(std::fabs(seen.y), 1);
        }
    }
}

TEST(Render, TheCameraSeesAllBodiesAndFillsThePicture) {
    for (const Real aspect : {Real(16) / 9, Real(1), Real(0.5)})
        for (const Vec3 spacing : {Vec3{1, 1, 1}, Vec3{4, 1, 1}, Vec3{1, 5, 1}, Vec3{1, 1, 6}}) {
            World world;
            world.addBody(still(Box{{100, Real(0.5), 100}}, {0, Real(-0.5), 0}));
            for (int i = 0; i < 27; ++i)
                world.addBody(moving(Sphere{Real(0.4)}, multiply(spacing, {Real(i % 3), Real(i / 3 % 3 + 1), Real(i / 9)})));
            const Camera camera = frameBodies(world, aspect);
            expectInView(world, camera, aspect, Real(0.4));
            // Not from needlessly far either: something reaches half way to a rim.
            const render::View view = render::makeView(camera, aspect);
            Real reach = 0;
            for (const BodyId body : world.bodies())
                if (world.motion(body) == Motion::Dynamic) {
                    const Vec3 seen = render::project(view, world.position(body));
                    reach = max(reach, max(std::fabs(seen.x), std::fabs(seen.y)));
                }
            EXPECT_GT(reach, Real(0.5));
        }
}

TEST(Render, OneBodyThatFlewAwayDoesNotMoveTheCamera) {
    for (const int count : {3, 10, 200}) {
        World world;
        for (int i = 0; i < count; ++i)
            world.addBody(moving(Sphere{Real(0.4)}, {Real(i % 5), Real(i / 25), Real(i / 5 % 5)}));
        const Camera calm = frameBodies(world);
        const BodyId stray = world.addBody(moving(Sphere{Real(0.4)}, {3000, 500, -2000}));
        const Camera camera = frameBodies(world);
        expectInView(world, camera, Real(16) / 9, Real(0.4), stray);
        EXPECT_LT(length(camera.position - calm.position), Real(0.01)) << count;
    }
}

TEST(Render, TheCameraLooksOverTheWallsOfAPit) {
    World world;
    for (const Real side : {Real(-1), Real(1)}) {
        world.addBody(still(Box{{5, 4, Real(0.2)}}, {0, 4, 5 * side}));
        world.addBody(still(Box{{Real(0.2), 4, 5}}, {5 * side, 4, 0}));
    }
    std::vector<Vec3> centers;
    for (int i = 0; i < 25; ++i) {
        centers.push_back({Real(i % 5 - 2), Real(0.5), Real(i / 5 - 2)});
        world.addBody(moving(Sphere{Real(0.4)}, centers.back()));
    }
    const Camera camera = frameBodies(world);
    // Sight lines cross the plane of a wall above it.
    for (const Vec3& center : centers) {
        const Vec3 way = camera.position - center;
        for (const Real t : {(5 - center.x) / way.x, (5 - center.z) / way.z})
            if (t > 0 && t < 1) {
                EXPECT_GT(center.y + t * way.y, 8);
            }
    }
}

TEST(Render, WorldsWithoutMovingBodiesAreDrawnToo) {
    EXPECT_EQ(Renderer(smallPicture()).draw(World{}).rgb.size(), 3u * 96 * 54);
    World ground;
    ground.addBody(still(Box{{20, Real(0.5), 20}}, {0, Real(-0.5), 0}));
    const Image image = Renderer(smallPicture()).draw(ground);
    EXPECT_NE(pixel(image, 48, 27), pixel(Renderer(smallPicture()).draw(World{}), 48, 27));
}

TEST(Render, OptionsOutOfRangeAreNamed) {
    const auto messageOf = [](const auto& attempt) {
        try {
            attempt();
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("nothing was thrown");
    };
    EXPECT_EQ(messageOf([] { Renderer({.width = 0}); }), "width: 0 is not allowed (1 to 8192)");
    EXPECT_EQ(messageOf([] { Renderer({.samples = 1000}); }), "samples: 1000 is not allowed (1 to 256)");
    Renderer renderer(smallPicture());
    EXPECT_NE(messageOf([&] { renderer.setCamera({{1, 2, 3}, {1, 2, 3}, 30}); }).find("target"), std::string::npos);
    EXPECT_NE(messageOf([&] { renderer.setCamera({{1, 2, 3}, {0, 0, 0}, 180}); }).find("fovDegrees"), std::string::npos);
    EXPECT_NE(messageOf([&] { renderer.setCamera({{NAN, 2, 3}, {0, 0, 0}, 30}); }).find("camera"), std::string::npos);
}

Image readPng(const std::string& path) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    EXPECT_TRUE(png_image_begin_read_from_file(&header, path.c_str())) << header.message;
    header.format = PNG_FORMAT_RGB;
    Image image{int(header.width), int(header.height), std::vector<std::uint8_t>(PNG_IMAGE_SIZE(header))};
    EXPECT_TRUE(png_image_finish_read(&header, nullptr, image.rgb.data(), 0, nullptr)) << header.message;
    return image;
}

TEST(Png, ReadsBackAsItWasWritten) {
    Image image{37, 19, std::vector<std::uint8_t>(3u * 37 * 19)};
    for (std::size_t i = 0; i < image.rgb.size(); ++i)
        image.rgb[i] = static_cast<std::uint8_t>(i * 7919 >> 3);
    const Folder folder;
    writePng(image, folder.file("a.png"));
    const Image read = readPng(folder.file("a.png"));
    EXPECT_EQ(read.width, 37);
    EXPECT_EQ(read.height, 19);
    EXPECT_EQ(read.rgb, image.rgb);
    EXPECT_EQ(folder.entries(), 1u);  // no temporary left
}

TEST(Png, FailureLeavesNothingBehindAndNamesThePath) {
    const Folder folder;
    const Image image{1, 1, {1, 2, 3}};
    try {
        writePng(image, folder.file("missing/a.png"));
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("missing/a.png"), std::string::npos) << error.what();
    }
    std::filesystem::create_directories(folder.file("b.png/inside"));
    EXPECT_THROW(writePng(image, folder.file("b.png")), Error);
    EXPECT_EQ(folder.entries(), 1u);
    EXPECT_THROW(writePng(Image{2, 2, {1, 2, 3}}, folder.file("c.png")), Error);
    EXPECT_EQ(folder.entries(), 1u);
}

TEST(ContactSheet, TilesFillFromTheTopLeftAndCarryCaptions) {
    ContactSheet sheet("wall", 3, 2, 80, 45);
    EXPECT_EQ(sheet.capacity(), 6);
    const Image blank = sheet.image();
    Image red{160, 90, {}};
    for (int i = 0; i < 160 * 90; ++i)
        red.rgb.insert(red.rgb.end(), {200, 10, 20});
    sheet.add(red, 12, 0.4);
    // A flat colour stays what it is when scaled down: one tile of it, 80 x 45.
    int count = 0, left = 1000, top = 1000, captionInk = 0;
    for (int row = 0; row < sheet.image().height; ++row)
        for (int column = 0; column < sheet.image().width; ++column) {
            if (pixel(sheet.image(), column, row) == Rgb{200, 10, 20}) {
                ++count;
                left = std::min(left, column);
                top = std::min(top, row);
            } else if (!(pixel(sheet.image(), column, row) == pixel(blank, column, row))) {
                ++captionInk;
                EXPECT_GT(row, top);
            }
        }
    EXPECT_EQ(count, 80 * 45);
    EXPECT_LT(left, 40);
    EXPECT_LT(top, 60);
    EXPECT_GT(captionInk, 40);
    for (int i = 1; i < 6; ++i)
        sheet.add(red, 12 + i, 0.4);
    EXPECT_THROW(sheet.add(red, 99, 1), Error);
    const Folder folder;
    sheet.write(folder.file("sheet.png"));
    EXPECT_EQ(readPng(folder.file("sheet.png")).rgb, sheet.image().rgb);
}

TEST(ContactSheet, ScalingKeepsTheMeanOfLight) {
    // A chequer of black and white is half the light of white: 188 in sRGB, not 128.
    Image chequer{64, 64, {}};
    for (int i = 0; i < 64 * 64; ++i) {
        const std::uint8_t v = (i % 64 + i / 64) % 2 ? 255 : 0;
        chequer.rgb.insert(chequer.rgb.end(), {v, v, v});
    }
    ContactSheet sheet("", 1, 1, 32, 32);
    sheet.add(chequer, 0, 0);
    EXPECT_EQ(pixel(sheet.image(), sheet.image().width / 2, sheet.image().height / 2), (Rgb{188, 188, 188}));
}

TEST(ContactSheet, FramesAreSpreadOverTheWholeRun) {
    EXPECT_EQ(ContactSheet::spread(120, 5), (std::vector<int>{0, 30, 60, 90, 120}));
    EXPECT_EQ(ContactSheet::spread(2, 12), (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(ContactSheet::spread(0, 4), (std::vector<int>{0}));
    EXPECT_EQ(ContactSheet::spread(50, 1), (std::vector<int>{50}));
}

}  // namespace
}  // namespace sunder
