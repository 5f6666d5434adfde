// Text of numbers and ranges in messages. Only the C library is used: the core has no formatting dependency.
#include "sunder/describe.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace sunder {

namespace {

// One more digit at a time until the text reads back as the same number.
template <class Number>
std::string shortestText(Number value, int mostDigits) {
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    char text[64];
    constexpr double kPlainIntegers = 1e10;
    if (std::fabs(double(value)) < kPlainIntegers && value == std::floor(value)) {
        std::snprintf(text, sizeof text, "%.0f", double(value));
        return text;
    }
    for (int digits = 1; digits <= mostDigits; ++digits) {
        std::snprintf(text, sizeof text, "%.*g", digits, double(value));
        if (static_cast<Number>(std::strtod(text, nullptr)) == value)
            break;
    }
    return text;
}

template <class Number>
bool isInside(const FieldInfo& info, Number value) {
    const Number low = static_cast<Number>(info.low), high = static_cast<Number>(info.high);
    return std::isfinite(value) && (info.lowExcluded ? value > low : value >= low) && value <= high;
}

}  // namespace

std::string numberText(double value) { return shortestText(value, 17); }
std::string numberText(float value) { return shortestText(value, 9); }

std::string allowedRange(const FieldInfo& info) {
    std::string text;
    if (info.low == -kUnbounded && info.high == kUnbounded)
        text = "any finite number";
    else if (info.lowExcluded)
        text = "above " + numberText(info.low) + (info.high == kUnbounded ? "" : ", up to " + numberText(info.high));
    else
        text = numberText(info.low) + " to " + numberText(info.high);
    return info.unit.empty() ? text : text + " " + std::string(info.unit);
}

bool isAllowed(const FieldInfo& info, double value) { return isInside(info, value); }
bool isAllowed(const FieldInfo& info, float value) { return isInside(info, value); }

}  // namespace sunder
