// Heaps of one kind of body, or of all, that fall into a pit and must come to rest there.
#pragma once

#include <array>

#include "scenes/piles.h"

namespace sunder::scenes {

enum class HeapKind { Boxes, Spheres, Capsules, Cylinders, Hulls, Compounds, Mixed };
struct HeapKindName {
    HeapKind kind;
    const char* name;
};
inline constexpr std::array<HeapKindName, 7> kHeapKinds{{{HeapKind::Boxes, "boxes"},
                                                         {HeapKind::Spheres, "spheres"},
                                                         {HeapKind::Capsules, "capsules"},
                                                         {HeapKind::Cylinders, "cylinders"},
                                                         {HeapKind::Hulls, "hulls"},
                                                         {HeapKind::Compounds, "compounds"},
                                                         {HeapKind::Mixed, "mixed"}}};

// size: m, about half of its extent.
inline Shape heapShape(HeapKind kind, double size, Random& random) {
    switch (kind) {
        case HeapKind::Boxes: {
            const double y = size * random.between(0.6, 1), z = size * random.between(0.6, 1);
            return Box{vec(size, y, z)};
        }
        case HeapKind::Spheres: return Sphere{Real(size)};
        case HeapKind::Capsules: return Capsule{Real(size * 0.6), Real(size * 0.6)};
        case HeapKind::Cylinders: return Cylinder{Real(size * 0.7), Real(size * 0.8)};
        case HeapKind::Hulls: return randomHull(14, size, random);
        case HeapKind::Compounds: {
            Compound corner;
            corner.children.push_back({Box{vec(size, size * 0.3, size * 0.3)}, {}, {}});
            corner.children.push_back({Box{vec(size * 0.3, size, size * 0.3)}, vec(size * 0.7, size * 0.5, 0), {}});
            return corner;
        }
        case HeapKind::Mixed: break;
    }
    return heapShape(HeapKind(random.bits() % 6), size, random);
}

struct Heap {
    World world;
    std::vector<BodyId> bodies;
};

// Bodies of 0.1 to 0.2 m over a pit as wide as they lie about three deep in it.
inline Heap heap(const WorldDef& def, HeapKind kind, int count, std::uint64_t seed) {
    constexpr double kSpacing = 0.5, kJitter = 0.03, kWallHeight = 3, kWallWidth = 0.2;
    const double width = 1.6 * std::cbrt(count / 100.0);
    Heap heap{World(def), {}};
    const auto addWall = [&](const Vec3& half, const Vec3& at) {
        heap.world.addBody({.shape = Box{half}, .motion = Motion::Static, .position = at});
    };
    addWall(vec(20, 0.5, 20), vec(0, -0.5, 0));
    for (const int side : {-1, 1}) {
        const double at = side * (width / 2 + kWallWidth);
        addWall(vec(kWallWidth, kWallHeight, width), vec(at, kWallHeight, 0));
        addWall(vec(width, kWallHeight, kWallWidth), vec(0, kWallHeight, at));
    }
    Random random(seed);
    const int row = std::max(1, int(width / (kSpacing + 0.05)));
    for (int i = 0; i < count; ++i) {
        const auto place = [&](int k) { return (k - (row - 1) * 0.5) * kSpacing + random.between(-kJitter, kJitter); };
        const double x = place(i % row), z = place(i / row % row);
        const int layer = i / (row * row);
        const double size = random.between(0.1, 0.2);
        BodyDef body{.shape = heapShape(kind, size, random), .position = vec(x, 0.4 + kSpacing * layer, z)};
        body.orientation = random.rotation();
        heap.bodies.push_back(heap.world.addBody(body));
    }
    return heap;
}

// Steps until all sleep. Returns the time (s) that took, or `most` where some are awake by then.
inline double timeToRest(Heap& heap, double rate, double most) {
    const int steps = int(most * rate);
    for (int i = 1; i <= steps; ++i) {
        heap.world.step(Real(1 / rate));
        if (heap.world.stats().awake == 0)
            return i / rate;
    }
    return most;
}

}  // namespace sunder::scenes
