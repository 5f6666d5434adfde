// Placing patterns: the general and the aligned placement against each other and against the pattern itself.
#include "fracture/prescored/place_pattern.h"

#include <algorithm>

#include "fracture/prescored/broken_body.h"
#include "support/random_points.h"

namespace sunder::fracture {
namespace {

using geometry::Grid;
using namespace testing;
using sunder::testing::RandomPoints;

TEST(PlacePattern, GeneralIsThePatternMovedTurnedAndScaled) {
    const Pattern pattern = patternOf(VoronoiPattern{});
    const Grid body{{-1, Real(-0.5), -1}, Real(0.05), {41, 21, 41}};
    const std::unique_ptr<TaskRunner> runner = makeSerialRunner();
    const Impact impact{{Real(0.3), Real(0.5), Real(-0.2)}, {Real(0.48), Real(0.6), Real(0.64)}};
    const Real scale = coveringScale(pattern, Real(1.5));
    EXPECT_NEAR(scale * pattern.innerRadius(), 3, 1e-4);
    const PlacedPattern placed = placeGeneral(pattern, scale, body, impact, *runner);
    // The pattern's centre is at the impact, and a point along the normal from it lies along +y of the pattern.
    for (int step = -5; step <= 5; ++step) {
        const Vec3 p = impact.point + impact.normal * (Real(step) * Real(0.05));
        const Vec3 node = (p - body.origin) / body.cell;
        const int x = int(node.x + Real(0.5)), y = int(node.y + Real(0.5)), z = int(node.z + Real(0.5));
        if (y < 0 || y >= body.nodes.y)
            continue;
        const Vec3 inPattern{0, Real(step) * Real(0.05) / scale, 0};
        const geometry::PatternSample found = samplePattern(pattern, (inPattern - pattern.grid.origin) / pattern.grid.cell);
        // The node is within a cell of the point: where the border is farther away the labels agree.
        if (found.cells * pattern.grid.cell * scale > body.cell) {
            EXPECT_EQ(placed.labels[std::size_t(x) + std::size_t(y) * placed.rowStride + std::size_t(z) * placed.sliceStride],
                      found.label);
        }
    }
}

// Nodes that are farther outside than a pattern's distances reach are not sampled; no piece can tell.
TEST(PlacePattern, PiecesDoNotDependOnNodesFarOutside) {
    const LevelSet16 field = levelSetOf<std::int16_t>(Sphere{Real(0.6)}, kCell);
    const Pattern pattern = patternOf(VoronoiPattern{});
    const std::unique_ptr<TaskRunner> runner = makeSerialRunner();
    const Impact impact{{0, Real(0.6), 0}, {Real(0.6), Real(0.8), 0}};
    const Real scale = coveringScale(pattern, radiusOf(field.grid));
    const PlacedPattern all = placeGeneral(pattern, scale, field.grid, impact, *runner);
    const PlacedPattern near = placeGeneral(pattern, scale, field.grid, impact, *runner, &field);
    EXPECT_NE(all.ownDistances, near.ownDistances);  // else the test would show nothing
    const ParentBody<std::int16_t> body{field, massOf(field), nullptr};
    const auto a = breakBody(body, all, {}, *runner), b = breakBody(body, near, {}, *runner);
    ASSERT_EQ(a.size(), b.size());
    ASSERT_GT(a.size(), 5u);
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].field.values, b[i].field.values);
        EXPECT_EQ(a[i].particles.positions, b[i].particles.positions);
    }
}

TEST(PlacePattern, SkippingFarNodesChangesNothing) {
    const Pattern pattern = patternOf(RadialPattern{});
    const Grid body{{-1, Real(-0.5), -1}, Real(0.02), {101, 31, 101}};
    const std::unique_ptr<TaskRunner> runner = makeSerialRunner();
    RandomPoints random(2);
    for (int i = 0; i < 3; ++i) {
        const Impact impact{random.inBox(0.5), random.onSphere()};
        const PlacedPattern all = placeGeneral(pattern, 2, body, impact, *runner);
        for (int j = 0; j < 500; ++j) {
            const int x = int(random.below(101)), y = int(random.below(31)), z = int(random.below(101));
            Grid one = body;  // a grid that starts in the node: nothing before it can have skipped it
            one.origin = body.position(x, y, z);
            one.nodes = {2, 2, 2};
            const PlacedPattern single = placeGeneral(pattern, 2, one, impact, *runner);
            const std::size_t at = body.index(x, y, z);
            if (single.distances[0] > 1) {  // on the border itself rounding decides
                EXPECT_EQ(all.labels[at], single.labels[0]);
            }
            EXPECT_NEAR(all.distances[at], single.distances[0], 1);
        }
    }
}

