// How deep bodies stand in one another, measured outside the engine: from poses, in double precision.
#pragma once

#include <algorithm>
#include <vector>

#include "scenes/mechanics.h"
#include "scenes/parts.h"

namespace sunder::measure {

using scenes::Axes;
using scenes::Vector;

struct OrientedBox {
    Vector center, halfExtents;
    Axes axes;
};

// The least overlap over all 15 separating axes; 0 for boxes that are apart.
double penetration(const OrientedBox& a, const OrientedBox& b);

struct Penetration {
    double largest = 0;  // m
    double mean = 0;     // m, over the pairs that overlap
    int pairs = 0;       // that overlap

    // The next pair; depths that are not above 0 do not count.
    void add(double depth) {
        if (!(depth > 0))
            return;
        largest = std::max(largest, depth);
        mean += (depth - mean) / ++pairs;
    }
    friend Penetration operator+(const Penetration& a, const Penetration& b) {
        const int both = a.pairs + b.pairs;
        return {std::max(a.largest, b.largest), both > 0 ? (a.mean * a.pairs + b.mean * b.pairs) / both : 0, both};
    }
};

// A body, or a part of one, and its extent along x.
template <class Body>
struct Placed {
    Body body;
    double low = 0, high = 0;
    std::size_t owner = 0;  // pairs of one owner are not measured; all fixed bodies have the same
};

// The owner of everything that does not move.
constexpr std::size_t kFixed = std::size_t(-1);

// Measures every pair of different owners whose extents meet.
template <class Body, class Depth>
Penetration measurePairs(std::vector<Placed<Body>> placed, Depth depth) {
    std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.low < b.low; });
    Penetration result;
    for (std::size_t i = 0; i < placed.size(); ++i)
        for (std::size_t j = i + 1; j < placed.size() && placed[j].low <= placed[i].high; ++j)
            if (placed[i].owner != placed[j].owner)
                result.add(depth(placed[i].body, placed[j].body));
    return result;
}

Placed<OrientedBox> placeBox(const Vec3& halfExtents, const Vec3& position, const Quat& orientation, std::size_t owner);

// Over every pair of boxes that is not two fixed ones.
Penetration measurePenetration(std::vector<Placed<OrientedBox>> boxes);
Penetration measurePenetration(const scenes::BoxScene& scene);

}  // namespace sunder::measure
