// Spheres and particles against a field many lanes at a time, on every instruction set, against the same by fours.
#include "collision/narrow_phase/field_kernels.h"

#include <gtest/gtest.h>

#include <bit>

#include "collision/narrow_phase/particle_probe.h"
#include "math/processor.h"
#include "support/random_points.h"

namespace sunder::collision {
namespace {

struct Spheres {
    Real x[4], y[4], z[4], radius[4];
};

struct Setting {
    geometry::LevelSet16 field;
    FieldInFrame frame;
    std::vector<Spheres> fours;
    std::vector<std::uint32_t> which;

    explicit Setting(std::uint64_t seed) {
        testing::RandomPoints random(seed);
        const auto count = [&] { return 2 + int(random.below(6)); };
        field.grid.nodes = {count(), count(), count()};
        field.grid.origin = random.inBox(1);
        field.grid.cell = Real(0.1) + random.between(0, 0.1);
        field.step = field.grid.cell / 256;
        const auto [nx, ny, nz] = field.grid.nodes;
        for (int i = 0; i < nx * ny * nz; ++i)
            field.values.push_back(std::int16_t(random.between(-1000, 1000)));
        const Bounds bounds = field.grid.bounds();
        const Mat3 turn = toMatrix(normalize(Quat{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), 1}));
        const Vec3 offset = random.inBox(Real(0.2));
        frame = {field.values.data(),
                 {nx, ny, nz},
                 {field.grid.origin.x, field.grid.origin.y, field.grid.origin.z},
                 field.grid.cell,
                 1 / field.grid.cell,
                 field.step,
                 {bounds.low.x, bounds.low.y, bounds.low.z},
                 {bounds.high.x, bounds.high.y, bounds.high.z},
                 {{turn.row0.x, turn.row0.y, turn.row0.z},
                  {turn.row1.x, turn.row1.y, turn.row1.z},
                  {turn.row2.x, turn.row2.y, turn.row2.z}},
                 {offset.x, offset.y, offset.z}};
        for (int i = 0; i < 11; ++i) {
            Spheres& four = fours.emplace_back();
            for (int lane = 0; lane < 4; ++lane) {
                // Inside, outside, and exactly on the last and first nodes.
                const Vec3 p = center(bounds) + random.inBox(1);
                four.x[lane] = p.x;
                four.y[lane] = p.y;
                four.z[lane] = p.z;
                four.radius[lane] = random.between(0, 0.1);
            }
        }
        for (int i = 0; i < 3 * kFoursPerBlock; ++i)
            which.push_back(std::uint32_t(random.below(11)));
    }

    geometry::PointBlock pointsOf(std::size_t i) const {
        const Spheres& four = fours[which[i]];
        const Quad x = loadQuad(four.x), y = loadQuad(four.y), z = loadQuad(four.z);
        const auto along = [&](int k) {
            const auto& row = frame.rotation[k];
            return row[0] * x + row[1] * y + row[2] * z + frame.offset[k];
        };
        return {along(0), along(1), along(2)};
    }
    FoursAt at() const { return {fours.front().x, int(sizeof(Spheres) / sizeof(Real))}; }
};

std::vector<const FieldKernels*> allKernels() {
    std::vector<const FieldKernels*> all{&kBaselineFieldKernels, &fieldKernels()};
#if defined(SUNDER_HAS_X86_KERNELS)
    if (__builtin_cpu_supports("avx2"))
        all.push_back(&kAvx2FieldKernels);
    if (hasAvx512())
        all.push_back(&kAvx512FieldKernels);
#endif
    return all;
}

TEST(FieldKernels, BoundsOfSpheresAreThoseByFours) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const Setting setting(seed);
        const Real margin = Real(0.2);
        for (const FieldKernels* kernels : allKernels()) {
            SphereBounds found[3];
            const Real least = kernels->boundSpheres(setting.frame, setting.at(), setting.which.data(), 3, margin, found);
            Real leastFar = kInfinity;
            for (std::size_t i = 0; i < setting.which.size(); ++i) {
                const geometry::PointBlock points = setting.pointsOf(i);
                const Quad bound =
                    greaterOf(distanceToBox(setting.field.grid.bounds(), points), geometry::boundFour(setting.field, points)) -
                    loadQuad(setting.fours[setting.which[i]].radius);
                for (int lane = 0; lane < 4; ++lane) {
                    const SphereBounds& block = found[i / kFoursPerBlock];
                    const int at = int(i % kFoursPerBlock) * 4 + lane;
                    ASSERT_EQ(block.bound[at], bound[lane]);
                    ASSERT_EQ((block.near >> at & 1) != 0, bound[lane] <= margin);
                    if (bound[lane] > margin)
                        leastFar = min(leastFar, bound[lane]);
                }
            }
            EXPECT_EQ(least, leastFar);
        }
    }
}

TEST(FieldKernels, ReadingsAreThoseByFours) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const Setting setting(seed);
        const Real margin = Real(0.2);
        for (const FieldKernels* kernels : allKernels()) {
            FieldReadings found[3];
            const Real least = kernels->readParticles(setting.frame, setting.at(), setting.which.data(), 3, margin, found);
            Real leastOfAll = kInfinity;
            for (std::size_t i = 0; i < setting.which.size(); ++i) {
                geometry::SampleBlock sample;
                geometry::sampleFour(setting.field, setting.pointsOf(i), sample);
                for (int lane = 0; lane < 4; ++lane) {
                    const FieldReadings& block = found[i / kFoursPerBlock];
                    const int at = int(i % kFoursPerBlock) * 4 + lane;
                    ASSERT_EQ(block.distance[at], sample.distance[lane]);
                    ASSERT_EQ(block.gradientX[at], sample.gradientX[lane]);
                    ASSERT_EQ(block.gradientY[at], sample.gradientY[lane]);
                    ASSERT_EQ(block.gradientZ[at], sample.gradientZ[lane]);
                    ASSERT_EQ((block.near >> at & 1) != 0, sample.distance[lane] < margin);
                    leastOfAll = min(leastOfAll, sample.distance[lane]);
                }
            }
            EXPECT_EQ(least, leastOfAll);
        }
    }
}

}  // namespace
}  // namespace sunder::collision
