// Compressed bytes in the format "zlib" (RFC 1950, with "deflate", RFC 1951), as PNG files hold them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sunder::scene {

// What was compressed. Throws Error where the bytes are damaged or hold more than `most` bytes.
std::string inflate(std::string_view compressed, std::size_t most);

}  // namespace sunder::scene
