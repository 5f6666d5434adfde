// Piles come to rest with the stepper `damped`: less than 1 mm/s and 0.1 mm in a second are left. bench/bars/steppers.cpp runs
// more seeds, and longer.
#include <gtest/gtest.h>

#include "math/vec3.h"
#include "scenes/egan.h"
#include "scenes/heaps.h"

namespace sunder {
namespace {

WorldDef dampedWorld(int threads = 1) {
    WorldDef def;
    def.stepper = Stepper::Damped;
    def.threads = threads;
    return def;
}

struct Place {
    Vec3 position;
    Quat orientation;
    bool operator==(const Place&) const = default;
};

template <class Bodies, class Id>
std::vector<Place> placesOf(const World& world, const Bodies& bodies, Id idOf) {
    std::vector<Place> places;
    for (const auto& body : bodies)
        places.push_back({world.position(idOf(body)), world.orientation(idOf(body))});
    return places;
}

// m: how far the farthest body of a clump gets from its place in the last of so many seconds, and its speed (m/s).
struct Unrest {
    double way = 0, speed = 0;
};
Unrest unrestOf(std::uint64_t seed, int rate, int seconds) {
    scenes::BoxScene clump = scenes::clump(dampedWorld(), 100, seed);
    const auto idOf = [](const scenes::BoxRecord& box) { return box.id; };
    std::vector<Place> before;
    for (int i = 0; i < seconds * rate; ++i) {
        clump.world.step(Real(1) / Real(rate));
        if (i == (seconds - 1) * rate)
            before = placesOf(clump.world, clump.moving, idOf);
    }
    const std::vector<Place> after = placesOf(clump.world, clump.moving, idOf);
    Unrest most;
    for (std::size_t i = 0; i < after.size(); ++i) {
        most.way = std::max(most.way, double(length(after[i].position - before[i].position)));
        most.speed = std::max(most.speed, double(length(clump.world.velocity(clump.moving[i].id))));
    }
    return most;
}

// [Egan03] figure 6.7. The thesis still saw chatter; here nothing moves in the last second.
// Which clump is still on the way changes with every rounding: in one of 48 a box slides between two others, with friction at
// its limit. Here one of eight may.
TEST(DampedRest, ClumpsOfBoxes) {
    int moving = 0;
    for (const std::uint64_t seed : {1, 2, 3, 4})
        for (const int rate : {30, 60}) {
            const Unrest most = unrestOf(seed, rate, 10);
            moving += !(most.way < 1e-4 && most.speed < 1e-3);
        }
    EXPECT_LE(moving, 1);
}

// Boxes that lay on two others, put to rest, were turned flat a little in every step, and lifted out of what they were turned
// into, for ever: two of sixty clumps never slept.
TEST(DampedRest, WhatRestsIsNotTurnedFlat) {
    for (const std::uint64_t seed : {47, 49}) {
        const Unrest most = unrestOf(seed, 30, 12);
        EXPECT_LT(most.way, 1e-4) << "seed " << seed;
        EXPECT_LT(most.speed, 1e-3) << "seed " << seed;
    }
}

// Impulses are carried from step to step: they are part of what a snapshot holds, and no thread may change them.
TEST(DampedRest, SameBitsForThreadsAndAfterRestore) {
    std::uint64_t hashes[3];
    for (int k = 0; k < 3; ++k) {
        scenes::Heap heap = scenes::heap(dampedWorld(k == 1 ? 4 : 1), scenes::HeapKind::Mixed, 40, 1);
        for (int i = 0; i < 90; ++i) {
            heap.world.step(Real(1) / 60);
            if (k == 2 && i == 45) {
                const std::vector<std::byte> bytes = heap.world.snapshot();
                heap.world.step(Real(1) / 60);
                heap.world.restore(bytes);
            }
        }
        hashes[k] = heap.world.hash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

}  // namespace
}  // namespace sunder
