// The description covers every field, and its texts read back.
#include "sunder/describe.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace sunder {
namespace {

struct Anything {
    template <class T>
    operator T() const;
};

// How many members an aggregate of numbers has: the largest number of values it can be made of.
template <class T, class... Values>
constexpr int memberCount() {
    if constexpr (requires { T{Values{}..., Anything{}}; })
        return memberCount<T, Values..., Anything>();
    else
        return static_cast<int>(sizeof...(Values));
}

template <class T>
int describedCount() {
    T value;
    int count = 0;
    visitFields(value, [&](const FieldInfo&, auto&&) { ++count; });
    return count;
}

TEST(Describe, NoFieldIsForgotten) {
    EXPECT_EQ(describedCount<Material>(), memberCount<Material>());
    EXPECT_EQ(describedCount<FrameRateOptions>(), memberCount<FrameRateOptions>());
    EXPECT_EQ(describedCount<ImpulseOptions>(), memberCount<ImpulseOptions>());
    EXPECT_EQ(describedCount<DampedOptions>(), memberCount<DampedOptions>());
    EXPECT_EQ(describedCount<Capsule>(), memberCount<Capsule>());
    EXPECT_EQ(describedCount<TimewarpOptions>(), memberCount<TimewarpOptions>());
    // The stepper and its four sets of options are one described field.
    EXPECT_EQ(describedCount<WorldDef>() + 4, memberCount<WorldDef>());
}

TEST(Describe, NamesAreUniqueAndSayWhatTheyMean) {
    BodyDef body;
    std::vector<std::string_view> names;
    visitFields(body, [&](const FieldInfo& info, auto&&) {
        EXPECT_EQ(std::count(names.begin(), names.end(), info.name), 0) << info.name;
        EXPECT_FALSE(info.doc.empty()) << info.name;
        names.push_back(info.name);
    });
    EXPECT_EQ(names.size(), 26u);
}

TEST(Describe, RangesReadAsText) {
    EXPECT_EQ(allowedRange({.low = 0, .high = 1}), "0 to 1");
    EXPECT_EQ(allowedRange({.low = 0}), "0 to inf");
    EXPECT_EQ(allowedRange({.unit = "kg/m^3", .low = 0, .high = 1e6, .lowExcluded = true}), "above 0, up to 1000000 kg/m^3");
    EXPECT_EQ(allowedRange({.unit = "kg", .low = 0, .lowExcluded = true}), "above 0 kg");
    EXPECT_EQ(allowedRange({}), "any finite number");
}

TEST(Describe, LimitsBelongToTheRangeUnlessExcluded) {
    const FieldInfo closed{.low = 1e-5, .high = 0.1}, open{.low = 0, .lowExcluded = true};
    EXPECT_TRUE(isAllowed(closed, 1e-5f));
    EXPECT_TRUE(isAllowed(closed, 0.1f));
    EXPECT_TRUE(isAllowed(closed, 1e-5));
    EXPECT_FALSE(isAllowed(closed, 0.11));
    EXPECT_FALSE(isAllowed(open, 0.0));
    EXPECT_TRUE(isAllowed(open, 1e-30));
    EXPECT_FALSE(isAllowed(FieldInfo{}, std::nan("")));
    EXPECT_FALSE(isAllowed(FieldInfo{}, kUnbounded));
}

TEST(Describe, NumbersAreShortAndReadBack) {
    EXPECT_EQ(numberText(0.1f), "0.1");
    EXPECT_EQ(numberText(0.1), "0.1");
    EXPECT_EQ(numberText(-3.0f), "-3");
    EXPECT_EQ(numberText(1e6), "1000000");
    EXPECT_EQ(numberText(std::nanf("")), "nan");
    EXPECT_EQ(numberText(-kUnbounded), "-inf");
    // Bit patterns all over the range.
    for (std::uint32_t bits = 1; bits < 0x7f800000u; bits += 0x00012347u) {
        float value = 0;
        std::memcpy(&value, &bits, sizeof value);
        EXPECT_EQ(std::strtof(numberText(value).c_str(), nullptr), value);
        EXPECT_EQ(std::strtod(numberText(1.0 / value).c_str(), nullptr), 1.0 / value);
    }
}

}  // namespace
}  // namespace sunder
