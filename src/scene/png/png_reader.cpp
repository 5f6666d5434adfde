#include "scene/png/png_reader.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "scene/png/inflate.h"
#include "sunder/definitions.h"

namespace sunder::scene {

namespace {

constexpr std::uint32_t kMostPixels = 8192;  // along each side
constexpr std::string_view kMark("\x89PNG\r\n\x1a\n", 8);

[[noreturn]] void damaged(const std::string& why) { throw Error("is a damaged PNG: " + why); }

std::uint32_t number(std::string_view bytes) {
    return std::uint32_t(std::uint8_t(bytes[0])) << 24 | std::uint32_t(std::uint8_t(bytes[1])) << 16 |
           std::uint32_t(std::uint8_t(bytes[2])) << 8 | std::uint8_t(bytes[3]);
}

std::uint32_t crc32(std::string_view bytes) {
    static const std::array<std::uint32_t, 256> kTable = [] {
        std::array<std::uint32_t, 256> table{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit)
                value = (value & 1) != 0 ? 0xedb88320u ^ (value >> 1) : value >> 1;
            table[i] = value;
        }
        return table;
    }();
    std::uint32_t sum = 0xffffffffu;
    for (const char c : bytes)
        sum = kTable[(sum ^ std::uint8_t(c)) & 255] ^ (sum >> 8);
    return ~sum;
}

enum ColorType : std::uint8_t { kGray = 0, kColor = 2, kPalette = 3, kGrayAlpha = 4, kColorAlpha = 6 };

struct PngHeader {
    int width = 0, height = 0, depth = 0;
    std::uint8_t type = kGray;
    bool isInterlaced = false;

    int channels() const { return type == kColor ? 3 : type == kGrayAlpha ? 2 : type == kColorAlpha ? 4 : 1; }
    std::size_t rowBytes(int columns) const { return (std::size_t(columns) * channels() * depth + 7) / 8; }
};

PngHeader readHeader(std::string_view chunk) {
    if (chunk.size() != 13)
        damaged("its header has " + std::to_string(chunk.size()) + " bytes (13 are needed)");
    const std::uint32_t width = number(chunk), height = number(chunk.substr(4));
    if (width < 1 || height < 1 || width > kMostPixels || height > kMostPixels)
        throw Error("has " + std::to_string(width) + " x " + std::to_string(height) +
                    " pixels (1 to 8192 along each side are allowed)");
    PngHeader header{int(width), int(height), std::uint8_t(chunk[8]), std::uint8_t(chunk[9]), chunk[12] == 1};
    const int depth = header.depth;
    const bool isPower = depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
    const bool isKnown = header.type == kGray || header.type == kColor || header.type == kPalette ||
                         header.type == kGrayAlpha || header.type == kColorAlpha;
    const bool isWhole = header.type == kGray || (header.type == kPalette ? depth <= 8 : depth >= 8);
    if (!isPower || !isKnown || !isWhole || chunk[10] != 0 || chunk[11] != 0 || std::uint8_t(chunk[12]) > 1)
        damaged("its header names a format that PNG does not have");
    return header;
}

struct Contents {
    PngHeader header;
    std::string compressed;
    std::vector<std::array<std::uint16_t, 4>> palette;  // R, G, B, opacity, 0 to 65535
    std::string transparent;                            // the chunk tRNS
};

constexpr std::uint16_t widened(std::uint8_t value) { return std::uint16_t(value * 257); }

void readPalette(std::string_view chunk, Contents& contents) {
    if (chunk.size() % 3 != 0 || chunk.size() > std::size_t(3 * 256))
        damaged("its palette has " + std::to_string(chunk.size()) + " bytes");
    for (std::size_t i = 0; i < chunk.size(); i += 3)
        contents.palette.push_back(
            {widened(std::uint8_t(chunk[i])), widened(std::uint8_t(chunk[i + 1])), widened(std::uint8_t(chunk[i + 2])), 65535});
}

Contents readChunks(std::string_view png) {
    if (!hasPngMark(png))
        throw Error("is not a PNG");
    Contents contents;
    bool hasHeader = false;
    for (std::size_t at = kMark.size();;) {
        if (png.size() - at < 12)
            damaged("it ends too soon");
        const std::size_t size = number(png.substr(at));
        if (size > png.size() - at - 12)
            damaged("it ends too soon");
        const std::string_view name = png.substr(at + 4, 4), chunk = png.substr(at + 8, size);
        if (crc32(png.substr(at + 4, size + 4)) != number(png.substr(at + 8 + size)))
            damaged("the check sum of its part \"" + std::string(name) + "\" is wrong");
        at += size + 12;
        if (!hasHeader && name != "IHDR")
            damaged("it has no header");
        if (name == "IHDR") {
            contents.header = readHeader(chunk);
            hasHeader = true;
        } else if (name == "PLTE") {
            readPalette(chunk, contents);
        } else if (name == "tRNS") {
            contents.transparent = chunk;
        } else if (name == "IDAT") {
            contents.compressed += chunk;
        } else if (name == "IEND") {
            return contents;
        }
    }
}

int paeth(int left, int above, int corner) {
    const int guess = left + above - corner;
    const int toLeft = std::abs(guess - left), toAbove = std::abs(guess - above), toCorner = std::abs(guess - corner);
    return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
}

// Each byte was written as a difference to what its neighbours foretell. above: empty for the first row.
void undoFilter(int filter, std::string& row, const std::string& above, std::size_t pixelBytes) {
    for (std::size_t i = 0; i < row.size(); ++i) {
        const int left = i >= pixelBytes ? std::uint8_t(row[i - pixelBytes]) : 0;
        const int up = above.empty() ? 0 : std::uint8_t(above[i]);
        const int corner = above.empty() || i < pixelBytes ? 0 : std::uint8_t(above[i - pixelBytes]);
        const int foretold[5] = {0, left, up, (left + up) / 2, paeth(left, up, corner)};
        row[i] = char(std::uint8_t(std::uint8_t(row[i]) + foretold[filter]));
    }
}

class Decoder {
public:
    explicit Decoder(const Contents& contents) : contents_(contents), header_(contents.header) {
        if (header_.type == kPalette && contents.palette.empty())
            damaged("it has no palette");
    }

