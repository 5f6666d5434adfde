// Queries through the public interface: what they find, in what order, far from the origin, and from several threads.
#include <gtest/gtest.h>

#include <thread>

#include "sunder/sunder.h"
#include "support/mesh_builder.h"
#include "support/random_points.h"

namespace sunder {
namespace {

using testing::RandomPoints;

BodyDef fixed(const Shape& shape, const Vec3& position) {
    BodyDef def;
    def.shape = shape;
    def.motion = Motion::Static;
    def.position = position;
    return def;
}

// A crowd of all shapes and motions about a place.
World crowd(const Vec3& origin, int count) {
    World world;
    RandomPoints random(41);
    const SharedShape mesh = buildShape(testing::gridMesh(6, 1, [](Real x, Real z) { return Real(0.3) * (x - z); }));
    for (int i = 0; i < count; ++i) {
        BodyDef def;
        const Real a = random.between(0.1, 0.4), b = random.between(0.1, 0.4), c = random.between(0.1, 0.4);
        def.motion = Motion(i % 3);
        switch (i % 7) {
            case 0: def.shape = Sphere{a}; break;
            case 1: def.shape = Box{{a, b, c}}; break;
            case 2: def.shape = Capsule{a, b}; break;
            case 3: def.shape = Cylinder{a, b}; break;
            case 4: def.shape = Hull{{{a, 0, 0}, {-a, 0, 0}, {0, b, 0}, {0, -b, 0}, {0, 0, c}, {0, 0, -c}}}; break;
            case 5: def.shape = Compound{{{Box{{a, b, c}}, {a, 0, 0}, {}}, {Sphere{c}, {0, b, 0}, {}}}}; break;
            default: def.shape = mesh; def.motion = Motion::Static;
        }
        def.position = origin + random.inBox(2.5);
        def.orientation = random.rotation();
        world.addBody(def);
    }
    return world;
}

bool sameHit(const RayHit& a, const RayHit& b) {
    return a.body == b.body && a.fraction == b.fraction && a.normal == b.normal && a.child == b.child &&
           a.triangle == b.triangle && a.startsInside == b.startsInside;
}

// The tree leaves nothing out: each body asked alone, through the filter, gives the same hits, sorted by fraction and age.
TEST(Queries, AgreeWithAskingEveryBody) {
    const World world = crowd({}, 200);
    RandomPoints random(42);
    int total = 0;
    for (int i = 0; i < 60; ++i) {
        const Ray ray{random.inBox(3), random.inBox(8)};
        std::vector<RayHit> all, single, expected;
        world.castRayAll(ray, all);
        for (const BodyId body : world.bodies()) {
            QueryFilter only;
            only.accept = [&](BodyId id) { return id == body; };
            world.castRayAll(ray, single, only);
            ASSERT_LE(single.size(), 1u);
            expected.insert(expected.end(), single.begin(), single.end());
        }
        std::stable_sort(expected.begin(), expected.end(),
                         [](const RayHit& a, const RayHit& b) { return a.fraction < b.fraction; });
        ASSERT_EQ(all.size(), expected.size());
        for (std::size_t k = 0; k < all.size(); ++k)
            ASSERT_TRUE(sameHit(all[k], expected[k])) << i << " " << k;
        const auto first = world.castRay(ray);
        ASSERT_EQ(first.has_value(), !all.empty());
        if (first) {
            ASSERT_TRUE(sameHit(*first, all[0]));
        }
        total += int(all.size());
    }
    EXPECT_GT(total, 50);
}

// Bounds of 10 km in float are a millimetre coarse; answers are not.
TEST(Queries, AreExactFarFromTheOrigin) {
    const Vec3 far{10000, -8192, 9984};  // whole numbers, so that the shift itself rounds nothing
    World here, there;
    RandomPoints random(43);
    std::vector<Vec3> places;
    for (int i = 0; i < 50; ++i) {
        // Multiples of 1/512 are exact in float at 10 km.
        const Vec3 p = random.inBox(1.5);
        const auto coarse = [](Real x) { return std::floor(x * 512) / 512; };
        const Vec3 place{coarse(p.x), coarse(p.y), coarse(p.z)};
        const Quat turn = random.rotation();
        for (World* world : {&here, &there}) {
            BodyDef def = fixed(i % 2 ? Shape(Box{{Real(0.3), Real(0.1), Real(0.2)}}) : Shape(Sphere{Real(0.25)}),
                                world == &here ? place : far + place);
            def.orientation = turn;
            world->addBody(def);
        }
    }
    int hits = 0;
    for (int i = 0; i < 200; ++i) {
        // Origins that no float at 10 km could hold.
        const Vec3 from = random.inBox(2), way = random.inBox(6);
        const WorldPoint shifted{double(far.x) + from.x, double(far.y) + from.y, double(far.z) + from.z};
        const auto near = here.castRay({from, way}), away = there.castRay({shifted, way});
        ASSERT_EQ(near.has_value(), away.has_value()) << i;
        const auto closest = here.closestPoint(from, 1), closestAway = there.closestPoint(shifted, 1);
        ASSERT_EQ(closest.has_value(), closestAway.has_value()) << i;
        if (closest) {
            ASSERT_NEAR(closest->distance, closestAway->distance, 1e-6) << i;
        }
        const ShapeCast cast{{Sphere{Real(0.1)}, from, {}}, way}, castAway{{Sphere{Real(0.1)}, shifted, {}}, way};
        const auto stop = here.castShape(cast), stopAway = there.castShape(castAway);
        ASSERT_EQ(stop.has_value(), stopAway.has_value()) << i;
        if (stop) {
            ASSERT_NEAR(stop->distance, stopAway->distance, 1e-5) << i;
        }
        if (!near)
            continue;
        ++hits;
        ASSERT_EQ(near->body, away->body);
        ASSERT_NEAR(near->distance, away->distance, 2e-6) << i;
        ASSERT_NEAR(away->point.x - far.x, near->point.x, 2e-6);
    }
    EXPECT_GT(hits, 30);
}

TEST(Queries, FiltersDecideWhatIsSeen) {
    World world;
    BodyDef def = fixed(Box{}, {0, 0, 0});
    def.layer = 2;
    const BodyId lowest = world.addBody(def);
    def = fixed(Box{}, {0, 2, 0});
    def.mask = 4;
    const BodyId middle = world.addBody(def);
    def = fixed(Box{}, {0, 4, 0});
    def.sensor = true;
    const BodyId sensor = world.addBody(def);
    const Ray down{{0, 10, 0}, {0, -20, 0}};
    const auto first = [&](const QueryFilter& filter) {
        const auto hit = world.castRay(down, filter);
        return hit ? hit->body : BodyId{};
    };
    EXPECT_EQ(first({}), middle);
    EXPECT_EQ(first({.sensors = true}), sensor);
    EXPECT_EQ(first({.mask = 2}), lowest);
    EXPECT_EQ(first({.layer = 1}), lowest) << "the middle body's mask leaves out layer 1";
    EXPECT_EQ(first({.layer = 4}), middle);
    EXPECT_EQ(first({.accept = [&](BodyId id) { return id != middle; }}), lowest);
    EXPECT_TRUE(first({.mask = 8}).isNull());
}

TEST(Queries, EqualHitsComeInTheOrderOfBodies) {
    World world;
    std::vector<BodyId> ids;
    for (int i = 0; i < 10; ++i)
        ids.push_back(world.addBody(fixed(Box{}, {0, 0, 0})));
    world.removeBody(ids[2]);
    ids.erase(ids.begin() + 2);
    ids.push_back(world.addBody(fixed(Box{}, {0, 0, 0})));  // reuses the slot, but is the youngest
    std::vector<RayHit> hits;
    world.castRayAll({{0, 5, 0}, {0, -5, 0}}, hits);
    ASSERT_EQ(hits.size(), ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i)
        EXPECT_EQ(hits[i].body, ids[i]);
    EXPECT_EQ(world.castRay({{0, 5, 0}, {0, -5, 0}})->body, ids[0]);
    std::vector<BodyId> overlapping;
    world.overlap({Sphere{Real(0.1)}, {0, 0, 0}, {}}, overlapping);
    EXPECT_EQ(overlapping, ids);
}

TEST(Queries, RayFromInsideSaysSo) {
    World world;
    world.addBody(fixed(Box{}, {0, 0, 0}));
    const auto hit = world.castRay({{Real(0.1), 0, 0}, {3, 0, 0}});
    ASSERT_TRUE(hit.has_value());
    EXPECT_TRUE(hit->startsInside);
    EXPECT_EQ(hit->fraction, 0);
    EXPECT_NEAR(hit->normal.x, -1, 1e-6);
    EXPECT_NEAR(hit->point.x, 0.1, 1e-6);
}

TEST(Queries, ClosestPointIsSignedAndSorted) {
    World world;
    const BodyId box = world.addBody(fixed(Box{{1, 1, 1}}, {0, 0, 0}));
    const BodyId ball = world.addBody(fixed(Sphere{1}, {4, 0, 0}));
    std::vector<PointHit> hits;
    world.closestPointAll({Real(0.8), 0, 0}, 10, hits);
    ASSERT_EQ(hits.size(), 2u);
    EXPECT_EQ(hits[0].body, box);
    EXPECT_NEAR(hits[0].distance, -0.2, 1e-6);
    EXPECT_NEAR(hits[0].point.x, 1, 1e-6);
    EXPECT_NEAR(hits[1].distance, 2.2, 1e-6);
    EXPECT_EQ(world.closestPoint({Real(2.8), 0, 0}, 10)->body, ball);
    EXPECT_FALSE(world.closestPoint({0, 20, 0}, 10).has_value());
    EXPECT_NEAR(world.closestPointOn(ball, {4, 20, 0}).distance, 19, 1e-5);
}

// The parts of a hit name what the user built.
TEST(Queries, HitsNameTheirParts) {
    World world;
    const Compound parts{{{Sphere{Real(0.5)}, {-2, 0, 0}, {}}, {Box{}, {2, 0, 0}, {}}}};
    world.addBody(fixed(parts, {0, 0, 0}));
    EXPECT_EQ(world.castRay({{-2, 5, 0}, {0, -9, 0}})->child, 0u);
    EXPECT_EQ(world.castRay({{2, 5, 0}, {0, -9, 0}})->child, 1u);
    EXPECT_EQ(world.castRay({{2, 5, 0}, {0, -9, 0}})->triangle, kNoIndex);
    // Two feet come down beside the sphere and onto the box: the second touches first.
    const Compound feet{{{Sphere{Real(0.1)}, {0, -1, 0}, {}}, {Sphere{Real(0.1)}, {2, -1, 0}, {}}}};
    const auto hit = world.castShape({{feet, {0, 5, 0}, {}}, {0, -6, 0}});
    ASSERT_TRUE(hit.has_value());
    EXPECT_EQ(hit->castChild, 1u);
    EXPECT_EQ(hit->child, 1u);
    EXPECT_NEAR(hit->distance, 3.4, 1e-5);
}

// A body that a blow has carried out of the bounds it had at the start of the step is found where it is.
TEST(Queries, FindBodiesWhereTheStepLeftThem) {
    WorldDef def;
    def.gravity = {};
    World world(def);
    BodyDef ball;
    ball.shape = Sphere{Real(0.1)};
    const BodyId struck = world.addBody(ball);
    ball.position = {-1, 0, 0};
    ball.velocity = {100, 0, 0};
    ball.material.density = 8000;
    world.addBody(ball);
    for (int i = 0; i < 10; ++i) {
        world.step(Real(1) / 30);
        const Vec3 p = world.position(struck);
        QueryFilter only;
        only.accept = [&](BodyId id) { return id == struck; };
        const auto hit = world.castRay({p + Vec3{0, 1, 0}, {0, -1, 0}}, only);
        ASSERT_TRUE(hit.has_value()) << i;
        EXPECT_NEAR(hit->distance, 0.9, 1e-5);
    }
    EXPECT_GT(world.position(struck).x, 5) << "the blow must carry it away for the test to say anything";
}

TEST(Queries, ThreadsGetTheSameAnswers) {
    World world = crowd({1000, 0, 0}, 150);
    for (int i = 0; i < 3; ++i)
        world.step(Real(1) / 60);
    const auto ask = [&](std::vector<std::uint64_t>& answers) {
        RandomPoints random(44);
        std::vector<RayHit> rays;
        std::vector<ShapeHit> casts;
        std::vector<BodyId> bodies;
        std::vector<PointHit> points;
        for (int i = 0; i < 40; ++i) {
            const Vec3 from = Vec3{1000, 0, 0} + random.inBox(3), way = random.inBox(6);
            world.castRayAll({from, way}, rays);
            world.castShapeAll({{Box{{Real(0.2), Real(0.3), Real(0.1)}}, from, random.rotation()}, way}, casts);
            world.overlap({Capsule{Real(0.5), Real(0.5)}, from, random.rotation()}, bodies);
            world.closestPointAll(from, 2, points);
            for (const RayHit& hit : rays)
                answers.push_back(hit.body.index + (std::uint64_t(double(hit.fraction) * 1e9) << 20));
            for (const ShapeHit& hit : casts)
                answers.push_back(hit.body.index + (std::uint64_t(double(hit.fraction) * 1e9) << 20));
            for (const PointHit& hit : points)
                answers.push_back(hit.body.index + (std::uint64_t(double(hit.distance + 10) * 1e9) << 20));
            for (const BodyId body : bodies)
                answers.push_back(body.index);
        }
    };
    const std::uint64_t before = world.hash();
    std::vector<std::vector<std::uint64_t>> answers(4);
    std::vector<std::thread> threads;
    for (std::vector<std::uint64_t>& own : answers)
        threads.emplace_back(ask, std::ref(own));
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_GT(answers[0].size(), 200u);
    for (const std::vector<std::uint64_t>& own : answers)
        EXPECT_EQ(own, answers[0]);
    EXPECT_EQ(world.hash(), before);
}

TEST(Queries, RefuseWhatMakesNoSense) {
    World world;
    const BodyId body = world.addBody({});
    const Real nan = std::numeric_limits<Real>::quiet_NaN(), infinity = std::numeric_limits<Real>::infinity();
    EXPECT_THROW(world.castRay({{0, 0, 0}, {0, 0, 0}}), Error);
    EXPECT_THROW(world.castRay({{0, nan, 0}, {0, 1, 0}}), Error);
    EXPECT_THROW(world.castRay({{0, 0, 0}, {0, infinity, 0}}), Error);
    EXPECT_THROW(world.closestPoint({0, 0, 0}, -1), Error);
    EXPECT_THROW(world.castShape({{Sphere{-1}, {}, {}}, {0, 1, 0}}), Error);
    EXPECT_THROW(world.castShape({{testing::flatGrid(2, 1), {}, {}}, {0, 1, 0}}), Error);
    EXPECT_THROW(world.castShape({{Sphere{1}, {}, {0, 0, 0, 0}}, {0, 1, 0}}), Error);
    std::vector<BodyId> bodies;
    EXPECT_THROW(world.overlap({Box{{1, nan, 1}}, {}, {}}, bodies), Error);
    world.removeBody(body);
    EXPECT_THROW(world.closestPointOn(body, {}), Error);
    try {
        world.castRay({{0, 0, 0}, {0, 0, 0}});
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "castRay:\n  displacement: [0, 0, 0] is not allowed (any direction, longer than 0)");
    }
}

}  // namespace
}  // namespace sunder
