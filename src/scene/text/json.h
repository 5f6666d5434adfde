// Parses JSON text to a tree, with the guards that untrusted files need: size, depth, duplicate keys, bad numbers.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace sunder::scene {

// Objects keep the order of the file, so that problems are reported in it.
using Json = nlohmann::ordered_json;

inline constexpr std::size_t kMaxFileBytes = 64u << 20;
inline constexpr int kMaxDepth = 100;
// A value takes at least 16 bytes: this keeps a hostile file of 64 MB below a gigabyte.
inline constexpr std::size_t kMaxValues = 10'000'000;

// Per object; lookup of a key is linear.
inline constexpr std::size_t kMaxKeys = 10'000;

struct JsonResult {
    std::optional<Json> value;
    std::string where;    // "line 3, column 7", or the path of a duplicate key
    std::string message;  // what is wrong there
};

JsonResult parseJson(std::string_view text);

// The value as one short line.
std::string shortText(const Json& value);

}  // namespace sunder::scene
