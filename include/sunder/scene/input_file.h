// A whole file as bytes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace sunder {

// Throws Error, naming the path, where it cannot be read. Pipes are read to their end.
std::vector<std::byte> readFile(const std::filesystem::path& path);

}  // namespace sunder
