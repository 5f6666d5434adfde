// Dots and strokes with soft edges, in pixels.
#include "render/overlay.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "render/font.h"
#include "render/view.h"

namespace sunder::render {

namespace {

struct Point2 {
    Real x = 0, y = 0;
};
using Color = std::array<std::uint8_t, 3>;
constexpr Color kPointColor{255, 60, 60}, kNormalColor{255, 214, 64}, kDark{24, 26, 30}, kBright{250, 250, 250},
    kKineticColor{255, 170, 60}, kPotentialColor{110, 190, 255};

Real distanceToSegment(const Point2& p, const Point2& a, const Point2& b) {
    const Real dx = b.x - a.x, dy = b.y - a.y, lengthSquared = dx * dx + dy * dy;
    const Real t = lengthSquared > 0 ? clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / lengthSquared, 0, 1) : 0;
    return std::sqrt(square(p.x - a.x - t * dx) + square(p.y - a.y - t * dy));
}

void drawStroke(Image& image, const Point2& a, const Point2& b, Real radius, const Color& color) {
    const Real margin = radius + 1;
    const auto bound = [](Real x, int size) { return static_cast<int>(clamp(x, 0, Real(size))); };
    const int left = bound(min(a.x, b.x) - margin, image.width), right = bound(max(a.x, b.x) + margin + 1, image.width);
    const int top = bound(min(a.y, b.y) - margin, image.height), bottom = bound(max(a.y, b.y) + margin + 1, image.height);
    for (int row = top; row < bottom; ++row)
        for (int column = left; column < right; ++column) {
            const Point2 middle{Real(column) + Real(0.5), Real(row) + Real(0.5)};
            const Real cover = clamp(radius + Real(0.5) - distanceToSegment(middle, a, b), 0, 1);
            std::uint8_t* pixel = image.rgb.data() + 3 * (std::size_t(row) * image.width + column);
            for (int i = 0; i < 3; ++i)
                pixel[i] = static_cast<std::uint8_t>(Real(pixel[i]) + (Real(color[i]) - Real(pixel[i])) * cover + Real(0.5));
        }
}

// Pixels per dot of the font, so that text keeps its share of the picture.
int textScale(const Image& image) { return std::max(1, image.height / 320); }

Point2 toPixel(const Image& image, const Vec3& seen) {
    return {(seen.x + 1) / 2 * Real(image.width), (1 - seen.y) / 2 * Real(image.height)};
}

// False well outside the picture, behind the camera, or where projecting overflowed.
bool isSeen(const Vec3& at) { return at.z > 0 && std::fabs(at.x) < 2 && std::fabs(at.y) < 2; }

void drawContact(Image& image, const View& view, const ContactMark& contact) {
    if (!isFinite(contact.point) || !isFinite(contact.normal))
        return;
    const Real dot = max(Real(image.height) / 240, Real(1.2));
    const Vec3 at = project(view, contact.point);
    if (!isSeen(at))
        return;
    const Vec3 tip = project(view, contact.point + contact.normal * (Real(0.06) * at.z * view.tanHalfHeight));
    if (tip.z > 0 && isFinite(tip))
        drawStroke(image, toPixel(image, at), toPixel(image, tip), dot / 2, kNormalColor);
    drawStroke(image, toPixel(image, at), toPixel(image, at), dot, kPointColor);
}

void drawShadowedText(Image& image, int left, int top, const std::string& text) {
    const int scale = textScale(image);
    drawText(image, left + scale, top + scale, text, scale, kDark);
    drawText(image, left, top, text, scale, kBright);
}

void drawBar(Image& image, int left, int top, int width, double share, const Color& color) {
    const int height = 5 * textScale(image);
    const auto filled = static_cast<int>(width * std::clamp(share, 0.0, 1.0));
    for (int row = std::max(top, 0); row < std::min(top + height, image.height); ++row)
        for (int column = std::max(left, 0); column < std::min(left + width, image.width); ++column) {
            std::uint8_t* pixel = image.rgb.data() + 3 * (std::size_t(row) * image.width + column);
            for (int i = 0; i < 3; ++i)
                pixel[i] = column < left + filled ? color[i] : static_cast<std::uint8_t>((pixel[i] + kDark[i]) / 2);
        }
}

}  // namespace

void drawContacts(Image& image, const Camera& camera, std::span<const ContactMark> contacts) {
    const View view = makeView(camera, Real(image.width) / Real(image.height));
    for (const ContactMark& contact : contacts)
        drawContact(image, view, contact);
}

void drawIds(Image& image, const Camera& camera, std::span<const IdMark> ids) {
    const View view = makeView(camera, Real(image.width) / Real(image.height));
    std::vector<IdMark> labels;  // with the point as it is projected
    for (const IdMark& mark : ids) {
        const Vec3 at = project(view, mark.point);
        if (isSeen(at))
            labels.push_back({at, mark.id});
    }
    std::sort(labels.begin(), labels.end(),
              [](const IdMark& a, const IdMark& b) { return a.point.z != b.point.z ? a.point.z < b.point.z : a.id < b.id; });
    // From front to back, each where no label is yet; a grid of cells of a letter's size records that.
    const int scale = textScale(image), cellWidth = kLetterAdvance * scale, cellHeight = (kLetterHeight + 2) * scale;
    const int columns = image.width / cellWidth + 1, rows = image.height / cellHeight + 1;
    std::vector<bool> taken(std::size_t(columns) * rows, false);
    for (const IdMark& label : labels) {
        const std::string text = std::to_string(label.id);
        const Point2 at = toPixel(image, label.point);
        const int width = textWidth(text, scale);
        const int left = int(at.x) - width / 2, top = int(at.y) - kLetterHeight * scale / 2;
        if (left < 0 || top < 0 || left + width >= image.width || top + cellHeight >= image.height)
            continue;
        const auto forCells = [&](const auto& visit) {
            for (int row = top / cellHeight; row <= (top + cellHeight - 1) / cellHeight; ++row)
                for (int column = left / cellWidth; column <= (left + width) / cellWidth; ++column)
                    visit(std::size_t(row) * columns + column);
        };
        bool free = true;
        forCells([&](std::size_t cell) { free = free && !taken[cell]; });
        if (!free)
            continue;
        forCells([&](std::size_t cell) { taken[cell] = true; });
        drawShadowedText(image, left, top, text);
    }
}

void drawEnergy(Image& image, const FrameNumbers& numbers) {
    const double whole = std::max(std::fabs(numbers.kineticEnergy) + std::fabs(numbers.potentialEnergy), 1e-300);
    const int scale = textScale(image), line = (kLetterHeight + 4) * scale, left = 10 * scale, bar = 90 * scale;
    int top = 10 * scale;
    char text[96];
    std::snprintf(text, sizeof text, "frame %d  %.2f s  %.0f contacts", numbers.frame, numbers.time, numbers.contacts);
    drawShadowedText(image, left, top, text);
    const auto row = [&](const char* name, double joules, const Color& color) {
        top += line;
        drawBar(image, left, top + scale, bar, std::fabs(joules) / whole, color);
        std::snprintf(text, sizeof text, "%s %.4g J", name, joules);
        drawShadowedText(image, left + bar + 6 * scale, top, text);
    };
    row("kinetic", numbers.kineticEnergy, kKineticColor);
    row("potential", numbers.potentialEnergy, kPotentialColor);
}

}  // namespace sunder::render
