// Camera frames and projection.
#include "render/view.h"

namespace sunder::render {

View makeView(const Camera& camera, Real aspect) {
    View view;
    view.position = camera.position;
    view.forward = normalizeOr(camera.target - camera.position, {0, 0, -1});
    // Looking straight up or down, north is up.
    const Vec3 above = std::fabs(view.forward.y) < Real(0.9999) ? Vec3{0, 1, 0} : Vec3{0, 0, -1};
    view.right = normalizeOr(cross(view.forward, above), {1, 0, 0});
    view.up = cross(view.right, view.forward);
    view.tanHalfHeight = std::tan(camera.fovDegrees * kPi / 360);
    view.aspect = aspect;
    return view;
}

Vec3 project(const View& view, const Vec3& point) {
    const Vec3 offset = point - view.position;
    const Real depth = dot(offset, view.forward);
    const Real scale = 1 / (std::fabs(depth) * view.tanHalfHeight + std::numeric_limits<Real>::min());
    return {dot(offset, view.right) * scale / view.aspect, dot(offset, view.up) * scale, depth};
}

}  // namespace sunder::render
