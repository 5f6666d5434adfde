// Pieces that a blow drives apart: the energy is exact, and the momenta are the body's.
#include "fracture/prescored/piece_energy.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace sunder::fracture {
namespace {

std::vector<EnergisedPiece> randomPieces(core::Random& random) {
    std::vector<EnergisedPiece> pieces;
    for (int i = 0; i < 12; ++i) {
        EnergisedPiece piece;
        piece.mass = random.between(0.1, 2);
        piece.center = {random.between(-1, 1), random.between(-2, 0), random.between(-1, 1)};
        for (int k = 0; k < 3; ++k)
            piece.inertia[k] = piece.mass * random.between(0.02, 0.03);
        pieces.push_back(piece);
    }
    return pieces;
}

double energyOf(const std::vector<EnergisedPiece>& pieces, const std::vector<Motion>& motions) {
    double energy = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Vec3d& w = motions[i].angularVelocity;
        energy += (pieces[i].mass * dot(motions[i].velocity, motions[i].velocity) + pieces[i].inertia[0] * w.x * w.x +
                   pieces[i].inertia[1] * w.y * w.y + pieces[i].inertia[2] * w.z * w.z) /
                  2;
    }
    return energy;
}

TEST(PieceEnergy, IsExactAndKeepsBothMomenta) {
    core::Random random(2);
    for (int round = 0; round < 20; ++round) {
        const std::vector<EnergisedPiece> pieces = randomPieces(random);
        const std::vector<Motion> motions = motionOfBlow(pieces, 1, 50, true);
        ASSERT_EQ(motions.size(), pieces.size());
        EXPECT_NEAR(energyOf(pieces, motions), 50, 1e-9);
        Vec3d momentum, spin;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const Vec3d p = motions[i].velocity * pieces[i].mass, &w = motions[i].angularVelocity;
            momentum += p;
            spin +=
                cross(pieces[i].center, p) + multiply({pieces[i].inertia[0], pieces[i].inertia[1], pieces[i].inertia[2]}, w);
        }
        EXPECT_LT(length(momentum), 1e-9);
        EXPECT_LT(length(spin), 1e-9);
    }
}

// Of a body that is fixed: straight away from the blow, and the faster the nearer.
TEST(PieceEnergy, DrivesPiecesAwayFromTheBlow) {
    core::Random random(3);
    const std::vector<EnergisedPiece> pieces = randomPieces(random);
    const std::vector<Motion> motions = motionOfBlow(pieces, 1, 50, false);
    EXPECT_NEAR(energyOf(pieces, motions), 50, 1e-9);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        EXPECT_LT(length(cross(pieces[i].center, motions[i].velocity)), 1e-9);
        EXPECT_GT(dot(pieces[i].center, motions[i].velocity), 0);
        for (std::size_t k = 0; k < i; ++k)
            EXPECT_EQ(length(pieces[i].center) < length(pieces[k].center),
                      length(motions[i].velocity) > length(motions[k].velocity));
    }
}

// Two pieces in a line with the blow part; one alone cannot.
TEST(PieceEnergy, NeedsPiecesThatCanPart) {
    std::vector<EnergisedPiece> pieces(1);
    pieces[0].mass = 1;
    pieces[0].center = {0, -1, 0};
    for (int k = 0; k < 3; ++k)
        pieces[0].inertia[k] = 0.1;
    EXPECT_TRUE(motionOfBlow(pieces, 1, 10, true).empty());
    pieces.push_back(pieces[0]);
    pieces[1].center = {0, -3, 0};
    const std::vector<Motion> motions = motionOfBlow(pieces, 1, 10, true);
    ASSERT_EQ(motions.size(), 2u);
    EXPECT_NEAR(energyOf(pieces, motions), 10, 1e-9);
}

}  // namespace
}  // namespace sunder::fracture
