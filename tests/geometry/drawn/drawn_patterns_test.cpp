// Patterns from drawings: meshes, labels, pictures and curves.
#include "sunder/drawn_patterns.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/drawn/crack_map.h"
#include "geometry/patterns/built_pattern.h"
#include "geometry/patterns/upright.h"
#include "geometry/polyhedron.h"
#include "math/quat.h"
#include "sunder/definitions.h"

namespace sunder {
namespace {

DrawnPiece boxAt(const std::string& name, const Vec3& center, const Vec3& half) {
    const geometry::Polyhedron box = geometry::boxPolyhedron(half);
    DrawnPiece piece{name, {box.vertices, geometry::triangulate(box)}};
    for (Vec3& v : piece.mesh.vertices)
        v += center;
    return piece;
}

// Two boxes with a common face at x = 0.
std::vector<DrawnPiece> twoBoxes(Real shift = 0) {
    const Vec3 half{Real(0.25), Real(0.5), Real(0.5)};
    return {boxAt("left", {Real(-0.25), 0, 0}, half), boxAt("right", {Real(0.25) + shift, 0, 0}, half)};
}

std::string errorOf(const std::vector<DrawnPiece>& pieces, DrawnFrame frame = {}) {
    frame.nodes = frame.nodes == 0 ? 49 : frame.nodes;  // fewer than usual: it takes less time
    try {
        patternFromPieces(pieces, frame);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(DrawnPieces, MeshesAndTheRest) {
    DrawnFrame frame;
    frame.unit = 1;
    frame.nodes = 65;
    const SharedPattern built = patternFromPieces(twoBoxes(), frame);
    const geometry::Pattern& pattern = built->pattern;
    ASSERT_EQ(pattern.regionCount, 3);
    ASSERT_NE(built->drawn->rest, 0);
    int wrong = 0;
    double worst = 0;
    const geometry::Grid& grid = pattern.grid;
    for (int z = 0; z < grid.nodes.z; ++z)
        for (int y = 0; y < grid.nodes.y; ++y)
            for (int x = 0; x < grid.nodes.x; ++x) {
                const Vec3 p = grid.position(x, y, z), q = abs(p) - Vec3{Real(0.5), Real(0.5), Real(0.5)};
                const Real outside = max(q.x, max(q.y, q.z));
                const std::size_t at = grid.index(x, y, z);
                const bool isNear = std::fabs(outside) < Real(0.01) * grid.cell;
                if (!isNear)
                    wrong += (pattern.labels[at] == built->drawn->rest) != (outside > 0);
                if (outside < 0 && outside > -3 * grid.cell) {
                    const Real toBorder = min(-outside, std::fabs(p.x));
                    worst = std::max(worst, std::fabs(pattern.distances[at] / 256.0 - double(min(toBorder / grid.cell, 16))));
                }
            }
    EXPECT_EQ(wrong, 0);
    EXPECT_LT(worst, 0.02);  // exact but for steps of 1/256 cell
}

// Faces between pieces, and between them and the rest, are those of the meshes: there for boxes side by side, whatever their
// triangles, not for pieces that overlap or leave a gap.
TEST(DrawnPieces, FacesAreThoseOfTheMeshes) {
    DrawnFrame frame;
    frame.unit = 1;
    frame.nodes = 65;
    std::vector<DrawnPiece> boxes = twoBoxes();
    const SharedPattern built = patternFromPieces(boxes, frame);
    ASSERT_TRUE(built->complex);
    double between = 0, outside = 0;
    for (const geometry::CellComplex::Face& face : built->complex->complex.faces) {
        const auto& [a, b, c] = face.points;
        const std::vector<Vec3d>& p = built->complex->complex.points;
        const bool isOuter = face.front == built->drawn->rest || face.back == built->drawn->rest;
        (isOuter ? outside : between) += length(cross(p[b] - p[a], p[c] - p[a])) / 2;
    }
    EXPECT_NEAR(between, 1, 1e-3);
    EXPECT_NEAR(outside, 6, 1e-3);  // pieces stick out by a hair
    // Two boxes on one side: faces are shared in part.
    boxes[1] = boxAt("right", {Real(0.25), Real(0.25), 0}, {Real(0.25), Real(0.25), Real(0.5)});
    boxes.push_back(boxAt("low", {Real(0.25), Real(-0.25), 0}, {Real(0.25), Real(0.25), Real(0.5)}));
    EXPECT_TRUE(patternFromPieces(boxes, frame)->complex);
    EXPECT_FALSE(patternFromPieces(twoBoxes(Real(0.002)), frame)->complex);
    EXPECT_FALSE(patternFromPieces(twoBoxes(Real(-0.002)), frame)->complex);
    // Where all space belongs to a piece, the border between them goes on beyond them; files keep it.
    frame.rest = PatternRest::Nearest;
    const SharedPattern nearest = patternFromPieces(twoBoxes(), frame);
    ASSERT_TRUE(nearest->complex);
    double far = 0;
    for (const Vec3d& p : nearest->complex->complex.points)
        far = std::max(far, length(p));
    EXPECT_GT(far, 3);
    EXPECT_EQ(patternBytes(*patternFromBytes(patternBytes(*nearest))), patternBytes(*nearest));
    EXPECT_TRUE(patternFromBytes(patternBytes(*nearest))->complex);
}

TEST(DrawnPieces, BadPiecesAreNamed) {
    std::vector<DrawnPiece> open = twoBoxes();
    open[1].mesh.triangles.pop_back();
    EXPECT_TRUE(has(errorOf(open), "piece \"right\": 3 open edges")) << errorOf(open);
    EXPECT_TRUE(has(errorOf(twoBoxes(Real(-0.1))), "pieces \"left\" and \"right\" overlap at ["))
        << errorOf(twoBoxes(Real(-0.1)));
    DrawnFrame metres;
    metres.unit = 1;
    const std::string gap = errorOf(twoBoxes(Real(0.06)), metres);
    EXPECT_TRUE(has(gap, "a gap between pieces \"left\" and \"right\" at [") || has(gap, "\"right\" and \"left\"")) << gap;
    EXPECT_TRUE(has(gap, "rest \"nearest\"")) << gap;
    metres.rest = PatternRest::Nearest;
    EXPECT_EQ(errorOf(twoBoxes(Real(0.06)), metres), "");
    EXPECT_TRUE(has(errorOf({}), "pieces: 0 are not allowed"));
    EXPECT_TRUE(has(errorOf({{"nothing", {}}}), "piece \"nothing\": has no triangles"));
    EXPECT_TRUE(has(errorOf({boxAt("alone", {}, {1, 1, 1})}), "divides nothing"));
}

// A gap of three samples beside one of 64 pieces is less than a hundredth of them all, and named; so is one that opens
// within the drawing alone. Notches, where edges that are not quite sharp meet, are none.
TEST(DrawnPieces, SmallGapsAreNamedAndNotchesAllowed) {
    const auto boxes = [](Real shrunk, Real bevel) {
        std::vector<DrawnPiece> pieces;
        for (int z = 0; z < 4; ++z)
            for (int y = 0; y < 4; ++y)
                for (int x = 0; x < 4; ++x) {
                    const bool isShrunk = x == 1 && y == 2 && z == 1;
                    DrawnPiece& piece = pieces.emplace_back(boxAt("box " + std::to_string(pieces.size()),
                                                                  Vec3{Real(x), Real(y), Real(z)} * Real(0.25),
                                                                  {Real(0.125), Real(0.125), Real(0.125)}));
                    for (Vec3& v : piece.mesh.vertices)
                        if (isShrunk && v.y > Real(0.6))
                            v.y -= shrunk;
                        else if (y == 3 && v.y > Real(0.8))
                            v.x += v.x > Real(0.25) * Real(x) ? -bevel : bevel;
                }
        return pieces;
    };
    DrawnFrame frame;
    frame.unit = 1;
    frame.nodes = 91;  // samples of 12.5 mm
    const std::string gap = errorOf(boxes(Real(0.04), 0), frame);
    EXPECT_TRUE(has(gap, "a gap between pieces \"box 25\" and \"box 29\" at [")) << gap;
    EXPECT_TRUE(has(gap, "pieces that share their faces are allowed; or rest \"nearest\"")) << gap;
    EXPECT_EQ(errorOf(boxes(Real(0.01), 0), frame), "") << "narrower than a sample: closed";
    EXPECT_EQ(errorOf(boxes(0, Real(0.0075)), frame), "")
        << "wedges between the uppermost boxes, 1.2 samples wide at their mouths";
}

TEST(DrawnPieces, BadFramesAreNamed) {
    DrawnFrame frame;
    frame.center = Vec3{3, 0, 0};
    EXPECT_TRUE(has(errorOf(twoBoxes(), frame), "center: [3, 0, 0] is not allowed"));
    frame = {};
    frame.normal = {};
    EXPECT_TRUE(has(errorOf(twoBoxes(), frame), "normal: "));
    frame = {};
    frame.isFixed = true;
    EXPECT_TRUE(has(errorOf(twoBoxes(), frame), "fixed: needs a unit"));
    frame = {};
    frame.nodes = 5;
    EXPECT_TRUE(has(errorOf(twoBoxes(), frame), "nodes: 5 is not allowed (9 to 257"));
}

// Gaps go to the nearest piece: the border is in the middle of one, and the outermost pieces have no end.
TEST(DrawnPieces, NearestClosesGaps) {
    DrawnFrame frame;
    frame.rest = PatternRest::Nearest;
    frame.nodes = 53;
    const SharedPattern built = patternFromPieces(twoBoxes(Real(0.04)), frame);
    ASSERT_EQ(built->pattern.regionCount, 2);
    EXPECT_EQ(built->drawn->rest, 0);
    // The middle of the gap is the middle of the drawing, and so the pattern's origin.
    const auto labelAt = [&](double x) {
        const geometry::Grid& grid = built->pattern.grid;
        return geometry::samplePattern(built->pattern, (Vec3{Real(x), Real(0.1), 0} - grid.origin) / grid.cell).label;
    };
    EXPECT_NE(labelAt(-0.002), labelAt(0.002));
    EXPECT_EQ(labelAt(-0.002), labelAt(-2));
    EXPECT_EQ(labelAt(0.002), labelAt(2));
}

TEST(DrawnLabels, VolumesAreThoseOfTheVoxels) {
    DrawnLabels drawn;
    drawn.size = {12, 10, 8};
    for (int z = 0; z < 8; ++z)
        for (int y = 0; y < 10; ++y)
            for (int x = 0; x < 12; ++x)
                drawn.labels.push_back(y == 0 ? 0u : x < 5 ? 700u : 9u);
    DrawnFrame frame;
    frame.unit = Real(0.5);
    for (const Vec3 normal : {Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{-1, 0, 0}}) {
        frame.normal = normal;
        const SharedPattern built = patternFromLabels(drawn, frame);
        PatternInfo info = inspectPattern(*built);
        ASSERT_EQ(info.volumes.size(), 3u);
        ASSERT_TRUE(info.rest);
        info.volumes.erase(info.volumes.begin() + std::ptrdiff_t(*info.rest));
        std::sort(info.volumes.begin(), info.volumes.end());
        EXPECT_NEAR(info.volumes[0], 5 * 9 * 8 * 0.125, 1e-4);
        EXPECT_NEAR(info.volumes[1], 7 * 9 * 8 * 0.125, 1e-4);
    }
    const auto error = [&](const DrawnLabels& labels) -> std::string {
        try {
            patternFromLabels(labels, frame);
        } catch (const Error& e) {
            return e.what();
        }
        return {};
    };
    DrawnLabels empty = drawn;
    std::fill(empty.labels.begin(), empty.labels.end(), 0u);
    EXPECT_TRUE(has(error(empty), "labels: all 960 are 0")) << error(empty);
    empty.labels.pop_back();
    EXPECT_TRUE(has(error(empty), "labels: 959 are not allowed"));
    frame.normal = {1, 1, 0};
    EXPECT_TRUE(has(error(drawn), "normal: "));
}

// By brute force.
TEST(CrackMap, NearestIsExact) {
    const int width = 23, height = 17;
    std::vector<std::uint8_t> isSet(std::size_t(width * height));
    for (std::size_t i = 0; i < isSet.size(); ++i)
        isSet[i] = (i * 7919 + 13) % 29 == 0;
    const std::vector<std::uint32_t> nearest = geometry::nearestSet(width, height, isSet);
    const auto squared = [&](std::size_t a, std::size_t b) {
        const int x = int(a) % width - int(b) % width, y = int(a) / width - int(b) / width;
        return x * x + y * y;
    };
    for (std::size_t i = 0; i < isSet.size(); ++i) {
        int best = 1 << 20;
        for (std::size_t k = 0; k < isSet.size(); ++k)
            best = isSet[k] ? std::min(best, squared(i, k)) : best;
        ASSERT_TRUE(isSet[nearest[i]]);
        EXPECT_EQ(squared(i, nearest[i]), best) << i;
    }
}

// Areas by inspectPattern are counts of samples: those of a row at the border are off by half a cell.
TEST(DrawnCurves, SectorsAndRings) {
    DrawnCurves drawn;
    drawn.high = {100, 100};
    drawn.polylines = {{{50, -5}, {50, 105}}, {{-5, 50}, {105, 50}}};
    auto& circle = drawn.polylines.emplace_back();
    for (int i = 0; i <= 128; ++i)
        circle.push_back({50 + 30 * std::cos(i * 6.283185307 / 128), 50 + 30 * std::sin(i * 6.283185307 / 128)});
    drawn.polylines.push_back({{10, 10}, {20, 20}});  // ends within a piece: divides nothing
    const SharedPattern built = patternFromCurves(drawn);
    PatternInfo info = inspectPattern(*built);
    ASSERT_EQ(info.volumes.size(), 8u);
    EXPECT_TRUE(info.isPrism);
    std::sort(info.volumes.begin(), info.volumes.end());
    const double quarter = 3.14159265 * 900 / 4;
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(info.volumes[i], quarter, 0.02 * quarter);
    EXPECT_THROW(patternFromCurves({{0, 0}, {100, 100}, {}}), Error);
    EXPECT_THROW(patternFromCurves({{0, 0}, {0, 100}, drawn.polylines}), Error);
}

TEST(DrawnPicture, LinesOfAnyWidthDivideInTheirMiddle) {
    DrawnPicture drawn;
    drawn.width = 120;
    drawn.height = 60;
    drawn.gray.assign(120 * 60, 250);
    for (int y = 0; y < 60; ++y)
        for (int x = 36; x < 44; ++x)
            drawn.gray[std::size_t(x + 120 * y)] = 20;
    const SharedPattern built = patternFromPicture(drawn);
    const PatternInfo info = inspectPattern(*built);
    ASSERT_EQ(info.volumes.size(), 2u);
    EXPECT_NEAR(info.volumes[0] / (info.volumes[0] + info.volumes[1]), 40.0 / 120, 0.005);
    drawn.gray.assign(120 * 60, 250);
    try {
        patternFromPicture(drawn);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_TRUE(has(error.what(), "picture: dark lines divide it into 1 regions")) << error.what();
    }
}

TEST(DrawnPattern, FilesKeepEverything) {
    DrawnFrame frame;
    frame.unit = Real(0.5);
    frame.isFixed = true;
    frame.nodes = 33;
    frame.normal = {0, 0, 1};
    const SharedPattern built = patternFromPieces(twoBoxes(), frame);
    const SharedPattern read = patternFromBytes(patternBytes(*built));
    EXPECT_EQ(read->pattern.labels, built->pattern.labels);
    EXPECT_EQ(read->recipe, built->recipe);
    ASSERT_TRUE(read->drawn);
    EXPECT_EQ(read->drawn->unit, built->drawn->unit);
    EXPECT_EQ(read->drawn->isFixed, true);
    EXPECT_EQ(read->drawn->normal, built->drawn->normal);
    EXPECT_EQ(read->drawn->center, built->drawn->center);
    EXPECT_EQ(read->drawn->rest, built->drawn->rest);
    // As a snapshot of a world keeps it.
    EXPECT_EQ(geometry::patternOfRecipe(built->recipe)->recipe, built->recipe);
}

// Along every normal the up of a drawing, -z, is as near to +y as it can be, and quarters of a turn agree with the spin.
TEST(DrawnPattern, KeepsItsUp) {
    for (const Vec3 normal :
         {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1}, Vec3{Real(0.6), Real(0.48), Real(0.64)}}) {
        const Quat turn =
            geometry::shortestTurn({0, 1, 0}, normal) * quatFromRotationVector(Vec3{0, geometry::uprightSpin(normal), 0});
        EXPECT_NEAR(length(rotate(turn, {0, 1, 0}) - normal), 0, 1e-5);
        const Vec3 up = rotate(turn, {0, 0, -1});
        EXPECT_NEAR(double(up.y), std::sqrt(1 - double(normal.y) * double(normal.y)), 1e-5);
    }
    DrawnPicture drawn{24, 24, std::vector<std::uint8_t>(24 * 24, 255), 128};
    for (int i = 0; i < 24; ++i)
        drawn.gray[std::size_t(i + 24 * 6)] = drawn.gray[std::size_t(5 + 24 * i)] = 0;
    DrawnFrame frame;
    frame.nodes = 25;
    const geometry::Pattern pattern = patternFromPicture(drawn, frame)->pattern;
    const geometry::Pattern turned = geometry::turnedAboutNormal(pattern, 1);
    const Quat quarter = quatFromRotationVector({0, kPi / 2, 0});
    for (const Vec3 p : {Vec3{Real(0.3), 0, Real(0.4)}, Vec3{Real(-0.4), 0, Real(0.2)}, Vec3{Real(-0.4), 0, Real(-0.4)}}) {
        const auto labelAt = [](const geometry::Pattern& of, const Vec3& q) {
            return geometry::samplePattern(of, (q - of.grid.origin) / of.grid.cell).label;
        };
        EXPECT_EQ(labelAt(turned, rotate(quarter, p)), labelAt(pattern, p));
    }
}

}  // namespace
}  // namespace sunder