TEST(PlacePattern, NearestAxis) {
    EXPECT_EQ(nearestAxis({Real(0.1), Real(-0.9), Real(0.2)}), Axis::MinusY);
    EXPECT_EQ(nearestAxis({Real(0.9), Real(-0.2), Real(0.2)}), Axis::PlusX);
    EXPECT_EQ(nearestAxis({0, 0, -1}), Axis::MinusZ);
}

struct Case {
    const char* name;
    Shape shape;
    Vec3 point, normal;
};

// Hits along the pattern's axis in a node: both placements give as many pieces, with the ten largest masses within 2 %. One
// made from the description is sharp where regions meet; the sampled one, with cells of the body's size, is not: 6 %, and a
// piece of a few cells may be missing.
TEST(PlacePattern, AlignedAgreesWithGeneral) {
    const Real cell = Real(0.04);
    const std::vector<Case> cases{
        {"wall", Box{{Real(1.47), Real(0.17), Real(0.97)}}, {Real(0.2), Real(0.17), 0}, {0, 1, 0}},
        {"wall from below", Box{{Real(0.97), Real(0.17), Real(0.97)}}, {0, Real(-0.17), 0}, {0, -1, 0}},
        {"ball", Sphere{Real(0.8)}, {Real(0.8), 0, 0}, {1, 0, 0}},
        {"cylinder", Cylinder{Real(0.6), 1}, {0, Real(0.1), Real(-0.6)}, {0, 0, -1}}};
    VoronoiPattern cells;
    cells.pieces = 30;
    for (const PatternKind& kind : {PatternKind{RadialPattern{6, 4, Real(0.08)}}, PatternKind{cells}}) {
        const Pattern pattern = patternOf(kind, 3, 129);
        for (const Case& test : cases) {
            SCOPED_TRACE(std::string(test.name) + (kind.index() == 0 ? ", radial" : ", cells"));
            const LevelSet8 field = levelSetOf(test.shape, cell);
            const std::unique_ptr<TaskRunner> runner = makeSerialRunner();
            const Real scale = coveringScale(pattern, radiusOf(field.grid));
            const Vec3 node = (test.point - field.grid.origin) / cell;
            const Vec3 snapped = field.grid.position(int(node.x + Real(0.5)), int(node.y + Real(0.5)), int(node.z + Real(0.5)));
            BreakOptions options;
            options.limits.smallestNodes = 30;  // a piece of a few cells may be there in one and not in the other
            const MassProperties mass = massOf(field);
            const ParentBody<std::int8_t> body{field, mass, nullptr};
            const auto sorted = [&](const PlacedPattern& placed) {
                std::vector<double> masses;
                for (const auto& piece : breakBody<std::int8_t>(body, placed, options, *runner))
                    masses.push_back(piece.mass.volume);
                std::sort(masses.rbegin(), masses.rend());
                return masses;
            };
            const AlignedPattern sampled(pattern, scale, field.grid, nearestAxis(test.normal), *runner);
            const AlignedPattern exact(definitionOf(kind, 3, 129), scale, field.grid, nearestAxis(test.normal));
            const std::vector<double> general =
                sorted(placeGeneral(pattern, scale, field.grid, {snapped, test.normal}, *runner));
            for (const AlignedPattern* aligned : {&sampled, &exact}) {
                SCOPED_TRACE(aligned == &exact ? "from the description" : "from the sampled pattern");
                const std::vector<double> masses = sorted(aligned->place(field.grid, {test.point, test.normal}));
                EXPECT_NEAR(double(masses.size()), double(general.size()), aligned == &exact ? 1 : 0);
                for (std::size_t i = 0; i < std::min({std::size_t(10), masses.size(), general.size()}); ++i)
                    EXPECT_NEAR(masses[i], general[i], (aligned == &exact ? 0.06 : 0.02) * general[i]);
            }
        }
    }
}

TEST(PlacePattern, AlignedCoversEveryImpactAndRefusesOtherBodies) {
    const LevelSet8 field = levelSetOf(Box{{Real(0.5), Real(0.2), Real(0.4)}}, Real(0.05));
    const std::unique_ptr<TaskRunner> runner = makeSerialRunner();
    const Pattern pattern = patternOf(VoronoiPattern{}, 1, 33);
    const AlignedPattern aligned(pattern, 1, field.grid, Axis::PlusY, *runner);
    RandomPoints random(9);
    for (int i = 0; i < 100; ++i)
        EXPECT_NE(aligned.place(field.grid, {random.inBox(3), {0, 1, 0}}).labels, nullptr);
    Grid other = field.grid;
    other.cell *= 2;
    EXPECT_EQ(aligned.place(other, {{}, {0, 1, 0}}).labels, nullptr);
    other = field.grid;
    other.nodes.x *= 3;
    EXPECT_EQ(aligned.place(other, {{}, {0, 1, 0}}).labels, nullptr);
}

}  // namespace
}  // namespace sunder::fracture
