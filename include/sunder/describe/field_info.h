// What a description says of one field, and what all descriptions share: names of enumerators, and limits.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace sunder {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

struct FieldInfo {
    std::string_view name = {};  // as in scene files
    std::string_view unit = {};
    double low = -kUnbounded;  // of every number in the field; all numbers must be finite
    double high = kUnbounded;
    bool lowExcluded = false;
    bool required = false;  // a scene file must give it
    std::string_view doc = {};
};

// "0 to 1", "above 0, up to 1000000 kg/m^3", "any finite number".
std::string allowedRange(const FieldInfo& info);
// A float is compared with the limits rounded to float, so that a limit itself is allowed.
bool isAllowed(const FieldInfo& info, double value);
bool isAllowed(const FieldInfo& info, float value);

// The shortest decimal that reads back as the same number.
std::string numberText(double value);
std::string numberText(float value);

template <class T, class U>
concept MaybeConst = std::is_same_v<std::remove_const_t<T>, U>;

// Names of enumerators in scene files.
template <class E>
struct EnumName {
    std::string_view name;
    E value;
};

// Limits far outside any scene, inside which squares and products of floats stay finite.
inline constexpr double kMaxPosition = 1e8, kMaxSpeed = 1e6, kMaxSpin = 1e6, kMaxMass = 1e12;
// m. Smaller shapes are below the contact tolerances; in larger ones float coordinates are coarser than a centimetre.
inline constexpr double kMinSize = 1e-5, kMaxSize = 1e5;
// Nodes of a level set along one axis.
inline constexpr double kMaxLevelSetNodes = 1024;

}  // namespace sunder