    // put(index, row, column) for each pixel; grayAt and colorAt read it.
    template <class Put>
    void run(Put&& put) {
        // Interlaced pictures are seven pictures of some of the rows and columns.
        struct Pass {
            int x, y, stepX, stepY;
        };
        constexpr Pass kAll{0, 0, 1, 1};
        constexpr Pass kSeven[7] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                    {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
        const std::size_t passes = header_.isInterlaced ? 7 : 1;
        const auto across = [&](const Pass& pass) { return (header_.width - pass.x + pass.stepX - 1) / pass.stepX; };
        const auto down = [&](const Pass& pass) { return (header_.height - pass.y + pass.stepY - 1) / pass.stepY; };
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < passes; ++i) {
            const Pass& pass = header_.isInterlaced ? kSeven[i] : kAll;
            if (across(pass) > 0 && down(pass) > 0)
                bytes += (1 + header_.rowBytes(across(pass))) * down(pass);
        }
        data_ = inflated(bytes);
        for (std::size_t i = 0; i < passes; ++i) {
            const Pass& pass = header_.isInterlaced ? kSeven[i] : kAll;
            if (across(pass) <= 0)
                continue;
            std::string row, above;
            for (int y = pass.y; y < header_.height; y += pass.stepY) {
                above.swap(row);
                row = nextRow(header_.rowBytes(across(pass)), above);
                for (int k = 0, x = pass.x; x < header_.width; ++k, x += pass.stepX)
                    put(std::size_t(y) * header_.width + x, row, k);
            }
        }
    }
    std::array<std::uint8_t, 3> colorAt(const std::string& row, int column) const {
        const int channels = header_.channels(), full = (1 << header_.depth) - 1;
        const auto value = [&](int c) { return sample(row, std::size_t(column) * channels + c); };
        if (header_.type == kPalette) {
            if (std::size_t(value(0)) >= contents_.palette.size())
                damaged("a pixel is not in its palette");
            const auto& color = contents_.palette[std::size_t(value(0))];
            return {std::uint8_t(color[0] >> 8), std::uint8_t(color[1] >> 8), std::uint8_t(color[2] >> 8)};
        }
        const auto byte = [&](int c) { return std::uint8_t((value(c) * 255 + full / 2) / full); };
        return header_.type == kColor || header_.type == kColorAlpha ? std::array{byte(0), byte(1), byte(2)}
                                                                     : std::array{byte(0), byte(0), byte(0)};
    }

private:
    std::string inflated(std::size_t bytes) const {
        std::string data;
        try {
            data = inflate(contents_.compressed, bytes);
        } catch (const Error& error) {
            damaged(error.what());
        }
        if (data.size() != bytes)
            damaged("it holds too few pixels");
        return data;
    }
    std::string nextRow(std::size_t bytes, const std::string& above) {
        const int filter = std::uint8_t(data_[next_]);
        if (filter > 4)
            damaged("a row has a filter that PNG does not have");
        std::string row = data_.substr(next_ + 1, bytes);
        next_ += bytes + 1;
        undoFilter(filter, row, above, std::max<std::size_t>(1, std::size_t(header_.channels()) * header_.depth / 8));
        return row;
    }
    // Sample `index` of a row as it stands in the file.
    int sample(const std::string& row, std::size_t index) const {
        if (header_.depth == 16)
            return std::uint8_t(row[2 * index]) << 8 | std::uint8_t(row[2 * index + 1]);
        const std::size_t bit = index * header_.depth;
        return std::uint8_t(row[bit / 8]) >> (8 - header_.depth - int(bit % 8)) & ((1 << header_.depth) - 1);
    }

public:
    std::uint16_t grayAt(const std::string& row, int column) const {
        const int channels = header_.channels();
        int samples[4] = {};
        for (int c = 0; c < channels; ++c)
            samples[c] = sample(row, std::size_t(column) * channels + c);
        if (header_.type == kPalette)
            return fromPalette(samples[0]);
        const bool isColor = header_.type == kColor || header_.type == kColorAlpha;
        if (isNamedTransparent(samples, isColor ? 3 : 1))
            return 65535;
        const int full = (1 << header_.depth) - 1;
        std::uint32_t wide[4];
        for (int c = 0; c < channels; ++c)
            wide[c] = std::uint32_t(samples[c]) * 65535u / std::uint32_t(full);
        const std::uint32_t gray = isColor ? lightness(wide[0], wide[1], wide[2]) : wide[0];
        return header_.type == kGrayAlpha || header_.type == kColorAlpha ? overWhite(gray, wide[channels - 1])
                                                                         : std::uint16_t(gray);
    }

private:
    std::uint16_t fromPalette(int index) const {
        if (std::size_t(index) >= contents_.palette.size())
            damaged("a pixel is not in its palette");
        const auto& [red, green, blue, opacity] = contents_.palette[index];
        const bool hasOwn = std::size_t(index) < contents_.transparent.size();
        return overWhite(lightness(red, green, blue), hasOwn ? widened(std::uint8_t(contents_.transparent[index])) : opacity);
    }
    // Whether these samples are the ones that a file without opacities names as transparent.
    bool isNamedTransparent(const int* samples, int count) const {
        if (header_.type == kGrayAlpha || header_.type == kColorAlpha || contents_.transparent.size() / 2 < std::size_t(count))
            return false;
        for (int c = 0; c < count; ++c)
            if (samples[c] !=
                (std::uint8_t(contents_.transparent[2 * c]) << 8 | std::uint8_t(contents_.transparent[2 * c + 1])))
                return false;
        return true;
    }
    static std::uint32_t lightness(std::uint32_t red, std::uint32_t green, std::uint32_t blue) {
        return (2126 * red + 7152 * green + 722 * blue + 5000) / 10000;
    }
    static std::uint16_t overWhite(std::uint32_t gray, std::uint32_t opacity) {
        return std::uint16_t((std::uint64_t(gray) * opacity + std::uint64_t(65535) * (65535 - opacity) + 32767) / 65535);
    }

    const Contents& contents_;
    const PngHeader& header_;
    std::string data_;
    std::size_t next_ = 0;
};

}  // namespace

bool hasPngMark(std::string_view bytes) { return bytes.starts_with(kMark); }

GrayPixels readGray(std::string_view png) {
    const Contents contents = readChunks(png);
    Decoder decoder(contents);
    GrayPixels pixels{contents.header.width, contents.header.height, {}};
    pixels.values.resize(std::size_t(pixels.width) * std::size_t(pixels.height));
    decoder.run([&](std::size_t i, const std::string& row, int column) { pixels.values[i] = decoder.grayAt(row, column); });
    return pixels;
}

ColorPixels readColors(std::string_view png) {
    const Contents contents = readChunks(png);
    Decoder decoder(contents);
    ColorPixels pixels{contents.header.width, contents.header.height, {}};
    pixels.values.resize(std::size_t(pixels.width) * std::size_t(pixels.height));
    decoder.run([&](std::size_t i, const std::string& row, int column) { pixels.values[i] = decoder.colorAt(row, column); });
    return pixels;
}

}  // namespace sunder::scene
