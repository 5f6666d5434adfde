// See input_file.h.
#include "sunder/scene/input_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "sunder/definitions.h"

namespace sunder {

std::vector<std::byte> readFile(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        throw Error(path.string() + ": is a folder");
    std::ifstream file(path, std::ios::binary);
    std::vector<std::byte> bytes;
    constexpr std::size_t kBlock = 1 << 20;
    while (file) {
        const std::size_t size = bytes.size();
        bytes.resize(size + kBlock);
        file.read(reinterpret_cast<char*>(bytes.data() + size), kBlock);
        bytes.resize(size + static_cast<std::size_t>(file.gcount()));
    }
    if (!file.eof())
        throw Error(path.string() + ": cannot be read (" + std::strerror(errno) + ")");
    return bytes;
}

}  // namespace sunder
