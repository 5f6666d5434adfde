// A three-quarter view from above, as near as the subject allows, raised until walls no longer hide the bodies.
#include "render/framing.h"

#include <algorithm>
#include <array>
#include <vector>

#include "render/view.h"

namespace sunder::render {

namespace {

constexpr Real kFovDegrees = 32;
constexpr Real kFill = Real(0.86);       // of the picture's width or height that the subject may take
constexpr Real kSeenEnough = Real(0.7);  // share of bodies that no wall hides; more is not worth a steeper view
// A body is left out where it is this many times farther from the middle than the third quartile.
constexpr Real kOutlierFactor = 6;

Real quantile(std::vector<Real> values, Real share) {
    const std::size_t rank = static_cast<std::size_t>(share * Real(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + rank, values.end());
    return values[rank];
}

std::array<Vec3, 8> corners(const Bounds& b) {
    std::array<Vec3, 8> result;
    for (int i = 0; i < 8; ++i)
        result[i] = {i & 1 ? b.high.x : b.low.x, i & 2 ? b.high.y : b.low.y, i & 4 ? b.high.z : b.low.z};
    return result;
}

// Moves back and sideways until all corners lie inside the middle of the picture. Each corner demands a least distance for
// either edge of the picture; the target follows the middle of what is seen.
Camera fit(const Bounds& subject, const Vec3& backward, Real aspect) {
    Camera camera;
    camera.fovDegrees = kFovDegrees;
    camera.target = center(subject);
    for (int round = 0; round < 4; ++round) {
        camera.position = camera.target + backward;
        const View view = makeView(camera, aspect);
        Real distance = 0;
        for (const Vec3& corner : corners(subject)) {
            const Vec3 offset = corner - camera.target;
            const Real toward = dot(offset, backward);
            distance = max(distance, toward + std::fabs(dot(offset, view.right)) / (view.tanHalfHeight * aspect * kFill));
            distance = max(distance, toward + std::fabs(dot(offset, view.up)) / (view.tanHalfHeight * kFill));
        }
        camera.position = camera.target + backward * max(distance, Real(1e-3));
        const View placed = makeView(camera, aspect);
        Vec3 low{kInfinity, kInfinity, 0}, high{-kInfinity, -kInfinity, 0};
        for (const Vec3& corner : corners(subject)) {
            const Vec3 seen = project(placed, corner);
            low = min(low, seen);
            high = max(high, seen);
        }
        if (round == 3)
            break;
        const Real scale = distance * placed.tanHalfHeight / 2;
        camera.target += placed.right * ((low.x + high.x) * scale * aspect) + placed.up * ((low.y + high.y) * scale);
    }
    return camera;
}

// Share of the boxes' centres that can be seen from the camera.
Real visibleShare(std::span<const Bounds> boxes, const RenderScene& walls, const Vec3& eye) {
    constexpr std::size_t kProbes = 200;
    const std::size_t stride = std::max<std::size_t>(1, boxes.size() / kProbes);
    Real seen = 0, probes = 0;
    for (std::size_t i = 0; i < boxes.size(); i += stride) {
        const Vec3 offset = eye - center(boxes[i]);
        const Real distance = length(offset);
        probes += 1;
        if (!walls.occluded(makeRay(center(boxes[i]), normalizeOr(offset, {0, 1, 0}), distance)))
            seen += 1;
    }
    return probes > 0 ? seen / probes : 1;
}

}  // namespace

Bounds boundsOfBulk(std::span<const Bounds> boxes) {
    Bounds bulk;
    if (boxes.empty())
        return bulk;
    std::array<std::vector<Real>, 3> middles;
    std::vector<Real> sizes, distances;
    for (const Bounds& box : boxes) {
        for (int axis = 0; axis < 3; ++axis)
            middles[axis].push_back(component(center(box), axis));
        sizes.push_back(length(box.high - box.low));
    }
    const Vec3 median{quantile(middles[0], Real(0.5)), quantile(middles[1], Real(0.5)), quantile(middles[2], Real(0.5))};
    for (const Bounds& box : boxes)
        distances.push_back(length(center(box) - median));
    const Real limit = kOutlierFactor * (quantile(distances, Real(0.75)) + quantile(sizes, Real(0.5)));
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (distances[i] <= limit + sizes[i])
            bulk = unite(bulk, boxes[i]);
    return bulk;
}

Camera frame(const RenderScene& subject, const RenderScene& walls, Real aspect) {
    const Bounds bulk = boundsOfBulk(subject.bounds());
    const Vec3 size = bulk.high - bulk.low;
    // Degrees about y from +z: mostly at the broad side, turned enough to show depth.
    const Real azimuth = (size.x >= size.z ? Real(28) : Real(62)) * kPi / 180;
    Camera best;
    Real bestShare = -1;
    for (const Real elevationDegrees : {Real(20), Real(35), Real(50), Real(68)}) {
        const Real elevation = elevationDegrees * kPi / 180;
        const Vec3 backward{std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                            std::cos(azimuth) * std::cos(elevation)};
        const Camera camera = fit(bulk, backward, aspect);
        const Real share = visibleShare(subject.bounds(), walls, camera.position);
        if (share > bestShare) {
            best = camera;
            bestShare = share;
        }
        if (bestShare >= kSeenEnough)
            break;
    }
    return best;
}

}  // namespace sunder::render
