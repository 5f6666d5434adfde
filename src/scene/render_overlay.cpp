// Dots and strokes with soft edges, in pixels.
#include "scene/render_overlay.h"

#include <algorithm>
#include <array>

#include "scene/render_view.h"

namespace sunder::scene {

namespace {

struct Point2 {
    Real x = 0, y = 0;
};
using Color = std::array<std::uint8_t, 3>;
constexpr Color kPointColor{255, 60, 60}, kNormalColor{255, 214, 64};

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

}  // namespace

void drawContacts(Image& image, const Camera& camera, std::span<const ContactEvent> contacts) {
    const View view = makeView(camera, Real(image.width) / Real(image.height));
    const Real dot = max(Real(image.height) / 240, Real(1.2));
    const auto toPixel = [&](const Vec3& p) {
        return Point2{(p.x + 1) / 2 * Real(image.width), (1 - p.y) / 2 * Real(image.height)};
    };
    for (const ContactEvent& contact : contacts) {
        if (contact.phase == ContactPhase::End || !isFinite(contact.point) || !isFinite(contact.normal))
            continue;
        const Vec3 at = project(view, contact.point);
        // Well outside the picture, or behind the camera; also where projecting overflowed.
        if (!(at.z > 0 && std::fabs(at.x) < 2 && std::fabs(at.y) < 2))
            continue;
        const Vec3 tip = project(view, contact.point + contact.normal * (Real(0.06) * at.z * view.tanHalfHeight));
        if (tip.z > 0 && isFinite(tip))
            drawStroke(image, toPixel(at), toPixel(tip), dot / 2, kNormalColor);
        drawStroke(image, toPixel(at), toPixel(at), dot, kPointColor);
    }
}

}  // namespace sunder::scene
