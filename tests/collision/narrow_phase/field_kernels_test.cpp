// Spheres and particles against a field many lanes at a time, on every instruction set, against the same by fours.
#include "collision/narrow_phase/level_set/field_kernels.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "collision/narrow_phase/level_set/particle_probe.h"
#include "core/processor.h"
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
    int used;  // without those that fill the last block

    bool counts(std::size_t four) const { return four < std::size_t(used); }

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
        used = 2 * kFoursPerBlock + 1 + int(random.below(kFoursPerBlock));
        for (int i = 0; i < used; ++i)
            which.push_back(std::uint32_t(random.below(11)));
        which.resize(3 * kFoursPerBlock, which.front());
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
            const Real least =
                kernels->boundSpheres(setting.frame, setting.at(), setting.which.data(), setting.used, margin, found);
            Real leastFar = kInfinity;
            for (std::size_t i = 0; i < setting.which.size(); ++i) {
                const geometry::PointBlock points = setting.pointsOf(i);
                const Quad bound =
                    greaterOf(distanceToBox(setting.field.grid.bounds(), points), geometry::boundFour(setting.field, points)) -
                    loadQuad(setting.fours[setting.which[i]].radius);
                for (int lane = 0; lane < 4; ++lane) {
                    const SphereBounds& block = found[i / kFoursPerBlock];
                    const int at = int(i % kFoursPerBlock) * 4 + lane;
                    ASSERT_EQ((block.near >> at & 1) != 0, bound[lane] <= margin && setting.counts(i));
                    if (!setting.counts(i))
                        continue;
                    ASSERT_EQ(block.bound[at], bound[lane]);
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
            const Real least =
                kernels->readParticles(setting.frame, setting.at(), setting.which.data(), setting.used, margin, found);
            Real leastOfAll = kInfinity;
            for (std::size_t i = 0; i < setting.which.size(); ++i) {
                geometry::SampleBlock sample;
                geometry::sampleFour(setting.field, setting.pointsOf(i), sample);
                for (int lane = 0; lane < 4; ++lane) {
                    const FieldReadings& block = found[i / kFoursPerBlock];
                    const int at = int(i % kFoursPerBlock) * 4 + lane;
                    ASSERT_EQ((block.near >> at & 1) != 0, sample.distance[lane] < margin && setting.counts(i));
                    if (!setting.counts(i))
                        continue;
                    ASSERT_EQ(block.distance[at], sample.distance[lane]);
                    ASSERT_EQ(block.gradientX[at], sample.gradientX[lane]);
                    ASSERT_EQ(block.gradientY[at], sample.gradientY[lane]);
                    ASSERT_EQ(block.gradientZ[at], sample.gradientZ[lane]);
                    leastOfAll = min(leastOfAll, sample.distance[lane]);
                }
            }
            EXPECT_EQ(least, leastOfAll);
        }
    }
}

struct Particles {
    std::vector<Vec3> normals;
    std::vector<geometry::SurfaceFeature> features;
    ParticlesInFrame frame;

    // The last four is not whole.
    Particles(const Setting& setting, std::uint64_t seed) {
        testing::RandomPoints random(seed);
        const std::size_t count = 4 * setting.fours.size() - 1 - random.below(3);
        for (std::size_t i = 0; i < count; ++i) {
            normals.push_back(normalizeOr(random.inBox(1), {1, 0, 0}));
            features.push_back(geometry::SurfaceFeature(random.below(3)));
        }
        const Mat3 turn = toMatrix(normalize(Quat{random.between(-1, 1), 1, random.between(-1, 1), random.between(-1, 1)}));
        const Vec3 offset = random.inBox(3), thickest = random.inBox(1);
        const std::size_t whole = count / 4;
        frame = {setting.at(),
                 &normals.data()->x,
                 reinterpret_cast<const std::uint8_t*>(features.data()),
                 std::uint32_t(whole),
                 {},
                 {},
                 {thickest.x, thickest.y, thickest.z},
                 {{turn.row0.x, turn.row0.y, turn.row0.z},
                  {turn.row1.x, turn.row1.y, turn.row1.z},
                  {turn.row2.x, turn.row2.y, turn.row2.z}},
                 {offset.x, offset.y, offset.z},
                 random.below(2) == 1 ? Real(1) : Real(-1),
                 Real(0.2),
                 Real(0.2)};
        std::copy(frame.normals + whole * 12, frame.normals + count * 3, frame.lastNormals);
        std::copy(frame.features + whole * 4, frame.features + count, frame.lastFeatures);
    }
};

