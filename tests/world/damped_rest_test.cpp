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

// [Egan03] figure 6.7. The thesis still saw chatter; here nothing moves in the last second.
TEST(DampedRest, AClumpOfBoxes) {
    for (const int rate : {30, 60}) {
        scenes::BoxScene clump = scenes::clump(dampedWorld(), 100, 2);
        const auto idOf = [](const scenes::BoxRecord& box) { return box.id; };
        std::vector<Place> before;
        for (int i = 0; i < 8 * rate; ++i) {
            clump.world.step(Real(1) / Real(rate));
            if (i == 7 * rate)
                before = placesOf(clump.world, clump.moving, idOf);
        }
        const std::vector<Place> after = placesOf(clump.world, clump.moving, idOf);
        for (std::size_t i = 0; i < after.size(); ++i) {
            EXPECT_LT(length(after[i].position - before[i].position), 1e-4) << rate << " Hz";
            EXPECT_LT(length(clump.world.velocity(clump.moving[i].id)), 1e-3) << rate << " Hz";
        }
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
