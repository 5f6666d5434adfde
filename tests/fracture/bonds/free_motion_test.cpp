// Energy that is released in the null space of the constraints that still hold [Li18] 5.
#include "fracture/bonds/free_motion.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/random.h"

namespace sunder::fracture {
namespace {

// Balls of 1 kg in a row along x, 1 m apart, each joined to the next in the middle; the first to the world (entry 0) where
// isHung.
struct Chain {
    std::vector<ReleaseBody> bodies{1};
    std::vector<FreeRow> rows;
    static constexpr double kInertia = 0.1;

    Chain(int links, bool isHung) {
        for (int i = 0; i < links; ++i) {
            ReleaseBody& body = bodies.emplace_back();
            body.inverseMass = 1;
            for (int k = 0; k < 3; ++k)
                body.inverseInertia[k] = 1 / kInertia;
            if (i > 0 || isHung)
                join(std::uint32_t(i > 0 ? i : 0), std::uint32_t(i + 1));
        }
    }
    void join(std::uint32_t a, std::uint32_t b) {
        for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
            rows.push_back({a, b, axis, cross({0.5, 0, 0}, axis), cross({-0.5, 0, 0}, axis)});
    }
    // The point of the break, at the right of the last link.
    void breakAtEnd() { bodies.back().arm = {0.5, 0, 0}; }
    double energy() const {
        double sum = 0;
        for (std::size_t i = 1; i < bodies.size(); ++i)
            sum += (dot(bodies[i].velocity, bodies[i].velocity) +
                    kInertia * dot(bodies[i].angularVelocity, bodies[i].angularVelocity)) /
                   2;
        return sum;
    }
    double alongRows() const {
        double most = 0;
        for (const FreeRow& row : rows) {
            const ReleaseBody &a = bodies[row.a], &b = bodies[row.b];
            most = std::fmax(most, std::fabs(dot(row.linear, b.velocity - a.velocity) + dot(row.angularB, b.angularVelocity) -
                                             dot(row.angularA, a.angularVelocity)));
        }
        return most;
    }
};

// A push askew: what comes of it breaks no constraint, has the energy that was asked for, and keeps the momentum.
TEST(FreeMotion, StaysWithinTheConstraintsAndHasTheEnergy) {
    core::Random random(5);
    for (const bool isHung : {false, true})
        for (int i = 0; i < 20; ++i) {
            Chain chain(9, isHung);
            chain.breakAtEnd();
            const ReleaseForce push{{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)}, {}};
            const Released done = releaseFree(chain.bodies, chain.rows, 0, 9, push, 7);
            EXPECT_NEAR(done.energy, 7, 1e-6);
            EXPECT_NEAR(chain.energy(), 7, 1e-6);
            EXPECT_LT(chain.alongRows(), 1e-6);
        }
}

TEST(FreeMotion, ChainsThatPartKeepTheirMomentum) {
    Chain chain(8, false);
    chain.rows.erase(chain.rows.begin() + 9, chain.rows.begin() + 12);  // between the fourth and the fifth
    chain.bodies[4].arm = {0.5, 0, 0};
    chain.bodies[5].arm = {-0.5, 0, 0};
    releaseFree(chain.bodies, chain.rows, 4, 5, {{1, 0.4, 0}, {}}, 3);
    Vec3d momentum;
    for (const ReleaseBody& body : chain.bodies)
        momentum += body.velocity;
    EXPECT_LT(length(momentum), 1e-9);
    EXPECT_NEAR(chain.energy(), 3, 1e-6);
    // The halves recoil as wholes: along the chain every link of a half has one speed.
    for (int i = 2; i <= 4; ++i)
        EXPECT_NEAR(chain.bodies[std::size_t(i)].velocity.x, chain.bodies[1].velocity.x, 1e-6);
    EXPECT_GT(chain.bodies[5].velocity.x, 0.1);
}

// A taut chain that hangs on the world cannot recoil along itself: the push alone would, and be taken up at once.
TEST(FreeMotion, GivesNothingWhereAllIsHeld) {
    Chain chain(6, true);
    chain.breakAtEnd();
    EXPECT_EQ(releaseFree(chain.bodies, chain.rows, 0, 6, {{1, 0, 0}, {}}, 3).energy, 0);
    EXPECT_EQ(chain.energy(), 0);
    EXPECT_NEAR(releaseFree(chain.bodies, chain.rows, 0, 6, {{0, 1, 0}, {}}, 3).energy, 3, 1e-9);
}

// Rows that repeat each other change nothing.
TEST(FreeMotion, BearsConstraintsThatAreTooMany) {
    Chain once(5, true), twice(5, true);
    once.breakAtEnd();
    twice.breakAtEnd();
    const std::vector<FreeRow> rows = twice.rows;
    twice.rows.insert(twice.rows.end(), rows.begin(), rows.end());
    releaseFree(once.bodies, once.rows, 0, 5, {{0.3, 1, 0.2}, {}}, 2);
    releaseFree(twice.bodies, twice.rows, 0, 5, {{0.3, 1, 0.2}, {}}, 2);
    for (std::size_t i = 0; i < once.bodies.size(); ++i)
        EXPECT_LT(length(once.bodies[i].velocity - twice.bodies[i].velocity), 1e-6);
}

}  // namespace
}  // namespace sunder::fracture
