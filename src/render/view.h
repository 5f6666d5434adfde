// A camera made ready for rays and for projecting points.
#pragma once

#include "render/ray.h"
#include "sunder/scene/render.h"

namespace sunder::render {

struct View {
    Vec3 position, forward, right, up;
    Real tanHalfHeight = 1, aspect = 1;
};

View makeView(const Camera& camera, Real aspect);

// x and y from -1 to 1 over the picture, y up.
inline Vec3 viewDirection(const View& view, Real x, Real y) {
    return normalizeOr(view.forward + view.right * (x * view.tanHalfHeight * view.aspect) + view.up * (y * view.tanHalfHeight),
                       view.forward);
}

// Where a point appears in the picture, on that scale, with its depth along `forward` in z (behind the camera: z <= 0).
Vec3 project(const View& view, const Vec3& point);

}  // namespace sunder::render
