// Text that the programs print and write.
#pragma once

#include <string>
#include <string_view>

namespace sunder::measure {

// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string format(const char* text, ...);

// As JSON has them.
std::string jsonString(std::string_view text);
std::string jsonNumber(double value);  // null where it is not finite

}  // namespace sunder::measure
