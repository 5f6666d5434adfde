#include "measure/penetration.h"

#include <algorithm>
#include <array>

namespace sunder::measure {

namespace {

// Cross products of edges shorter than this are nearly parallel edges, whose axis is one of the faces'.
constexpr double kMinCross = 1e-4;

double radiusAlong(const OrientedBox& box, const Vector& axis) {
    return box.halfExtents.x * std::abs(dot(box.axes.x, axis)) + box.halfExtents.y * std::abs(dot(box.axes.y, axis)) +
           box.halfExtents.z * std::abs(dot(box.axes.z, axis));
}

}  // namespace

double penetration(const OrientedBox& a, const OrientedBox& b) {
    const Vector between = b.center - a.center;
    double least = 1e300;
    const auto overlapAlong = [&](const Vector& axis) {
        const double overlap = radiusAlong(a, axis) + radiusAlong(b, axis) - std::abs(dot(between, axis));
        least = std::min(least, overlap);
        return overlap > 0;
    };
    const std::array<Vector, 3> ofA{a.axes.x, a.axes.y, a.axes.z}, ofB{b.axes.x, b.axes.y, b.axes.z};
    for (int i = 0; i < 3; ++i)
        if (!overlapAlong(ofA[i]) || !overlapAlong(ofB[i]))
            return 0;
    for (const Vector& edgeA : ofA)
        for (const Vector& edgeB : ofB) {
            const Vector axis = cross(edgeA, edgeB);
            const double size = length(axis);
            if (size > kMinCross && !overlapAlong(axis * (1 / size)))
                return 0;
        }
    return least;
}

Placed<OrientedBox> placeBox(const Vec3& halfExtents, const Vec3& position, const Quat& orientation, std::size_t owner) {
    const OrientedBox box{scenes::toVector(position), scenes::toVector(halfExtents), scenes::axesOf(orientation)};
    const double reach = radiusAlong(box, {1, 0, 0});
    return {box, box.center.x - reach, box.center.x + reach, owner};
}

Penetration measurePenetration(std::vector<Placed<OrientedBox>> boxes) {
    return measurePairs(std::move(boxes), [](const OrientedBox& a, const OrientedBox& b) { return penetration(a, b); });
}

Penetration measurePenetration(const scenes::BoxScene& scene) {
    std::vector<Placed<OrientedBox>> boxes;
    for (const auto* records : {&scene.fixed, &scene.moving})
        for (const scenes::BoxRecord& record : *records)
            boxes.push_back(placeBox(record.halfExtents, scene.world.position(record.id), scene.world.orientation(record.id),
                                     record.fixed ? kFixed : boxes.size()));
    return measurePenetration(std::move(boxes));
}

}  // namespace sunder::measure
