// PNG files of every kind, written by libpng, are read as what was written; damaged ones are refused and never crash.
#include "scene/png/png_reader.h"

#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "core/random.h"
#include "sunder/definitions.h"

namespace sunder::scene {
namespace {

struct Kind {
    int type, depth, interlace, width, height;
    bool hasTransparency;
};

int channelsOf(int type) {
    return type == PNG_COLOR_TYPE_RGB ? 3 : type == PNG_COLOR_TYPE_RGBA ? 4 : type == PNG_COLOR_TYPE_GRAY_ALPHA ? 2 : 1;
}

// Samples 0 to 2^depth - 1, row by row; some repeat, so that there is something to compress.
std::vector<int> samplesOf(const Kind& kind) {
    core::Random random(std::uint64_t(kind.type * 1000 + kind.depth * 100 + kind.width));
    std::vector<int> samples(std::size_t(kind.width) * kind.height * channelsOf(kind.type));
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = i > 40 && random.below(4) != 0 ? samples[i - 40] : int(random.below(1u << kind.depth));
    return samples;
}

png_color paletteColor(int index) { return {png_byte(index * 7), png_byte(255 - index), png_byte(index * 31)}; }
constexpr int kTransparent = 1;  // the sample, or the index in the palette, that is transparent

std::string written(const Kind& kind, const std::vector<int>& samples) {
    std::string bytes;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &bytes,
        [](png_structp p, png_bytep data, png_size_t size) {
            static_cast<std::string*>(png_get_io_ptr(p))->append(reinterpret_cast<const char*>(data), size);
        },
        nullptr);
    png_set_IHDR(png, info, png_uint_32(kind.width), png_uint_32(kind.height), kind.depth, kind.type, kind.interlace,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_filter(png, 0, PNG_ALL_FILTERS);
    std::vector<png_color> palette;
    if (kind.type == PNG_COLOR_TYPE_PALETTE) {
        for (int i = 0; i < 1 << kind.depth; ++i)
            palette.push_back(paletteColor(i));
        png_set_PLTE(png, info, palette.data(), int(palette.size()));
    }
    if (kind.hasTransparency) {
        const png_byte opacities[2] = {255, 0};
        const png_color_16 named{0, kTransparent, kTransparent, kTransparent, kTransparent};
        if (kind.type == PNG_COLOR_TYPE_PALETTE)
            png_set_tRNS(png, info, opacities, 2, nullptr);
        else
            png_set_tRNS(png, info, nullptr, 0, &named);
    }
    png_write_info(png, info);
    const std::size_t rowSamples = std::size_t(kind.width) * channelsOf(kind.type);
    std::vector<std::vector<png_byte>> rows(kind.height, std::vector<png_byte>((rowSamples * kind.depth + 7) / 8));
    std::vector<png_bytep> pointers;
    for (int y = 0; y < kind.height; ++y) {
        for (std::size_t i = 0; i < rowSamples; ++i) {
            const int sample = samples[y * rowSamples + i];
            if (kind.depth == 16) {
                rows[y][2 * i] = png_byte(sample >> 8);
                rows[y][2 * i + 1] = png_byte(sample);
            } else {
                const std::size_t bit = i * kind.depth;
                rows[y][bit / 8] = png_byte(rows[y][bit / 8] | sample << (8 - kind.depth - int(bit % 8)));
            }
        }
        pointers.push_back(rows[y].data());
    }
    png_write_image(png, pointers.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return bytes;
}

// Of one pixel, 0 to 1.
double expectedGray(const Kind& kind, const int* samples) {
    const double full = (1 << kind.depth) - 1;
    const auto light = [](double red, double green, double blue) { return 0.2126 * red + 0.7152 * green + 0.0722 * blue; };
    const bool isColor = (kind.type & PNG_COLOR_MASK_COLOR) != 0;
    bool isTransparent = kind.hasTransparency;
    for (int c = 0; c < channelsOf(kind.type); ++c)
        isTransparent = isTransparent && samples[c] == kTransparent;
    if (isTransparent)
        return 1;
    if (kind.type == PNG_COLOR_TYPE_PALETTE) {
        const png_color color = paletteColor(samples[0]);
        return light(color.red, color.green, color.blue) / 255;
    }
    const double gray = (isColor ? light(samples[0], samples[1], samples[2]) : double(samples[0])) / full;
    const double opacity = (kind.type & PNG_COLOR_MASK_ALPHA) != 0 ? samples[channelsOf(kind.type) - 1] / full : 1;
    return gray * opacity + 1 - opacity;
}

// 0 to 255; what is transparent keeps its colour.
double expectedColor(const Kind& kind, const int* samples, int channel) {
    if (kind.type == PNG_COLOR_TYPE_PALETTE) {
        const png_color color = paletteColor(samples[0]);
        return channel == 0 ? color.red : channel == 1 ? color.green : color.blue;
    }
    const bool isColor = (kind.type & PNG_COLOR_MASK_COLOR) != 0;
    return 255.0 * samples[isColor ? channel : 0] / ((1 << kind.depth) - 1);
}

std::vector<Kind> everyKind() {
    std::vector<Kind> kinds;
    for (const int interlace : {PNG_INTERLACE_NONE, PNG_INTERLACE_ADAM7})
        for (const int size : {1, 2, 5, 37})
            for (const bool hasTransparency : {false, true}) {
                for (const int depth : {1, 2, 4, 8, 16})
                    kinds.push_back({PNG_COLOR_TYPE_GRAY, depth, interlace, size, size + 2, hasTransparency});
                for (const int depth : {1, 2, 4, 8})
                    kinds.push_back({PNG_COLOR_TYPE_PALETTE, depth, interlace, size, size + 2, hasTransparency});
                for (const int depth : {8, 16}) {
                    kinds.push_back({PNG_COLOR_TYPE_RGB, depth, interlace, size, size + 2, hasTransparency});
                    kinds.push_back({PNG_COLOR_TYPE_RGBA, depth, interlace, size, size + 2, false});
                    kinds.push_back({PNG_COLOR_TYPE_GRAY_ALPHA, depth, interlace, size, size + 2, false});
                }
            }
    return kinds;
}

TEST(PngReader, EveryKindIsReadAsItWasWritten) {
    for (const Kind& kind : everyKind()) {
        const std::vector<int> samples = samplesOf(kind);
        const GrayPixels pixels = readGray(written(kind, samples));
        ASSERT_EQ(pixels.width, kind.width);
        ASSERT_EQ(pixels.height, kind.height);
        const ColorPixels colors = readColors(written(kind, samples));
        ASSERT_EQ(colors.values.size(), pixels.values.size());
        for (std::size_t i = 0; i < colors.values.size(); ++i)
            for (int c = 0; c < 3; ++c)
                ASSERT_NEAR(colors.values[i][std::size_t(c)], expectedColor(kind, &samples[i * channelsOf(kind.type)], c), 1)
                    << "type " << kind.type << ", depth " << kind.depth;
        double worst = 0;
        for (std::size_t i = 0; i < pixels.values.size(); ++i)
            worst =
                std::max(worst, std::fabs(pixels.values[i] - 65535 * expectedGray(kind, &samples[i * channelsOf(kind.type)])));
        EXPECT_LE(worst, 1.01) << "type " << kind.type << ", depth " << kind.depth << ", interlace " << kind.interlace
                               << ", width " << kind.width << ", transparent " << kind.hasTransparency;
    }
}

// One byte changed anywhere is told by a check sum, or is where nothing is read from; cut short, it is told.
TEST(PngReader, DamagedFilesAreRefused) {
    const Kind kind{PNG_COLOR_TYPE_RGB, 8, PNG_INTERLACE_ADAM7, 19, 23, false};
    const std::string good = written(kind, samplesOf(kind));
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = char(bad[i] ^ 0x41);
        EXPECT_THROW(readGray(bad), Error) << "byte " << i;
        EXPECT_THROW(readGray(good.substr(0, i)), Error) << "first " << i;
    }
}

TEST(PngReader, TooManyPixelsAreRefused) {
    const auto errorOf = [](const Kind& kind) -> std::string {
        try {
            readGray(written(kind, std::vector<int>(std::size_t(kind.width) * kind.height, 0)));
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(errorOf({PNG_COLOR_TYPE_GRAY, 1, PNG_INTERLACE_NONE, 8193, 2, false}),
              "has 8193 x 2 pixels (1 to 8192 along each side are allowed)");
    EXPECT_EQ(errorOf({PNG_COLOR_TYPE_GRAY, 1, PNG_INTERLACE_NONE, 8192, 2, false}), "");
}

}  // namespace
}  // namespace sunder::scene