Mat3 matrixOf(const Real (&rows)[3][3]) {
    const auto row = [&](int i) { return Vec3{rows[i][0], rows[i][1], rows[i][2]}; };
    return {row(0), row(1), row(2)};
}
Vec3 vectorOf(const Real (&v)[3]) { return {v[0], v[1], v[2]}; }
Vec3 laneOf(const wide::Vec3Of<wide::Lanes>& v, int lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }
bool haveSameBits(const Vec3& a, const Vec3& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

Reading readingOf(Real distance, const ParticlesInFrame& own) {
    if (!(distance < own.touching))
        return Reading::Apart;
    return !(distance < 0) ? Reading::Touching : -distance < own.shallow ? Reading::Shallow : Reading::Deep;
}

TEST(FieldKernels, NormalsAreThoseOneByOne) {
    int facing[4] = {}, notFacing[4] = {};  // by reading
    for (std::uint64_t seed = 1; seed <= 8000; ++seed) {
        Setting setting(seed);
        if (seed % 4 == 0)  // weak gradients
            for (std::int16_t& value : setting.field.values)
                value /= 8;
        const Particles particles(setting, seed);
        const ParticlesInFrame& own = particles.frame;
        for (const FieldKernels* kernels : allKernels()) {
            FieldReadings readings[3];
            FacingParticles found[3];
            kernels->readParticles(setting.frame, setting.at(), setting.which.data(), setting.used, Real(0.5), readings);
            kernels->chooseNormals(setting.frame, own, setting.which.data(), setting.used, readings, found);
            for (int i = 0; i < 3 * wide::kLanes; ++i) {
                const int block = i / wide::kLanes, lane = i % wide::kLanes;
                const std::uint32_t four = setting.which[std::size_t(i / 4)];
                const std::size_t particle = std::size_t(four) * 4 + std::size_t(i % 4);
                if (particle >= particles.normals.size())
                    continue;
                const FieldReadings& read = readings[block];
                const Spheres& at = setting.fours[four];
                const Vec3 position{at.x[i % 4], at.y[i % 4], at.z[i % 4]};
                Vec3 normal;
                const bool isFacing =
                    (read.near >> lane & 1) != 0 &&
                    chooseNormal(transposeTimes(matrixOf(setting.frame.rotation),
                                                Vec3{read.gradientX[lane], read.gradientY[lane], read.gradientZ[lane]}),
                                 {particles.normals[particle], position - vectorOf(own.thickest), particles.features[particle],
                                  readingOf(read.distance[lane], own), false},
                                 normal);
                ASSERT_EQ((found[block].facing >> lane & 1) != 0, isFacing);
                if (read.near >> lane & 1)
                    ++(isFacing ? facing : notFacing)[int(readingOf(read.distance[lane], own))];
                if (!isFacing)
                    continue;
                const Mat3 turn = matrixOf(own.rotation);
                const Vec3 out = turn * normal;
                ASSERT_TRUE(haveSameBits(laneOf(found[block].normal, lane), own.sign > 0 ? out : -out));
                ASSERT_TRUE(haveSameBits(laneOf(found[block].point, lane), turn * position + vectorOf(own.offset)));
            }
        }
    }
    for (int reading = 0; reading < 4; ++reading) {
        EXPECT_GT(facing[reading], 100) << reading;
        EXPECT_GT(notFacing[reading], 100) << reading;
    }
}

}  // namespace
}  // namespace sunder::collision
