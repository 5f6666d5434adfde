// Planes between the pieces of a fracture (collision/narrow_phase/level_set/separating_plane.h).
#include "collision/narrow_phase/level_set/separating_plane.h"

#include "collision/build_shape.h"
#include "collision/continuous/level_set_advancement.h"
#include "collision/narrow_phase/collide.h"
#include "fracture/prescored/broken_body.h"
#include "fracture/prescored/piece_solid.h"
#include "support/random_points.h"

namespace sunder::fracture {
namespace {

using namespace collision;
using namespace testing;
using sunder::testing::RandomPoints;

constexpr Real kCell = Real(0.005);

// The pieces of a ball of 24 cm, with sharp edges: their fields say little beyond those.
std::vector<SharedShape> piecesOfABall() {
    const geometry::LevelSet16 field = levelSetOf<std::int16_t>(Sphere{Real(0.12)}, kCell);
    VoronoiPattern cells;
    cells.pieces = 18;
    std::vector<SharedShape> shapes;
    for (auto& piece : breakGeneral(field, massOf(field), patternOf(cells), Impact{{0, Real(0.12), 0}, {0, 1, 0}}, {}))
        shapes.push_back(buildLevelSetShape(solidOf(piece, SampledSolid{})));
    return shapes;
}

// m: how far the farthest particles are from each other along an axis from A to B: a bound that needs no fields.
Real gapOfParticles(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB, const Vec3& axis) {
    Real ofA = -kInfinity, ofB = kInfinity;
    for (const Vec3& p : a.levelSet->solid->particles.positions)
        ofA = max(ofA, dot(transformPoint(poseA, p), axis));
    for (const Vec3& p : b.levelSet->solid->particles.positions)
        ofB = min(ofB, dot(transformPoint(poseB, p), axis));
    return ofB - ofA;
}

// Calls visit(a, poseA, b, poseB) for pieces that lie anywhere about each other.
template <class Visitor>
void forEachPair(Real most, Visitor&& visit) {
    const std::vector<SharedShape> pieces = piecesOfABall();
    ASSERT_GT(pieces.size(), 8u);
    RandomPoints random(4);
    for (int i = 0; i < 600; ++i) {
        const BuiltShape &a = *pieces[std::size_t(i) % pieces.size()], &b = *pieces[std::size_t(7 * i + 3) % pieces.size()];
        visit(a, Pose{{}, random.rotation()}, b, Pose{random.onSphere() * random.between(Real(0.03), most), random.rotation()});
    }
}

TEST(SeparatingPlane, GapIsThatOfTheParticles) {
    forEachPair(Real(0.2), [](const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB) {
        const PlaneSearch planes(*a.levelSet, poseA, *b.levelSet, poseB);
        for (int i = 0; i < PlaneSearch::kAxes; ++i) {
            const Vec3 axis = planes.axis(i);
            const Real gap = gapOfParticles(a, poseA, b, poseB, axis) - Real(0.5) * kCell;
            EXPECT_NEAR(planes.gapAlong(axis, -1), gap, 1e-5);
            if (std::fabs(gap - Real(0.02)) > Real(1e-4)) {
                EXPECT_EQ(planes.gapAlong(axis, Real(0.02)) > Real(0.02), gap > Real(0.02));
            }
        }
    });
}

// Nearly all pieces that do not touch are parted by one of the three axes, so that no particle needs to be read.
TEST(SeparatingPlane, PartsNearlyAllPiecesThatAreApart) {
    int apart = 0, parted = 0;
    forEachPair(Real(0.2), [&](const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB) {
        ManifoldList manifolds;
        if (collide(a, poseA, b, poseB, Real(0.01), manifolds) == 0)
            return;
        ++apart;
        const PlaneSearch planes(*a.levelSet, poseA, *b.levelSet, poseB);
        bool any = false;
        for (int i = 0; i < PlaneSearch::kAxes; ++i)
            any = any || planes.gapAlong(planes.axis(i), Real(0.01)) > Real(0.01);
        parted += any;
    });
    EXPECT_GT(apart, 200);
    EXPECT_GT(parted, apart * 85 / 100) << apart;
}

// A piece whose particles are all beyond a plane has no contact across it, however near the field beyond its edge seems.
TEST(SeparatingPlane, NoContactReachesAcrossIt) {
    constexpr Real kMargin = Real(0.02);
    int far = 0;
    forEachPair(Real(0.3), [&](const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB) {
        const Vec3 axis = PlaneSearch(*a.levelSet, poseA, *b.levelSet, poseB).axis(0);
        if (!(gapOfParticles(a, poseA, b, poseB, axis) > kMargin + kCell))
            return;
        ++far;
        ManifoldList manifolds;
        EXPECT_GT(collide(a, poseA, b, poseB, kMargin, manifolds), kMargin);
        EXPECT_TRUE(manifolds.empty());
    });
    EXPECT_GT(far, 100);
}

// Advancement by planes, and from a distance that is known, meets when tiny steps of the same motion do.
TEST(SeparatingPlane, AdvancementMeetsWhenTinyStepsDo) {
    RandomPoints random(9);
    constexpr Real kDuration = Real(0.02), kTolerance = Real(0.25) * kCell;
    int meet = 0, number = 0;
    forEachPair(Real(0.2), [&](const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB) {
        if (++number > 120)
            return;
        const Vec3 velocity = (random.onSphere() * Real(0.4) - normalizeOr(poseB.position, {})) * Real(8);
        const Vec3 spin = random.onSphere() * Real(8);
        ManifoldList manifolds;
        const Real apart = collide(a, poseA, b, poseB, Real(0.01), manifolds);
        if (apart == 0)
            return;
        const MovingShape movingA{a, poseA, poseA.position, {}, {}}, movingB{b, poseB, poseB.position, velocity, spin};
        const TimeOfImpact one = advanceLevelSets(movingA, movingB, kDuration, 0, kTolerance),
                           known = advanceLevelSets(movingA, movingB, kDuration, 0, kTolerance, apart);
        EXPECT_EQ(one.status, known.status);
        Real first = kInfinity;  // s: at which contacts this deep are found
        for (int step = 0; step <= 400 && first == kInfinity; ++step) {
            const Real time = kDuration * Real(step) / 400;
            manifolds.clear();
            collide(a, poseA, b,
                    {poseB.position + velocity * time, normalize(quatFromRotationVector(spin * time) * poseB.orientation)}, 0,
                    manifolds);
            if (!manifolds.empty())
                first = time;
        }
        const Real slack = 2 * kCell / Real(8) + kDuration / 400;
        if (first < kDuration - slack) {
            ++meet;
            EXPECT_NE(one.status, TimeOfImpact::Status::Apart);
            for (const Real time : {one.time, known.time}) {  // no later, and not while they are clearly apart
                EXPECT_LE(time, first);
                manifolds.clear();
                const Quat turn = quatFromRotationVector(spin * time);
                collide(a, poseA, b, {poseB.position + velocity * time, normalize(turn * poseB.orientation)},
                        kTolerance + kCell, manifolds);
                EXPECT_FALSE(manifolds.empty());
            }
        }
    });
    EXPECT_GT(meet, 20);
}

}  // namespace
}  // namespace sunder::fracture
