// Patterns sized in metres: pieces are as large in a small body as in a large one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scenes/piles.h"
#include "support/hashes.h"

namespace sunder {
namespace {

using scenes::vec;

struct Pieces {
    int count = 0;
    double size = 0;     // m: side of a cube of the median volume
    double largest = 0;  // m^3
};

// Breaks a box of these half extents in its middle. 1000 kg/m^3 turns masses into volumes.
Pieces breakBox(const Vec3& half, const PatternKind& kind, double pieceSize, bool isAligned = false) {
    World world({.gravity = {}});
    BodyDef def{.shape = Box{half}};
    FractureDef fracture;
    Prescored method{.pattern = buildPattern({.kind = kind, .nodes = 129})};
    method.pieceSize = Real(pieceSize);
    method.placement = isAligned ? FracturePlacement::Aligned : FracturePlacement::General;
    fracture.method = method;
    fracture.threshold = 1;
    fracture.mostPieces = 4096;
    fracture.cell = Real(pieceSize / 6);
    fracture.smallest = Real(1e-3 * pieceSize * pieceSize * pieceSize);
    def.fracture = fracture;
    const BodyId body = world.addBody(def);
    world.breakBody(body, {}, vec(0, 1, 0), 0);
    world.step(support::kStep);
    std::vector<double> volumes;
    for (const BodyId id : world.bodies())
        volumes.push_back(double(world.mass(id)) / 1000);
    std::sort(volumes.begin(), volumes.end());
    return {int(volumes.size()), std::cbrt(volumes[volumes.size() / 2]), volumes.back()};
}

// Three sizes of body and two of pieces. Pieces at the surface are cut off, so the median is below the size within.
TEST(PieceSize, IsTheSameInBodiesOfAnySize) {
    const VoronoiPattern cells{.pieces = 400, .density = {}};
    for (const double size : {0.1, 0.2})
        for (const double half : {1.0, 1.6, 2.4}) {
            const Pieces pieces = breakBox(vec(half * size, half * size, half * size), cells, size);
            EXPECT_NEAR(pieces.size, 0.85 * size, 0.25 * size) << size << " in " << half;
            const double expected = std::pow(2 * half, 3);
            EXPECT_GT(pieces.count, 0.7 * expected) << size << " in " << half;
            EXPECT_LT(pieces.count, 3.5 * expected) << size << " in " << half;
        }
}

TEST(PieceSize, HoldsForAlignedPatternsAndSlabs) {
    const VoronoiPattern cells{.pieces = 400, .density = {}};
    const Pieces aligned = breakBox(vec(0.2, 0.2, 0.2), cells, 0.1, true);
    EXPECT_NEAR(aligned.size, 0.085, 0.03);
    // Plates of 0.1 m across 1 m: ten of them.
    const Pieces plates =
        breakBox(vec(0.1, 0.1, 0.4), SlabPattern{.thickness = Real(0.1), .axis = {0, 0, 1}, .jitter = 0, .tilt = 0}, 0.1);
    EXPECT_NEAR(plates.count, 8, 2);
}

// A pattern that does not cover the body bites a hole into it: the rest stays one piece.
TEST(PieceSize, LeavesTheRestWholeBeyondThePattern) {
    const VoronoiPattern cells{.pieces = 40, .density = {}};  // a piece is 0.236 of the unit, so the pattern reaches 4.2 pieces
    const Pieces pieces = breakBox(vec(1.5, 0.1, 1.5), cells, 0.15);
    EXPECT_GT(pieces.count, 20);
    EXPECT_GT(pieces.largest, 0.5 * 3 * 3 * 0.2);
}

TEST(PieceSize, RefusesASizeOfThePatternBesideIt) {
    BodyDef def;
    FractureDef fracture;
    fracture.method = Prescored{.pattern = buildPattern({.nodes = 17}), .size = 2, .pieceSize = Real(0.1)};
    fracture.threshold = 1;
    def.fracture = fracture;
    const std::vector<std::string> problems = validate(def);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0], "fracture.size: 2 is not allowed (1, beside a piece_size)");
}

}  // namespace
}  // namespace sunder
