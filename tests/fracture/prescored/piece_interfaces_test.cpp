// What the pieces of a broken body share, against sections with known area and moments.
#include "fracture/prescored/piece_interfaces.h"

#include <cmath>

#include "fracture/cutting/placed_regions.h"
#include "fracture/prescored/broken_body.h"

namespace sunder::fracture {
namespace {

using geometry::PieceInterface;
using namespace testing;

constexpr double kPi = 3.141592653589793;

template <class Stored>
std::vector<PieceInterface> ofPlane(const geometry::LevelSet<Stored>& field, const Impact& impact) {
    const std::unique_ptr<TaskRunner> runner = makeTaskRunner(1);
    const PlacedPattern plane = placePlane(field.grid, impact);
    const std::vector<Piece<Stored>> pieces = breakBody<Stored>({field, massOf(field), nullptr}, plane, {}, *runner);
    EXPECT_EQ(pieces.size(), 2u);
    return findInterfaces<Stored>(field, plane, *planeRegions(impact.point, impact.normal), pieces);
}

// A box of 2 a x 2 b x 2 c and a plane through its middle, turned about z by 20 degrees: a rectangle of 2 b / cos 20 by 2 c.
TEST(PieceInterfaces, ASlantedCutThroughABoxIsARectangle) {
    const double b = 0.307, c = 0.507, angle = 20 * kPi / 180;
    const auto field = levelSetOf<std::int16_t>(Box{{Real(0.807), Real(b), Real(c)}}, Real(0.02));
    const Vec3 normal{Real(std::cos(angle)), Real(std::sin(angle)), 0};
    const std::vector<PieceInterface> interfaces = ofPlane(field, {{}, normal, 0});
    ASSERT_EQ(interfaces.size(), 1u);
    const PieceInterface& interface = interfaces[0];
    const double width = 2 * b / std::cos(angle), height = 2 * c;
    // The rim is a chord in each cell: corners are cut off, a cell squared each at most; three times as much of the moments.
    const double tolerance = 4 * 0.02 * 0.02 / (width * height);
    EXPECT_NEAR(interface.area, width * height, tolerance * width * height);
    EXPECT_NEAR(interface.flatArea, interface.area, 1e-6);
    EXPECT_NEAR(std::fabs(dot(interface.normal, toDouble(normal))), 1, 1e-6);
    EXPECT_NEAR(length(interface.centroid), 0, 1e-3);
    EXPECT_NEAR(interface.secondMoments[2], width * std::pow(height, 3) / 12, 3 * tolerance * width * std::pow(height, 3) / 12);
    // Along the slant, split between x and y.
    const double along = height * std::pow(width, 3) / 12;
    EXPECT_NEAR(interface.secondMoments[0] + interface.secondMoments[1], along, 3 * tolerance * along);
    double points = 0;
    for (const double area : interface.pointAreas)
        points += area;
    EXPECT_NEAR(points, interface.area, 1e-9);
}

TEST(PieceInterfaces, ACutThroughABallIsADiscAndConverges) {
    const double exact = kPi * 0.25;
    double errors[2];
    for (int i = 0; i < 2; ++i) {
        const auto field = levelSetOf<std::int8_t>(Sphere{Real(0.5)}, Real(0.05 / (1 << i)));
        const std::vector<PieceInterface> interfaces =
            ofPlane(field, {{Real(0.013), 0, 0}, {Real(0.6), Real(0.48), Real(0.64)}, 0});
        ASSERT_EQ(interfaces.size(), 1u);
        errors[i] = std::fabs(interfaces[0].area / exact - 1);
        EXPECT_NEAR(interfaces[0].secondMoments[0] + interfaces[0].secondMoments[1] + interfaces[0].secondMoments[2],
                    kPi * std::pow(0.5, 4) / 2, 0.02 / (1 << i) * kPi * std::pow(0.5, 4) / 2);
    }
    EXPECT_LT(errors[0], 0.01);
    EXPECT_LT(errors[1], 0.35 * errors[0]);  // the square of the cell
}

struct VoronoiBall {
    std::vector<Piece<std::int16_t>> pieces;
    std::vector<PieceInterface> interfaces;

    explicit VoronoiBall(double cell) {
        const auto field = levelSetOf<std::int16_t>(Sphere{Real(0.5)}, Real(cell));
        const SharedPattern pattern = buildPattern(definitionOf(VoronoiPattern{}));
        const Impact impact{{0, Real(0.5), 0}, {0, 1, 0}, 0};
        const auto regions = placedRegions(*pattern, {impact.point, bodyFromPattern(pattern->pattern, impact.normal, 0),
                                                      coveringScale(pattern->pattern, radiusOf(field.grid))});
        BreakOptions options;
        options.withSurfaces = true;
        const PlacedPattern placed = placeRegions(*regions, field.grid, false);
        pieces = breakBody<std::int16_t>({field, massOf(field), nullptr}, placed, options, *makeTaskRunner(1));
        interfaces = findInterfaces<std::int16_t>(field, placed, *regions, pieces);
    }
    double drawnFracture() const {
        double area = 0;
        for (const Piece<std::int16_t>& piece : pieces)
            for (std::size_t i = 0; i < piece.surface.triangles.size(); ++i) {
                const auto& t = piece.surface.triangles[i];
                const Vec3d a = toDouble(piece.surface.positions[t[0]]);
                if (piece.surface.slots[i] == kFractureSurface)
                    area += 0.5 * length(cross(toDouble(piece.surface.positions[t[1]]) - a,
                                               toDouble(piece.surface.positions[t[2]]) - a));
            }
        return area;
    }
};

// Every fracture surface is the surface of two pieces: shared areas are half of all fracture surfaces. Those that are drawn
// lack what the grid rounds off edges, half as much with cells of half the size.
TEST(PieceInterfaces, OfManyCellsAddUpToTheFractureSurface) {
    double lacking[2];
    for (int level = 0; level < 2; ++level) {
        const VoronoiBall ball(0.05 / (1 << level));
        ASSERT_GT(ball.pieces.size(), 5u);
        double shared = 0;
        std::vector<int> partners(ball.pieces.size());
        for (std::size_t i = 0; i < ball.interfaces.size(); ++i) {
            const PieceInterface& interface = ball.interfaces[i];
            shared += interface.area;
            ASSERT_LT(interface.a, interface.b);
            const auto &a = ball.pieces[interface.a].mass.center, &b = ball.pieces[interface.b].mass.center;
            EXPECT_GT(dot(interface.normal, Vec3d{b[0] - a[0], b[1] - a[1], b[2] - a[2]}), 0);  // of convex cells
            ++partners[interface.a];
            ++partners[interface.b];
            EXPECT_TRUE(i == 0 || ball.interfaces[i - 1].a < interface.a || ball.interfaces[i - 1].b < interface.b);
        }
        for (const int count : partners)
            EXPECT_GT(count, 0);
        lacking[level] = 1 - ball.drawnFracture() / (2 * shared);
    }
    EXPECT_GT(lacking[0], 0);
    EXPECT_LT(lacking[0], 0.05);
    EXPECT_NEAR(lacking[1], lacking[0] / 2, 0.3 * lacking[0]);
}

}  // namespace
}  // namespace sunder::fracture
