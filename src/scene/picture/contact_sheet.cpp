// Lays out scaled pictures in a grid while a run goes on.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "render/font.h"
#include "render/light.h"
#include "sunder/definitions.h"
#include "sunder/scene/render.h"

namespace sunder {

namespace {

using SheetColor = std::array<std::uint8_t, 3>;
constexpr SheetColor kPaper{250, 250, 248}, kInk{40, 44, 52}, kFaintInk{110, 116, 126}, kEmpty{238, 238, 236};
constexpr int kGutter = 8, kMargin = 16, kCaptionHeight = 17, kTitleScale = 2;
constexpr int kTitleHeight = render::kLetterHeight * kTitleScale + 12;

void fill(Image& image, int left, int top, int width, int height, const SheetColor& color) {
    for (int row = top; row < top + height; ++row)
        for (int column = left; column < left + width; ++column)
            std::copy(color.begin(), color.end(), image.rgb.begin() + 3 * (std::ptrdiff_t(row) * image.width + column));
}

// Each target pixel is the mean, in linear light, of the source area it covers.
void scaleInto(const Image& source, Image& target, int left, int top, int width, int height) {
    std::array<double, 256> linear;
    for (int i = 0; i < 256; ++i)
        linear[std::size_t(i)] = render::fromSrgb(static_cast<std::uint8_t>(i));
    const double stepX = double(source.width) / width, stepY = double(source.height) / height;
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column) {
            const double x0 = column * stepX, x1 = x0 + stepX, y0 = row * stepY, y1 = y0 + stepY;
            std::array<double, 3> sum{};
            double area = 0;
            for (int y = int(y0); y < source.height && y < y1; ++y)
                for (int x = int(x0); x < source.width && x < x1; ++x) {
                    const double cover =
                        (std::min(x1, x + 1.0) - std::max(x0, double(x))) * (std::min(y1, y + 1.0) - std::max(y0, double(y)));
                    const std::uint8_t* pixel = source.rgb.data() + 3 * (std::size_t(y) * source.width + x);
                    for (int i = 0; i < 3; ++i)
                        sum[std::size_t(i)] += cover * linear[pixel[i]];
                    area += cover;
                }
            std::uint8_t* out = target.rgb.data() + 3 * (std::size_t(top + row) * target.width + left + column);
            for (int i = 0; i < 3; ++i)
                out[i] = render::toSrgb(Real(area > 0 ? sum[std::size_t(i)] / area : 0));
        }
}

}  // namespace

Image scaled(const Image& image, int width, int height) {
    if (image.width < 1 || image.height < 1 || width < 1 || height < 1 ||
        image.rgb.size() != 3 * std::size_t(image.width) * image.height)
        throw Error("a picture of " + std::to_string(image.width) + " x " + std::to_string(image.height) +
                    " pixels cannot be scaled to " + std::to_string(width) + " x " + std::to_string(height));
    Image result{width, height, std::vector<std::uint8_t>(3 * std::size_t(width) * height)};
    scaleInto(image, result, 0, 0, width, height);
    return result;
}

ContactSheet::ContactSheet(const std::string& title, int columns, int rows, int tileWidth, int tileHeight)
    : columns_(columns), rows_(rows), tileWidth_(tileWidth), tileHeight_(tileHeight) {
    if (columns < 1 || rows < 1 || tileWidth < 1 || tileHeight < 1 || columns > 64 || rows > 64 || tileWidth > 4096 ||
        tileHeight > 4096)
        throw Error("contact sheet: " + std::to_string(columns) + " x " + std::to_string(rows) + " tiles of " +
                    std::to_string(tileWidth) + " x " + std::to_string(tileHeight) +
                    " are not allowed (1 to 64 tiles a side, 1 to 4096 pixels)");
    page_.width = 2 * kMargin + columns * tileWidth + (columns - 1) * kGutter;
    page_.height = 2 * kMargin + kTitleHeight + rows * (tileHeight + kCaptionHeight) + (rows - 1) * kGutter;
    page_.rgb.resize(3 * std::size_t(page_.width) * page_.height);
    fill(page_, 0, 0, page_.width, page_.height, kPaper);
    for (int tile = 0; tile < capacity(); ++tile)
        fill(page_, tileLeft(tile), tileTop(tile), tileWidth, tileHeight, kEmpty);
    render::drawText(page_, kMargin, kMargin, title, kTitleScale, kInk);
}

int ContactSheet::tileLeft(int tile) const { return kMargin + tile % columns_ * (tileWidth_ + kGutter); }
int ContactSheet::tileTop(int tile) const {
    return kMargin + kTitleHeight + tile / columns_ * (tileHeight_ + kCaptionHeight + kGutter);
}

void ContactSheet::add(const Image& image, int frame, double time) {
    if (count_ >= capacity())
        throw Error("contact sheet: full, it has " + std::to_string(capacity()) + " tiles");
    if (image.width < 1 || image.height < 1 || image.rgb.size() != 3 * std::size_t(image.width) * image.height)
        throw Error("contact sheet: the picture of frame " + std::to_string(frame) + " is empty or broken");
    const int left = tileLeft(count_), top = tileTop(count_);
    const double scale = std::min(double(tileWidth_) / image.width, double(tileHeight_) / image.height);
    const int width = std::clamp(int(std::lround(image.width * scale)), 1, tileWidth_);
    const int height = std::clamp(int(std::lround(image.height * scale)), 1, tileHeight_);
    scaleInto(image, page_, left + (tileWidth_ - width) / 2, top + (tileHeight_ - height) / 2, width, height);

    const std::string number = "frame " + std::to_string(frame);
    char clock[32];
    std::snprintf(clock, sizeof clock, "%.2f s", time);
    const int baseline = top + tileHeight_ + (kCaptionHeight - render::kLetterHeight) / 2;
    render::drawText(page_, left, baseline, number, 1, kInk);
    render::drawText(page_, left + tileWidth_ - render::textWidth(clock, 1), baseline, clock, 1, kFaintInk);
    ++count_;
}

std::vector<int> ContactSheet::spread(int lastFrame, int count) {
    std::vector<int> frames;
    const int wanted = std::min(count, lastFrame + 1);
    for (int i = 0; i < wanted; ++i)
        frames.push_back(wanted == 1 ? lastFrame : int(std::lround(double(lastFrame) * i / (wanted - 1))));
    return frames;
}

}  // namespace sunder
