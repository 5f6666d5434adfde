// What the pieces of a broken body share, against sections with known area and moments.
#include "fracture/prescored/piece_interfaces.h"

#include <cmath>

#include "fracture/prescored/broken_body.h"

namespace sunder::fracture {
namespace {

using geometry::PieceInterface;
using namespace testing;

constexpr double kPi = 3.141592653589793;

template <class Stored>
std::vector<PieceInterface> ofPlane(const geometry::LevelSet<Stored>& field, const Impact& impact) {
    const std::unique_ptr<TaskRunner> runner = makeTaskRunner(1);
    const std::vector<Piece<Stored>> pieces =
        breakBody<Stored>({field, massOf(field), nullptr}, placePlane(field.grid, impact), {}, *runner);
    EXPECT_EQ(pieces.size(), 2u);
    return findInterfaces<Stored>(field.grid, pieces);
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
    // Whose a triangle at the rim is, is known to half a cell: along the rim of 3.3 m that is 5.1 % of the area, and three
    // times as much of the second moments.
    EXPECT_NEAR(interface.area, width * height, 0.051 * width * height);
    EXPECT_NEAR(interface.flatArea, width * height, 0.051 * width * height);
    EXPECT_NEAR(std::fabs(dot(interface.normal, toDouble(normal))), 1, 1e-3);
    EXPECT_NEAR(length(interface.centroid), 0, 0.005);
    EXPECT_NEAR(interface.secondMoments[2], width * std::pow(height, 3) / 12, 0.15 * width * std::pow(height, 3) / 12);
    // Along the slant, split between x and y.
    const double along = height * std::pow(width, 3) / 12;
    EXPECT_NEAR(interface.secondMoments[0] + interface.secondMoments[1], along, 0.15 * along);
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
                    kPi * std::pow(0.5, 4) / 2, 0.2 / (1 << i) * kPi * std::pow(0.5, 4) / 2);
    }
    EXPECT_LT(errors[0], 0.1);
    EXPECT_LT(errors[1], std::max(0.6 * errors[0], 0.01));
}

// Every fracture surface is the surface of two pieces: shared areas are half of all fracture surfaces.
TEST(PieceInterfaces, OfManyCellsAddUpToTheFractureSurface) {
    const auto field = levelSetOf<std::int16_t>(Sphere{Real(0.5)}, Real(0.025));
    VoronoiPattern cells;
    cells.pieces = 40;
    BreakOptions options;
    options.withSurfaces = true;
    const auto pieces = breakGeneral(field, massOf(field), patternOf(cells), {{0, Real(0.5), 0}, {0, 1, 0}, 0}, options);
    ASSERT_GT(pieces.size(), 5u);
    double fracture = 0;
    for (const Piece<std::int16_t>& piece : pieces)
        for (std::size_t i = 0; i < piece.surface.triangles.size(); ++i) {
            const auto& t = piece.surface.triangles[i];
            const Vec3d a = toDouble(piece.surface.positions[t[0]]);
            if (piece.surface.slots[i] == kFractureSurface)
                fracture += 0.5 * length(cross(toDouble(piece.surface.positions[t[1]]) - a,
                                               toDouble(piece.surface.positions[t[2]]) - a));
        }
    double shared = 0;
    const std::vector<PieceInterface> interfaces = findInterfaces<std::int16_t>(field.grid, pieces);
    std::vector<int> partners(pieces.size());
    for (std::size_t i = 0; i < interfaces.size(); ++i) {
        const PieceInterface& interface = interfaces[i];
        shared += interface.area;
        ASSERT_LT(interface.a, interface.b);
        EXPECT_GT(dot(interface.normal, Vec3d{pieces[interface.b].mass.center[0] - pieces[interface.a].mass.center[0],
                                              pieces[interface.b].mass.center[1] - pieces[interface.a].mass.center[1],
                                              pieces[interface.b].mass.center[2] - pieces[interface.a].mass.center[2]}),
                  0);  // of convex cells
        ++partners[interface.a];
        ++partners[interface.b];
        EXPECT_TRUE(i == 0 || interfaces[i - 1].a < interface.a || interfaces[i - 1].b < interface.b);
    }
    EXPECT_NEAR(2 * shared, fracture, 5e-3 * fracture);  // the drawn surface knows edges better
    for (const int count : partners)
        EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace sunder::fracture
