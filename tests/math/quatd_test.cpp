// Values that pass from double through Real come back rounded. g++ 12 at -O2 drops both conversions when its basic-block
// vectoriser packs two of them (-fno-tree-slp-vectorize keeps them); states would then differ between compilers.
#include "math/quatd.h"

#include <gtest/gtest.h>

namespace sunder {
namespace {

TEST(Quatd, ConversionToRealRounds) {
    // volatile hides the values from the compiler, which folds constants correctly.
    volatile double x = 0.1, y = 0.2, z = 0.3;
    const Vec3d back = toDouble(toReal(Vec3d{x, y, z}));
    EXPECT_EQ(back.x, double(Real(0.1)));
    EXPECT_EQ(back.y, double(Real(0.2)));
    EXPECT_EQ(back.z, double(Real(0.3)));
}

TEST(Quatd, NormalizeIsExactNearUnitAndFarFromIt) {
    // Both sides of the switch from the series to the root.
    for (const double factor : {1.0, 1 + 1e-7, 1 - 4.9e-6, 1 + 4.9e-6, 1 + 6e-6, 0.5, 3.0}) {
        const Quatd q = normalize(Quatd{0.1 * factor, -0.7 * factor, 0.1 * factor, 0.7 * factor});
        EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 2e-15) << factor;
    }
}

}  // namespace
}  // namespace sunder
