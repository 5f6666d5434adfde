// Masses of pieces below the size of a cell.
#include "fracture/prescored/border_shares.h"

#include <cmath>

#include "fracture/prescored/broken_body.h"

namespace sunder::fracture {
namespace {

using namespace testing;

constexpr double kHalf = 0.307;

// A box cut at a distance from its middle, along the grid or tilted by tan = 0.3: the lower part's share of the whole.
double lowerShare(double distance, bool isTilted) {
    const auto field = levelSetOf<std::int16_t>(Box{{Real(kHalf), Real(kHalf), Real(kHalf)}}, kCell);
    const std::unique_ptr<TaskRunner> runner = makeTaskRunner(2);
    const Vec3 normal = normalizeOr(Vec3{1, isTilted ? Real(0.3) : Real(0), 0}, {1, 0, 0});
    const PlacedPattern plane = placePlane(field.grid, {{Real(distance), 0, 0}, normal});
    const MassProperties whole = massOf(field);
    const auto pieces = breakBody<std::int16_t>({field, whole, nullptr}, plane, {}, *runner);
    EXPECT_EQ(pieces.size(), 2u);
    if (pieces.size() != 2)
        return 0;
    EXPECT_NEAR(pieces[0].mass.volume + pieces[1].mass.volume, whole.volume, 1e-9);
    const auto& lower = pieces[pieces[0].mass.center[0] < pieces[1].mass.center[0] ? 0 : 1];
    return lower.mass.volume / whole.volume;
}

// Cuts a tenth of a cell apart: masses follow, while the nodes of the pieces change once a cell. The tilted plane passes the
// same middle line, so that the volumes are the same.
TEST(BorderShares, MassesFollowTheCutWithinACell) {
    for (const bool isTilted : {false, true})
        for (int i = 0; i < 10; ++i) {
            const double distance = 0.1 * i * double(kCell), exact = 0.5 + distance / (2 * kHalf);
            // Distances are kept to a 32nd of a cell; a share of a cell is 0.065 of the box.
            EXPECT_NEAR(lowerShare(distance, isTilted), exact, 0.065 * (isTilted ? 0.06 : 0.035)) << i << ' ' << isTilted;
        }
}

// What pieces give each other adds up to nothing, in integers.
TEST(BorderShares, AddUpToNothing) {
    const auto field = levelSetOf<std::int8_t>(Sphere{Real(0.5)}, kCell);
    const std::unique_ptr<TaskRunner> runner = makeTaskRunner(1);
    const Pattern pattern = patternOf(VoronoiPattern{.pieces = 30, .density = {}});
    const PlacedPattern placed = placeGeneral(pattern, coveringScale(pattern, radiusOf(field.grid)), field.grid,
                                              {{0, Real(0.5), 0}, {0, 1, 0}}, *runner);
    const SharedNodes shared = shareOut(field, placed, {}, *runner);
    const std::vector<NodeSums> shares = borderShares(field, placed, shared, *runner);
    ASSERT_GT(shares.size(), 5u);
    std::int64_t sum = 0, moved = 0;
    for (const NodeSums& share : shares) {
        sum += share[0];
        moved += std::abs(share[0]);
    }
    EXPECT_EQ(sum, 0);
    EXPECT_GT(moved, 0);
}

}  // namespace
}  // namespace sunder::fracture
