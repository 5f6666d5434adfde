// The choice of a manifold's points, four at a time, against the same choice one by one.
#include "collision/narrow_phase/level_set/point_choice.h"

#include <gtest/gtest.h>

#include "support/random_points.h"

namespace sunder::collision {
namespace {

constexpr Real kSliver = Real(1e-3);

ParticleContact randomContact(testing::RandomPoints& random, std::uint32_t feature) {
    const Vec3 p = random.inBox(1);
    // Few different values, so that there are ties.
    const auto rounded = [](Real x) { return std::floor(x * 4) / 4; };
    return {{rounded(p.x), rounded(p.y), rounded(p.z)},
            {0, 1, 0},
            rounded(random.between(-0.5, 0.5)),
            feature,
            random.below(2) == 1};
}

struct Plain {
    std::vector<Vec3> places;
    std::vector<Real> separations;
    Vec3 normal;

    template <class Score>
    int best(Real least, Score score) const {
        int chosen = -1;
        for (int i = 0; i < int(places.size()); ++i)
            if (const Real s = score(std::size_t(i)); s > least) {
                chosen = i;
                least = s;
            }
        return chosen;
    }
    Real area(const Vec3& p, const Vec3& q, const Vec3& r) const { return dot(normal, cross(q - p, r - p)); }

    std::vector<int> choose(Real band) const {
        std::vector<int> chosen{best(-kInfinity, [&](std::size_t i) { return -separations[i]; })};
        const Vec3 first = places[std::size_t(chosen[0])];
        const Real least = separations[std::size_t(chosen[0])];
        const auto weight = [&](std::size_t i) { return square(band / (band + separations[i] - least)); };
        const auto take = [&](int i) {
            if (i >= 0)
                chosen.push_back(i);
            return i >= 0;
        };
        if (!take(best(0, [&](std::size_t i) { return weight(i) * lengthSquared(places[i] - first); })))
            return chosen;
        const Vec3 second = places[std::size_t(chosen[1])];
        const Real sliver = kSliver * lengthSquared(second - first);
        if (!take(best(0, [&](std::size_t i) { return weight(i) * (std::fabs(area(first, second, places[i])) - sliver); })))
            return chosen;
        const Vec3 third = places[std::size_t(chosen[2])];
        const Real turn = area(first, second, third) > 0 ? Real(1) : Real(-1);
        take(best(0, [&](std::size_t i) {
            const Vec3& p = places[i];
            return weight(i) *
                   (-min(turn * area(first, second, p), min(turn * area(second, third, p), turn * area(third, first, p))) -
                    sliver);
        }));
        return chosen;
    }
};

TEST(PointChoice, FourAtATimeChooseWhatOneByOneDoes) {
    testing::RandomPoints random(5);
    PointCandidates candidates;
    for (int round = 0; round < 500; ++round) {
        Plain plain;
        plain.normal = {0, 1, 0};
        std::vector<ParticleContact> contacts;
        const std::uint32_t count = 1 + random.below(30);
        for (std::uint32_t i = 0; i < count; ++i) {
            const ParticleContact& contact = contacts.emplace_back(randomContact(random, i));
            plain.places.push_back(contact.onB ? contact.point - plain.normal * contact.separation : contact.point);
            plain.separations.push_back(contact.separation);
        }
        candidates.start(contacts);
        candidates.takeAll(plain.normal);
        const Real band = Real(0.25);
        ContactManifold manifold;
        candidates.choose(band, manifold);
        const std::vector<int> expected = plain.choose(band);
        ASSERT_EQ(manifold.count, int(expected.size())) << round;
        for (int i = 0; i < manifold.count; ++i) {
            EXPECT_EQ(manifold.points[i].feature, std::uint32_t(expected[std::size_t(i)])) << round;
            EXPECT_EQ(manifold.points[i].onA, plain.places[std::size_t(expected[std::size_t(i)])]);
        }
    }
}

// Points in a row of which the patch holds the middle: those beyond its ends stay.
TEST(PointChoice, KeepsWhatIsFarOutsideOfThePatch) {
    std::vector<ParticleContact> contacts;
    for (int i = 0; i < 11; ++i)
        contacts.push_back({{Real(i), 0, 0}, {0, 1, 0}, i == 10 ? Real(0) : Real(1), std::uint32_t(i), false});
    PointCandidates candidates;
    candidates.start(contacts);
    candidates.takeAll({0, 1, 0});
    ContactManifold patch;
    patch.count = 2;
    patch.points[0].onA = {3, 0, 0};
    patch.points[1].onA = {7, 0, 0};
    candidates.dropNear(Real(0.5), square(Real(1.5)), patch);  // 0, 1 and 9 are far; 10 touches
    ContactManifold manifold;
    candidates.choose(1, manifold);
    ASSERT_EQ(manifold.count, 2);
    EXPECT_EQ(manifold.points[0].feature, 0u);
    EXPECT_EQ(manifold.points[1].feature, 9u);
}

// A square of points that bear, each beside one that is as good: those of the last time stay until others are clearly deeper.
TEST(PointChoice, KeepsThePointsOfTheLastTime) {
    constexpr Real kBand = Real(0.01);
    const auto choose = [](Real lowest, KnownManifolds known) {
        std::vector<ParticleContact> contacts;
        for (std::uint32_t i = 0; i < 8; ++i) {
            const Real x = i & 1 ? Real(0.1) : Real(-0.1), z = i & 2 ? Real(0.1) : Real(-0.1),
                       beside = i & 4 ? Real(0.002) : Real(0);
            contacts.push_back({{x + beside, 0, z}, {0, 1, 0}, i == 7 ? lowest : Real(0.0001) * Real(i), i, false});
        }
        PointCandidates candidates;
        candidates.start(contacts, known);
        candidates.takeAll({0, 1, 0});
        ContactManifold manifold;
        candidates.choose(kBand, manifold);
        return manifold;
    };
    KnownManifold known;
    known.count = 4;
    for (std::uint32_t i = 0; i < 4; ++i)
        known.features[i] = 4 + i;
    const auto keptOf = [&](const ContactManifold& manifold) {
        int kept = 0;
        for (int i = 0; i < manifold.count; ++i)
            kept += known.has(manifold.points[i].feature);
        return kept;
    };
    EXPECT_LT(keptOf(choose(Real(0.0007), {})), 4);
    EXPECT_EQ(keptOf(choose(Real(0.0007), std::span(&known, 1))), 4);
    known.features[3] = 3;  // the one beside it is much deeper now
    const ContactManifold deeper = choose(Real(-0.005), std::span(&known, 1));
    EXPECT_EQ(deeper.points[0].feature, 7u);
}

}  // namespace
}  // namespace sunder::collision
