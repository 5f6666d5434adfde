// Any bytes as the compressed data of a picture, and as a PNG with check sums that match: refused with an Error, or read.
#include <array>
#include <string>

#include "scene/png/inflate.h"
#include "scene/png/png_reader.h"
#include "sunder/definitions.h"

namespace {

std::uint32_t crc32(const std::string& bytes) {
    std::uint32_t sum = 0xffffffffu;
    for (const char c : bytes) {
        sum ^= std::uint8_t(c);
        for (int bit = 0; bit < 8; ++bit)
            sum = (sum & 1) != 0 ? 0xedb88320u ^ (sum >> 1) : sum >> 1;
    }
    return ~sum;
}

std::string bigEndian(std::uint32_t value) { return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)}; }

std::string chunk(const std::string& name, const std::string& data) {
    return bigEndian(std::uint32_t(data.size())) + name + data + bigEndian(crc32(name + data));
}

void tryRead(const std::string& bytes, bool isPng) {
    try {
        if (isPng)
            sunder::scene::readGray(bytes);
        else
            sunder::scene::inflate(bytes, 1 << 16);
    } catch (const sunder::Error&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    tryRead(bytes, false);
    tryRead(bytes, true);
    if (size >= 5) {
        const std::string header =
            bigEndian(1u + data[0] % 32) + bigEndian(1u + data[1] % 32) + bytes.substr(2, 2) + '\0' + '\0' + char(data[4] % 2);
        tryRead("\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("PLTE", bytes.substr(0, 3)) +
                    chunk("tRNS", bytes.substr(0, 2)) + chunk("IDAT", bytes.substr(5)) + chunk("IEND", ""),
                true);
    }
    return 0;
}
