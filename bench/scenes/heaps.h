// Heaps of one kind of body, or of all, of ragdolls and of shards, that fall into a pit and must come to rest there.
#pragma once

#include <array>

#include "math/quat.h"
#include "scenes/piles.h"
#include "scenes/ragdolls.h"

namespace sunder::scenes {

enum class HeapKind { Boxes, Spheres, Capsules, Cylinders, Hulls, Compounds, Mixed, Ragdolls, Shards, Planks, Poles };
struct HeapKindName {
    HeapKind kind;
    const char* name;
};
inline constexpr std::array<HeapKindName, 11> kHeapKinds{{{HeapKind::Boxes, "boxes"},
                                                          {HeapKind::Spheres, "spheres"},
                                                          {HeapKind::Capsules, "capsules"},
                                                          {HeapKind::Cylinders, "cylinders"},
                                                          {HeapKind::Hulls, "hulls"},
                                                          {HeapKind::Compounds, "compounds"},
                                                          {HeapKind::Mixed, "mixed"},
                                                          {HeapKind::Ragdolls, "ragdolls"},
                                                          {HeapKind::Shards, "shards"},
                                                          {HeapKind::Planks, "planks"},
                                                          {HeapKind::Poles, "poles"}}};

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
        case HeapKind::Planks: return Box{vec(size * 2.5, size * 0.12, size * 0.5)};
        case HeapKind::Poles: return Cylinder{Real(size * 0.15), Real(size * 2.5)};
        case HeapKind::Mixed:
        case HeapKind::Ragdolls:
        case HeapKind::Shards: break;
    }
    return heapShape(HeapKind(random.bits() % 6), size, random);
}

using Heap = JointScene;

// Where the bodies of a heap start: row upon row over the pit, layer upon layer.
class HeapPlaces {
public:
    HeapPlaces(double width, double spacing) : spacing_(spacing), row_(std::max(1, int(width / (spacing * 1.1)))) {}
    Vec3 place(int i, Random& random) const {
        const double jitter = 0.06 * spacing_;
        const auto along = [&](int k) { return (k - (row_ - 1) * 0.5) * spacing_ + random.between(-jitter, jitter); };
        const double x = along(i % row_), z = along(i / row_ % row_);
        const int layer = i / (row_ * row_);
        return vec(x, 0.8 * spacing_ + spacing_ * layer, z);
    }

private:
    double spacing_;
    int row_;
};

inline void addPit(World& world, double width) {
    constexpr double kWallHeight = 3, kWallWidth = 0.2;
    const auto addWall = [&](const Vec3& half, const Vec3& at) {
        world.addBody({.shape = Box{half}, .motion = Motion::Static, .position = at});
    };
    addWall(vec(20, 0.5, 20), vec(0, -0.5, 0));
    for (const int side : {-1, 1}) {
        const double at = side * (width / 2 + kWallWidth);
        addWall(vec(kWallWidth, kWallHeight, width), vec(at, kWallHeight, 0));
        addWall(vec(width, kWallHeight, kWallWidth), vec(0, kWallHeight, at));
    }
}

// Blocks of 0.3 m that break into eight pieces each as they begin to fall.
inline void addShards(Heap& heap, int count, const HeapPlaces& places, Random& random) {
    constexpr int kPieces = 8;
    const SharedPattern pattern = buildPattern({.kind = VoronoiPattern{.pieces = kPieces, .density = {}}, .nodes = 33});
    FractureDef fracture;
    fracture.method = Prescored{.pattern = pattern};
    fracture.generations = 1;
    fracture.threshold = 1e6;  // N s: a fall breaks nothing
    for (int i = 0; i < (count + kPieces - 1) / kPieces; ++i) {
        BodyDef body{.shape = Box{vec(0.15, 0.12, 0.15)}, .position = places.place(i, random), .fracture = fracture};
        body.orientation = random.rotation();
        heap.bodies.push_back(heap.world.addBody(body));
        heap.world.breakBody(heap.bodies.back(), body.position, vec(0, 1, 0), 0);
    }
}

// Dolls of 0.36 to 0.72 m whose joints have no friction of their own.
inline void addRagdolls(Heap& heap, int count, const HeapPlaces& places, Random& random) {
    const int perDoll = int(bones().size());
    for (int i = 0; i < (count + perDoll - 1) / perDoll; ++i) {
        const RagdollStyle style{.size = random.between(0.2, 0.4)};
        Vec3 feet = places.place(i, random);
        feet.y = Real(double(feet.y) - double(bones()[0].center.y) * style.size);
        addRagdoll(heap, feet, random.rotation(), style);
    }
}

constexpr bool isLong(HeapKind kind) { return kind == HeapKind::Planks || kind == HeapKind::Poles; }

// Long bodies, one above the other, at any angle about the vertical.
inline void addLong(Heap& heap, HeapKind kind, int count, Random& random) {
    constexpr double kRise = 0.4, kAside = 0.5, kTilt = 0.5;
    for (int i = 0; i < count; ++i) {
        const double size = random.between(0.1, 0.2), yaw = random.between(0, kPi);
        const double x = random.between(-kAside, kAside), z = random.between(-kAside, kAside);
        BodyDef body{.shape = heapShape(kind, size, random), .position = vec(x, kRise * (i + 1), z)};
        body.orientation = quatFromRotationVector(random.inBox(kTilt)) * quatFromRotationVector(vec(0, yaw, 0));
        if (kind == HeapKind::Poles)  // their axis is y
            body.orientation = body.orientation * quatFromRotationVector(vec(kPi / 2, 0, 0));
        heap.bodies.push_back(heap.world.addBody(body));
    }
}

// Bodies of 0.1 to 0.2 m over a pit as wide as they lie about three deep in it; of ragdolls and shards about as many bodies.
inline Heap heap(const WorldDef& def, HeapKind kind, int count, std::uint64_t seed) {
    const double width = (isLong(kind) ? 3.2 : 1.6) * std::cbrt(count / 100.0);
    Heap heap(def);
    addPit(heap.world, width);
    Random random(seed);
    if (kind == HeapKind::Ragdolls) {
        addRagdolls(heap, count, HeapPlaces(width, 0.75), random);
    } else if (kind == HeapKind::Shards) {
        addShards(heap, count, HeapPlaces(width, 0.5), random);
    } else if (isLong(kind)) {
        addLong(heap, kind, count, random);
    } else {
        const HeapPlaces places(width, 0.5);
        for (int i = 0; i < count; ++i) {
            const Vec3 at = places.place(i, random);
            const double size = random.between(0.1, 0.2);
            BodyDef body{.shape = heapShape(kind, size, random), .position = at};
            body.orientation = random.rotation();
            heap.bodies.push_back(heap.world.addBody(body));
        }
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
