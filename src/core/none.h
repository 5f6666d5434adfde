// The index of nothing, in lists whose entries may be absent.
#pragma once

#include <cstdint>

namespace sunder {

inline constexpr std::uint32_t kNone = 0xffffffffu;

}  // namespace sunder
