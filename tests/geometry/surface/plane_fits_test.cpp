// Planes and edges through cells, four at a time, against those whose distances the cells were given.
#include "geometry/surface/plane_fits.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "geometry/surface/cell_sheets.h"
#include "math/vec3.h"

namespace sunder::geometry {
namespace {

constexpr int kSteps = 256;  // per cell
constexpr Real kScale = Real(1) / kSteps;
// Values are known to half a step; a plane through eight of them is nearer than one.
constexpr double kOff = 1.0 / kSteps;

struct Plane {
    Vec3 normal;
    Real offset;  // normal . (p - middle of the cell) = offset
    Real distance(const Vec3& p) const { return dot(normal, p - Vec3{Real(0.5), Real(0.5), Real(0.5)}) - offset; }
};

Plane randomPlane(core::Random& random) {
    const auto coordinate = [&] { return Real(random.between(-1, 1)); };
    return {normalizeOr(Vec3{coordinate(), coordinate(), coordinate()}, {1, 0, 0}), Real(random.between(-0.4, 0.4))};
}

Eight storedOf(const Plane& plane, Real slope = 1) {
    Eight stored{};
    for (int i = 0; i < 8; ++i) {
        const Vec3 corner{Real(i & 1), Real(i >> 1 & 1), Real(i >> 2)};
        stored[i] = std::int16_t(std::floor(slope * plane.distance(corner) * kSteps + Real(0.5)));
    }
    return stored;
}

TEST(PlaneFits, PositionsLieOnTheirPlanes) {
    core::Random random(5);
    for (int round = 0; round < 500; ++round) {
        Plane planes[4];
        Eight cells[4];
        for (int lane = 0; lane < 4; ++lane) {
            planes[lane] = randomPlane(random);
            cells[lane] = storedOf(planes[lane]);
        }
        const FourCells values(cells);
        const PlaneFits fits = fitPlanes(values, kScale);
        const QuadMask isFlat = areFlat(values, fits, kScale, Real(2 * kOff));
        for (std::size_t lane = 0; lane < 4; ++lane) {
            EXPECT_NEAR(planes[lane].distance(laneOf(fits.position, lane)), 0, kOff);
            EXPECT_LT(length(laneOf(fits.normal, lane) - planes[lane].normal), 2 * kOff);
            EXPECT_LT(fits.misfit[lane], 4 * kOff);
            EXPECT_NE(isFlat[lane], 0);
        }
    }
}

// A cell with a dent is not flat, and only that one.
TEST(PlaneFits, FlatnessIsOfEachCell) {
    const Plane plane{{0, 1, 0}, Real(0.1)};
    for (int bent = 0; bent < 4; ++bent)
        for (int corner = 0; corner < 8; ++corner) {
            Eight cells[4] = {storedOf(plane), storedOf(plane), storedOf(plane), storedOf(plane)};
            cells[bent][corner] = std::int16_t(cells[bent][corner] + kSteps / 4);
            const FourCells values(cells);
            const QuadMask isFlat = areFlat(values, fitPlanes(values, kScale), kScale, Real(0.05));
            for (int lane = 0; lane < 4; ++lane)
                EXPECT_EQ(isFlat[lane] != 0, lane != bent) << bent << ", corner " << corner;
        }
}

// The second plane need not have unit slope: where it is zero it is right.
TEST(EdgeFits, PointsLieOnBothPlanes) {
    core::Random random(6);
    int edges = 0;
    for (int round = 0; round < 500; ++round) {
        Plane a[4], b[4];
        Eight ofA[4], ofB[4];
        for (int lane = 0; lane < 4; ++lane) {
            a[lane] = randomPlane(random);
            b[lane] = randomPlane(random);
            ofA[lane] = storedOf(a[lane]);
            ofB[lane] = storedOf(b[lane], Real(0.7));
        }
        const EdgeFits fits = fitEdges(fitPlanes(FourCells(ofA), kScale), fitPlanes(FourCells(ofB), kScale));
        for (std::size_t lane = 0; lane < 4; ++lane) {
            if (fits.isInside[lane] == 0)
                continue;
            ++edges;
            const Vec3 position = laneOf(fits.position, lane), normal = laneOf(fits.normal, lane);
            // Moved into the cell by a tenth at most; planes of 20 degrees triple what they are off.
            EXPECT_NEAR(a[lane].distance(position), 0, 0.1 + 3 * kOff);
            EXPECT_NEAR(b[lane].distance(position), 0, 0.1 + 3 * kOff);
            EXPECT_NEAR(dot(normal, a[lane].normal), dot(normal, b[lane].normal), 6 * kOff);
            EXPECT_NEAR(length(normal), 1, 1e-5);
        }
    }
    EXPECT_GT(edges, 500);
}

// Four at a time as one by one, to the bit: what is drawn must not depend on which cells came together.
TEST(MeanCrossings, AreThoseOfEachCell) {
    core::Random random(7);
    for (int round = 0; round < 500; ++round) {
        Eight cells[4];
        Real values[4][8];
        unsigned inside[4] = {};
        for (int lane = 0; lane < 4; ++lane)
            do {
                inside[lane] = 0;
                for (int i = 0; i < 8; ++i) {
                    cells[lane][i] = std::int16_t(random.between(-300, 300));
                    values[lane][i] = Real(cells[lane][i]) * kScale;
                    inside[lane] |= unsigned(cells[lane][i] < 0) << i;
                }
            } while (kCellSheets[inside[lane]].count != 1);
        const QuadVec3 means = meanCrossings(FourCells(cells), kScale);
        for (std::size_t lane = 0; lane < 4; ++lane)
            EXPECT_EQ(laneOf(means, lane), meanCrossing(values[lane], kCellSheets[inside[lane]], 0)) << inside[lane];
    }
}

TEST(PutVertices, WritesWhatVertexInGives) {
    const Grid grid{{Real(-1.3), Real(0.2), Real(5)}, Real(0.07), {9, 8, 7}};
    const SurfaceCell cells[4] = {
        {{1, 2, 3}, 235, 2, 0x1f}, {{7, 0, 5}, 367, 0, 0x80}, {{0, 6, 0}, 54, 3, 0xfe}, {{4, 4, 4}, 328, 1, 1}};
    core::Random random(8);
    const auto some = [&] {
        return Quad{Real(random.between(0, 1)), Real(random.between(0, 1)), Real(random.between(0, 1)),
                    Real(random.between(0, 1))};
    };
    for (const SurfaceFeature feature : {SurfaceFeature::Smooth, SurfaceFeature::Edge, SurfaceFeature::Corner}) {
        const QuadVec3 inCells{some(), some(), some()}, normals{some(), some(), some()};
        SurfaceVertex out[4];
        putVertices(grid, {&cells[0], &cells[1], &cells[2], &cells[3]}, inCells, normals, feature, out);
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const SurfaceVertex& found = out[cells[lane].vertex];
            SurfaceVertex expected;
            putVertex(grid, cells[lane], 0, laneOf(inCells, lane), laneOf(normals, lane), feature, expected);
            EXPECT_EQ(found.position, expected.position);
            EXPECT_EQ(found.normal, expected.normal);
            EXPECT_EQ(found.cell, expected.cell);
            EXPECT_EQ(found.corners, expected.corners);
            EXPECT_EQ(found.sheet, expected.sheet);
            EXPECT_EQ(found.feature, expected.feature);
        }
    }
}

}  // namespace
}  // namespace sunder::geometry
