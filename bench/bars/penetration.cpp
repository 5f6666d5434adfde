#include "bars/penetration.h"

#include <algorithm>
#include <array>

namespace sunder::bars {

namespace {

// Cross products of edges shorter than this are nearly parallel edges, whose axis is one of the faces'.
constexpr double kMinCross = 1e-4;

double radiusAlong(const OrientedBox& box, const Vector& axis) {
    return box.halfExtents.x * std::abs(dot(box.axes.x, axis)) + box.halfExtents.y * std::abs(dot(box.axes.y, axis)) +
           box.halfExtents.z * std::abs(dot(box.axes.z, axis));
}

struct Interval {
    OrientedBox box;
    double low = 0, high = 0;  // along x
    bool fixed = false;
};

Interval makeInterval(const World& world, const scenes::BoxRecord& record) {
    Interval interval;
    interval.box = {scenes::toVector(world.position(record.id)), scenes::toVector(record.halfExtents),
                    scenes::axesOf(world.orientation(record.id))};
    const double reach = radiusAlong(interval.box, {1, 0, 0});
    interval.low = interval.box.center.x - reach;
    interval.high = interval.box.center.x + reach;
    interval.fixed = record.fixed;
    return interval;
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

Penetration measurePenetration(const scenes::BoxScene& scene) {
    std::vector<Interval> intervals;
    for (const auto* records : {&scene.fixed, &scene.moving})
        for (const scenes::BoxRecord& record : *records)
            intervals.push_back(makeInterval(scene.world, record));
    std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.low < b.low; });
    Penetration result;
    double sum = 0;
    for (std::size_t i = 0; i < intervals.size(); ++i)
        for (std::size_t j = i + 1; j < intervals.size() && intervals[j].low <= intervals[i].high; ++j) {
            if (intervals[i].fixed && intervals[j].fixed)
                continue;
            const double depth = penetration(intervals[i].box, intervals[j].box);
            if (depth <= 0)
                continue;
            result.largest = std::max(result.largest, depth);
            sum += depth;
            ++result.pairs;
        }
    result.mean = result.pairs > 0 ? sum / result.pairs : 0;
    return result;
}

}  // namespace sunder::bars
